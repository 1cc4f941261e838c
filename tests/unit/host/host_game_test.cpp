// Moves, ends and rematches as the host judges them.
#include <gmock/gmock.h>

#include <algorithm>
#include <optional>

#include "server/game/start_position.hpp"
#include "server/people/look_up_answer.hpp"
#include "tests/support/host_driver.hpp"
#include "tests/support/ledger.hpp"
#include "tests/support/records.hpp"
#include "tests/support/two_players.hpp"

namespace tictactoe::test::host_game_tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
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
  Error::Code refusal(server::ConnectionId who, const v1::ClientMessage& request) {
    return driver.ask(who, request).error().code();
  }
  /// Plays cells in turn, starting with `first`; returns the last update.
  v1::RoomUpdate play(server::ConnectionId first,
                      const std::vector<std::pair<std::uint32_t, std::uint32_t>>& cells) {
    v1::RoomUpdate last;
    server::ConnectionId who = first;
    for (const auto& [row, col] : cells) {
      const v1::ServerMessage answer = driver.ask(who, move_request(row, col));
      EXPECT_TRUE(answer.has_update()) << answer.ShortDebugString();
      last = answer.update();
      who = who == alice ? bob : alice;
    }
    return last;
  }

  HostDriver driver;
  server::ConnectionId alice = driver.enter("alice");
  server::ConnectionId bob = driver.enter("bob");
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
  const v1::Error early = driver.ask(alice, move_request(1, 1)).error();
  EXPECT_EQ(early.code(), Error::CODE_NOT_YOUR_TURN);
  EXPECT_THAT(early.message(), testing::HasSubstr("O plays next"));
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
  const auto tokens_of = [&](server::ConnectionId who) {
    const int tokens = driver.tokens(who);
    driver.pass(std::chrono::minutes(1));  // all tokens are back
    return tokens;
  };
  v1::ClientMessage stale = move_request(0, 0);
  stale.mutable_move()->set_game(7);
  tokens_of(alice);
  const int all = tokens_of(alice);
  EXPECT_TRUE(driver.ask(alice, snapshot_request()).has_snapshot());
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

