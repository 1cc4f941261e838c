// A host under any sequence of requests: whatever people do, everybody in a room sees the same
// room, every request is answered once, and nothing is left behind when all have gone.

// Before rapidcheck/gtest.h, which needs it.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <array>
#include <optional>
#include <set>

#include "tests/support/host_driver.hpp"
#include "tests/support/ledger.hpp"
#include "tests/support/room_view.hpp"

namespace tictactoe::test::host_tests {
namespace {

constexpr std::size_t people = 5;

struct Step {
  std::uint8_t who;
  std::uint8_t what;
  std::uint8_t with;
};

void showValue(const Step& step, std::ostream& out) {
  out << "{" << int{step.who} << ", " << int{step.what} << ", " << int{step.with} << "}";
}

v1::Mark some_mark(unsigned number) {
  return static_cast<v1::Mark>(number % 4);
}

/// A crowd that does what the steps say and believes only what it is told.
class Crowd {
 public:
  /// `late` as in HostDriver.
  explicit Crowd(bool late) : late_(late) { driver_.emplace(config(), starts_, late_); }

  /// Games that somebody saw the end of.
  int ends() const { return ends_; }

  void take(const Step& step) {
    Member& member = members_[step.who % people];
    if (!member.id) {
      come(member);
    } else {
      act(member, step.what, step.with);
    }
    listen();
    compare();
  }

  void go_home() {
    for (Member& member : members_) {
      if (member.id) driver_->disconnect(*member.id);
    }
    RC_ASSERT(driver_->host().connections() == 0u);
    driver_->pass(std::chrono::hours(48));  // seats and names are held for so long, but no longer
    RC_ASSERT(driver_->host().rooms() == 0u);
    RC_ASSERT(driver_->host().players() == 0u);
    RC_ASSERT(!driver_->host().next_deadline());
  }

 private:
  struct Member {
    std::optional<server::ConnectionId> id;
    std::string token;
    std::uint64_t last_done = 0;  // of the requests that were answered by an update
    std::optional<RoomView> view;
  };

  /// Somebody new, or back again with what was seen of the room.
  void come(Member& member) {
    if (member.token.empty()) {
      member.id = driver_->enter("member");
      member.token = driver_->token(*member.id);
      return;
    }
    const auto id = driver_->connect();
    v1::ClientMessage hello = hello_request("member");
    hello.mutable_hello()->set_token(member.token);
    if (member.view) {
      hello.mutable_hello()->set_room(member.view->room().name());
      hello.mutable_hello()->set_revision(member.view->room().revision());
    }
    const v1::Welcome welcome = driver_->ask(id, hello).welcome();
    member.id = id;
    if (!welcome.resumed()) {
      member.token = welcome.token();
      member.last_done = 0;
    }
    RC_ASSERT(welcome.last_request_done() >= member.last_done);
    if (welcome.room().empty()) member.view.reset();
  }

  /// The server is killed, and starts again from what it has written down.
  void restart() {
    for (const journal::v1::Record& record : std::exchange(driver_->records, {})) {
      ledger_.apply(record);
    }
    const server::Time now = driver_->now();
    driver_.emplace(config(), ++starts_, late_);
    driver_->pass(std::chrono::duration_cast<std::chrono::milliseconds>(now - driver_->now()));
    RC_ASSERT(driver_->host().restore(ledger_.saved(), driver_->now()).refused.empty());
    driver_->collect();
    for (Member& member : members_) member.id.reset();
  }

  static server::Config config() {
    server::Config config = HostDriver::patient();
    config.keeps_records = true;
    config.limits.default_grace = std::chrono::seconds(5);
    config.limits.max_hold = std::chrono::hours(1);
    config.limits.requests_per_second = 0;
    config.limits.watchers_per_room = 2;
    config.limits.rooms = 3;
    return config;
  }

