#include "client/net/others_address.hpp"

#include <gtest/gtest.h>

namespace tictactoe::client::net_others_address_tests {
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

using boost::asio::ip::make_address;
using boost::asio::ip::tcp;

TEST(OthersAddress, is_probed_where_only_a_listening_server_answers) {
  boost::asio::io_context context;
  tcp::acceptor server(context, {make_address("127.0.0.1"), 0});
  const std::uint16_t port = server.local_endpoint().port();
  int reached = 0;
  const auto here = probe(context, {make_address("127.0.0.1"), port}, [&] { ++reached; });
  context.run();
  EXPECT_EQ(reached, 1);
  context.restart();
  const auto elsewhere = probe(context, {make_address("127.0.0.2"), port}, [&] { ++reached; });
  context.run();
  EXPECT_EQ(reached, 1) << "the server listens at another address";
}

TEST(OthersAddress, of_a_server_that_listens_to_this_machine_alone_is_none) {
  boost::asio::io_context context;
  tcp::acceptor server(context, {make_address("127.0.0.1"), 0});
  std::string address;
  const auto search =
      find_address_for_others(context, {"127.0.0.1", server.local_endpoint().port(), {}},
                              [&](const std::string& found) { address = found; });
  context.run();
  EXPECT_EQ(address, "");
}

TEST(OthersAddress, of_a_server_that_others_reach_is_told) {
  boost::asio::io_context context;
  tcp::acceptor server(context, {make_address("0.0.0.0"), 0});
  const Address here{"127.0.0.1", server.local_endpoint().port(), {}};
  std::string address;
  const auto search =
      find_address_for_others(context, here, [&](const std::string& found) { address = found; });
  context.run();
  EXPECT_EQ(address, address_for_others(here));
  context.restart();
  const auto named = find_address_for_others(context, {"192.0.2.7", default_port, {}},
                                             [&](const std::string& found) { address = found; });
  context.run();
  EXPECT_EQ(address, "192.0.2.7") << "the address that was typed is not tried again";
}

TEST(OthersAddress, is_not_told_after_the_search_was_given_up) {
  boost::asio::io_context context;
  auto search = find_address_for_others(context, {"192.0.2.7", default_port, {}},
                                        [](const std::string&) { FAIL(); });
  search.reset();
  context.run();
}

}  // namespace
}  // namespace tictactoe::client::net_others_address_tests
