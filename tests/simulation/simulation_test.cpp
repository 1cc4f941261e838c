// Simulates servers with faults, and proves that the checkers find planted mistakes. All seeds are
// fixed.
#include "tests/simulation/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "tests/support/scale.hpp"

namespace tictactoe::simulation {
namespace {

// Eleven runs of one server, or twelve of several, make more than a million requests.
const std::uint64_t requests_a_seed = support::thorough ? 92'000 : 4'000;

Result run(const Plan& plan) {
  constexpr std::size_t traced = 60;
  Result result = simulate(plan, traced);
  if (result.violation) {
    for (const std::string& line : result.trace) std::cout << "  " << line << "\n";
    std::cout << "seed " << plan.seed << ", step " << result.steps << ", request "
              << result.requests << ". Again: tictactoe-simulate --seed " << plan.seed
              << " --requests " << plan.requests << (plan.sql ? " --sql" : "")
              << (plan.hostiles > 0 ? " --siege" : "");
    if (plan.is_shared()) std::cout << " --servers " << plan.servers;
    std::cout << "\n";
  }
  return result;
}

Plan plan_for(std::uint64_t seed, std::uint32_t servers = 1) {
  Plan plan = Plan::from_seed(seed, servers);
  plan.requests = requests_a_seed;
  return plan;
}

Result expect_sound(const Plan& plan) {
  Result result = run(plan);
  if (result.violation) {
    ADD_FAILURE() << name(result.violation->checker) << ": " << result.violation->what();
    return result;
  }
  EXPECT_GE(result.requests, plan.requests);
  // Something must have happened.
  EXPECT_GT(result.games, plan.requests / 400);
  EXPECT_GT(result.commits, plan.requests / 100);
  return result;
}

void expect_same_again(Plan plan) {
  const Result once = run(plan);
  const Result again = run(plan);
  EXPECT_EQ(once.digest, again.digest);
  EXPECT_EQ(once.steps, again.steps);
  if (!plan.is_shared()) {
    plan.sql = true;
    EXPECT_EQ(once.digest, run(plan).digest) << "the two stores have led to different histories";
    plan.sql = false;
  }
  ++plan.seed;
  EXPECT_NE(once.digest, run(plan).digest);
}

class OneServer : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Simulation, OneServer, ::testing::Range<std::uint64_t>(1, 11));

TEST_P(OneServer, keeps_every_promise) {
  expect_sound(plan_for(GetParam()));
}

TEST(OneServer, keeps_every_promise_with_a_real_database) {
  Plan plan = plan_for(1001);
  plan.sql = true;
  plan.requests /= 8;
  expect_sound(plan);
}

TEST(OneServer, is_the_same_for_the_same_seed) {
  Plan plan = plan_for(2001);
  plan.requests = 4'000;
  expect_same_again(plan);
}

class Lobby : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Simulation, Lobby, ::testing::Range<std::uint64_t>(1, 13));

