// How addresses are grouped.
#include "server/net/origin.hpp"

#include <gtest/gtest.h>

namespace tictactoe::net {
namespace {

core::Origin origin(const char* address) {
  return origin_of(boost::asio::ip::make_address(address));
}

TEST(Origin, of_ipv4_is_the_address_in_its_24) {
  EXPECT_EQ(origin("192.0.2.7"), origin("192.0.2.7"));
  EXPECT_NE(origin("192.0.2.7").address, origin("192.0.2.8").address);
  EXPECT_EQ(origin("192.0.2.7").network, origin("192.0.2.255").network);
  EXPECT_NE(origin("192.0.2.7").network, origin("192.0.3.7").network);
}

TEST(Origin, of_ipv6_is_the_64_in_its_48) {
  EXPECT_EQ(origin("2001:db8:1:2::1").address, origin("2001:db8:1:2:ffff::9").address);
  EXPECT_NE(origin("2001:db8:1:2::1").address, origin("2001:db8:1:3::1").address);
  EXPECT_EQ(origin("2001:db8:1:2::1").network, origin("2001:db8:1:3::1").network);
  EXPECT_NE(origin("2001:db8:1:2::1").network, origin("2001:db8:2:2::1").network);
}

TEST(Origin, of_mapped_ipv4_is_that_of_ipv4) {
  EXPECT_EQ(origin("::ffff:192.0.2.7"), origin("192.0.2.7"));
}

TEST(Origin, of_this_machine_is_a_loopback_address) {
  const auto stays = [](const char* address) {
    return stays_on_this_machine(boost::asio::ip::make_address(address));
  };
  for (const char* here : {"127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1"}) {
    EXPECT_TRUE(stays(here)) << here;
  }
  for (const char* elsewhere : {"126.255.255.255", "128.0.0.1", "0.0.0.0", "10.0.0.1", "192.0.2.7",
                                "::", "::2", "fe80::1", "::ffff:192.0.2.7", "::127.0.0.1"}) {
    EXPECT_FALSE(stays(elsewhere)) << elsewhere;
  }
}

}  // namespace
}  // namespace tictactoe::net
