#include "common/network/lan_addresses.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "tests/support/temporary_folder.hpp"

namespace tictactoe::network::network_lan_addresses_tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

InterfaceAddress adapter(const char* address) {
  return {address, true, true, true, false, false};
}

InterfaceAddress tunnel(const char* address) {
  return {address, true, true, false, false, false};
}

InterfaceAddress bridge(const char* address) {
  return {address, true, true, true, false, true};
}

TEST(LanAddresses, are_not_those_of_a_vpn_that_is_the_way_to_the_internet) {
  EXPECT_THAT(choose_lan_addresses({tunnel("10.8.0.2"), adapter("192.168.1.7")}, "10.8.0.2"),
              ElementsAre("192.168.1.7"));
  InterfaceAddress tap = adapter("10.9.0.2");
  tap.is_tunnel = true;
  EXPECT_THAT(choose_lan_addresses({tap, adapter("192.168.1.7")}, "10.9.0.2"),
              ElementsAre("192.168.1.7"));
}

TEST(LanAddresses, are_not_those_of_bridges_for_containers) {
  EXPECT_THAT(choose_lan_addresses({bridge("172.17.0.1"), adapter("192.168.1.7")}, ""),
              ElementsAre("192.168.1.7"));
  EXPECT_THAT(choose_lan_addresses({bridge("172.17.0.1")}, "172.17.0.1"), IsEmpty());
}

TEST(LanAddresses, are_those_of_adapters_that_are_connected) {
  InterfaceAddress down = adapter("192.168.1.1");
  down.is_up = false;
  InterfaceAddress without_cable = adapter("192.168.1.2");
  without_cable.has_carrier = false;
  EXPECT_THAT(choose_lan_addresses({down, without_cable}, ""), IsEmpty());
  EXPECT_THAT(choose_lan_addresses({down, without_cable, adapter("192.168.1.3")}, "192.168.1.2"),
              ElementsAre("192.168.1.3"));
}

TEST(LanAddresses, are_several_with_the_usual_one_first) {
  const std::vector<InterfaceAddress> two{adapter("192.168.1.1"), adapter("192.168.2.1")};
  EXPECT_THAT(choose_lan_addresses(two, ""), ElementsAre("192.168.1.1", "192.168.2.1"));
  EXPECT_THAT(choose_lan_addresses(two, "192.168.2.1"), ElementsAre("192.168.2.1", "192.168.1.1"));
  EXPECT_THAT(choose_lan_addresses(std::vector<InterfaceAddress>(100, adapter("192.168.1.1")), ""),
              SizeIs(max_lan_addresses));
}

TEST(LanAddresses, are_ipv6_only_where_there_is_no_ipv4) {
  EXPECT_THAT(choose_lan_addresses({adapter("192.168.1.1"), adapter("2001:db8::1")}, ""),
              ElementsAre("192.168.1.1"));
  EXPECT_THAT(choose_lan_addresses({adapter("2001:db8::1"), adapter("fd77::1")}, ""),
              ElementsAre("2001:db8::1", "fd77::1"));
  EXPECT_THAT(choose_lan_addresses({tunnel("10.8.0.2"), adapter("2001:db8::1")}, "10.8.0.2"),
              ElementsAre("2001:db8::1"));
  EXPECT_THAT(choose_lan_addresses({tunnel("fd99::1"), bridge("fd98::1")}, ""), IsEmpty());
}

TEST(LanAddresses, are_the_usual_one_if_there_is_no_lan) {
  EXPECT_THAT(choose_lan_addresses({tunnel("10.8.0.2"), tunnel("10.8.0.3")}, "10.8.0.3"),
              ElementsAre("10.8.0.3"));
  EXPECT_THAT(choose_lan_addresses({tunnel("10.8.0.2")}, ""), IsEmpty());
  EXPECT_THAT(choose_lan_addresses({}, ""), IsEmpty());
}

TEST(LanAddresses, of_this_machine_are_none_that_work_only_here) {
  for (const std::string& address : lan_addresses()) {
    EXPECT_FALSE(address.starts_with("127.") || address == "::1" || address.starts_with("fe80:"));
  }
}

// As in /sys/class/net: br0 has a VLAN of a bond as its port, and docker0 one end of a pair.
TEST(LanAddresses, are_those_of_bridges_above_an_adapter) {
  namespace fs = std::filesystem;
  const test::TemporaryFolder net;
  const auto below = [&](const char* interface, const char* lower) {
    fs::create_directories(net / interface);
    fs::create_directories(net / lower);
    fs::create_symlink(net / lower, net.path() / interface / (std::string("lower_") + lower));
  };
  below("br0", "bond0.10");
  below("bond0.10", "bond0");
  below("bond0", "eno1");
  fs::create_directories(net / "eno1/device");
  below("docker0", "veth7");
  below("veth7", "docker0");
  EXPECT_TRUE(leads_to_adapter(net / "eno1"));
  EXPECT_TRUE(leads_to_adapter(net / "br0"));
  EXPECT_FALSE(leads_to_adapter(net / "docker0"));
  EXPECT_FALSE(leads_to_adapter(net / "none"));
}

}  // namespace
}  // namespace tictactoe::network::network_lan_addresses_tests
