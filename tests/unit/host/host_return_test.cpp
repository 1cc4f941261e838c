// Coming back: to the seat, and to what was missed.
#include "tests/support/mirror.hpp"
#include "tests/support/two_players.hpp"

namespace tictactoe::test::host_return_tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using v1::Error;

v1::ClientMessage create_with(const std::string& name, v1::AwayPolicy away, int grace_ms) {
  v1::ClientMessage request = create_request(name);
  request.mutable_create_room()->mutable_options()->set_away(away);
  request.mutable_create_room()->mutable_options()->set_grace_ms(
      static_cast<std::uint32_t>(grace_ms));
  return request;
}

class ReturnTest : public TwoPlayersTest {
 protected:
  void begin(v1::AwayPolicy away = v1::AWAY_FORFEIT, int grace_ms = 1000) {
    driver.ask(alice, create_with("den", away, grace_ms));
    driver.ask(bob, join_request("den"));
    driver.ask(alice, move_request(0, 0));
    driver.take(alice);
    driver.take(bob);
  }
  std::uint64_t revision(core::ConnectionId who) {
    return driver.ask(who, snapshot_request()).snapshot().revision();
  }
  core::ConnectionId back(core::ConnectionId who, std::uint64_t seen = 0) {
    return driver.come_back(driver.token(who), "den", seen);
  }
};

TEST_F(ReturnTest, the_others_see_a_player_leave_and_come_back) {
  begin();
  driver.disconnect(alice);
  auto updates = driver.take_updates(bob);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_TRUE(updates[0].seat_changed().occupant().away());
  EXPECT_EQ(updates[0].seat_changed().occupant().away_ms_left(), 1000u);
  EXPECT_EQ(updates[0].seat_changed().occupant().name(), "alice");
  EXPECT_EQ(updates[0].phase(), v1::PHASE_PLAYING) << "the game goes on";
  EXPECT_TRUE(driver.ask(bob, move_request(1, 1)).has_update()) << "even without her";
  driver.take(bob);
  back(alice);
  updates = driver.take_updates(bob);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_FALSE(updates[0].seat_changed().occupant().away());
}

TEST_F(ReturnTest, what_was_missed_follows_the_welcome_and_nothing_else) {
  begin();
  driver.ask(bob, chat_request(std::string(300, 'x')));  // a snapshot repeats it
  const std::uint64_t seen = revision(alice);
  driver.disconnect(alice);
  driver.ask(bob, move_request(1, 1));
  driver.ask(bob, chat_request("are you there?"));
  alice = back(alice, seen);
  const auto updates = driver.take_updates(alice);
  ASSERT_EQ(updates.size(), 4u) << "away, a move, chat, back";
  for (std::size_t i = 0; i < updates.size(); ++i) EXPECT_EQ(updates[i].revision(), seen + 1 + i);
  EXPECT_TRUE(updates[1].has_move_played());
  EXPECT_EQ(updates[2].chat_said().text(), "are you there?");
  EXPECT_TRUE(driver.ask(alice, move_request(2, 2)).has_update());
}

TEST_F(ReturnTest, a_snapshot_comes_where_it_is_shorter_or_something_is_missing) {
  begin();
  const std::uint64_t seen = revision(alice);
  const auto snapshots = [&](std::uint64_t from, const std::string& room) {
    driver.disconnect(alice);
    alice = driver.come_back(driver.token(alice), room, from);
    int found = 0;
    for (const v1::ServerMessage& message : driver.take(alice)) {
      if (message.has_snapshot()) ++found;
      EXPECT_FALSE(message.has_update());
    }
    return found;
  };
  EXPECT_EQ(snapshots(0, "den"), 1) << "nothing was seen";
  EXPECT_EQ(snapshots(seen, "elsewhere"), 1) << "something else was seen";
  EXPECT_EQ(snapshots(seen + 1'000'000, "den"), 1) << "what nobody can have seen";
  for (int i = 0; i < 30; ++i) driver.ask(bob, chat_request(std::string(300, 'x')));
  EXPECT_EQ(snapshots(seen, "den"), 1) << "the chat that was missed is longer than its end";
  for (int i = 0; i < 100; ++i) driver.ask(bob, chat_request("y"));
  EXPECT_EQ(snapshots(seen, "den"), 1) << "more was missed than is kept";
}

