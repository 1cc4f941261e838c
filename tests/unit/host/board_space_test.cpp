// Large boards take memory that is limited for all and for each address.
#include "server/core/board_space.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/support/host_driver.hpp"
#include "tests/support/processor_time.hpp"

namespace tictactoe::test::board_space_tests {
namespace {

constexpr rules::Rules largest{1000, 1000, 5};
constexpr rules::Rules medium{300, 300, 5};

/// A new room of somebody new; the answer.
v1::ServerMessage create(HostDriver& driver, rules::Rules rules, core::Origin origin) {
  static int number = 0;
  const core::ConnectionId id = driver.connect(origin);
  driver.ask(id, hello_request("guest"));
  return driver.ask(id, create_request("room " + std::to_string(++number), rules));
}

TEST(BoardSpace, is_more_than_a_full_game_takes) {
  rules::Game game({40, 40, 40});
  while (game.status() == rules::Status::ongoing) {
    game.play({game.ply() * 7 % 1600 / 40, game.ply() * 7 % 40});
  }
  EXPECT_GE(core::most_board_bytes(game.rules(), 10'000), game.memory() + 4 * 1600);
  // Two of the largest fit at one address.
  EXPECT_LE(2 * core::most_board_bytes(largest, 10'000), core::Limits{}.board_bytes_per_address);
}

TEST(BoardSpace, is_limited_for_an_address_and_its_network) {
  core::Config config = HostDriver::patient();
  config.limits.board_bytes_per_address = 2 * core::most_board_bytes(largest, 10'000);
  HostDriver driver(config);
  const auto allowed = [&](core::Origin origin) {
    return create(driver, largest, origin).has_snapshot();
  };
  EXPECT_TRUE(allowed({1, 1}));
  EXPECT_TRUE(allowed({1, 1}));
  EXPECT_FALSE(allowed({1, 1}));
  EXPECT_TRUE(create(driver, rules::Rules{30, 30, 5}, {1, 1}).has_snapshot());
  for (const std::uint64_t address : {2U, 2U, 3U, 3U, 4U, 4U}) EXPECT_TRUE(allowed({address, 1}));
  EXPECT_FALSE(allowed({5, 1}));
  EXPECT_TRUE(allowed({6, 2}));
}

TEST(BoardSpace, is_refused_as_fast_among_many_rooms) {
  std::array<double, 2> seconds{};
  for (const int count : {4, 4'000}) {
    core::Config config = HostDriver::patient();
    config.limits.requests_per_second = 0;
    config.limits.connections_per_address = 0;
    config.limits.board_bytes = 1;
    HostDriver driver(config);
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(create(driver, rules::Rules{}, {1, 1}).has_snapshot());
    }
    const auto ann = driver.enter("ann");
    seconds[count > 4 ? 1 : 0] = seconds_of([&] {
      driver.ask(ann, create_request("hall", largest));
      driver.take(ann);
    });
    EXPECT_EQ(driver.ask(ann, create_request("hall", largest)).error().code(),
              v1::Error::CODE_TOO_MANY_ROOMS);
  }
  EXPECT_LT(seconds[1], 5 * seconds[0]);
}

TEST(BoardSpace, is_limited_for_all_and_given_back) {
  core::Config config = HostDriver::patient();
  config.limits.connections_per_address = 0;
  config.limits.board_bytes = 2 * core::most_board_bytes(medium, 10'000);
  HostDriver driver(config);
  const core::ConnectionId first = driver.connect();
  driver.ask(first, hello_request("first"));
  EXPECT_TRUE(driver.ask(first, create_request("first", medium)).has_snapshot());
  EXPECT_TRUE(create(driver, medium, {1, 1}).has_snapshot());
  const v1::ServerMessage refusal = create(driver, medium, {2, 2});
  EXPECT_EQ(refusal.error().code(), v1::Error::CODE_TOO_MANY_ROOMS);
  EXPECT_TRUE(create(driver, rules::Rules{}, {2, 2}).has_snapshot());
  driver.ask(first, leave_request());
  EXPECT_TRUE(create(driver, medium, {2, 2}).has_snapshot());
}

}  // namespace
}  // namespace tictactoe::test::board_space_tests
