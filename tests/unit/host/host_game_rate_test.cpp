// Games that begin are charged to players, addresses and networks: each leaves a record.
#include <gtest/gtest.h>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_game_rate_tests {
namespace {

using std::chrono::seconds;
using v1::Error;

core::Config few_games() {
  core::Config config = HostDriver::patient();
  config.keeps_records = true;
  config.limits.game_burst = 3;
  config.limits.games_per_minute = 12;
  return config;
}

/// Somebody new from there.
core::ConnectionId arrive(HostDriver& driver, std::uint64_t address) {
  const auto id = driver.connect({address, address / 100});
  EXPECT_TRUE(driver.ask(id, hello_request("guest")).has_welcome());
  return id;
}

/// Plays against an AI and resigns until no further game may begin. Returns how many games ended,
/// and the last answer.
std::pair<int, v1::ServerMessage> resign_often(HostDriver& driver, core::ConnectionId id,
                                               const std::string& room) {
  int games = 0;
  driver.ask(id, create_request(room));
  v1::ServerMessage answer = driver.ask(id, add_ai_request(v1::MARK_O));
  while (answer.has_update()) {
    EXPECT_TRUE(driver.ask(id, resign_request()).update().has_game_ended());
    ++games;
    answer = driver.ask(id, rematch_request());
  }
  return {games, answer};
}

TEST(Games, of_one_player_have_a_rate_that_others_do_not_feel) {
  HostDriver driver(few_games());
  const auto id = driver.enter("quitter");
  const auto other = driver.enter("other");
  const auto [games, refused] = resign_often(driver, id, "den");
  EXPECT_EQ(games, 3);
  EXPECT_EQ(refused.error().code(), Error::CODE_RATE_LIMITED);
  EXPECT_EQ(refused.error().retry_after_ms(), 5'000u);
  EXPECT_EQ(refused.error().message(),
            "You, or all players at your address, have begun too many games: try again in 5 s.");
  ASSERT_TRUE(driver.ask(id, leave_request()).has_left());
  EXPECT_EQ(driver.ask(id, create_request("next")).error().code(), Error::CODE_RATE_LIMITED);
  EXPECT_EQ(driver.host().rooms(), 0u) << "nothing is left of a room that was refused";
  EXPECT_EQ(resign_often(driver, other, "quiet").first, 3);
  driver.pass(seconds(5));
  EXPECT_EQ(resign_often(driver, id, "next").first, 1);
}

TEST(Games, over_the_rate_cannot_begin_by_sitting_down_either) {
  HostDriver driver(few_games());
  const auto id = driver.enter("quitter");
  resign_often(driver, id, "den");
  driver.ask(id, leave_request());
  const auto other = driver.enter("other");
  ASSERT_TRUE(driver.ask(other, create_request("table")).has_snapshot());
  EXPECT_EQ(driver.ask(id, join_request("table")).error().code(), Error::CODE_RATE_LIMITED);
  EXPECT_EQ(driver.ask(id, play_request()).error().code(), Error::CODE_RATE_LIMITED);
  ASSERT_TRUE(driver.ask(id, watch_request("table")).has_snapshot());
  EXPECT_EQ(driver.ask(id, join_request("table")).error().code(), Error::CODE_RATE_LIMITED);
}

TEST(Games, that_have_begun_are_finished_also_over_the_rate) {
  core::Config config = few_games();
  config.limits.game_burst = 1;
  HostDriver driver(config);
  const auto alice = driver.enter("alice");
  const auto bob = driver.enter("bob");
  driver.ask(alice, create_request("den"));
  ASSERT_TRUE(driver.ask(bob, join_request("den")).has_snapshot()) << "bob has spent his token";
  for (const unsigned col : {0U, 1U}) {
    ASSERT_TRUE(driver.ask(alice, move_request(0, col)).has_update());
    ASSERT_TRUE(driver.ask(bob, move_request(1, col)).has_update());
  }
  EXPECT_TRUE(driver.ask(alice, move_request(0, 2)).update().move_played().has_outcome());
  ASSERT_TRUE(driver.ask(alice, rematch_request()).has_update());
  EXPECT_EQ(driver.ask(bob, rematch_request()).error().code(), Error::CODE_RATE_LIMITED);
  driver.pass(seconds(5));
  EXPECT_TRUE(driver.ask(bob, rematch_request()).update().has_game_started());
}

TEST(Games, of_one_address_have_a_rate) {
  core::Config config = few_games();
  config.limits.address_bursts = 2;
  config.limits.network_factor = 2;
  HostDriver driver(config);
  const auto games_from = [&](std::uint64_t address, const std::string& room) {
    return resign_often(driver, arrive(driver, address), room).first;
  };
  EXPECT_EQ(games_from(1, "a"), 3);
  EXPECT_EQ(games_from(1, "b"), 3);
  EXPECT_EQ(games_from(1, "c"), 0);
  EXPECT_EQ(games_from(2, "d"), 3);
  EXPECT_EQ(games_from(2, "e"), 3);
  EXPECT_EQ(games_from(3, "f"), 0) << "of the same network";
  EXPECT_EQ(games_from(103, "g"), 3);
}

TEST(Games, have_no_rate_if_they_leave_no_records) {
  core::Config config = few_games();
  config.keeps_records = false;
  HostDriver driver(config);
  const auto id = driver.enter("quitter");
  driver.ask(id, create_request("den"));
  driver.ask(id, add_ai_request(v1::MARK_O));
  for (int game = 0; game < 10; ++game) {
    ASSERT_TRUE(driver.ask(id, resign_request()).has_update());
    ASSERT_TRUE(driver.ask(id, rematch_request()).has_update());
  }
}

TEST(Games, of_a_party_of_fifty_at_one_address_begin_as_often_as_they_like) {
  core::Config usual = HostDriver::patient();
  usual.keeps_records = true;
  HostDriver driver(usual);
  std::vector<core::ConnectionId> guests;
  for (int i = 0; i < 50; ++i) {
    guests.push_back(arrive(driver, 1));
    driver.ask(guests.back(), create_request("table " + std::to_string(i)));
    ASSERT_TRUE(driver.ask(guests.back(), add_ai_request(v1::MARK_O)).has_update());
  }
  // Everybody ends a game every six seconds for ten minutes.
  for (int game = 0; game < 100; ++game) {
    driver.pass(seconds(6));
    for (const auto guest : guests) {
      ASSERT_TRUE(driver.ask(guest, resign_request()).has_update());
      ASSERT_TRUE(driver.ask(guest, rematch_request()).has_update());
    }
  }
}

}  // namespace
}  // namespace tictactoe::test::host_game_rate_tests
