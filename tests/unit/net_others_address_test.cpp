#include "client/net/others_address.hpp"

#include <gtest/gtest.h>

namespace tictactoe::client {
namespace {

TEST(OthersAddress, of_another_machine_is_the_one_that_was_typed) {
  EXPECT_EQ(address_for_others({"192.0.2.7", default_port, {}}), "192.0.2.7");
  EXPECT_EQ(address_for_others({"den.example", 7000, {}}), "den.example:7000");
  EXPECT_EQ(address_for_others({"2001:db8::1", 7000, {}}), "[2001:db8::1]:7000");
}

TEST(OthersAddress, of_this_machine_is_none_that_only_works_here) {
  for (const char* host : {"localhost", "127.0.0.1", "::1"}) {
    const std::string address = address_for_others({host, 7000, {}});
    EXPECT_NE(address, std::string(host) + ":7000");
    EXPECT_TRUE(address.empty() || address.ends_with(":7000"));
  }
}

}  // namespace
}  // namespace tictactoe::client
