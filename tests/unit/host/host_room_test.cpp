// How many people can watch a room, and how many rooms can be large.
#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_room_tests {
namespace {

// How many people can watch a room, and from where ------------------------------------------------

class Watchers : public testing::Test {
 protected:
  static server::Config config() {
    server::Config config = HostDriver::patient();
    config.limits.watchers_per_room = 100;
    config.limits.newcomer_burst = 1'000;
    return config;
  }
  void open_room(const server::Config& config) {
    driver.emplace(config);
    driver->ask(enter({1'000'000, 1'000'000}), create_request("den"));
  }
  server::ConnectionId enter(server::Origin origin) {
    const auto id = driver->connect(origin);
    driver->ask(id, hello_request("player " + std::to_string(++players)));
    return id;
  }
  bool can_watch(server::Origin origin) {
    const v1::ServerMessage answer = driver->ask(enter(origin), watch_request("den"));
    if (!answer.has_snapshot()) {
      EXPECT_EQ(answer.error().code(), v1::Error::CODE_ROOM_FULL);
    }
    return answer.has_snapshot();
  }
  /// How many of 110 newcomers can watch.
  int watch(const std::function<server::Origin(std::uint64_t)>& origin) {
    int count = 0;
    for (std::uint64_t i = 0; i < 110; ++i) count += can_watch(origin(i)) ? 1 : 0;
    return count;
  }

  std::optional<HostDriver> driver;
  int players = 0;
};

TEST_F(Watchers, of_one_network_leave_places_for_others) {
  open_room(config());
  EXPECT_EQ(watch([](std::uint64_t i) { return server::Origin{i, 1}; }), 75);
  EXPECT_TRUE(can_watch({200, 2}));
}

TEST_F(Watchers, of_one_address_leave_places_for_others) {
  open_room(config());
  EXPECT_EQ(watch([](std::uint64_t) { return server::Origin{1, 1}; }), 50);
  EXPECT_TRUE(can_watch({2, 1}));
}

TEST_F(Watchers, of_several_networks_fill_all_places) {
  open_room(config());
  EXPECT_EQ(watch([](std::uint64_t i) { return server::Origin{i, i % 2}; }), 100);
}

TEST_F(Watchers, that_have_left_leave_their_places) {
  open_room(config());
  const auto first = enter({1, 1});
  driver->ask(first, watch_request("den"));
  EXPECT_EQ(watch([](std::uint64_t) { return server::Origin{1, 1}; }), 49);
  driver->ask(first, leave_request());
  EXPECT_TRUE(can_watch({1, 1}));
}

TEST_F(Watchers, of_a_party_of_fifty_at_one_address_fit_into_a_small_room) {
  server::Config small = config();
  small.limits.watchers_per_room = 50;
  open_room(small);
  EXPECT_EQ(watch([](std::uint64_t) { return server::Origin{1, 1}; }), 50);
}

TEST_F(Watchers, have_all_places_if_addresses_have_no_limits) {
  server::Config unlimited = config();
  unlimited.limits.connections_per_address = 0;
  open_room(unlimited);
  EXPECT_EQ(watch([](std::uint64_t) { return server::Origin{1, 1}; }), 100);
}

// Rooms with large boards take much memory --------------------------------------------------------

constexpr rules::Rules large{65, 64, 5};
constexpr rules::Rules small{64, 64, 5};

server::Config with_large_boards(std::size_t all, std::size_t of_address) {
  server::Config config = HostDriver::patient();
  config.limits.large_boards = all;
  config.limits.large_boards_per_address = of_address;
  return config;
}

/// Whether somebody new can create a room.
bool can_create(HostDriver& driver, rules::Rules rules, server::Origin origin) {
  static int number = 0;
  const server::ConnectionId id = driver.connect(origin);
  driver.ask(id, hello_request("guest"));
  const auto answer = driver.ask(id, create_request("room " + std::to_string(++number), rules));
  if (answer.has_error()) {
    EXPECT_EQ(answer.error().code(), v1::Error::CODE_TOO_MANY_ROOMS);
  }
  return answer.has_snapshot();
}

TEST(LargeBoards, are_limited_for_an_address_and_its_network) {
  HostDriver driver(with_large_boards(100, 2));
  EXPECT_TRUE(can_create(driver, large, {1, 1}));
  EXPECT_TRUE(can_create(driver, large, {1, 1}));
  EXPECT_FALSE(can_create(driver, large, {1, 1}));
  EXPECT_TRUE(can_create(driver, small, {1, 1}));
  for (const std::uint64_t address : {2U, 2U, 3U, 3U, 4U, 4U}) {
    EXPECT_TRUE(can_create(driver, large, {address, 1}));
  }
  EXPECT_FALSE(can_create(driver, large, {5, 1}));
  EXPECT_TRUE(can_create(driver, large, {6, 2}));
}

TEST(LargeBoards, are_limited_for_all_and_given_back) {
  server::Config config = with_large_boards(2, 1);
  config.limits.connections_per_address = 0;
  HostDriver driver(config);
  const server::ConnectionId first = driver.connect();
  driver.ask(first, hello_request("first"));
  EXPECT_TRUE(driver.ask(first, create_request("first", large)).has_snapshot());
  EXPECT_TRUE(can_create(driver, large, {1, 1}));
  EXPECT_FALSE(can_create(driver, large, {2, 2}));
  EXPECT_TRUE(can_create(driver, small, {2, 2}));
  driver.ask(first, leave_request());
  EXPECT_TRUE(can_create(driver, large, {2, 2}));
}

}  // namespace
}  // namespace tictactoe::test::host_room_tests
