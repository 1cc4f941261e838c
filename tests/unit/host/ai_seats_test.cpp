// Seats of AIs that change hands, questions of players, and the confirmation of a hello.
#include <gmock/gmock.h>

#include <chrono>
#include <string>

#include "tests/support/host_driver.hpp"
#include "tests/support/timed_room.hpp"

namespace tictactoe::test::ai_seats_tests {
namespace {

using testing::HasSubstr;
using v1::Error;

TEST(AiSeat, can_be_replaced_by_one_of_another_level) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  driver.ask(alice, create_request("den"));
  driver.ask(alice, add_ai_request(v1::MARK_O, "3"));
  driver.ask(alice, move_request(1, 1));
  driver.take(alice);
  const v1::SeatChanged changed =
      driver.ask(alice, add_ai_request(v1::MARK_O, "5")).update().seat_changed();
  EXPECT_EQ(changed.previous().ai_level(), "3");
  EXPECT_EQ(changed.occupant().ai_level(), "5");
  driver.take(alice);
  driver.pass(std::chrono::seconds(2));
  EXPECT_EQ(driver.take_updates(alice).at(0).move_played().ply(), 2u) << "the game goes on with it";
  // Without a seat, the only AI is meant.
  EXPECT_EQ(driver.ask(alice, add_ai_request(v1::MARK_NONE, "6"))
                .update()
                .seat_changed()
                .occupant()
                .ai_level(),
            "6");
  EXPECT_EQ(driver.ask(alice, add_ai_request(v1::MARK_O, "6")).error().message(),
            "AI (6, advanced) already plays O.");
  const auto eve = driver.enter("eve");
  driver.ask(eve, watch_request("den"));
  EXPECT_EQ(driver.ask(eve, add_ai_request(v1::MARK_O, "1")).error().code(),
            Error::CODE_NOT_ALLOWED);
}

TEST(AiSeat, that_sits_on_both_seats_is_replaced_only_by_name) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  driver.ask(alice, create_request("den"));
  driver.ask(alice, add_ai_request(v1::MARK_O, "3"));
  driver.ask(alice, add_ai_request(v1::MARK_X, "3"));
  EXPECT_EQ(driver.ask(alice, add_ai_request(v1::MARK_NONE, "5")).error().code(),
            Error::CODE_SEAT_TAKEN);
  EXPECT_TRUE(driver.ask(alice, add_ai_request(v1::MARK_X, "5")).has_update());
}

class WaitingForSeat : public testing::Test {
 protected:
  static server::Config config() {
    server::Config config = HostDriver::patient();
    config.ai_delay = std::chrono::hours(1);  // an AI moves only if a test waits for it
    config.ai_pace = false;
    return config;
  }
  static v1::ClientMessage create(bool open_ai_seats = true) {
    v1::ClientMessage message = create_request("den");
    message.mutable_create_room()->mutable_options()->set_open_ai_seats(open_ai_seats);
    return message;
  }
  /// ann plays X against an AI, and has moved if so.
  void begin(bool moved) {
    driver.ask(ann, create());
    driver.ask(ann, add_ai_request(v1::MARK_O));
    if (moved) driver.ask(ann, move_request(1, 1));
    driver.take(ann);
  }

  HostDriver driver{config()};
  server::ConnectionId ann = driver.enter("ann");
  server::ConnectionId bob = driver.enter("bob");
};

TEST_F(WaitingForSeat, who_waits_for_the_seat_is_told_to_everybody) {
  begin(true);
  driver.ask(bob, join_request("den"));
  const auto updates = driver.take_updates(ann);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_TRUE(updates[0].watchers_changed().joined());
  EXPECT_TRUE(updates[0].watchers_changed().waits_for_seat());
  const auto eve = driver.enter("eve");
  driver.ask(eve, watch_request("den"));
  EXPECT_FALSE(driver.take_updates(ann).at(0).watchers_changed().waits_for_seat());
  driver.ask(eve, join_request("den"));
  const auto later = driver.take_updates(ann);
  ASSERT_EQ(later.size(), 1u) << "a watcher who asks for the seat later";
  EXPECT_EQ(later[0].watchers_changed().name(), "eve");
  EXPECT_EQ(later[0].watchers_changed().watchers(), 2u);
  EXPECT_TRUE(later[0].watchers_changed().waits_for_seat());
  driver.ask(eve, join_request("den"));
  EXPECT_TRUE(driver.take_updates(ann).empty()) << "once";
}

using Questions = TimedRoomTest;

TEST_F(Questions, a_no_is_about_its_question_only) {
  begin();
  driver.ask(alice, move_request(0, 0));
  driver.ask(alice, takeback_request());
  driver.ask(bob, decline_request());
  EXPECT_TRUE(driver.ask(alice, draw_request()).update().has_draw_offered());
  driver.ask(bob, decline_request());
  driver.ask(bob, move_request(1, 1));
  driver.ask(alice, move_request(0, 1));
  EXPECT_THAT(driver.ask(alice, takeback_request()).error().message(),
              HasSubstr("Your last request for a takeback was declined or withdrawn. Wait 10 s"));
  EXPECT_THAT(driver.ask(alice, draw_request()).error().message(),
              HasSubstr("Your last offer of a draw was declined or withdrawn. Wait 10 s"));
}

TEST_F(Questions, a_declined_offer_does_not_block_a_takeback) {
  begin();
  driver.ask(alice, move_request(0, 0));
  driver.ask(alice, draw_request());
  driver.ask(bob, decline_request());
  EXPECT_TRUE(driver.ask(alice, takeback_request()).update().has_takeback_asked());
}

TEST(ConfirmedHello, comes_at_once_to_clients_that_ask_for_it) {
  HostDriver driver(HostDriver::recording());
  const auto alice = driver.connect();
  v1::ClientMessage message = hello_request("alice");
  message.mutable_hello()->add_capabilities("notice-at-hello");
  driver.post(alice, message);
  driver.go_on();
  const auto answers = driver.take(alice);
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].notice().kind(), v1::Notice::KIND_HELLO_RECEIVED);
  EXPECT_EQ(answers[0].request_id(), 0u);
  EXPECT_EQ(answers[1].welcome().capabilities(0), "notice-at-hello");
  const auto other = driver.connect();
  driver.post(other, hello_request("bob"));
  driver.go_on();
  EXPECT_EQ(driver.take(other).size(), 1u);
}

}  // namespace
}  // namespace tictactoe::test::ai_seats_tests
