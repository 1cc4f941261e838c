#include "client/net/connection.hpp"

#include <gtest/gtest.h>

#include <array>
#include <boost/asio/write.hpp>
#include <optional>
#include <string>
#include <thread>

namespace tictactoe::client {
namespace {

using boost::asio::ip::tcp;

// No thread of a test outlives it.
void wait_for_lookups() {
  while (Lookup::any_running()) std::this_thread::yield();
}

TEST(Connection, reports_a_host_without_addresses) {
  boost::asio::io_context context;
  const auto connection =
      TcpConnection::create(context, {}, no_protection(),
                            [](const std::string&, std::uint16_t) { return LookupResult{}; });
  std::optional<std::string> fault;
  connection->open([&](const Connection::Opened& opened) { fault = opened.fault; });
  context.run();
  EXPECT_EQ(fault, "no address");
  wait_for_lookups();
}

TEST(Connection, stays_open_if_its_time_is_over_in_the_moment_when_it_connects) {
  boost::asio::io_context context;
  tcp::acceptor acceptor(context, {boost::asio::ip::address_v4::loopback(), 0});
  const auto connection = TcpConnection::create(
      context, {}, no_protection(),
      [&](const std::string&, std::uint16_t) {
        return LookupResult{{acceptor.local_endpoint()}, {}};
      },
      milliseconds(0));
  std::array<char, 8> space{};
  std::string got;
  connection->open([&](const Connection::Opened& opened) {
    EXPECT_EQ(opened.fault, "");
    connection->read(space, [&](std::size_t count, const std::string& why) {
      EXPECT_EQ(why, "");
      got.assign(space.data(), count);
    });
  });
  context.run_one();  // the lookup, after which both the timer and the attempt are under way
  tcp::socket peer = acceptor.accept();
  context.poll();
  boost::asio::write(peer, boost::asio::buffer("hi", 2));
  while (got.empty() && context.run_one() > 0) {
  }
  EXPECT_EQ(got, "hi");
  connection->close();
  wait_for_lookups();
}

}  // namespace
}  // namespace tictactoe::client
