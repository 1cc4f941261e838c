#include "client/net/others_address.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tictactoe::client::net_others_address_tests {
namespace {

using boost::asio::ip::make_address;
using boost::asio::ip::tcp;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Addresses = std::vector<std::string>;

TEST(OthersAddresses, of_another_machine_are_the_one_that_was_typed) {
  EXPECT_THAT(addresses_for_others({"192.0.2.7", default_port, {}}), ElementsAre("192.0.2.7"));
  EXPECT_THAT(addresses_for_others({"den.example", 7000, {}}), ElementsAre("den.example:7000"));
  EXPECT_THAT(addresses_for_others({"2001:db8::1", 7000, {}}), ElementsAre("[2001:db8::1]:7000"));
}

TEST(OthersAddresses, of_this_machine_do_not_only_work_here) {
  for (const char* host : {"localhost", "127.0.0.1", "::1"}) {
    for (const std::string& address : addresses_for_others({host, 7000, {}})) {
      EXPECT_FALSE(address.starts_with("localhost") || address.starts_with("127.")) << address;
      EXPECT_TRUE(address.ends_with(":7000")) << address;
    }
  }
}

TEST(OthersAddresses, are_probed_and_only_a_listening_server_answers) {
  boost::asio::io_context context;
  tcp::acceptor server(context, {make_address("127.0.0.1"), 0});
  const std::uint16_t port = server.local_endpoint().port();
  std::vector<bool> answers;
  const auto note = [&](bool listens) { answers.push_back(listens); };
  const auto here = probe(context, {make_address("127.0.0.1"), port}, note);
  context.run();
  context.restart();
  const auto elsewhere = probe(context, {make_address("127.0.0.2"), port}, note);
  context.run();
  EXPECT_THAT(answers, ElementsAre(true, false)) << "the server listens at the first address";
}

// What is found, or nothing if nothing is told.
Addresses found(boost::asio::io_context& context, const Address& server) {
  Addresses all;
  const auto search = find_addresses_for_others(
      context, server, [&](const Addresses& addresses) { all = addresses; });
  context.restart();
  context.run();
  return all;
}

TEST(OthersAddresses, of_a_server_that_listens_to_this_machine_alone_are_none) {
  boost::asio::io_context context;
  tcp::acceptor server(context, {make_address("127.0.0.1"), 0});
  EXPECT_THAT(found(context, {"127.0.0.1", server.local_endpoint().port(), {}}), IsEmpty());
}

TEST(OthersAddresses, of_a_server_that_others_reach_are_all_of_this_machine) {
  boost::asio::io_context context;
  tcp::acceptor server(context, {make_address("0.0.0.0"), 0});
  const Address here{"127.0.0.1", server.local_endpoint().port(), {}};
  EXPECT_EQ(found(context, here), addresses_for_others(here));
  EXPECT_THAT(found(context, {"192.0.2.7", default_port, {}}), ElementsAre("192.0.2.7"))
      << "the address that was typed is not tried again";
}

TEST(OthersAddresses, are_not_told_after_the_search_was_given_up) {
  boost::asio::io_context context;
  for (const char* host : {"192.0.2.7", "127.0.0.1"}) {
    auto search = find_addresses_for_others(context, {host, default_port, {}},
                                            [](const Addresses&) { FAIL(); });
    search.reset();
    context.run();
    context.restart();
  }
}

TEST(OthersAddresses, may_be_searched_again_when_they_are_told) {
  boost::asio::io_context context;
  tcp::acceptor server(context, {make_address("0.0.0.0"), 0});
  const Address here{"127.0.0.1", server.local_endpoint().port(), {}};
  std::shared_ptr<void> search;
  search = find_addresses_for_others(context, here, [&](const Addresses&) { search.reset(); });
  context.run();
  EXPECT_EQ(search == nullptr, !addresses_for_others(here).empty());
}

}  // namespace
}  // namespace tictactoe::client::net_others_address_tests
