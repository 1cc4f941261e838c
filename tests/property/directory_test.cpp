// A host whose directory answers late: requests of a connection stay in order, each is answered
// once, and nothing stays claimed for a connection that is gone.

// Before rapidcheck/gtest.h, which needs it.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <array>
#include <deque>
#include <optional>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::directory_tests {
namespace {

constexpr std::size_t people = 6;

struct Step {
  std::uint8_t who;
  std::uint8_t what;
};

void showValue(const Step& step, std::ostream& out) {
  out << "{" << int{step.who} << ", " << int{step.what} << "}";
}

class LateCrowd {
 public:
  void take(const Step& step) {
    Member& member = members_[step.who % people];
    if (step.what % 3 == 0) {
      driver_.goes_on();
    } else if (!member.id) {
      connect(member);
    } else if (step.what % 16 == 1) {
      disconnect(member);
    } else {
      post(member, any_request(step.what));
    }
    for (Member& reader : members_) read(reader);
  }

  void go_home() {
    driver_.go_on();
    for (Member& member : members_) {
      read(member);
      if (!member.id) continue;
      RC_ASSERT(member.asked.empty());
      disconnect(member);
    }
    driver_.pass(std::chrono::hours(48));
    RC_ASSERT(driver_.host().connections() == 0u);
    RC_ASSERT(driver_.host().rooms() == 0u);
    RC_ASSERT(driver_.host().players() == 0u);
    // Every name is free again, and the number of rooms has not grown.
    for (const char* name : {"a", "b"}) {
      const auto id = driver_.connect();
      const auto welcome = driver_.ask(id, hello_request("member")).welcome();
      RC_ASSERT(welcome.player_name() == "member");
      RC_ASSERT(driver_.ask(id, create_request(name)).snapshot().name() == name);
      RC_ASSERT(driver_.ask(id, goodbye_request()).has_left());
    }
  }

 private:
  struct Member {
    std::optional<server::ConnectionId> id;
    std::string token;
    std::deque<std::uint64_t> asked;  // ids of requests without an answer
  };

  static server::Config config() {
    server::Config config = HostDriver::patient();
    config.limits.requests_per_second = 0;
    config.limits.default_grace = std::chrono::seconds(1);
    config.limits.rooms = 3;
    config.limits.rooms_per_player = 1;
    config.limits.players = 6;
    return config;
  }

  void connect(Member& member) {
    member.id = driver_.connect();
    v1::ClientMessage hello = hello_request("member");
    if (!member.token.empty()) hello.mutable_hello()->set_token(member.token);
    post(member, hello);
  }

  void disconnect(Member& member) {
    driver_.disconnect(*member.id);
    driver_.take(*member.id);
    member.id.reset();
    member.asked.clear();
  }

  void post(Member& member, const v1::ClientMessage& request) {
    // Noted first, as the answer may come at once.
    member.asked.push_back(++posted_);
    RC_ASSERT(driver_.post(*member.id, request) == posted_);
  }

  static v1::ClientMessage any_request(std::uint8_t what) {
    const std::string room(1, static_cast<char>('a' + what / 16 % 2));
    switch (what % 16) {
      case 2:
        return create_request(room);
      case 4:
      case 13:
        return join_request(room);
      case 5:
        return watch_request(room);
      case 7:
      case 14:
        return play_request();
      case 8:
        return leave_request();
      case 10:
        return list_request();
      case 11:
        return players_request();
      default:
        return move_request(0, 0);
    }
  }

  void read(Member& member) {
    if (!member.id) return;
    for (const v1::ServerMessage& message : driver_.take(*member.id)) {
      if (message.has_welcome() && !message.welcome().token().empty()) {
        member.token = message.welcome().token();
      }
      if (message.request_id() == 0) continue;
      RC_ASSERT(!member.asked.empty());
      RC_ASSERT(message.request_id() == member.asked.front());
      member.asked.pop_front();
    }
    if (driver_.is_open(*member.id)) return;
    member.id.reset();
    member.asked.clear();
  }

  HostDriver driver_{config(), 1, true};
  std::uint64_t posted_ = 0;
  std::array<Member, people> members_;
};

rc::Gen<std::uint8_t> any_byte() {
  return rc::gen::cast<std::uint8_t>(rc::gen::inRange(0, 256));
}

rc::Gen<Step> any_step() {
  return rc::gen::build<Step>(rc::gen::set(&Step::who, any_byte()),
                              rc::gen::set(&Step::what, any_byte()));
}

RC_GTEST_PROP(LateDirectory, keeps_requests_in_order_and_releases_what_nobody_needs, ()) {
  const auto length = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(0, 400));
  const auto steps =
      *rc::gen::container<std::vector<Step>>(length, rc::gen::resize(rc::kNominalSize, any_step()));
  LateCrowd crowd;
  for (const Step& step : steps) crowd.take(step);
  crowd.go_home();
}

TEST(LateDirectory, does_not_let_a_hello_time_out_while_it_waits) {
  HostDriver driver(HostDriver::patient(), 1, true);
  const auto ann = driver.connect();
  driver.post(ann, hello_request("ann"));
  driver.pass(std::chrono::minutes(1));
  EXPECT_TRUE(driver.is_open(ann));
  driver.go_on();
  EXPECT_TRUE(driver.inbox(ann).back().has_welcome());
}

TEST(LateDirectory, refuses_what_cannot_be_recorded_when_it_answers) {
  server::Config config = HostDriver::patient();
  config.keeps_records = true;
  HostDriver driver(config, 1, true);
  const auto ann = driver.enter("ann");
  const auto bob = driver.connect();
  driver.post(ann, create_request("den"));
  driver.post(bob, hello_request("bob"));
  driver.host().set_journal_health(server::JournalHealth::stalled, driver.now());
  driver.collect();
  driver.records.clear();
  driver.go_on();
  EXPECT_EQ(driver.inbox(ann).back().error().code(), v1::Error::CODE_CANNOT_RECORD);
  EXPECT_EQ(driver.inbox(bob).back().error().code(), v1::Error::CODE_CANNOT_RECORD);
  EXPECT_TRUE(driver.records.empty());
  driver.host().set_journal_health(server::JournalHealth::good, driver.now());
  driver.collect();
  EXPECT_TRUE(driver.ask(ann, create_request("den")).has_snapshot());
  EXPECT_EQ(driver.ask(bob, hello_request("bob")).welcome().player_name(), "bob");
}

}  // namespace
}  // namespace tictactoe::test::directory_tests
