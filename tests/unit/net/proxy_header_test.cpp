#include "server/net/proxy_header.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tictactoe::net {
namespace {

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
      "PROXY TCP4 192.0.2.1 198.51.100.2 4660 7654\r\n",  // version 1
      "\x08\x01",                                         // a frame
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

}  // namespace
}  // namespace tictactoe::net
