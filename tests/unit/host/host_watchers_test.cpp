// How many people can watch a room, and from where.
#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_watchers_tests {
namespace {

class Watchers : public testing::Test {
 protected:
  static core::Config config() {
    core::Config config = HostDriver::patient();
    config.limits.watchers_per_room = 100;
    config.limits.newcomer_burst = 1'000;
    return config;
  }
  void open_room(const core::Config& config) {
    driver.emplace(config);
    driver->ask(enter({1'000'000, 1'000'000}), create_request("den"));
  }
  core::ConnectionId enter(core::Origin origin) {
    const auto id = driver->connect(origin);
    driver->ask(id, hello_request("player " + std::to_string(++players)));
    return id;
  }
  bool can_watch(core::Origin origin) {
    const v1::ServerMessage answer = driver->ask(enter(origin), watch_request("den"));
    if (!answer.has_snapshot()) {
      EXPECT_EQ(answer.error().code(), v1::Error::CODE_ROOM_FULL);
    }
    return answer.has_snapshot();
  }
  /// How many of 110 newcomers can watch.
  int watch(const std::function<core::Origin(std::uint64_t)>& origin) {
    int count = 0;
    for (std::uint64_t i = 0; i < 110; ++i) count += can_watch(origin(i)) ? 1 : 0;
    return count;
  }

  std::optional<HostDriver> driver;
  int players = 0;
};

TEST_F(Watchers, of_one_network_leave_places_for_others) {
  open_room(config());
  EXPECT_EQ(watch([](std::uint64_t i) { return core::Origin{i, 1}; }), 75);
  EXPECT_TRUE(can_watch({200, 2}));
}

TEST_F(Watchers, of_one_address_leave_places_for_others) {
  open_room(config());
  EXPECT_EQ(watch([](std::uint64_t) { return core::Origin{1, 1}; }), 50);
  EXPECT_TRUE(can_watch({2, 1}));
}

TEST_F(Watchers, of_several_networks_fill_all_places) {
  open_room(config());
  EXPECT_EQ(watch([](std::uint64_t i) { return core::Origin{i, i % 2}; }), 100);
}

TEST_F(Watchers, that_have_left_leave_their_places) {
  open_room(config());
  const auto first = enter({1, 1});
  driver->ask(first, watch_request("den"));
  EXPECT_EQ(watch([](std::uint64_t) { return core::Origin{1, 1}; }), 49);
  driver->ask(first, leave_request());
  EXPECT_TRUE(can_watch({1, 1}));
}

TEST_F(Watchers, of_a_party_of_fifty_at_one_address_fit_into_a_small_room) {
  core::Config small = config();
  small.limits.watchers_per_room = 50;
  open_room(small);
  EXPECT_EQ(watch([](std::uint64_t) { return core::Origin{1, 1}; }), 50);
}

TEST_F(Watchers, have_all_places_if_addresses_have_no_limits) {
  core::Config unlimited = config();
  unlimited.limits.connections_per_address = 0;
  open_room(unlimited);
  EXPECT_EQ(watch([](std::uint64_t) { return core::Origin{1, 1}; }), 100);
}

}  // namespace
}  // namespace tictactoe::test::host_watchers_tests
