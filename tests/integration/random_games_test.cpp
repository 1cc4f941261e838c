// Two clients play thousands of random games against each other and compare what they were told
// after every move; the mirrors check who won by reading the whole board.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/support/mirror.hpp"
#include "tests/support/requests.hpp"
#include "tests/support/socket_client.hpp"

namespace tictactoe::test {
namespace {

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
    anns.take(ann.next_update());
    bens.take(ben.next_update());
    ASSERT_EQ(anns.board(), bens.board());
    ASSERT_EQ(anns.room().revision(), bens.room().revision());
    ASSERT_EQ(anns.phase(), bens.phase());
  };
  std::mt19937 random(seed);
  std::vector<int> cells(static_cast<std::size_t>(rules.cells()));
  std::iota(cells.begin(), cells.end(), 0);
  for (int game = 1; game <= games; ++game) {
    std::shuffle(cells.begin(), cells.end(), random);
    for (const int cell : cells) {
      SocketClient& mover = anns.turn() == v1::MARK_X ? ann : ben;
      mover.send(move_request(static_cast<std::uint32_t>(cell / rules.cols),
                              static_cast<std::uint32_t>(cell % rules.cols)));
      ASSERT_NO_FATAL_FAILURE(both_take_an_update());
      if (anns.phase() == v1::PHASE_FINISHED) break;
    }
    ASSERT_EQ(anns.phase(), v1::PHASE_FINISHED);
    ann.send(rematch_request());
    ASSERT_NO_FATAL_FAILURE(both_take_an_update());
    ben.send(rematch_request());
    ASSERT_NO_FATAL_FAILURE(both_take_an_update());
    ASSERT_EQ(anns.turn(), game % 2 == 1 ? v1::MARK_O : v1::MARK_X) << "starters alternate";
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
