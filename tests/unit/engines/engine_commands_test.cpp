#include "client/engine/commands.hpp"

#include <gmock/gmock.h>

#include <sstream>
#include <string>

namespace tictactoe::engine::engine_commands_tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Ran {
  int status;
  std::string out;
  std::string err;
};

template <class Command, class Options>
Ran run(Command command, const std::string& input, const Options& options) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const int status = command({in, out, err}, options);
  return {status, out.str(), err.str()};
}

Ran run_solve(const std::string& input, const SolveOptions& options = {}) {
  return run(&solve, input, options);
}

TEST(Solve, the_example_of_the_manual) {
  const Ran ran = run_solve("XOX\nOOX\n___\n");
  EXPECT_EQ(ran.out, "1 3 3\n");
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.status, 0);
}

TEST(Solve, many_positions_in_any_dress) {
  EXPECT_EQ(run_solve("\n\nXOX/OOX/___\n  \n\nX _ _\r\n_ _ _\r\n_ _ _\r\n\n_ _ _/___/___").out,
            "1 3 3\n0 2 2\n0 1 1\n");
  EXPECT_EQ(run_solve("").out, "");
  EXPECT_EQ(run_solve("\n \n").status, 0);
}

TEST(Solve, says_if_a_line_of_play_is_too_long) {
  std::string board;
  for (int row = 0; row < 30; ++row) board += std::string(30, '_') + "\n";
  SolveOptions options;
  options.rules.text.k = 5;
  options.limits.seconds = 60;
  options.memory = std::size_t{1} << 20;
  const Ran ran = run_solve(board, options);
  EXPECT_EQ(ran.out, "unknown\n");
  EXPECT_THAT(ran.err, HasSubstr("position 1: unknown because its lines of play are too long"));
  EXPECT_EQ(ran.status, 0);
  options.limits = {.nodes = 5, .seconds = 60};
  EXPECT_EQ(run_solve(board, options).err, "");
}

TEST(Solve, the_side_to_move_can_be_set) {
  EXPECT_EQ(run_solve("XX_/OO_/___").out, "1 1 3\n");
  EXPECT_EQ(run_solve("XX_/OO_/___", {.rules = {}, .player = rules::Mark::o, .limits = {}}).out,
            "1 1 3\n");
  EXPECT_EQ(run_solve("XX_/OO_/X__", {.rules = {}, .player = rules::Mark::o, .limits = {}}).out,
            "1 2 3\n");
  EXPECT_EQ(run_solve("XX_/___/___", {.rules = {}, .player = rules::Mark::x, .limits = {}}).out,
            "1 1 3\n");
}

TEST(Solve, bad_input_is_named_and_the_rest_answered) {
  const Ran ran =
      run_solve("XOX\nOOX\n___\n\nXO\n__X\n\nXXX/OO_/___\n\nXX_/___/___\n\nX__/___/___");
  EXPECT_EQ(ran.out, "1 3 3\n0 2 2\n");
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("position 2, line 6: ragged rows"),
                             HasSubstr("position 3, line 8: no move to find: X row 1"),
                             HasSubstr("position 4, line 10: no move to find: impossible")));
}

TEST(Solve, says_unknown_where_the_limits_end_it) {
  SolveOptions options;
  options.rules.text.k = 5;
  options.limits.nodes = 100;
  std::string board;
  for (int row = 0; row < 9; ++row) board += std::string(9, '_') + "\n";
  const Ran ran = run_solve(board, options);
  EXPECT_EQ(ran.out, "unknown\n");
  EXPECT_EQ(ran.status, 0);
  options.limits = {.nodes = 0, .seconds = 0.05};
  EXPECT_EQ(run_solve(board, options).out, "unknown\n");
}

TEST(Solve, tells_what_it_took) {
  SolveOptions options;
  options.stats = true;
  options.memory = std::size_t{1} << 20;
  EXPECT_THAT(run_solve("____/____/____/____", options).out,
              testing::MatchesRegex("0 1 1 nodes [0-9]+ seconds [0-9.]+ table 1048576\n"));
}

TEST(Judge, answers_every_position) {
  const Ran ran = run(&judge, "XXX/OO_/___\n\nXXX/OOO/___\n\nXO/__X\n", JudgeOptions{});
  EXPECT_EQ(ran.out,
            "X row 1\nimpossible: both won\n"
            "impossible: ragged rows, this one has 3 cells and the first 2\n");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(run(&judge, "XXX/OOO/___\n", JudgeOptions{}).status, 0);
}

TEST(Suggest, says_what_is_certified) {
  SuggestOptions options;
  EXPECT_EQ(run(&suggest, "X__/___/___", options).out, "2 2 cannot lose\n");
  // X has a fork already: whatever O does, O is lost.
  const Ran lost = run(&suggest, "X_X/_O_/X_O", options);
  EXPECT_EQ(lost.out.find("cannot lose"), std::string::npos);
  options.level = ai::Level::suggester;
  EXPECT_EQ(run(&suggest, "XX_/O__/___", options).out, "1 3\n");
}

TEST(Suggest, perfect_answers_only_what_is_certain) {
  SuggestOptions options;
  options.level = ai::Level::perfect;
  EXPECT_EQ(run(&suggest, "X__/___/___", options).out, "2 2 cannot lose\n");
  const Ran ran = run(&suggest, "X_X/_O_/X_O", options);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("no move is known that certainly does not lose"));
}

TEST(Suggest, one_whose_turn_it_is_not_is_refused) {
  SuggestOptions options;
  options.player = rules::Mark::x;
  EXPECT_EQ(run(&suggest, "O__/___/___", options).out, "2 2 cannot lose\n");
  const Ran ran = run(&suggest, "X__/___/___", options);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("other side's turn"));
}

TEST(Suggest, replays_overlines_that_do_not_win) {
  SuggestOptions options;
  options.rules = {.text = {.k = 4, .overline_wins = false}, .size = {}};
  options.limits.nodes = 1'000;
  const Ran ran = run(&suggest, "XXXXX___/OOO_O_O_/________", options);
  EXPECT_EQ(ran.status, 0) << ran.err;
}

TEST(Positions, of_another_size_than_asked_for_are_refused) {
  SolveOptions options;
  options.rules.size = rules::Rules{3, 4, 3, true};
  options.rules.text.k = 3;
  const Ran ran = run_solve("____/____/____\n\n___/___/___", options);
  EXPECT_EQ(ran.out, "1 1 1\n");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err, "position 2, line 3: the board is 3 x 3, not 3 x 4\n");
}

TEST(Perft, counts_as_known) {
  const Ran ran = run(&perft, "", rules::Rules::square(3));
  EXPECT_THAT(ran.out, AllOf(HasSubstr("positions 5478\n"), HasSubstr("up to symmetry 765\n"),
                             HasSubstr("games 255168\n"),
                             HasSubstr("won by X: 626 positions, 131184 games\n"),
                             HasSubstr("won by O: 316 positions, 77904 games\n"),
                             HasSubstr("drawn: 16 positions, 46080 games\n")));
}

TEST(Match, counts_for_the_first_level) {
  MatchOptions options;
  options.games = 50;
  const Ran ran = run(&match, "", options);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("strong against random, 3x3, 3 in a row, 50 games\n"),
                             HasSubstr("losses 0\n"), HasSubstr("moves per second ")));
  std::swap(options.first, options.second);
  EXPECT_THAT(run(&match, "", options).out, HasSubstr("wins 0\n"));
}

}  // namespace
}  // namespace tictactoe::engine::engine_commands_tests