TEST_P(Lobby, keeps_every_promise) {
  const Plan plan = plan_for(GetParam(), 3);
  const Result result = expect_sound(plan);
  EXPECT_GT(result.redirects, plan.requests / 400);
  EXPECT_GT(result.returns, plan.requests / 400);
  EXPECT_GE(result.takeovers, plan.requests / 40'000);
  EXPECT_GE(result.rooms_moved, plan.requests / 20'000);
}

// Servers are given players and rooms, or find a player who has arrived, and the answer of the
// store is lost: they must find out what they have.
TEST(Lobby, loses_nobody_with_an_answer_of_the_store) {
  for (std::uint64_t seed = 31; seed <= 36; ++seed) {
    Plan plan = plan_for(seed, 3);
    plan.rate(Fault::answers) = 300;
    plan.rate(Fault::upgrades) = 5'000;
    expect_sound(plan);
  }
}

TEST(Lobby, is_the_same_for_the_same_seed) {
  Plan plan = plan_for(2001, 3);
  plan.requests = 4'000;
  expect_same_again(plan);
}

// Hostile clients ---------------------------------------------------------------------------------

class Siege : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Simulation, Siege, ::testing::Range<std::uint64_t>(1, 5));

TEST_P(Siege, harms_no_honest_client) {
  Plan plan = Plan::siege_from_seed(GetParam());
  plan.requests = requests_a_seed / 8;
  expect_sound(plan);
}

/// All seem to come from one address, which may have what honest clients need.
Plan shared_address(Malice malice) {
  Plan plan = Plan::siege_from_seed(1);
  plan.requests = requests_a_seed / 8;
  plan.malice = malice;
  plan.plant = Plant::shared_address;
  server::Limits& limits = plan.server.limits;
  limits.connections_per_address = 120;
  limits.pending_per_address = 60;
  limits.newcomer_burst = 100;
  limits.rooms_per_address = 150;
  limits.absences_per_address = 100;
  return plan;
}

/// Each of these alone takes what others need. Not those who reconnect, who have the tokens of one
/// player, nor those who imitate names, who take nothing.
class HostileClients : public ::testing::TestWithParam<Malice> {};
INSTANTIATE_TEST_SUITE_P(Simulation, HostileClients,
                         ::testing::Values(Malice::guesses, Malice::never_reads,
                                           Malice::makes_players, Malice::abandons, Malice::chats,
                                           Malice::connects, Malice::asks_for_lists,
                                           Malice::pesters, Malice::ends_games));

TEST_P(HostileClients, would_be_noticed_if_others_paid_for_them) {
  const Result result = Simulation(shared_address(GetParam())).run();
  ASSERT_TRUE(result.violation) << "nobody has noticed";
  EXPECT_EQ(name(result.violation->checker), name(Checker::fairness)) << result.violation->what();
}

TEST(HonestClients, do_not_take_from_each_other_what_they_need) {
  Plan plan = shared_address(Malice::connects);
  plan.hostiles = 1;
  plan.server.limits.connections_per_address = 200;
  expect_sound(plan);
}

// Planted mistakes --------------------------------------------------------------------------------

// Each is found by the right checker.
struct Planted {
  Plant plant;
  std::vector<Checker> finders;  // whichever is first; none: any
  std::uint32_t servers = 1;
};

class PlantedMistake : public ::testing::TestWithParam<Planted> {};
INSTANTIATE_TEST_SUITE_P(
    Simulation, PlantedMistake,
    ::testing::Values(Planted{Plant::early_announcement, {Checker::durability}},
                      Planted{Plant::late_record, {Checker::durability}},
                      Planted{Plant::skipped_revision, {Checker::history}},
                      Planted{Plant::forked_history, {Checker::history}},
                      Planted{Plant::endless_outbox, {Checker::queues}},
                      Planted{Plant::missed_win, {Checker::outcome}},
                      Planted{Plant::lost_record, {Checker::permanence}},
                      Planted{Plant::double_answer, {Checker::answers}},
                      Planted{Plant::swallowed_answer, {Checker::answers}},
                      Planted{Plant::lost_deadline, {Checker::rest, Checker::outcome}},
                      Planted{Plant::deaf_ear, {Checker::answers}},
                      Planted{Plant::shared_seat, {Checker::history}},
                      Planted{Plant::double_charge, {Checker::outcome}},
                      Planted{Plant::lasting_offer, {Checker::history}},
                      Planted{Plant::double_score, {Checker::outcome}},
                      Planted{Plant::silent_watcher, {Checker::history}},
                      Planted{Plant::refilled_bucket, {Checker::rates}},
                      Planted{Plant::early_announcement, {}, 3},
                      Planted{Plant::commit_without_epoch, {}, 3},
                      Planted{Plant::blind_retry, {}, 3}, Planted{Plant::read_before_epoch, {}, 3}),
    [](const auto& instance) {
      std::string plain(name(instance.param.plant));
      std::ranges::replace(plain, '-', '_');
      return plain + (instance.param.servers > 1 ? "_of_several_servers" : "");
    });

TEST_P(PlantedMistake, is_found) {
  const Planted& planted = GetParam();
  // A mistake may stay hidden with one seed and show with another.
  const bool is_lobby = planted.servers > 1;
  for (std::uint64_t seed = 1; seed <= (is_lobby ? 40 : 8); ++seed) {
    Plan plan = Plan::from_seed(seed, planted.servers);
    plan.requests = is_lobby ? 30'000 : 12'000;
    plan.plant = planted.plant;
    plan.rate(is_lobby ? Fault::pauses : Fault::kills) = is_lobby ? 8'000U : 5'000U;
    const Result result = Simulation(plan).run();
    if (!result.violation) continue;
    EXPECT_TRUE(planted.finders.empty() ||
                std::ranges::count(planted.finders, result.violation->checker) > 0)
        << "seed " << seed << ": " << name(result.violation->checker) << ": "
        << result.violation->what();
    return;
  }
  FAIL() << "nobody has noticed";
}

}  // namespace
}  // namespace tictactoe::simulation
