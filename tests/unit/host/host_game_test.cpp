// Moves, ends and rematches as the host judges them.
#include <gmock/gmock.h>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_game_tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using v1::Error;

/// Two players in a room of these rules; alice is X.
class GameTest : public testing::Test {
 protected:
  void begin(rules::Rules rules = {}) {
    driver.ask(alice, create_request("den", rules));
    driver.ask(bob, join_request("den"));
    driver.take(alice);
    driver.take(bob);
  }
  Error::Code refusal(core::ConnectionId who, const v1::ClientMessage& request) {
    return driver.ask(who, request).error().code();
  }
  /// Plays cells in turn, starting with `first`; returns the last update.
  v1::RoomUpdate play(core::ConnectionId first,
                      const std::vector<std::pair<std::uint32_t, std::uint32_t>>& cells) {
    v1::RoomUpdate last;
    core::ConnectionId who = first;
    for (const auto& [row, col] : cells) {
      const v1::ServerMessage answer = driver.ask(who, move_request(row, col));
      EXPECT_TRUE(answer.has_update()) << answer.ShortDebugString();
      last = answer.update();
      who = who == alice ? bob : alice;
    }
    return last;
  }

  HostDriver driver;
  core::ConnectionId alice = driver.enter("alice");
  core::ConnectionId bob = driver.enter("bob");
};

TEST_F(GameTest, a_move_is_one_update_for_both_and_only_the_mover_gets_the_request_id) {
  begin();
  const v1::ServerMessage answer = driver.ask(alice, move_request(1, 2));
  ASSERT_EQ(driver.inbox(bob).size(), 1u);
  EXPECT_EQ(driver.inbox(bob)[0].request_id(), 0u);
  EXPECT_EQ(driver.inbox(bob)[0].update().SerializeAsString(), answer.update().SerializeAsString());
  const v1::MovePlayed& played = answer.update().move_played();
  EXPECT_EQ(played.mark(), v1::MARK_X);
  EXPECT_EQ(played.cell().row(), 1u);
  EXPECT_EQ(played.cell().col(), 2u);
  EXPECT_EQ(played.ply(), 1u);
  EXPECT_FALSE(played.has_outcome());
  EXPECT_EQ(answer.update().turn(), v1::MARK_O);
}

TEST_F(GameTest, an_illegal_move_is_refused_with_its_reason_and_changes_nothing) {
  driver.ask(alice, create_request("den"));
  EXPECT_EQ(refusal(bob, move_request(0, 0)), Error::CODE_NOT_IN_ROOM);
  EXPECT_EQ(refusal(alice, move_request(0, 0)), Error::CODE_WAITING_FOR_OPPONENT);
  driver.ask(bob, join_request("den"));
  EXPECT_EQ(refusal(bob, move_request(0, 0)), Error::CODE_NOT_YOUR_TURN);
  driver.ask(alice, move_request(0, 0));
  const std::string before = driver.ask(bob, snapshot_request()).snapshot().SerializeAsString();
  driver.take(alice);
  EXPECT_EQ(refusal(bob, move_request(0, 0)), Error::CODE_CELL_TAKEN);
  for (const auto& [row, col] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {3, 0}, {0, 3}, {UINT32_MAX, 0}, {0, UINT32_MAX}, {1u << 31, 1u << 31}}) {
    EXPECT_EQ(refusal(bob, move_request(row, col)), Error::CODE_OFF_BOARD) << row << " " << col;
  }
  v1::ClientMessage nowhere;
  nowhere.mutable_move();
  EXPECT_EQ(refusal(bob, nowhere), Error::CODE_OFF_BOARD);
  EXPECT_EQ(refusal(alice, move_request(1, 1)), Error::CODE_NOT_YOUR_TURN);
  EXPECT_EQ(driver.ask(bob, snapshot_request()).snapshot().SerializeAsString(), before);
  EXPECT_EQ(driver.take_updates(alice).size(), 0u) << "nobody gets an update for a refused move";
}

