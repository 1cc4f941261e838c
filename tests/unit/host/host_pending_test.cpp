// Connections without a hello.
#include <gtest/gtest.h>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_pending_tests {
namespace {

using v1::Error;

TEST(HelloThatWaits, that_is_refused_can_be_said_again_for_a_minute) {
  core::Config config;
  config.limits.newcomer_burst = 1;
  config.limits.newcomers_per_minute = 1;
  HostDriver driver(config);
  driver.enter("first");
  const auto refused = driver.connect();
  for (int i = 0; i < 7; ++i) {
    ASSERT_TRUE(driver.is_open(refused)) << i;
    EXPECT_EQ(driver.ask(refused, hello_request("second")).error().code(),
              Error::CODE_RATE_LIMITED);
    driver.pass(std::chrono::seconds(9));
    // Somebody else takes the place as soon as there is one.
    driver.ask(driver.connect(), hello_request("third"));
  }
  EXPECT_FALSE(driver.is_open(refused));
}

TEST(WaitingConnections, have_a_limit_for_each_address_and_for_those_without_a_hello) {
  core::Config config;
  config.limits.connections_per_address = 2;
  config.limits.pending_connections = 3;
  HostDriver driver(config);
  const auto first = driver.connect({7, 7});
  driver.connect({7, 7});
  const auto third = driver.connect({7, 7});
  EXPECT_FALSE(driver.is_open(third));
  EXPECT_EQ(driver.inbox(third).back().error().code(), Error::CODE_TOO_MANY_CONNECTIONS);
  EXPECT_TRUE(driver.is_open(driver.connect({8, 8}))) << "from elsewhere there is room";
  const auto fourth = driver.connect({9, 9});
  EXPECT_TRUE(driver.is_open(fourth));
  EXPECT_FALSE(driver.is_open(first)) << "three have said nothing yet, two of them from there";
  EXPECT_EQ(driver.inbox(first).back().error().code(), Error::CODE_TOO_MANY_CONNECTIONS);
  ASSERT_TRUE(driver.ask(fourth, hello_request("fourth")).has_welcome());
  EXPECT_TRUE(driver.is_open(driver.connect({9, 9})));
}

/// Whether a connection from `place` is let in, and `expected` is closed for it.
bool takes_the_place_of(HostDriver& driver, core::ConnectionId expected, core::Origin place) {
  EXPECT_TRUE(driver.is_open(expected));
  return driver.is_open(driver.connect(place)) && !driver.is_open(expected);
}

TEST(WaitingConnections, that_were_served_make_place_for_others_of_their_address) {
  core::Config config;
  config.limits.pending_per_address = 3;
  HostDriver driver(config);
  const auto first = driver.connect({7, 7});
  const auto second = driver.connect({7, 7});
  const auto third = driver.connect({7, 7});
  EXPECT_FALSE(driver.is_open(driver.connect({7, 7}))) << "nobody has been served";
  for (const auto id : {first, second, third}) {
    EXPECT_TRUE(driver.host().pays(id, driver.now()));
    driver.host().served(id);
    driver.host().served(id);
  }
  EXPECT_TRUE(driver.host().pays(first, driver.now()));
  EXPECT_TRUE(driver.is_open(driver.connect({8, 8})));
  EXPECT_TRUE(takes_the_place_of(driver, second, {7, 7})) << "the first has asked for more";
  ASSERT_TRUE(driver.ask(third, hello_request("third")).has_welcome());
  EXPECT_TRUE(driver.is_open(driver.connect({7, 7})));
  EXPECT_FALSE(driver.is_open(driver.connect({7, 7}))) << "who has said hello stays";
  driver.host().served(third);
  EXPECT_FALSE(driver.is_open(driver.connect({7, 7})));
  driver.host().served(first);
  EXPECT_TRUE(takes_the_place_of(driver, first, {7, 7})) << "it has been served again";
}

TEST(WaitingConnections, that_were_served_make_place_if_there_are_too_many_of_all_kinds) {
  core::Config config;
  config.limits.connections_per_address = 2;
  config.limits.network_factor = 1;
  HostDriver driver(config);
  const auto player = driver.connect({7, 70});
  ASSERT_TRUE(driver.ask(player, hello_request("player")).has_welcome());
  const auto idle = driver.connect({7, 70});
  driver.host().served(idle);
  EXPECT_TRUE(takes_the_place_of(driver, idle, {8, 70})) << "of the whole network";
  EXPECT_FALSE(driver.is_open(driver.connect({9, 70})));
}

TEST(WaitingConnections, without_a_hello_from_a_few_networks_keep_nobody_out) {
  core::Config config;
  config.limits.pending_connections = 30;
  HostDriver driver(config);
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t network = 1 + static_cast<std::uint64_t>(i % 3);
    driver.connect({100 + static_cast<std::uint64_t>(i), network});
    if (i % 20 != 0) continue;
    EXPECT_TRUE(driver.ask(driver.connect({7, 7}), hello_request("guest")).has_welcome());
  }
}

}  // namespace
}  // namespace tictactoe::test::host_pending_tests
