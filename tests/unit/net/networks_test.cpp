#include "server/net/networks.hpp"

#include <gtest/gtest.h>

namespace tictactoe::net {
namespace {

bool holds(const std::string& network, const std::string& address) {
  Networks networks;
  EXPECT_TRUE(networks.add("203.0.113.7"));
  EXPECT_TRUE(networks.add(network));
  return networks.contains(boost::asio::ip::make_address(address));
}

TEST(Networks, hold_single_addresses_and_ranges) {
  EXPECT_TRUE(holds("10.1.2.3", "10.1.2.3"));
  EXPECT_FALSE(holds("10.1.2.3", "10.1.2.4"));
  EXPECT_TRUE(holds("10.1.2.3/8", "10.255.0.1"));
  EXPECT_FALSE(holds("10.0.0.0/8", "11.0.0.0"));
  EXPECT_TRUE(holds("0.0.0.0/0", "192.0.2.1"));
  EXPECT_FALSE(holds("0.0.0.0/0", "2001:db8::1"));
  EXPECT_TRUE(holds("fd00::/8", "fd12:3456::1"));
  EXPECT_FALSE(holds("fd00::/8", "fe80::1"));
  EXPECT_TRUE(holds("2001:db8::1", "2001:db8::1"));
}

// A socket that listens on "::" shows IPv4 peers like this.
TEST(Networks, take_a_mapped_ipv4_address_for_that_address) {
  EXPECT_TRUE(holds("10.0.0.0/8", "::ffff:10.1.2.3"));
  EXPECT_TRUE(holds("::ffff:10.1.2.3", "10.1.2.3"));
  EXPECT_TRUE(holds("::ffff:10.0.0.0/104", "10.1.2.3"));
  EXPECT_TRUE(holds("::ffff:10.0.0.0/104", "::ffff:10.1.2.3"));
  EXPECT_FALSE(holds("::ffff:10.0.0.0/104", "11.1.2.3"));
  EXPECT_TRUE(holds("::ffff:0.0.0.0/96", "11.1.2.3"));
}

TEST(Networks, are_not_made_of_other_texts) {
  Networks networks;
  for (const char* text : {"", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0/8", "fd00::/129", "proxy",
                           "10.0.0.1 ", "10.0.0.0/8/8", "::ffff:10.0.0.0/95"}) {
    EXPECT_FALSE(networks.add(text)) << text;
  }
  EXPECT_TRUE(networks.empty());
}

}  // namespace
}  // namespace tictactoe::net
