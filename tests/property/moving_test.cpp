// Somebody in a room asks for another one. Of two servers in the same state, one is asked at once,
// and the other one after the player has left: what the first one answers predicts the second
// answer.

// Before rapidcheck/gtest.h, which needs it.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::moving_tests {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct Step {
  std::uint8_t who;
  std::uint8_t what;
  std::uint8_t how;
};

void showValue(const Step& step, std::ostream& out) {
  out << "{" << int{step.who} << ", " << int{step.what} << ", " << int{step.how} << "}";
}

/// A small server, with limits that are soon reached.
class Small {
 public:
  explicit Small(const Bytes& limits) : driver_(config(limits)) {
    for (std::size_t i = 0; i < people_.size(); ++i) {
      people_[i] = driver_.connect({1 + i % 2, 1 + i % 2});
      driver_.ask(people_[i], hello_request("player " + std::to_string(i)));
    }
  }

  v1::ServerMessage ask(std::uint8_t who, const v1::ClientMessage& request) {
    return driver_.ask(people_[who % people_.size()], request);
  }
  /// The room that the player is in; empty if none.
  std::string room_of(std::uint8_t who) {
    const v1::ServerMessage answer = ask(who, snapshot_request());
    return answer.has_snapshot() ? answer.snapshot().SerializeAsString() : std::string();
  }
  std::size_t rooms() { return driver_.host().rooms(); }

 private:
  static server::Config config(const Bytes& limits) {
    server::Config config = HostDriver::patient();
    config.limits.requests_per_second = 0;
    config.limits.rooms = 2 + limits[0] % 3;
    config.limits.rooms_per_player = 1 + limits[1] % 2;
    config.limits.rooms_per_address = 1 + limits[2] % 3;
    config.limits.large_boards = 1 + limits[3] % 2;
    config.limits.large_boards_per_address = 1;
    config.limits.watchers_per_room = 1;
    config.ai_delay = std::chrono::hours(1);
    return config;
  }

  HostDriver driver_;
  std::array<server::ConnectionId, 5> people_;
};

std::string name_of(std::uint8_t how) {
  static const std::array<std::string, 4> names{"loft", "LOFT", "den", ""};
  return names[how % names.size()];
}

v1::ClientMessage to_another_room(const Step& step) {
  const std::string password = step.how / 4 % 4 == 0 ? "pw" : step.how / 4 % 4 == 1 ? "no" : "";
  const std::string name = name_of(step.how);
  const auto seat = static_cast<v1::Mark>(step.how / 16 % 3);
  switch (step.what % 5) {
    case 0:
      return join_request(name, seat, password);
    case 1:
      return watch_request(name, password);
    case 2:
      return play_request();
    default: {
      v1::ClientMessage create = create_request(name, password);
      v1::CreateRoom& room = *create.mutable_create_room();
      const std::uint32_t side = step.how / 48 % 3 == 0 ? 3 : step.how / 48 % 3 == 1 ? 100 : 2;
      room.mutable_rules()->set_rows(side);
      room.mutable_rules()->set_cols(side);
      room.mutable_rules()->set_k(3);
      room.mutable_options()->set_open_ai_seats(step.what % 2 == 0);
      room.mutable_options()->set_unlisted(step.how % 5 == 0);
      return create;
    }
  }
}

v1::ClientMessage any_request(const Step& step) {
  switch (step.what / 8 % 8) {
    case 0:
      return leave_request();
    case 1:
      return add_ai_request(v1::MARK_NONE);
    case 2:
      return move_request(step.how % 3, step.how / 3 % 3);
    default:
      return to_another_room(step);
  }
}

rc::Gen<std::uint8_t> any_byte() {
  return rc::gen::cast<std::uint8_t>(rc::gen::inRange(0, 256));
}

rc::Gen<Step> any_step() {
  return rc::gen::build<Step>(rc::gen::set(&Step::who, any_byte()),
                              rc::gen::set(&Step::what, any_byte()),
                              rc::gen::set(&Step::how, any_byte()));
}

RC_GTEST_PROP(Moving, is_refused_as_it_would_be_after_leaving, ()) {
  const auto limits = *rc::gen::container<Bytes>(4, any_byte());
  const auto steps = *rc::gen::container<std::vector<Step>>(
      *rc::gen::inRange<std::size_t>(1, 40), rc::gen::resize(rc::kNominalSize, any_step()));
  const Step last = *any_step();
  Small here(limits);
  Small left(limits);
  for (const Step& step : steps) {
    RC_ASSERT(here.ask(step.who, any_request(step)).SerializeAsString() ==
              left.ask(step.who, any_request(step)).SerializeAsString());
  }
  const std::string before = here.room_of(last.who);
  RC_PRE(!before.empty());
  v1::RoomSnapshot own;
  own.ParseFromString(before);
  const v1::ClientMessage request = to_another_room(last);
  const bool is_own = request.has_join_room() && request.join_room().name() == own.name();
  RC_PRE(!is_own);  // sits down there

  const std::size_t rooms = here.rooms();
  const v1::ServerMessage judged = here.ask(last.who, request);
  RC_ASSERT(judged.has_error());
  RC_ASSERT(here.room_of(last.who) == before);
  RC_ASSERT(here.rooms() == rooms);

  left.ask(last.who, leave_request());
  RC_PRE(!request.has_play() || left.rooms() < rooms);  // would lead back
  const v1::ServerMessage then = left.ask(last.who, request);
  const auto code = judged.error().code();
  RC_TAG(v1::Error::Code_Name(code));
  RC_ASSERT((code == v1::Error::CODE_ALREADY_IN_ROOM ? 0 : code) == then.error().code());
}

}  // namespace
}  // namespace tictactoe::test::moving_tests