TEST_F(GameTest, a_move_for_another_position_is_stale) {
  begin();
  v1::ClientMessage move = move_request(0, 0);
  move.mutable_move()->set_game(1);
  move.mutable_move()->set_ply(0);
  EXPECT_TRUE(driver.ask(alice, move).has_update());
  EXPECT_EQ(driver.ask(alice, move).snapshot().moves_size(), 1) << "sent twice, it is one move";
  driver.ask(bob, move_request(1, 1));
  EXPECT_EQ(driver.ask(alice, move).snapshot().moves_size(), 2) << "and stays one";
  EXPECT_EQ(refusal(bob, move), Error::CODE_STALE_MOVE) << "somebody else's";
  move.mutable_move()->mutable_cell()->set_col(2);
  const v1::Error stale = driver.ask(alice, move).error();
  EXPECT_EQ(stale.code(), Error::CODE_STALE_MOVE) << "another cell";
  EXPECT_EQ(stale.state().moves_size(), 2) << "the error has the current state of the room";
  move.mutable_move()->mutable_cell()->set_col(0);
  move.mutable_move()->mutable_cell()->set_row(2);
  move.mutable_move()->set_ply(2);
  move.mutable_move()->set_game(2);
  EXPECT_EQ(refusal(alice, move), Error::CODE_STALE_MOVE) << "another game";
  move.mutable_move()->set_game(1);
  EXPECT_TRUE(driver.ask(alice, move).has_update());
}

// The whole room has up to twenty lines of chat, which take longer than the move.
TEST_F(GameTest, a_move_that_is_answered_by_the_whole_room_costs_as_much_as_asking_for_it) {
  begin();
  const auto tokens_of = [&](core::ConnectionId who) {
    const int tokens = driver.tokens(who);
    driver.pass(std::chrono::minutes(1));  // all tokens are back
    return tokens;
  };
  v1::ClientMessage stale = move_request(0, 0);
  stale.mutable_move()->set_game(7);
  v1::ClientMessage snapshot;
  snapshot.mutable_get_snapshot();
  tokens_of(alice);
  const int all = tokens_of(alice);
  EXPECT_TRUE(driver.ask(alice, snapshot).has_snapshot());
  EXPECT_EQ(tokens_of(alice), all - 4);
  EXPECT_EQ(driver.ask(alice, stale).error().code(), Error::CODE_STALE_MOVE);
  EXPECT_EQ(tokens_of(alice), all - 4);
  v1::ClientMessage move = move_request(0, 0);
  move.mutable_move()->set_game(1);
  move.mutable_move()->set_ply(0);
  EXPECT_TRUE(driver.ask(alice, move).has_update());
  EXPECT_EQ(tokens_of(alice), all - 1);
  EXPECT_TRUE(driver.ask(alice, move).has_snapshot()) << "it was played already";
  EXPECT_EQ(tokens_of(alice), all - 4);
}

TEST_F(GameTest, a_win_names_every_line_and_ends_the_game) {
  begin();
  const v1::RoomUpdate last =
      play(alice, {{0, 1}, {1, 2}, {0, 2}, {2, 1}, {1, 0}, {2, 2}, {2, 0}, {1, 1}, {0, 0}});
  const v1::Outcome& outcome = last.move_played().outcome();
  EXPECT_EQ(outcome.winner(), v1::MARK_X);
  EXPECT_EQ(outcome.reason(), v1::Outcome::REASON_LINE);
  ASSERT_EQ(outcome.lines_size(), 2) << "the last mark completed a row and a column";
  EXPECT_EQ(last.phase(), v1::PHASE_FINISHED);
  EXPECT_EQ(last.turn(), v1::MARK_NONE);
  EXPECT_EQ(refusal(bob, move_request(1, 1)), Error::CODE_GAME_OVER);
  EXPECT_EQ(driver.ask(bob, snapshot_request()).snapshot().outcome().winner(), v1::MARK_X);
}

TEST_F(GameTest, a_full_board_is_a_draw) {
  begin();
  const v1::RoomUpdate last =
      play(alice, {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 0}, {2, 2}});
  EXPECT_EQ(last.move_played().outcome().winner(), v1::MARK_NONE);
  EXPECT_EQ(last.move_played().outcome().reason(), v1::Outcome::REASON_BOARD_FULL);
}

TEST_F(GameTest, other_rules_hold_in_their_rooms) {
  begin({5, 7, 4, true});
  EXPECT_EQ(play(alice, {{4, 0}, {0, 0}, {3, 1}, {0, 1}, {2, 2}, {0, 2}, {1, 3}})
                .move_played()
                .outcome()
                .lines(0)
                .kind(),
            v1::Line::KIND_ANTIDIAGONAL);
}

