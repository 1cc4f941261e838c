// Commands of tictactoe-engine.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "client/engine/commands.hpp"
#include "client/engine/tournament.hpp"
#include "common/record/notation.hpp"
#include "tests/support/temporary_folder.hpp"

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

TEST(Solve, skips_a_byte_order_mark) {
  EXPECT_EQ(run_solve("\xEF\xBB\xBFXOX\nOOX\n___\n").out, "1 3 3\n");
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
  EXPECT_THAT(ran.err, HasSubstr("no move is certain not to lose"));
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

PairResults results(std::array<int, 5> pairs) {
  PairResults results;
  results.pairs = pairs;
  return results;
}

TEST(Elo, of_equal_players_is_zero) {
  const Elo even = elo(results({1, 2, 30, 2, 1}));
  EXPECT_NEAR(even.value, 0, 1e-9);
  EXPECT_NEAR(even.low, -even.high, 1e-9);
  EXPECT_GT(even.high, 0);
}

/// 75 % is 400 * log10(3) = 190.8 Elo. By hand: 100 pairs, half of them 1 point and half 2, have
/// the variance 1/16 of the mean result 3/4, hence the standard error 1/40. The prior moves it a
/// little.
TEST(Elo, follows_the_logistic_curve_and_the_variance_of_pairs) {
  const Elo better = elo(results({0, 0, 50, 0, 50}));
  EXPECT_NEAR(better.value, 190.8, 2);
  EXPECT_NEAR(better.low, 400 * std::log10(0.701 / 0.299), 6);
  EXPECT_NEAR(better.high, 400 * std::log10(0.799 / 0.201), 6);
  const Elo worse = elo(results({0, 0, 50, 0, 50}).reversed());
  EXPECT_NEAR(worse.value, -better.value, 1e-9);
  EXPECT_NEAR(worse.low, -better.high, 1e-9);
}

/// If the opening decides every game, each pair is drawn: games alone would claim a large variance.
TEST(Elo, knows_that_games_of_a_pair_depend_on_each_other) {
  const Elo even = elo(results({0, 0, 100, 0, 0}));
  EXPECT_LT(even.high, 15);
}

TEST(Elo, of_all_or_nothing_has_an_interval) {
  const Elo best = elo(results({0, 0, 0, 0, 10}));
  EXPECT_GT(best.low, 200);
  EXPECT_GT(best.high, best.value);
  EXPECT_EQ(results({0, 0, 0, 0, 10}).points(), 20);
}

Ran play(const TournamentOptions& options) {
  return run(&tournament, "", options);
}

TEST(Tournament, every_two_players_play_each_opening_twice) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("tournament-" + std::to_string(::getpid()) + ".txt");
  TournamentOptions options;
  options.players = {{"strong", ai::Level::strong, {}},
                     {"random", ai::Level::random, {}},
                     {"suggester", ai::Level::suggester, {}}};
  options.rules = {8, 8, 5, true};
  options.games = 4;
  options.limits = {.nodes = 300, .seconds = 10};
  options.output = file.string();
  const Ran ran = play(options);
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.err, HasSubstr("game 12 of 12: "));
  EXPECT_THAT(ran.out, HasSubstr("strong against random"));
  EXPECT_EQ(ran.out.find("strong against all"), 0U) << "the best comes first";

  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  std::filesystem::remove(file);
  const auto games = record::parse_games(text.str());
  ASSERT_TRUE(games) << games.error().sentence;
  ASSERT_EQ(games->size(), 12U);
  for (std::size_t i = 0; i < 12; i += 2) {
    const v1::GameRecord& first = (*games)[i];
    const v1::GameRecord& second = (*games)[i + 1];
    EXPECT_EQ(first.x().name(), second.o().name());
    EXPECT_EQ(first.o().name(), second.x().name());
    for (int ply = 0; ply < options.opening; ++ply) EXPECT_EQ(first.moves(ply), second.moves(ply));
  }
  // The same games again with the same seed.
  options.output.clear();
  EXPECT_EQ(play(options).out, ran.out);
}

TEST(Tournament, an_engine_that_fails_loses) {
  std::signal(SIGPIPE, SIG_IGN);
  TournamentOptions options;
  options.players = {{"suggester", ai::Level::suggester, {}},
                     {"robo", ai::Level::strong, engines::Command{"robo", {"/bin/false"}}}};
  options.games = 2;
  options.limits.seconds = 0.1;
  const Ran ran = play(options);
  EXPECT_THAT(ran.err, HasSubstr("The engine robo exited with status 1"));
  EXPECT_THAT(ran.out, HasSubstr("suggester against all                 2.0 of    2"));
}

TEST(Tournament, a_file_that_cannot_be_written_is_told) {
  TournamentOptions options;
  options.players = {{"random", ai::Level::random, {}}, {"suggester", ai::Level::suggester, {}}};
  options.output = "/no/such/folder/games.txt";
  const Ran ran = play(options);
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("can't write /no/such/folder/games.txt: No such file"));
}

TEST(Tournament, ends_once_its_file_is_full_and_keeps_whole_games) {
  const test::TemporaryFolder folder;
  TournamentOptions options;
  options.players = {{"random", ai::Level::random, {}}, {"suggester", ai::Level::suggester, {}}};
  options.rules = {5, 5, 4, true};
  options.games = 20;
  options.opening = 0;
  options.output = folder / "games";
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{1'000, before.rlim_max};  // a few games
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Ran ran = play(options);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("tictactoe-engine: can't write " + options.output +
                                 ": File too large; the tournament ends here\n"));
  EXPECT_EQ(ran.err.find("game 20 of"), std::string::npos) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("random against all"));
  std::ifstream stream(options.output);
  std::stringstream text;
  text << stream.rdbuf();
  const auto games = record::parse_games(text.str());
  ASSERT_TRUE(games) << games.error().sentence;
  EXPECT_GT(games->size(), 0U);
}

TEST(Tournament, no_file_is_overwritten) {
  const test::TemporaryFolder folder;
  TournamentOptions options;
  options.players = {{"random", ai::Level::random, {}}, {"suggester", ai::Level::suggester, {}}};
  options.output = folder / "2";
  std::ofstream(options.output) << "kept";
  const Ran ran = play(options);
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("File exists"));
  std::string text;
  std::ifstream(options.output) >> text;
  EXPECT_EQ(text, "kept");
}

}  // namespace
}  // namespace tictactoe::engine::engine_commands_tests
