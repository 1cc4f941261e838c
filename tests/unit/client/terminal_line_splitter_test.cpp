#include "client/terminal/line_splitter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "client/net/address.hpp"

namespace tictactoe::client {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(LineSplitter, cuts_at_newlines_in_every_split_of_the_bytes) {
  LineSplitter splitter(100);
  EXPECT_THAT(splitter.feed("one\ntwo\r\n\nth"), ElementsAre("one", "two", ""));
  EXPECT_THAT(splitter.feed("ree"), IsEmpty());
  EXPECT_THAT(splitter.feed("\n"), ElementsAre("three"));
  splitter.feed("rest");
  EXPECT_EQ(splitter.take_rest(), "rest");
  EXPECT_EQ(splitter.take_rest(), "");
}

TEST(LineSplitter, keeps_one_byte_too_many_of_a_long_line) {
  LineSplitter splitter(5);
  for (int i = 0; i < 1000; ++i) EXPECT_THAT(splitter.feed("xxxx"), IsEmpty());
  EXPECT_THAT(splitter.feed("\nshort\n"), ElementsAre("xxxxxx", "short"));
}

TEST(Address, is_read_in_all_its_forms) {
  const auto expect = [](const char* text, const char* host, int port) {
    const AddressRead read = parse_address(text);
    EXPECT_EQ(read.fault, "") << text;
    EXPECT_EQ(read.address.host, host) << text;
    EXPECT_EQ(read.address.port, port) << text;
  };
  expect("localhost", "localhost", default_port);
  expect("example.org:1", "example.org", 1);
  expect("192.0.2.1:65535", "192.0.2.1", 65535);
  expect("[2001:db8::1]:80", "2001:db8::1", 80);
  expect("[2001:db8::1]", "2001:db8::1", default_port);
  expect("2001:db8::1", "2001:db8::1", default_port);
  expect("fe80::1%eth0", "fe80::1%eth0", default_port);
  expect("[fe80::1%eth0]:9", "fe80::1%eth0", 9);
  expect("my_host-2.example", "my_host-2.example", default_port);
  expect(
      "b\xC3\xBC"
      "cher.example:1",
      "b\xC3\xBC"
      "cher.example",
      1);
}

TEST(Address, of_a_name_that_is_too_long_is_refused) {
  EXPECT_EQ(parse_address(std::string(max_host_bytes, 'a')).fault, "");
  EXPECT_NE(parse_address(std::string(max_host_bytes + 1, 'a')).fault, "");
}

TEST(Address, mistakes_are_told) {
  for (const char* text :
       {"",          ":1",       "[]:1",        "host:",     "host:0",        "host:65536",
        "host:-1",   "host:x",   "[::1",        "[::1]1",    "[::1]:",        "host: 1",
        "two words", " host",    "host ",       "a]b",       "host]:1",       "[host]:1",
        "[1.2.3.4]", "1:2:3",    "::g",         "host/room", "http://host:1", "http://host",
        "me@host",   "host\x1b", "fe80::x%eth0"}) {
    EXPECT_NE(parse_address(text).fault, "") << text;
  }
}

}  // namespace
}  // namespace tictactoe::client