TEST_F(GameTest, an_overline_wins_unless_the_room_wants_exactly_k) {
  for (const bool overline_wins : {true, false}) {
    begin({3, 9, 3, overline_wins});
    const v1::RoomUpdate last =
        play(alice, {{0, 0}, {2, 0}, {0, 1}, {2, 2}, {0, 3}, {2, 4}, {0, 2}});
    EXPECT_EQ(last.move_played().has_outcome(), overline_wins);
    driver.ask(alice, leave_request());
    driver.ask(bob, leave_request());
  }
}

TEST_F(GameTest, a_rematch_needs_both_and_the_other_side_starts) {
  begin();
  EXPECT_EQ(refusal(alice, rematch_request()), Error::CODE_GAME_NOT_OVER);
  play(alice, {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}});
  const v1::RoomUpdate wanted = driver.ask(alice, rematch_request()).update();
  EXPECT_EQ(wanted.rematch_wanted().seat(), v1::MARK_X);
  EXPECT_EQ(wanted.phase(), v1::PHASE_FINISHED);
  EXPECT_TRUE(driver.ask(bob, snapshot_request()).snapshot().x_wants_rematch());
  const v1::RoomUpdate started = driver.ask(bob, rematch_request()).update();
  EXPECT_EQ(started.game_started().game(), 2u);
  EXPECT_EQ(started.game_started().starter(), v1::MARK_O);
  EXPECT_EQ(started.turn(), v1::MARK_O);
  EXPECT_EQ(refusal(alice, move_request(0, 0)), Error::CODE_NOT_YOUR_TURN);
  play(bob, {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}});
  EXPECT_EQ(driver.ask(alice, snapshot_request()).snapshot().outcome().winner(), v1::MARK_O);
  driver.ask(bob, rematch_request());
  EXPECT_EQ(driver.ask(alice, rematch_request()).update().game_started().starter(), v1::MARK_X);
}

TEST_F(GameTest, an_ai_always_wants_a_rematch) {
  driver.ask(alice, create_request("den"));
  driver.ask(alice, add_ai_request(v1::MARK_O));
  while (driver.ask(alice, snapshot_request()).snapshot().phase() == v1::PHASE_PLAYING) {
    const v1::Cell hint = driver.ask(alice, hint_request()).hinted().cell();
    driver.ask(alice, move_request(hint.row(), hint.col()));
    driver.pass(std::chrono::seconds(1));
  }
  EXPECT_TRUE(driver.ask(alice, rematch_request()).update().has_game_started());
  driver.take(alice);
  driver.pass(std::chrono::seconds(1));
  EXPECT_EQ(driver.take_updates(alice).front().move_played().mark(), v1::MARK_O) << "O starts now";
}

TEST_F(GameTest, after_a_game_a_new_opponent_means_a_new_game) {
  begin();
  play(alice, {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}});
  driver.ask(bob, leave_request());
  EXPECT_EQ(refusal(alice, rematch_request()), Error::CODE_WAITING_FOR_OPPONENT);
  const auto carol = driver.enter("carol");
  const v1::RoomSnapshot room = driver.ask(carol, join_request("den")).snapshot();
  EXPECT_EQ(room.game(), 2u);
  EXPECT_EQ(room.moves_size(), 0);
  EXPECT_EQ(room.phase(), v1::PHASE_PLAYING);
  EXPECT_EQ(room.turn(), v1::MARK_O);
}

TEST_F(GameTest, revisions_count_up_by_one_whatever_happens) {
  begin();
  std::uint64_t revision = driver.ask(bob, snapshot_request()).snapshot().revision();
  const auto watcher = driver.enter("watcher");
  driver.ask(alice, move_request(0, 0));
  driver.ask(watcher, watch_request("den"));
  driver.ask(alice, chat_request("hi"));
  driver.ask(alice, move_request(0, 1));  // refused: no revision
  driver.ask(watcher, leave_request());
  driver.ask(bob, hint_request());
  driver.ask(bob, move_request(1, 1));
  driver.ask(alice, add_ai_request(v1::MARK_X));
  driver.pass(std::chrono::seconds(1));
  driver.disconnect(alice);
  for (const v1::RoomUpdate& update : driver.take_updates(bob)) {
    EXPECT_EQ(update.revision(), ++revision) << update.ShortDebugString();
  }
  EXPECT_EQ(driver.ask(bob, snapshot_request()).snapshot().revision(), revision);
}

}  // namespace
}  // namespace tictactoe::test::host_game_tests