TEST_F(GameTest, a_win_says_where_its_line_begins_and_ends) {
  begin();
  const v1::RoomUpdate last = play(alice, {{2, 0}, {1, 0}, {2, 1}, {1, 1}, {2, 2}});
  ASSERT_EQ(last.move_played().outcome().lines_size(), 1);
  const v1::Line& line = last.move_played().outcome().lines(0);
  EXPECT_EQ(line.kind(), v1::Line::KIND_ROW);
  EXPECT_EQ(line.first().row(), 2u);
  EXPECT_EQ(line.first().col(), 0u);
  EXPECT_EQ(line.last().row(), 2u);
  EXPECT_EQ(line.last().col(), 2u);
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

// Games in progress -------------------------------------------------------------------------------

class RunningTest : public TwoPlayersTest {
 protected:
  void begin(std::uint32_t game_ms = 0, v1::AwayPolicy away = v1::AWAY_FORFEIT) {
    v1::ClientMessage request = create_request("den", rules::Rules{5, 5, 4});
    request.mutable_create_room()->mutable_options()->mutable_time()->set_game_ms(game_ms);
    request.mutable_create_room()->mutable_options()->set_away(away);
    driver.ask(alice, request);
    driver.ask(bob, join_request("den"));
  }
  void record_as(server::JournalHealth health) {
    driver.host().set_journal_health(health, driver.now());
    driver.collect();
  }
  static v1::ClientMessage move_at(std::uint32_t row, std::uint32_t col, std::uint32_t ply,
                                   std::uint32_t takebacks) {
    v1::ClientMessage request = move_request(row, col);
    request.mutable_move()->set_game(1);
    request.mutable_move()->set_ply(ply);
    request.mutable_move()->set_takebacks(takebacks);
    return request;
  }
};

// Clocks and stalls -------------------------------------------------------------------------------

TEST_F(RunningTest, a_stall_costs_no_time_also_if_somebody_disconnects_in_it) {
  begin(60'000);
  driver.ask(alice, move_request(0, 0));
  driver.pass(seconds(2));
  record_as(server::JournalHealth::stalled);
  driver.pass(seconds(10));
  driver.disconnect(alice);
  driver.pass(seconds(10));
  EXPECT_EQ(room().clocks().o_ms(), 58'000u) << "no time passes";
  record_as(server::JournalHealth::good);
  EXPECT_EQ(room().clocks().o_ms(), 58'000u);
  driver.pass(seconds(3));
  EXPECT_EQ(room().clocks().o_ms(), 55'000u);
}

TEST_F(RunningTest, a_stall_does_not_shorten_the_time_that_a_seat_is_held) {
  begin();
  driver.ask(alice, move_request(0, 0));
  record_as(server::JournalHealth::stalled);
  driver.pass(seconds(100));
  driver.disconnect(alice);
  driver.pass(seconds(100));
  record_as(server::JournalHealth::good);
  EXPECT_EQ(room().x().away_ms_left(), 120'000u);
  driver.pass(seconds(119));
  EXPECT_TRUE(room().x().away());
  driver.pass(seconds(1));
  EXPECT_EQ(room().outcome().reason(), v1::Outcome::REASON_FORFEIT);
}

// Games without a mark ----------------------------------------------------------------------------

TEST_F(RunningTest, draining_waits_for_a_game_that_has_no_mark_yet) {
  begin();
  driver.host().drain(seconds(60), driver.now());
  driver.collect();
  EXPECT_FALSE(driver.host().is_drained(driver.now()));
  EXPECT_TRUE(driver.ask(alice, move_request(0, 0)).has_update());
  driver.ask(bob, resign_request());
  EXPECT_TRUE(driver.host().is_drained(driver.now()));
}

TEST_F(RunningTest, draining_does_not_wait_for_an_opponent) {
  driver.ask(alice, create_request("den"));
  driver.host().drain(seconds(60), driver.now());
  EXPECT_TRUE(driver.host().is_drained(driver.now()));
}

TEST_F(RunningTest, a_seat_is_held_for_long_in_a_game_that_has_no_mark_yet) {
  begin(0, v1::AWAY_HOLD);
  driver.disconnect(alice);
  driver.pass(seconds(1'000));
  EXPECT_TRUE(room().x().away());
}

TEST_F(RunningTest, a_game_resigned_before_its_first_mark_is_counted_and_recorded) {
  begin();
  driver.ask(alice, resign_request());
  EXPECT_EQ(room().score().o(), 1u);
  int recorded = 0;
  for (const journal::v1::Record& record : driver.records) {
    if (!record.has_game_finished()) continue;
    ++recorded;
    EXPECT_EQ(record.game_finished().moves_size(), 0);
    EXPECT_EQ(record.game_finished().outcome().winner(), v1::MARK_O);
  }
  EXPECT_EQ(recorded, 1);
}

// Positions ---------------------------------------------------------------------------------------

TEST_F(RunningTest, a_takeback_is_counted) {
  begin();
  driver.ask(alice, move_request(0, 0));
  driver.ask(alice, takeback_request());
  EXPECT_EQ(driver.ask(bob, takeback_request()).update().taken_back().takebacks(), 1u);
  EXPECT_EQ(room().takebacks(), 1u);
  EXPECT_EQ(driver.records.back().room().takebacks(), 1u);
  driver.ask(bob, resign_request());
  driver.ask(bob, rematch_request());
  driver.ask(alice, rematch_request());
  EXPECT_EQ(room().takebacks(), 0u) << "in this game";
}

TEST_F(RunningTest, a_move_that_was_taken_back_is_not_played_again_by_its_retry) {
  begin();
  const v1::ClientMessage move = move_at(0, 0, 0, 0);
  EXPECT_TRUE(driver.ask(alice, move).has_update());
  EXPECT_TRUE(driver.ask(alice, move).has_snapshot()) << "done already";
  driver.ask(alice, takeback_request());
  driver.ask(bob, takeback_request());
  const v1::Error error = driver.ask(alice, move).error();
  EXPECT_EQ(error.code(), Error::CODE_STALE_MOVE);
  EXPECT_EQ(error.state().takebacks(), 1u);
  EXPECT_EQ(room().moves_size(), 0);
  EXPECT_TRUE(driver.ask(alice, move_at(0, 0, 0, 1)).has_update());
}

TEST_F(RunningTest, a_move_that_a_later_takeback_left_on_the_board_stays_done) {
  begin();
  const v1::ClientMessage move = move_at(0, 0, 0, 0);
  driver.ask(alice, move);
  driver.ask(bob, move_request(1, 1));
  driver.ask(bob, takeback_request());
  driver.ask(alice, takeback_request());
  EXPECT_EQ(room().moves_size(), 1);
  EXPECT_TRUE(driver.ask(alice, move).has_snapshot());
}

TEST_F(RunningTest, a_client_that_counts_no_takebacks_plays_on) {
  begin();
  driver.ask(alice, move_request(0, 0));
  driver.ask(alice, takeback_request());
  driver.ask(bob, takeback_request());
  v1::ClientMessage move = move_request(2, 2);
  move.mutable_move()->set_game(1);
  move.mutable_move()->set_ply(0);
  EXPECT_TRUE(driver.ask(alice, move).has_update());
}

// The end of the longest game, and whether the longest messages fit a frame -----------------------

constexpr int limit = 6;

server::Config with_short_games() {
  server::Config config = HostDriver::recording();
  config.limits.moves_per_game = limit;
  return config;
}

class LongestGame : public TwoPlayersTest {
 protected:
  LongestGame() : TwoPlayersTest(with_short_games()) {
    driver.ask(alice, create_request("den", rules::Rules{5, 5, 3}));
    driver.ask(bob, join_request("den"));
  }
  /// Leaves one move, which is bob's.
  void play_to_the_last_move() {
    server::ConnectionId next = alice;
    server::ConnectionId other = bob;
    for (const auto& [row, col] : {std::pair(0u, 0u), {1u, 0u}, {0u, 1u}, {1u, 1u}, {3u, 3u}}) {
      ASSERT_TRUE(driver.ask(next, move_request(row, col)).has_update());
      std::swap(next, other);
    }
  }
  v1::Error::Code refusal(server::ConnectionId who, const v1::ClientMessage& request) {
    return driver.ask(who, request).error().code();
  }
  static void expect_draw(const v1::Outcome& outcome) {
    EXPECT_EQ(outcome.winner(), v1::MARK_NONE);
    EXPECT_EQ(outcome.reason(), v1::Outcome::REASON_MOVE_LIMIT);
  }
};

TEST_F(LongestGame, is_a_draw) {
  play_to_the_last_move();
  const v1::RoomUpdate last = driver.ask(bob, move_request(4, 0)).update();
  EXPECT_EQ(last.phase(), v1::PHASE_FINISHED);
  EXPECT_EQ(last.turn(), v1::MARK_NONE);
  EXPECT_EQ(last.score().draws(), 1u);
  expect_draw(last.move_played().outcome());
  expect_draw(room().outcome());
  EXPECT_EQ(refusal(alice, move_request(4, 4)), v1::Error::CODE_GAME_OVER);
  EXPECT_EQ(refusal(alice, takeback_request()), v1::Error::CODE_GAME_OVER);
  EXPECT_EQ(refusal(alice, hint_request()), v1::Error::CODE_GAME_OVER);
  const auto finished = std::ranges::find_if(
      driver.records, [](const auto& record) { return record.has_game_finished(); });
  ASSERT_NE(finished, driver.records.end());
  expect_draw(finished->game_finished().outcome());
  driver.ask(alice, rematch_request());
  EXPECT_TRUE(driver.ask(bob, rematch_request()).update().has_game_started());
  EXPECT_EQ(room().phase(), v1::PHASE_PLAYING);
}

TEST_F(LongestGame, can_be_won_by_its_last_move) {
  play_to_the_last_move();
  const v1::Outcome outcome = driver.ask(bob, move_request(1, 2)).update().move_played().outcome();
  EXPECT_EQ(outcome.winner(), v1::MARK_O);
  EXPECT_EQ(outcome.reason(), v1::Outcome::REASON_LINE);
}

TEST_F(LongestGame, counts_only_moves_that_are_on_the_board) {
  play_to_the_last_move();
  driver.ask(alice, takeback_request());
  driver.ask(bob, takeback_request());
  EXPECT_EQ(room().moves_size(), limit - 2);
  driver.ask(alice, move_request(4, 4));
  EXPECT_EQ(room().phase(), v1::PHASE_PLAYING);
  driver.ask(bob, move_request(4, 0));
  expect_draw(room().outcome());
}

TEST_F(LongestGame, is_over_after_a_restart) {
  play_to_the_last_move();
  driver.ask(bob, move_request(4, 0));
  HostDriver next(with_short_games(), 2);
  const auto saved = Ledger(driver.records).saved();
  EXPECT_TRUE(next.host().restore(saved, next.now()).refused.empty());
  next.collect();
  const auto ann = next.come_back(driver.token(alice));
  const v1::RoomSnapshot room = next.ask(ann, snapshot_request()).snapshot();
  EXPECT_EQ(room.phase(), v1::PHASE_FINISHED);
  expect_draw(room.outcome());
}

TEST_F(LongestGame, is_not_restored_with_more_moves) {
  play_to_the_last_move();
  server::Config shorter = with_short_games();
  shorter.limits.moves_per_game = limit - 2;
  HostDriver next(shorter, 2);
  const auto saved = Ledger(driver.records).saved();
  EXPECT_EQ(next.host().restore(saved, next.now()).refused.size(), 1u);
  next.collect();
}

// The driver checks that each message fits a frame.
TEST(LongestMessages, fit_a_frame_at_the_end_of_the_longest_game_of_two_ais) {
  server::Config config;
  config.limits.requests_per_second = 0;
  config.ai_delay = milliseconds(1);
  HostDriver driver(config);
  std::string max_name;
  for (std::size_t i = 0; i < config.limits.name_length; ++i) max_name += "\U00020000";
  std::string max_line;
  for (std::size_t i = 0; i < config.limits.chat_length; ++i) max_line += "\U0001F600";
  const auto ann = driver.enter(max_name);
  ASSERT_TRUE(driver.ask(ann, create_request(max_name, rules::Rules::square(1000))).has_snapshot());
  driver.ask(ann, add_ai_request(v1::MARK_O, "random"));
  driver.ask(ann, add_ai_request(v1::MARK_X, "random"));
  for (int move = 0; move < config.limits.moves_per_game; ++move) {
    driver.pass(milliseconds(1));
    driver.take(ann);
    driver.thoughts.clear();
  }
  for (std::size_t i = 0; i < config.limits.kept_chat; ++i) {
    driver.ask(ann, chat_request(max_line));
  }
  const auto ben = driver.enter("ben");
  const v1::ServerMessage answer = driver.ask(ben, watch_request(max_name));
  EXPECT_EQ(answer.snapshot().moves_size(), config.limits.moves_per_game);
  EXPECT_EQ(answer.snapshot().chat_size(), static_cast<int>(config.limits.kept_chat));
  EXPECT_EQ(answer.snapshot().outcome().reason(), v1::Outcome::REASON_MOVE_LIMIT);
  EXPECT_GT(answer.ByteSizeLong(), 50'000u);
  driver.ask(ben, leave_request());
  driver.ask(ben, watch_lobby_request());
}

TEST(LongestMessages, about_a_game_have_its_times_if_they_fit) {
  const server::Limits limits;
  v1::ServerMessage message;
  v1::GameRecord& game = *message.mutable_game_found()->mutable_game();
  for (int i = 0; i < limits.moves_per_game; ++i) game.add_moves(999'999);
  for (int i = 0; i < 7'000; ++i) game.add_move_ms(~0u);
  bool fits = true;
  while (fits && game.move_ms_size() < limits.moves_per_game) {
    game.add_move_ms(~0u);
    v1::ServerMessage answer;
    ASSERT_TRUE(answer.ParseFromString(server::encode_answer(message, limits.server_frame_bytes)));
    fits = answer.game_found().game().move_ms_size() > 0;
    answer.set_request_id(~std::uint64_t{0});
    ASSERT_LE(answer.ByteSizeLong(), limits.server_frame_bytes);
    ASSERT_EQ(answer.game_found().game().moves_size(), limits.moves_per_game);
  }
  EXPECT_FALSE(fits);
  EXPECT_GT(game.move_ms_size(), 7'001);
}

// As many rooms and lines as LobbyUpdate can have, each as large as it can be.
TEST(LongestMessages, about_the_lobby_fit_a_frame) {
  const server::Limits limits;
  const std::string name(4 * limits.name_length, 'x');  // four bytes a letter
  v1::RoomInfo room;
  room.set_name(name);
  for (v1::Occupant* seat : {room.mutable_x(), room.mutable_o()}) {
    seat->set_kind(v1::Occupant::KIND_PERSON);
    seat->set_name(name);
    seat->set_ai_level(std::string(16, 'x'));
    seat->set_away(true);
    seat->set_away_ms_left(~0u);
  }
  room.mutable_rules()->set_rows(1000);
  room.mutable_rules()->set_cols(1000);
  room.mutable_rules()->set_k(1000);
  room.mutable_rules()->set_exact(true);
  room.set_needs_password(true);
  room.set_phase(v1::PHASE_PLAYING);
  room.set_watchers(1000);
  room.set_ply(10'000);
  v1::RoomOptions& options = *room.mutable_options();
  options.mutable_time()->set_game_ms(~0u);
  options.mutable_time()->set_increment_ms(~0u);
  options.set_away(v1::AWAY_AI);
  options.set_grace_ms(~0u);
  options.set_open_ai_seats(true);
  options.set_hints(true);
  options.mutable_from()->set_game(~std::uint64_t{0});
  options.mutable_from()->set_moves(2'500);
  v1::ServerMessage message;
  v1::LobbyUpdate& update = *message.mutable_lobby_update();
  update.set_reset(true);
  update.set_complete(true);
  update.set_players(~0u);
  for (std::size_t i = 0; i < limits.rooms_per_list; ++i) *update.add_rooms() = room;
  for (std::size_t i = 0; i < limits.kept_chat; ++i) {
    v1::ChatSaid& line = *update.add_chat();
    line.set_from(name);
    line.set_text(std::string(4 * limits.chat_length, 'x'));
  }
  message.set_request_id(~std::uint64_t{0});
  EXPECT_LE(message.ByteSizeLong(), limits.server_frame_bytes);
  // With boards it has fewer rooms.
  update.mutable_rooms()->DeleteSubrange(0, static_cast<int>(limits.rooms_per_list / 8));
  for (v1::RoomInfo& each : *update.mutable_rooms()) each.set_marks(std::string(57, 'x'));
  EXPECT_LE(message.ByteSizeLong(), limits.server_frame_bytes);
}

// Rooms that begin with a position of a finished game ---------------------------------------------

v1::ClientMessage create_from(std::uint64_t game, std::uint32_t moves,
                              const std::string& password = {}) {
  v1::ClientMessage message = create_request("den", password);
  v1::GamePosition& from = *message.mutable_create_room()->mutable_options()->mutable_from();
  from.set_game(game);
  from.set_moves(moves);
  return message;
}

// O began, and wins with its fourth move: 0 4 1 8 5 3 2.
v1::GameRecord finished_game() {
  v1::GameRecord game;
  game.set_id(7);
  game.mutable_rules()->set_rows(3);
  game.mutable_rules()->set_cols(4);
  game.mutable_rules()->set_k(3);
  game.set_starter(v1::MARK_O);
  for (const std::uint32_t cell : {0U, 4U, 1U, 8U, 5U, 3U, 2U}) {
    game.add_moves(cell);
    game.add_move_ms(100 + cell);
  }
  return game;
}

class PositionsTest : public testing::Test {
 protected:
  static server::Config config() {
    server::Config config = HostDriver::patient();
    config.keeps_records = true;
    return config;
  }

  /// Answers the oldest look-up, as a shell with a journal does.
  void answer(HostDriver& host, std::optional<v1::GameRecord> game) {
    ASSERT_FALSE(host.look_ups.empty());
    const server::LookUp question = host.look_ups.front();
    host.look_ups.erase(host.look_ups.begin());
    v1::ServerMessage message;
    if (game) {
      *message.mutable_game_found()->mutable_game() = *std::move(game);
    } else {
      message.mutable_error()->set_code(Error::CODE_GAME_NOT_FOUND);
      message.mutable_error()->set_message("There is no such game.");
    }
    const auto found = server::encode_answer(message, server::Limits{}.server_frame_bytes);
    if (question.request.has_create_room()) {
      host.host().position_found(question.from, found, host.now());
    } else {
      host.host().looked_up(question.from, question.request_id, found);
    }
    host.collect();
    host.go_on();
  }
  v1::ServerMessage create(const v1::ClientMessage& request,
                           const std::optional<v1::GameRecord>& game) {
    driver.take(alice);
    const std::uint64_t id = driver.post(alice, request);
    answer(driver, game);
    const auto inbox = driver.take(alice);
    EXPECT_EQ(inbox.size(), 1u);
    EXPECT_EQ(inbox.back().request_id(), id);
    return inbox.back();
  }

  HostDriver driver{config()};
  server::ConnectionId alice = driver.enter("alice");
};

TEST_F(PositionsTest, a_room_goes_on_with_the_rules_and_the_moves_of_the_game) {
  const v1::RoomSnapshot room = create(create_from(7, 3), finished_game()).snapshot();
  EXPECT_EQ(room.name(), "den");
  EXPECT_EQ(room.rules().cols(), 4u);
  EXPECT_EQ(room.starter(), v1::MARK_O);
  EXPECT_EQ((std::vector<std::uint32_t>{room.moves().begin(), room.moves().end()}),
            (std::vector<std::uint32_t>{0, 4, 1}));
  EXPECT_EQ(room.options().from().game(), 7u);
  EXPECT_EQ(room.options().from().moves(), 3u);
  EXPECT_EQ(room.your_seat(), v1::MARK_X);
  const auto bob = driver.enter("bob");
  EXPECT_EQ(driver.ask(bob, join_request("den")).snapshot().turn(), v1::MARK_X);
  EXPECT_EQ(driver.ask(bob, move_request(2, 3)).error().code(), Error::CODE_NOT_YOUR_TURN);
  EXPECT_EQ(driver.ask(alice, move_request(0, 1)).error().code(), Error::CODE_CELL_TAKEN);
  EXPECT_EQ(driver.ask(alice, move_request(2, 3)).update().move_played().ply(), 4u);
  EXPECT_EQ(driver.ask(bob, move_request(0, 2)).update().move_played().outcome().winner(),
            v1::MARK_O);
  // The record of the new game has all moves, and says where it began.
  const auto record = std::ranges::find_if(
      driver.records, [](const auto& each) { return each.has_game_finished(); });
  ASSERT_NE(record, driver.records.end());
  EXPECT_EQ(record->game_finished().rules().ShortDebugString(), room.rules().ShortDebugString());
  EXPECT_EQ(record->game_finished().moves_size(), 5);
  EXPECT_EQ(record->game_finished().move_ms(1), 104u);
  EXPECT_EQ(record->game_finished().from().game(), 7u);
  // The next game begins with an empty board.
  driver.ask(alice, rematch_request());
  driver.ask(bob, rematch_request());
  EXPECT_EQ(driver.ask(bob, snapshot_request()).snapshot().moves_size(), 0);
}

TEST_F(PositionsTest, a_game_can_begin_again_with_its_first_move) {
  const v1::RoomSnapshot room = create(create_from(7, 0), finished_game()).snapshot();
  EXPECT_EQ(room.moves_size(), 0);
  EXPECT_EQ(room.starter(), v1::MARK_O);
}

TEST_F(PositionsTest, what_is_no_position_is_refused) {
  const auto code = [&](std::uint32_t moves, const std::optional<v1::GameRecord>& game) {
    return create(create_from(7, moves), game).error().code();
  };
  EXPECT_EQ(code(3, std::nullopt), Error::CODE_GAME_NOT_FOUND);
  EXPECT_EQ(code(8, finished_game()), Error::CODE_INVALID_OPTIONS);
  EXPECT_EQ(code(7, finished_game()), Error::CODE_INVALID_OPTIONS) << "the game is over there";
  v1::GameRecord bad = finished_game();
  bad.set_moves(2, 4);
  EXPECT_EQ(code(3, bad), Error::CODE_INVALID_OPTIONS) << "a cell twice";
  bad.set_moves(2, 4'000'000'000);
  EXPECT_EQ(code(3, bad), Error::CODE_INVALID_OPTIONS) << "off the board";
  bad = finished_game();
  bad.clear_starter();
  EXPECT_EQ(code(3, bad), Error::CODE_INVALID_OPTIONS);
  bad.mutable_rules()->set_k(200);
  EXPECT_EQ(code(3, bad), Error::CODE_INVALID_RULES);
  EXPECT_EQ(driver.ask(alice, create_from(7, 2'501)).error().code(), Error::CODE_INVALID_OPTIONS);
  EXPECT_TRUE(driver.ask(alice, create_request("den")).has_snapshot()) << "nothing is left";
}

TEST_F(PositionsTest, the_question_has_only_what_the_answer_needs) {
  driver.post(alice, create_from(7, 3, "swordfish"));
  ASSERT_EQ(driver.look_ups.size(), 1u);
  EXPECT_EQ(driver.look_ups[0].request.ShortDebugString().find("swordfish"), std::string::npos);
  EXPECT_NE(driver.look_ups[0].reader, 0u) << "private games are those of the asking player";
}

TEST_F(PositionsTest, the_requests_after_it_wait) {
  v1::ClientMessage games;
  games.mutable_list_games();
  driver.post(alice, games);
  driver.post(alice, games);
  const auto created = driver.post(alice, create_from(7, 3, "swordfish"));
  const auto left = driver.post(alice, leave_request());
  EXPECT_TRUE(driver.host().is_waiting(alice));
  EXPECT_EQ(driver.look_ups.size(), 1u) << "as many as one connection may have";
  driver.take(alice);
  for (int i = 0; i < 3; ++i) answer(driver, finished_game());
  EXPECT_FALSE(driver.host().is_waiting(alice));
  std::vector<std::uint64_t> answered;
  for (const v1::ServerMessage& message : driver.take(alice)) {
    answered.push_back(message.request_id());
  }
  EXPECT_EQ(answered, (std::vector<std::uint64_t>{created - 2, created - 1, created, left}));
}

TEST_F(PositionsTest, a_client_that_is_gone_leaves_no_room) {
  driver.post(alice, create_from(7, 3));
  driver.disconnect(alice);
  answer(driver, finished_game());
  EXPECT_EQ(driver.host().rooms(), 0u);
}

TEST_F(PositionsTest, a_server_that_stops_opens_no_room) {
  driver.post(alice, create_from(7, 3));
  driver.host().stop(driver.now());
  answer(driver, finished_game());
  EXPECT_TRUE(
      std::ranges::none_of(driver.records, [](const auto& each) { return each.has_room(); }));
}

TEST_F(PositionsTest, it_costs_as_much_as_the_room_the_game_and_its_look_up) {
  server::Config strict = config();
  strict.limits.request_burst = 200;
  strict.limits.requests_per_second = 1;
  strict.limits.game_burst = 1;
  strict.limits.games_per_minute = 1;
  HostDriver host(strict);
  const auto bob = host.enter("bob");
  host.post(bob, create_from(7, 3));
  answer(host, finished_game());
  EXPECT_TRUE(host.inbox(bob).back().has_snapshot());
  EXPECT_EQ(host.tokens(bob), 200 - 1 - 8 - 8);
  host.pass(std::chrono::seconds(30));
  EXPECT_TRUE(host.ask(bob, leave_request()).has_left());
  host.post(bob, create_from(7, 3));
  host.take(bob);
  answer(host, finished_game());
  EXPECT_EQ(host.inbox(bob).back().error().code(), Error::CODE_RATE_LIMITED)
      << "each game leaves a record";
}

// All of them are recorded again.
TEST_F(PositionsTest, a_room_with_many_moves_costs_more) {
  server::Config strict = config();
  strict.limits.requests_per_second = 1;
  HostDriver host(strict);
  v1::GameRecord game;
  game.mutable_rules()->set_rows(7);
  game.mutable_rules()->set_cols(49);
  game.mutable_rules()->set_k(49);
  game.set_starter(v1::MARK_X);
  for (std::uint32_t cell = 0; cell < 320; ++cell) game.add_moves(cell);
  const auto bob = host.enter("bob");
  host.post(bob, create_from(7, 300));
  answer(host, game);
  ASSERT_TRUE(host.inbox(bob).back().has_snapshot());
  EXPECT_EQ(host.tokens(bob), 200 - 1 - 8 - 8 - 300 / 50);
}

TEST_F(PositionsTest, a_server_without_records_has_no_positions) {
  HostDriver forgetful{server::Config{}};
  const auto bob = forgetful.enter("bob");
  EXPECT_EQ(forgetful.ask(bob, create_from(7, 3)).error().code(), Error::CODE_NO_RECORDS);
  v1::ClientMessage list;
  list.mutable_list_games();
  EXPECT_EQ(forgetful.ask(bob, list).error().code(), Error::CODE_NO_RECORDS);
}

TEST_F(PositionsTest, a_restart_restores_the_room) {
  const v1::RoomSnapshot before = create(create_from(7, 3), finished_game()).snapshot();
  const Ledger ledger(driver.records);
  HostDriver next(config());
  ASSERT_TRUE(next.host().restore(ledger.saved(), next.now()).refused.empty());
  next.collect();
  const auto back = next.come_back(driver.token(alice), "den");
  const v1::RoomSnapshot& after = next.inbox(back).back().snapshot();
  EXPECT_EQ(after.options().SerializeAsString(), before.options().SerializeAsString());
  EXPECT_TRUE(std::ranges::equal(after.moves(), before.moves()));
  EXPECT_EQ(after.starter(), before.starter());
  EXPECT_EQ(after.your_seat(), v1::MARK_X);
}

}  // namespace
}  // namespace tictactoe::test::host_game_tests
