// Addresses of peers: networks, how they are grouped, and what proxies say.
#include <gtest/gtest.h>

#include <string>

#include "server/transport/tcp/networks.hpp"
#include "server/transport/tcp/peer_origin.hpp"
#include "server/transport/tcp/proxy_header.hpp"

namespace tictactoe::transport::addresses_tests {
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

// How addresses are grouped.

server::Origin origin(const char* address) {
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

using State = ProxyHeader::State;

const std::string signature("\r\n\r\n\0\r\nQUIT\n", 12);

/// A header with this command, family and length, and what follows it.
std::string header(unsigned char command, unsigned char family, std::size_t length,
                   const std::string& rest) {
  std::string bytes = signature;
  bytes += static_cast<char>(command);
  bytes += static_cast<char>(family);
  bytes += static_cast<char>(length >> 8);
  bytes += static_cast<char>(length & 0xff);
  return bytes + rest;
}

const std::string inet("\xC0\x00\x02\x01\xC6\x33\x64\x02\x12\x34\x1D\xE6", 12);
const std::string inet6 = std::string("\x20\x01\x0D\xB8\x00\x00\x00\x07\0\0\0\0\0\0\0\x01", 16) +
                          std::string(16, '\x02') + "\x12\x34\x1D\xE6";

std::string source_of(const std::string& bytes) {
  const ProxyHeader read = read_proxy_header(bytes);
  EXPECT_EQ(read.state, State::done) << read.fault;
  EXPECT_EQ(read.size, bytes.size());
  return read.source ? read.source->to_string() : "none";
}

TEST(ProxyHeader, names_the_address_of_the_client) {
  EXPECT_EQ(source_of(header(0x21, 0x11, 12, inet)), "192.0.2.1");
  EXPECT_EQ(source_of(header(0x21, 0x21, 36, inet6)), "2001:db8:0:7::1");
}

TEST(ProxyHeader, may_have_extensions) {
  EXPECT_EQ(source_of(header(0x21, 0x11, 12 + 500, inet + std::string(500, '\x04'))), "192.0.2.1");
}

TEST(ProxyHeader, of_a_local_connection_names_nobody) {
  EXPECT_EQ(source_of(header(0x20, 0x00, 0, "")), "none");
  EXPECT_EQ(source_of(header(0x20, 0x11, 12, inet)), "none") << "a health check";
  EXPECT_EQ(source_of(header(0x21, 0x00, 0, "")), "none");
  EXPECT_EQ(source_of(header(0x21, 0x31, 216, std::string(216, 'u'))), "none") << "a UNIX socket";
}

TEST(ProxyHeader, is_read_byte_by_byte_and_no_further) {
  const std::string whole = header(0x21, 0x11, 12, inet);
  for (std::size_t count = 0; count < whole.size(); ++count) {
    const ProxyHeader part = read_proxy_header(whole.substr(0, count));
    ASSERT_EQ(part.state, State::need_more) << count;
    ASSERT_EQ(part.size, count < 16 ? 16u : whole.size());
  }
  const ProxyHeader more = read_proxy_header(whole + "frames");
  EXPECT_EQ(more.state, State::done);
  EXPECT_EQ(more.size, whole.size());
}

TEST(ProxyHeader, that_is_malformed_is_a_fault) {
  const std::string faults[] = {
      "GET / HTTP/1.1\r\n\r\n",
      "PROXY",
      "\x08\x01",  // a frame
      "\r\n\r\n\1",
      header(0x11, 0x11, 12, inet),                // another version
      header(0x22, 0x11, 12, inet),                // another command
      header(0x21, 0x41, 12, inet),                // another family
      header(0x21, 0x12, 12, inet),                // a datagram
      header(0x21, 0x11, 11, inet.substr(0, 11)),  // too short for its addresses
      header(0x21, 0x21, 35, inet6.substr(0, 35)),
      header(0x21, 0x11, 521, ""),  // too long, before its bytes are there
      header(0x21, 0x11, 0xffff, ""),
  };
  for (const std::string& bytes : faults) {
    const ProxyHeader read = read_proxy_header(bytes);
    EXPECT_EQ(read.state, State::fault);
    EXPECT_STRNE(read.fault, "");
  }
}

// HAProxy's send-proxy and nginx's proxy_protocol write version 1.
TEST(ProxyHeader, of_version_1_is_a_fault_that_says_what_to_set) {
  const std::string line = "PROXY TCP4 192.0.2.1 198.51.100.2 4660 7654\r\n";
  for (const std::size_t read : {6u, 16u, 45u}) {
    EXPECT_EQ(std::string(read_proxy_header(line.substr(0, read)).fault),
              "it has version 1; set the proxy to version 2, as with HAProxy's send-proxy-v2");
  }
}

}  // namespace
}  // namespace tictactoe::transport::addresses_tests