  void act(Member& member, unsigned what, unsigned with) {
    const std::string room(1, static_cast<char>('a' + with % 2));
    const std::string password = with % 16 == 3 ? "pw" : "";
    v1::ClientMessage request;
    // Moves are most of what people do.
    switch (what % 32) {
      case 0:
        request = create_request(room, password);
        break;
      case 1:
        request = create_request(room, rules::Rules{3, 4, 3, with % 3 != 0});
        request.mutable_create_room()->mutable_options()->set_away(
            static_cast<v1::AwayPolicy>(with / 3 % 2 * 2));
        if (with % 2 != 0) {
          request.mutable_create_room()->mutable_options()->mutable_time()->set_game_ms(20'000);
        }
        break;
      case 2:
        request = join_request(room, some_mark(with / 2), password);
        break;
      case 3:
        request = watch_request(room, password);
        break;
      case 4:
        request = leave_request();
        break;
      case 5:
        request = play_request();
        break;
      case 6:
        request = rematch_request();
        break;
      case 7:
        request = add_ai_request(some_mark(with), with % 5 == 0 ? "random" : "");
        break;
      case 8:
        request = remove_ai_request(some_mark(with));
        break;
      case 9:
        request = chat_request("hello");
        break;
      case 10:
        request = hint_request();
        break;
      case 11:
        request = with % 4 == 0   ? watch_lobby_request(with % 8 == 0)
                  : with % 4 == 1 ? players_request()
                  : with % 4 == 2 ? members_request()
                                  : list_request();
        break;
      case 12:
        if (with % 4 != 0) return play_somewhere(with);
        driver_->disconnect(*member.id);
        member.id.reset();
        if (with % 8 == 0) member = {};  // never to come back
        return;
      case 13:
      case 14:
      case 15:
        driver_->pass(std::chrono::milliseconds(100 * with));
        return;
      case 16:
        request = resign_request();
        break;
      case 17:
        request = draw_request();
        break;
      case 18:
        request = takeback_request();
        break;
      case 19:
        request = decline_request();
        break;
      case 20:
        if (with % 4 == 0) return restart();
        request = with % 4 == 1   ? goodbye_request()
                  : with % 4 == 2 ? draw_request()
                                  : takeback_request();
        if (request.has_goodbye()) {
          driver_->ask(*member.id, request);
          member = {};
          return;
        }
        break;
      default:
        request = move_request(with % 4, with / 4 % 5);
        break;
    }
    const v1::ServerMessage answer = driver_->ask(*member.id, request);
    if (answer.has_left()) member.view.reset();
    if (answer.has_update()) member.last_done = answer.request_id();
  }

  /// Somebody whose turn it is plays one of the free cells. Blind moves would hardly ever end a
  /// game.
  void play_somewhere(unsigned with) {
    for (Member& member : members_) {
      if (!member.id || !member.view || member.view->room().turn() == v1::MARK_NONE) continue;
      const v1::RoomSnapshot& room = member.view->room();
      if (room.turn() != room.your_seat()) continue;
      const std::set<std::uint32_t> taken(room.moves().begin(), room.moves().end());
      std::uint32_t cell = with % (room.rules().rows() * room.rules().cols());
      while (taken.contains(cell)) cell = (cell + 1) % (room.rules().rows() * room.rules().cols());
      const std::uint32_t cols = room.rules().cols();
      RC_ASSERT(driver_->ask(*member.id, move_request(cell / cols, cell % cols)).has_update());
      return;
    }
  }

  /// Everybody takes in what they were sent.
  void listen() {
    for (Member& member : members_) {
      if (!member.id) continue;
      for (const v1::ServerMessage& message : driver_->take(*member.id)) {
        if (message.has_snapshot()) member.view.emplace(message.snapshot());
        if (!message.has_update()) continue;
        RC_ASSERT(member.view.has_value());
        member.view->take(message.update());
        member.view->check_board();
        if (message.update().phase() == v1::PHASE_FINISHED) ++ends_;
      }
    }
  }

  /// What each believes is what a newcomer would be told.
  void compare() {
    for (Member& member : members_) {
      if (!member.id) continue;
      const v1::ServerMessage answer = driver_->ask(*member.id, snapshot_request());
      driver_->take(*member.id);
      RC_ASSERT(answer.has_snapshot() == member.view.has_value());
      if (!member.view) continue;
      RC_ASSERT(timeless(answer.snapshot()) == timeless(member.view->room()));
    }
  }

  /// What does not change by time alone.
  static std::string timeless(v1::RoomSnapshot room) {
    room.mutable_x()->clear_away_ms_left();
    room.mutable_o()->clear_away_ms_left();
    room.clear_clocks();
    return room.ShortDebugString();
  }

  bool late_;
  std::optional<HostDriver> driver_;
  Ledger ledger_;
  std::uint64_t starts_ = 1;
  int ends_ = 0;
  std::array<Member, people> members_;
};

rc::Gen<std::uint8_t> any_byte() {
  return rc::gen::cast<std::uint8_t>(rc::gen::inRange(0, 256));
}

rc::Gen<Step> any_step() {
  return rc::gen::build<Step>(rc::gen::set(&Step::who, any_byte()),
                              rc::gen::set(&Step::what, any_byte()),
                              rc::gen::set(&Step::with, any_byte()));
}

RC_GTEST_PROP(Host, shows_everybody_the_same_room, ()) {
  const auto length = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(0, 600));
  const auto steps =
      *rc::gen::container<std::vector<Step>>(length, rc::gen::resize(rc::kNominalSize, any_step()));
  Crowd crowd(*rc::gen::arbitrary<bool>());
  for (const Step& step : steps) crowd.take(step);
  RC_CLASSIFY(crowd.ends() > 0, "a game ended");
  RC_CLASSIFY(crowd.ends() > 10, "many games ended");
  crowd.go_home();
}

RC_GTEST_PROP(Host, survives_any_bytes, (const std::vector<std::string>& messages, bool late)) {
  HostDriver driver(HostDriver::patient(), 1, late);
  const auto id = driver.enter("member");
  driver.ask(id, play_request());
  for (const std::string& message : messages) driver.send_bytes(id, message);
  RC_ASSERT(driver.is_open(id));
  RC_ASSERT(driver.inbox(id).size() >= messages.size() + 2);
}

}  // namespace
}  // namespace tictactoe::test::host_tests
