// Simulates several servers over a store that they share, and proves that planted mistakes are
// found.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <random>

#include "tests/simulation/lobby_simulation.hpp"
#include "tests/support/scale.hpp"

namespace tictactoe::simulation {
namespace {

// Twelve runs of these make more than a million requests.
const std::uint64_t requests_a_seed = support::thorough ? 85'000 : 5'000;

LobbyResult run(const LobbyPlan& plan) {
  constexpr std::size_t traced = 60;
  LobbyResult result = simulate(plan, traced);
  if (result.violation) {
    for (const std::string& line : result.trace) std::cout << "  " << line << "\n";
    std::cout << "seed " << plan.seed << ", request " << result.requests
              << ". Again: tictactoe-simulate --servers " << plan.servers << " --seed " << plan.seed
              << " --requests " << plan.requests << "\n";
  }
  return result;
}

LobbyResult expect_sound(std::uint64_t seed) {
  LobbyPlan plan = LobbyPlan::from_seed(seed);
  plan.requests = requests_a_seed;
  const LobbyResult result = run(plan);
  if (result.violation) {
    ADD_FAILURE() << name(result.violation->checker) << ": " << result.violation->what();
    return result;
  }
  EXPECT_GE(result.requests, plan.requests);
  // Something must have happened.
  EXPECT_GT(result.games, plan.requests / 400);
  EXPECT_GT(result.redirects, plan.requests / 400);
  EXPECT_GT(result.returns, plan.requests / 400);
  EXPECT_GE(result.takeovers, plan.requests / 40'000);
  return result;
}

// Not every seed gives rooms away: of the first 40, number 7 does not. With each of these at least
// 155 move.
class LobbySeed : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Lobby, LobbySeed, ::testing::Range<std::uint64_t>(12, 23));

TEST_P(LobbySeed, keeps_every_promise) {
  EXPECT_GE(expect_sound(GetParam()).rooms_moved, requests_a_seed / 20'000);
}

// With these, servers were given players and rooms, or found a player who had arrived, and the
// answer of the store was lost: nobody had them any more.
TEST(Lobby, loses_nobody_with_an_answer_of_the_store) {
  for (const std::uint64_t seed : {6013u, 6016u, 6028u, 6065u, 6071u, 6075u, 6121u, 6122u, 6123u}) {
    LobbyPlan plan = LobbyPlan::from_seed(seed);
    plan.requests = 5'000;
    const LobbyResult result = run(plan);
    EXPECT_FALSE(result.violation) << result.violation->what();
  }
}

TEST(Lobby, keeps_every_promise_with_a_fresh_seed) {
  std::random_device device;
  const std::uint64_t seed = std::uint64_t{device()} << 16 ^ device();
  std::cout << "seed " << seed << "\n";
  expect_sound(seed);
}

TEST(Lobby, is_the_same_for_the_same_seed) {
  LobbyPlan plan = LobbyPlan::from_seed(2001);
  plan.requests = 4'000;
  const LobbyResult once = run(plan);
  const LobbyResult again = run(plan);
  EXPECT_EQ(once.digest, again.digest);
  EXPECT_EQ(once.steps, again.steps);
  plan.seed = 2002;
  EXPECT_NE(once.digest, run(plan).digest);
}

class LobbyMistake : public ::testing::TestWithParam<LobbyPlant> {};
INSTANTIATE_TEST_SUITE_P(Lobby, LobbyMistake,
                         ::testing::Values(LobbyPlant::commit_without_epoch,
                                           LobbyPlant::announce_before_commit,
                                           LobbyPlant::blind_retry, LobbyPlant::read_before_epoch),
                         [](const auto& instance) {
                           std::string plain(
                               lobby_plant_names.at(static_cast<std::size_t>(instance.param)));
                           std::ranges::replace(plain, '-', '_');
                           return plain;
                         });

TEST_P(LobbyMistake, is_found) {
  // A mistake may stay hidden with one seed and show with another.
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    LobbyPlan plan = LobbyPlan::from_seed(seed);
    plan.requests = 30'000;
    plan.plant = GetParam();
    const LobbyResult result = LobbySimulation(plan).run();
    if (!result.violation) continue;
    std::cout << "seed " << seed << ", request " << result.requests << ": "
              << name(result.violation->checker) << ": " << result.violation->what() << "\n";
    return;
  }
  FAIL() << "nobody has noticed";
}

}  // namespace
}  // namespace tictactoe::simulation
