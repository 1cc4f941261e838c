#include "client/engine/tournament.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <csignal>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "client/engine/commands.hpp"
#include "common/record/notation.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::engine::engine_tournament_tests {
namespace {

using testing::HasSubstr;

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

struct Ran {
  int status;
  std::string out;
  std::string err;
};

Ran play(const TournamentOptions& options) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const int status = tournament({in, out, err}, options);
  return {status, out.str(), err.str()};
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
  EXPECT_THAT(ran.err, HasSubstr("The engine robo has ended with status 1"));
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
}  // namespace tictactoe::engine::engine_tournament_tests
