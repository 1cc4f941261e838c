// Two clients play thousands of random games against each other and compare what they were told
// after every move; who won is checked by reading the whole board.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/support/oracle.hpp"
#include "tests/support/requests.hpp"
#include "tests/support/socket_client.hpp"

namespace tictactoe::test {
namespace {

/// What one client knows of the room, from what it was sent alone.
struct Mirror {
  explicit Mirror(const v1::RoomSnapshot& snapshot)
      : rules{static_cast<int>(snapshot.rules().rows()), static_cast<int>(snapshot.rules().cols()),
              static_cast<int>(snapshot.rules().k()), !snapshot.rules().exact()},
        board(oracle::empty_board(rules)),
        revision(snapshot.revision()),
        phase(snapshot.phase()),
        turn(snapshot.turn()) {}

  void take(const v1::RoomUpdate& update) {
    ASSERT_EQ(update.revision(), revision + 1) << "an update was lost or out of order";
    revision = update.revision();
    phase = update.phase();
    turn = update.turn();
    if (update.has_game_started()) board = oracle::empty_board(rules);
    if (!update.has_move_played()) return;
    const v1::MovePlayed& played = update.move_played();
    char& cell = oracle::letter_at(
        board, {static_cast<int>(played.cell().row()), static_cast<int>(played.cell().col())});
    ASSERT_EQ(cell, '_');
    cell = played.mark() == v1::MARK_X ? 'X' : 'O';
    if (played.has_outcome()) outcome = played.outcome();
  }

  rules::Rules rules;
  oracle::Letters board;
  std::uint64_t revision;
  v1::Phase phase;
  v1::Mark turn;
  v1::Outcome outcome;
};

void expect_true_outcome(const Mirror& mirror) {
  const int x = oracle::winning_runs(mirror.board, mirror.rules, 'X');
  const int o = oracle::winning_runs(mirror.board, mirror.rules, 'O');
  if (mirror.phase == v1::PHASE_PLAYING) {
    ASSERT_EQ(x + o, 0) << "a win was missed";
    return;
  }
  ASSERT_EQ(mirror.outcome.winner(), x > 0 ? v1::MARK_X : o > 0 ? v1::MARK_O : v1::MARK_NONE);
  ASSERT_EQ(mirror.outcome.lines_size(), x + o);
}

void play_random_games(const rules::Rules& rules, int games, unsigned seed) {
  core::Config config;
  config.limits.requests_per_second = 0;
  RunningServer server(config);
  SocketClient ann(server.endpoint(), "ann");
  SocketClient ben(server.endpoint(), "ben");
  Mirror anns(ann.ask(create_request("den", rules)).snapshot());
  Mirror bens(ben.ask(join_request("den")).snapshot());
  anns.take(ann.next_update());
  const auto both_take_an_update = [&] {
    ASSERT_NO_FATAL_FAILURE(anns.take(ann.next_update()));
    ASSERT_NO_FATAL_FAILURE(bens.take(ben.next_update()));
    ASSERT_EQ(anns.board, bens.board);
    ASSERT_EQ(anns.phase, bens.phase);
  };
  std::mt19937 random(seed);
  std::vector<int> cells(static_cast<std::size_t>(rules.cells()));
  std::iota(cells.begin(), cells.end(), 0);
  for (int game = 1; game <= games; ++game) {
    std::shuffle(cells.begin(), cells.end(), random);
    for (const int cell : cells) {
      SocketClient& mover = anns.turn == v1::MARK_X ? ann : ben;
      mover.send(move_request(static_cast<std::uint32_t>(cell / rules.cols),
                              static_cast<std::uint32_t>(cell % rules.cols)));
      ASSERT_NO_FATAL_FAILURE(both_take_an_update());
      ASSERT_NO_FATAL_FAILURE(expect_true_outcome(anns));
      if (anns.phase == v1::PHASE_FINISHED) break;
    }
    ASSERT_EQ(anns.phase, v1::PHASE_FINISHED);
    ann.send(rematch_request());
    ASSERT_NO_FATAL_FAILURE(both_take_an_update());
    ben.send(rematch_request());
    ASSERT_NO_FATAL_FAILURE(both_take_an_update());
    ASSERT_EQ(anns.turn, game % 2 == 1 ? v1::MARK_O : v1::MARK_X) << "starters alternate";
  }
}

TEST(RandomGames, ten_thousand_on_3x3) {
  play_random_games({}, 10'000, 1);
}
TEST(RandomGames, on_4x4) {
  play_random_games(rules::Rules::square(4), 200, 2);
}
TEST(RandomGames, with_four_in_a_row) {
  play_random_games({6, 7, 4, true}, 200, 3);
}
TEST(RandomGames, with_exactly_four_in_a_row) {
  play_random_games({9, 9, 4, false}, 50, 4);
}

}  // namespace
}  // namespace tictactoe::test
