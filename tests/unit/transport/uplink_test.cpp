// Which router is asked, and which addresses others can reach.
#include <gtest/gtest.h>

#include "server/transport/reach/uplink.hpp"

namespace tictactoe::transport::uplink_tests {
namespace {

using boost::asio::ip::make_address;

TEST(Uplink, over_ipv4_is_the_default_route_with_the_lowest_metric) {
  const std::string head =
      "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n";
  const std::string wifi = "wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n";
  const std::string cable = "eth0\t00000000\tFE02000A\t0003\t0\t0\t100\t00000000\t0\t0\t0\n";
  const std::string link = "eth0\t0002000A\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n";
  EXPECT_EQ(default_gateway_v4(head + wifi + link), make_address("192.168.1.1").to_v4());
  EXPECT_EQ(default_gateway_v4(head + wifi + cable), make_address("10.0.2.254").to_v4());
  EXPECT_EQ(default_gateway_v4(head + link), std::nullopt);
  EXPECT_EQ(default_gateway_v4("eth0 00000000 zz 0003 0 0 x 00000000\n\n"), std::nullopt);
}

TEST(Uplink, over_ipv6_is_a_router_of_a_link) {
  const std::string none(32, '0');
  const std::string router = "fe800000000000000000000000000001";
  const auto route = [&](const std::string& gateway, const char* metric, const char* flags) {
    return none + " 00 " + none + " 00 " + gateway + " " + metric + " 00000002 00000000 " + flags +
           "     lan\n";
  };
  const auto found = default_gateway_v6(route(none, "ffffffff", "00200200") +
                                        route(router, "00000400", "00450003"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->address, make_address("fe80::1"));
  EXPECT_EQ(found->interface, "lan");
  EXPECT_FALSE(default_gateway_v6(route(none, "ffffffff", "00200200")));
  EXPECT_FALSE(default_gateway_v6("nonsense\n"));
}

TEST(Uplink, has_an_ipv6_address_that_lasts) {
  const std::string table =
      "00000000000000000000000000000001 01 80 10 80       lo\n"
      "fe800000000000000000000000000002 02 40 20 80      lan\n"
      "fd770000000000000000000000000002 02 40 00 80      lan\n"
      "20010db8000000000000000000000aaa 02 40 00 01      lan\n"
      "20010db8000000000000000000000bbb 02 40 00 a0      lan\n"
      "20010db8000000000000000000000002 02 40 00 80      lan\n";
  EXPECT_EQ(lasting_address(table, "lan"), make_address("2001:db8::2").to_v6());
  EXPECT_EQ(lasting_address(table, "lo"), std::nullopt);
}

TEST(Uplink, knows_addresses_that_nobody_outside_reaches) {
  for (const char* text :
       {"203.0.113.7", "100.63.255.255", "100.128.0.0", "172.32.0.1", "11.0.0.1", "2001:db8::2"}) {
    EXPECT_TRUE(is_public(make_address(text))) << text;
  }
  for (const char* text : {"10.1.2.3", "172.16.0.1", "172.31.9.9", "192.168.0.1", "100.64.0.1",
                           "100.127.255.255", "169.254.1.1", "192.0.0.2", "0.0.0.0", "127.0.0.1",
                           "224.0.0.1", "255.255.255.255", "fe80::1", "fd77::1", "::1", "::"}) {
    EXPECT_FALSE(is_public(make_address(text))) << text;
  }
  EXPECT_TRUE(is_shared_by_provider(make_address("100.64.0.1")));
  EXPECT_FALSE(is_shared_by_provider(make_address("192.168.0.1")));
}

}  // namespace
}  // namespace tictactoe::transport::uplink_tests
