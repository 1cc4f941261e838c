#include "client/net/lookup.hpp"

#include <gtest/gtest.h>

#include <array>
#include <boost/asio/write.hpp>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "client/net/connection.hpp"

namespace tictactoe::client::net_connection_tests {
namespace {

using boost::asio::ip::tcp;

// No thread of a test outlives it.
void wait_for_lookups() {
  while (Lookup::any_running()) std::this_thread::yield();
}

// A resolver that answers only when it is told to, as one whose name server is gone.
class SlowResolver {
 public:
  Lookup::Resolve function() {
    return [answer = answer_](const std::string& host, std::uint16_t port) {
      if (host == "slow") answer.wait();
      return LookupResult{{{boost::asio::ip::make_address("192.0.2.1"), port}}, {}};
    };
  }
  void answer() { promise_.set_value(); }
  ~SlowResolver() { wait_for_lookups(); }

 private:
  std::promise<void> promise_;
  std::shared_future<void> answer_ = promise_.get_future().share();
};

TEST(Lookup, reports_in_the_thread_of_the_context) {
  SlowResolver resolver;
  boost::asio::io_context context;
  Lookup lookup(context, resolver.function());
  std::optional<LookupResult> got;
  std::thread::id thread;
  lookup.start("slow", 7654, [&](LookupResult result) {
    got = std::move(result);
    thread = std::this_thread::get_id();
  });
  resolver.answer();
  context.run();
  ASSERT_TRUE(got);
  ASSERT_EQ(got->endpoints.size(), 1U);
  EXPECT_EQ(got->endpoints[0].port(), 7654);
  EXPECT_TRUE(thread == std::this_thread::get_id());
}

TEST(Lookup, an_abandoned_one_delays_neither_the_end_nor_the_next_one) {
  SlowResolver resolver;
  {
    boost::asio::io_context context;
    Lookup lookup(context, resolver.function());
    lookup.start("slow", 1, [](const LookupResult&) { ADD_FAILURE(); });
    lookup.give_up();
    context.run();  // has nothing to wait for
    context.restart();
    bool found = false;
    lookup.start("fast", 2, [&](const LookupResult& result) {
      found = true;
      EXPECT_EQ(result.endpoints.size(), 1U);
    });
    context.run();
    EXPECT_TRUE(found);
    lookup.start("slow", 3, [](const LookupResult&) { ADD_FAILURE(); });
  }
  EXPECT_TRUE(Lookup::any_running());
  resolver.answer();
}

TEST(Lookup, only_so_many_are_under_way) {
  SlowResolver resolver;
  boost::asio::io_context context;
  std::vector<std::unique_ptr<Lookup>> lookups;
  std::size_t refused = 0;
  std::size_t found = 0;
  for (std::size_t i = 0; i < Lookup::max_running + 3; ++i) {
    lookups.push_back(std::make_unique<Lookup>(context, resolver.function()));
    lookups.back()->start(
        "slow", 1, [&](const LookupResult& result) { ++(result.fault.empty() ? found : refused); });
  }
  context.poll();
  EXPECT_EQ(refused, 3U);
  resolver.answer();
  context.run();
  EXPECT_EQ(found, Lookup::max_running);
}

TEST(Lookup, of_the_system_knows_numbers_and_tells_faults) {
  const LookupResult numeric = Lookup::resolve_by_system("127.0.0.1", 7654);
  ASSERT_EQ(numeric.endpoints.size(), 1U);
  EXPECT_EQ(numeric.endpoints[0].address().to_string(), "127.0.0.1");
  EXPECT_FALSE(Lookup::resolve_by_system("not a host name", 1).fault.empty());
}

TEST(Connection, one_that_waits_for_a_name_can_be_closed_at_once) {
  SlowResolver resolver;
  boost::asio::io_context context;
  tcp::acceptor acceptor(context, {boost::asio::ip::address_v4::loopback(), 0});
  const auto slow =
      TcpConnection::create(context, {"slow", 1, "slow"}, no_protection(), resolver.function());
  slow->open([](const Connection::Opened&) { ADD_FAILURE(); });
  // The next server is reached while the name of the first one is still being resolved.
  const auto next = TcpConnection::create(
      context, {"127.0.0.1", acceptor.local_endpoint().port(), "127.0.0.1"}, no_protection());
  std::string fault = "not called";
  next->open([&](const Connection::Opened& opened) { fault = opened.fault; });
  slow->close();
  context.run();
  EXPECT_EQ(fault, "");
  EXPECT_TRUE(Lookup::any_running());
  next->close();
  resolver.answer();
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
}  // namespace tictactoe::client::net_connection_tests
