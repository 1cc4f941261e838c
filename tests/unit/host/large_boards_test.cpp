// Rooms with large boards take much memory: their number is limited for all and for each address.
#include <gtest/gtest.h>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::large_boards_tests {
namespace {

constexpr rules::Rules large{65, 64, 5};
constexpr rules::Rules small{64, 64, 5};

core::Config with_large_boards(std::size_t all, std::size_t of_address) {
  core::Config config = HostDriver::patient();
  config.limits.large_boards = all;
  config.limits.large_boards_per_address = of_address;
  return config;
}

/// Whether somebody new can create a room.
bool can_create(HostDriver& driver, rules::Rules rules, core::Origin origin) {
  static int number = 0;
  const core::ConnectionId id = driver.connect(origin);
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
  core::Config config = with_large_boards(2, 1);
  config.limits.connections_per_address = 0;
  HostDriver driver(config);
  const core::ConnectionId first = driver.connect();
  driver.ask(first, hello_request("first"));
  EXPECT_TRUE(driver.ask(first, create_request("first", large)).has_snapshot());
  EXPECT_TRUE(can_create(driver, large, {1, 1}));
  EXPECT_FALSE(can_create(driver, large, {2, 2}));
  EXPECT_TRUE(can_create(driver, small, {2, 2}));
  driver.ask(first, leave_request());
  EXPECT_TRUE(can_create(driver, large, {2, 2}));
}

}  // namespace
}  // namespace tictactoe::test::large_boards_tests
