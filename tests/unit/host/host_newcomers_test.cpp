// Rooms in which an AI gives its seat to a person who joins.
#include <gtest/gtest.h>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_newcomers_tests {
namespace {

using v1::Error;

class NewcomersTest : public testing::Test {
 protected:
  static core::Config config() {
    core::Config config = HostDriver::patient();
    config.ai_delay = std::chrono::hours(1);  // an AI moves only if a test waits for it
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
  static std::string occupant(const v1::Occupant& occupant) {
    return occupant.kind() == v1::Occupant::KIND_AI ? "AI" : occupant.name();
  }

  HostDriver driver{config()};
  core::ConnectionId ann = driver.enter("ann");
  core::ConnectionId bob = driver.enter("bob");
};

TEST_F(NewcomersTest, an_ai_keeps_its_seat_if_the_room_does_not_say_otherwise) {
  driver.ask(ann, create(false));
  driver.ask(ann, add_ai_request(v1::MARK_O));
  EXPECT_EQ(driver.ask(bob, join_request("den")).error().code(), Error::CODE_ROOM_FULL);
}

TEST_F(NewcomersTest, before_the_first_move_a_person_takes_the_seat_at_once) {
  begin(false);
  const v1::RoomSnapshot room = driver.ask(bob, join_request("den")).snapshot();
  EXPECT_EQ(room.your_seat(), v1::MARK_O);
  EXPECT_EQ(room.phase(), v1::PHASE_PLAYING);
  EXPECT_TRUE(room.options().open_ai_seats());
  const auto updates = driver.take_updates(ann);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_EQ(occupant(updates[0].seat_changed().previous()), "AI");
  EXPECT_EQ(occupant(updates[0].seat_changed().occupant()), "bob");
}

TEST_F(NewcomersTest, after_a_game_a_person_takes_the_seat_and_the_next_one_begins) {
  begin(true);
  driver.ask(ann, resign_request());
  const v1::RoomSnapshot room = driver.ask(bob, join_request("den")).snapshot();
  EXPECT_EQ(room.your_seat(), v1::MARK_O);
  EXPECT_EQ(room.game(), 2u);
  EXPECT_EQ(room.moves_size(), 0);
}

TEST_F(NewcomersTest, during_a_game_a_person_watches_and_takes_the_seat_after_it) {
  begin(true);
  v1::RoomSnapshot room = driver.ask(bob, join_request("den")).snapshot();
  EXPECT_EQ(room.your_seat(), v1::MARK_NONE);
  EXPECT_TRUE(room.waits_for_seat());
  EXPECT_EQ(room.watchers(), 1u);
  driver.take(ann);
  driver.take(bob);
  driver.ask(ann, resign_request());
  const auto updates = driver.take_updates(ann);
  ASSERT_EQ(updates.size(), 3u);
  EXPECT_TRUE(updates[0].has_game_ended());
  EXPECT_EQ(occupant(updates[1].seat_changed().occupant()), "bob");
  EXPECT_EQ(updates[1].seat_changed().watchers(), 0u);
  EXPECT_EQ(updates[2].rematch_wanted().seat(), v1::MARK_O);
  const auto seen = driver.take(bob);
  ASSERT_EQ(seen.size(), 4u);
  EXPECT_TRUE(seen[0].update().has_game_ended());
  EXPECT_TRUE(seen[1].update().has_seat_changed());
  EXPECT_TRUE(seen[2].update().has_rematch_wanted());
  room = seen[3].snapshot();
  EXPECT_EQ(seen[3].request_id(), 0u);
  EXPECT_EQ(room.your_seat(), v1::MARK_O);
  EXPECT_FALSE(room.waits_for_seat());
  EXPECT_EQ(room.phase(), v1::PHASE_FINISHED) << "the end of the game can be seen";
  EXPECT_EQ(room.revision(), updates[2].revision());
  driver.ask(ann, rematch_request());
  EXPECT_TRUE(driver.take_updates(bob).back().has_game_started());
}

TEST_F(NewcomersTest, whose_opponent_is_an_ai_begin_the_next_game_themselves) {
  begin(false);
  driver.ask(ann, add_ai_request(v1::MARK_X));
  driver.pass(std::chrono::hours(1));
  driver.answer_thoughts();
  ASSERT_TRUE(driver.ask(bob, join_request("den")).snapshot().waits_for_seat());
  v1::RoomSnapshot room;
  for (int i = 0; i < 9 && room.your_seat() == v1::MARK_NONE; ++i) {
    driver.pass(std::chrono::hours(1));
    driver.answer_thoughts();
    room = driver.ask(bob, snapshot_request()).snapshot();
  }
  ASSERT_EQ(room.phase(), v1::PHASE_FINISHED);
  ASSERT_NE(room.your_seat(), v1::MARK_NONE);
  EXPECT_TRUE(driver.ask(bob, rematch_request()).has_update());
  EXPECT_EQ(driver.ask(bob, snapshot_request()).snapshot().phase(), v1::PHASE_PLAYING);
}

TEST_F(NewcomersTest, a_watcher_can_ask_for_the_seat_and_asks_once) {
  begin(true);
  driver.ask(bob, watch_request("den"));
  EXPECT_TRUE(driver.ask(bob, join_request("den")).snapshot().waits_for_seat());
  EXPECT_TRUE(driver.ask(bob, join_request("den")).snapshot().waits_for_seat());
  driver.ask(ann, resign_request());
  EXPECT_EQ(driver.ask(bob, snapshot_request()).snapshot().your_seat(), v1::MARK_O);
  driver.ask(bob, leave_request());
  EXPECT_EQ(driver.ask(ann, snapshot_request()).snapshot().o().kind(), v1::Occupant::KIND_OPEN);
}

TEST_F(NewcomersTest, those_who_wait_get_seats_in_their_order) {
  begin(true);
  const auto eve = driver.enter("eve");
  driver.ask(bob, join_request("den"));
  driver.ask(eve, join_request("den"));
  driver.ask(ann, resign_request());
  EXPECT_EQ(driver.ask(bob, snapshot_request()).snapshot().your_seat(), v1::MARK_O);
  EXPECT_TRUE(driver.ask(eve, snapshot_request()).snapshot().waits_for_seat());
}

TEST_F(NewcomersTest, leaving_or_a_lost_connection_ends_the_waiting) {
  begin(true);
  const auto eve = driver.enter("eve");
  driver.ask(bob, join_request("den"));
  driver.ask(eve, join_request("den"));
  driver.ask(bob, leave_request());
  driver.disconnect(eve);
  driver.ask(ann, resign_request());
  EXPECT_EQ(occupant(driver.ask(ann, snapshot_request()).snapshot().o()), "AI");
}

TEST_F(NewcomersTest, the_other_seat_is_not_given) {
  begin(true);
  EXPECT_EQ(driver.ask(bob, join_request("den", v1::MARK_X)).error().code(), Error::CODE_ROOM_FULL);
}

TEST_F(NewcomersTest, play_takes_the_seat_of_an_ai_that_gives_it_at_once) {
  begin(false);
  EXPECT_EQ(driver.ask(bob, play_request()).snapshot().name(), "den");
}

TEST_F(NewcomersTest, play_does_not_wait_for_a_seat) {
  begin(true);
  EXPECT_EQ(driver.ask(bob, play_request()).snapshot().name(), "bob");
}

}  // namespace
}  // namespace tictactoe::test::host_newcomers_tests