TEST_F(ReturnTest, the_same_token_replaces_a_connection_that_still_stands) {
  begin();
  driver.take(bob);
  const core::ConnectionId old = alice;
  alice = back(alice);
  EXPECT_FALSE(driver.is_open(old));
  EXPECT_EQ(driver.inbox(old).back().error().code(), Error::CODE_REPLACED);
  EXPECT_TRUE(driver.take_updates(bob).empty()) << "she was never away";
  driver.ask(bob, move_request(1, 1));
  EXPECT_TRUE(driver.ask(alice, move_request(2, 2)).has_update());
}

TEST_F(ReturnTest, a_watcher_who_is_replaced_comes_in_again) {
  begin();
  const auto carol = driver.enter("carol");
  driver.ask(carol, watch_request("den"));
  const auto again = driver.come_back(driver.token(carol));
  EXPECT_EQ(driver.ask(again, snapshot_request()).error().code(), Error::CODE_NOT_IN_ROOM);
  EXPECT_TRUE(driver.ask(again, watch_request("den")).has_snapshot());
  EXPECT_EQ(room_of(alice).watchers(), 1u);
}

TEST_F(ReturnTest, a_token_that_nobody_has_makes_a_new_player) {
  begin();
  driver.disconnect(alice);
  for (const std::string& token : {std::string(16, 'x'), std::string(15, '\0'),
                                   driver.token(alice) + "x", std::string(3000, 'x')}) {
    const auto stranger = driver.connect();
    v1::ClientMessage request = hello_request("alice");
    request.mutable_hello()->set_token(token);
    const v1::Welcome welcome = driver.ask(stranger, request).welcome();
    EXPECT_FALSE(welcome.resumed());
    EXPECT_EQ(welcome.token().size(), 16u);
    EXPECT_NE(welcome.player_name(), "alice");
    EXPECT_TRUE(welcome.room().empty());
  }
}

TEST_F(ReturnTest, nobody_can_take_the_seat_meanwhile) {
  begin();
  driver.disconnect(alice);
  const auto carol = driver.enter("carol");
  EXPECT_EQ(driver.ask(carol, join_request("den")).error().code(), Error::CODE_ROOM_FULL);
  EXPECT_EQ(driver.ask(bob, add_ai_request(v1::MARK_X)).error().code(), Error::CODE_SEAT_TAKEN);
}

TEST_F(ReturnTest, after_the_grace_time_the_game_is_lost_and_the_seat_open) {
  begin();
  driver.disconnect(alice);
  driver.take(bob);
  driver.pass(milliseconds(999));
  EXPECT_TRUE(driver.take_updates(bob).empty());
  driver.pass(milliseconds(1));
  const auto updates = driver.take_updates(bob);
  ASSERT_EQ(updates.size(), 2u);
  EXPECT_EQ(updates[0].game_ended().outcome().reason(), v1::Outcome::REASON_FORFEIT);
  EXPECT_EQ(updates[0].game_ended().outcome().winner(), v1::MARK_O);
  EXPECT_EQ(updates[0].score().o(), 1u);
  EXPECT_EQ(updates[1].seat_changed().occupant().kind(), v1::Occupant::KIND_OPEN);
  const auto late = driver.come_back(driver.token(alice), "den");
  EXPECT_EQ(driver.ask(late, snapshot_request()).error().code(), Error::CODE_NOT_IN_ROOM);
  EXPECT_TRUE(driver.ask(late, join_request("den")).has_snapshot());
  EXPECT_EQ(room_of(bob).game(), 2u) << "a new game";
}

TEST_F(ReturnTest, a_game_without_a_move_is_not_lost) {
  driver.ask(alice, create_with("den", v1::AWAY_FORFEIT, 1000));
  driver.ask(bob, join_request("den"));
  driver.disconnect(alice);
  driver.pass(seconds(1));
  EXPECT_EQ(room_of(bob).phase(), v1::PHASE_WAITING);
  EXPECT_FALSE(room_of(bob).has_score());
}

TEST_F(ReturnTest, a_seat_can_be_held_for_ever) {
  begin(v1::AWAY_HOLD);
  driver.disconnect(alice);
  driver.disconnect(bob);
  driver.pass(std::chrono::hours(24 * 29));
  EXPECT_EQ(driver.host().rooms(), 1u);
  bob = back(bob);
  driver.take(bob);
  driver.pass(std::chrono::hours(24));
  EXPECT_EQ(room_of(bob).outcome().reason(), v1::Outcome::REASON_FORFEIT) << "which is thirty days";
}

TEST_F(ReturnTest, where_no_game_would_be_lost_a_seat_is_not_held_for_long) {
  driver.ask(alice, create_with("den", v1::AWAY_HOLD, 0));
  driver.disconnect(alice);
  driver.pass(seconds(119));
  EXPECT_EQ(driver.host().rooms(), 1u);
  driver.pass(seconds(1));
  EXPECT_EQ(driver.host().rooms(), 0u);
}

TEST_F(ReturnTest, a_seat_held_for_ever_is_not_once_the_game_is_over) {
  begin(v1::AWAY_HOLD);
  driver.disconnect(alice);
  driver.ask(bob, resign_request());
  driver.pass(seconds(120));
  EXPECT_EQ(room_of(bob).x().kind(), v1::Occupant::KIND_OPEN);
}

TEST_F(ReturnTest, play_does_not_lead_to_where_nobody_is) {
  driver.ask(alice, create_with("den", v1::AWAY_HOLD, 0));
  driver.disconnect(alice);
  EXPECT_EQ(driver.ask(bob, play_request()).snapshot().name(), "bob");
  driver.ask(bob, leave_request());
  back(alice);
  EXPECT_EQ(driver.ask(bob, play_request()).snapshot().name(), "den");
}

TEST_F(ReturnTest, a_room_of_the_same_name_is_not_mistaken_for_the_one_before) {
  begin();
  driver.ask(bob, leave_request());
  const std::uint64_t seen = revision(alice);
  driver.ask(alice, leave_request());
  driver.ask(alice, create_request("den", rules::Rules{9, 9, 5}));
  for (int i = 0; i < 10; ++i) driver.ask(alice, chat_request("x"));
  driver.disconnect(alice);
  for (std::uint64_t before = 1; before <= seen + 1; ++before) {
    alice = back(alice, before);
    EXPECT_TRUE(driver.take(alice).back().has_snapshot()) << before;
    driver.disconnect(alice);
  }
}

TEST_F(ReturnTest, the_snapshot_shows_the_current_clocks) {
  v1::ClientMessage request = create_request("den");
  request.mutable_create_room()->mutable_options()->mutable_time()->set_game_ms(60'000);
  driver.ask(alice, request);
  driver.ask(bob, join_request("den"));
  const std::uint64_t seen = revision(alice);
  driver.ask(bob, chat_request(std::string(300, 'x')));
  driver.pass(seconds(40));
  alice = back(alice, seen);  // while the old connection still stands
  EXPECT_EQ(driver.take(alice).back().snapshot().clocks().x_ms(), 20'000u);
}

TEST_F(ReturnTest, an_ai_stands_in_and_gives_the_seat_back) {
  begin(v1::AWAY_AI);
  driver.ask(bob, move_request(1, 1));
  driver.disconnect(alice);
  driver.pass(seconds(1));
  v1::RoomSnapshot room = room_of(bob);
  EXPECT_EQ(room.x().ai_level(), "suggester");
  EXPECT_EQ(room.x().name(), "alice");
  EXPECT_TRUE(room.x().away());
  driver.pass(seconds(1));
  EXPECT_EQ(room_of(bob).moves_size(), 3) << "it plays";
  alice = back(alice);
  driver.pass(seconds(5));
  room = room_of(alice);
  EXPECT_EQ(room.your_seat(), v1::MARK_X);
  EXPECT_EQ(room.x().ai_level(), "");
  EXPECT_TRUE(driver.ask(bob, move_request(2, 1)).has_update() ||
              driver.ask(bob, move_request(2, 2)).has_update());
  driver.pass(seconds(5));
  EXPECT_EQ(room_of(alice).moves_size(), 4) << "and plays no more";
}

TEST_F(ReturnTest, an_ai_that_stands_in_is_stopped_when_its_turn_is_given_back) {
  begin(v1::AWAY_AI);
  driver.disconnect(bob);
  driver.pass(seconds(1));
  bob = back(bob);
  driver.pass(seconds(10));
  EXPECT_EQ(room_of(bob).moves_size(), 1);
  EXPECT_TRUE(driver.ask(bob, move_request(1, 1)).has_update());
}

}  // namespace
}  // namespace tictactoe::test::host_return_tests
