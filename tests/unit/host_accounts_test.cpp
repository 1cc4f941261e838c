// What the host charges to players, addresses and networks.
#include <gtest/gtest.h>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using v1::Error;

v1::ClientMessage ping() {
  v1::ClientMessage message;
  message.mutable_ping();
  return message;
}

core::Origin place(std::uint64_t address) {
  return {address, address / 100};
}

core::Config config() {
  core::Config config = HostDriver::patient();
  config.limits.requests_per_second = 10;
  config.limits.request_burst = 5;
  return config;
}

/// Connects from there as somebody new. Returns the connection and the answer to the hello.
std::pair<core::ConnectionId, v1::ServerMessage> arrive(HostDriver& driver, std::uint64_t address,
                                                        const std::string& token = {}) {
  const auto id = driver.connect(place(address));
  v1::ClientMessage hello = hello_request("guest");
  hello.mutable_hello()->set_token(token);
  return {id, driver.ask(id, hello)};
}

/// Pings until that is refused. Returns how many were answered.
int pings(HostDriver& driver, core::ConnectionId id) {
  int answered = 0;
  while (driver.ask(id, ping()).has_pong()) ++answered;
  return answered;
}

// Requests ----------------------------------------------------------------------------------------

TEST(Requests, of_a_player_are_not_free_again_after_a_reconnect) {
  HostDriver driver(config());
  const auto [first, welcome] = arrive(driver, 1);
  EXPECT_EQ(pings(driver, first), 4) << "the hello costs 1";
  driver.disconnect(first);
  const auto [second, again] = arrive(driver, 1, welcome.welcome().token());
  ASSERT_TRUE(again.welcome().resumed());
  EXPECT_EQ(driver.ask(second, ping()).error().code(), Error::CODE_RATE_LIMITED);
  driver.pass(milliseconds(200));  // its hello has cost 1 too
  EXPECT_EQ(pings(driver, second), 1);
}

TEST(Requests, of_a_player_are_not_free_again_at_another_address) {
  HostDriver driver(config());
  const auto [first, welcome] = arrive(driver, 1);
  pings(driver, first);
  const auto [second, again] = arrive(driver, 777, welcome.welcome().token());
  EXPECT_EQ(driver.ask(second, ping()).error().code(), Error::CODE_RATE_LIMITED);
}

TEST(Requests, refused_too_often_end_also_the_next_connection_of_that_player) {
  HostDriver driver(config());
  const auto [first, welcome] = arrive(driver, 1);
  while (driver.is_open(first)) driver.ask(first, ping());
  const auto [second, again] = arrive(driver, 1, welcome.welcome().token());
  EXPECT_EQ(driver.ask(second, ping()).error().code(), Error::CODE_FLOODING);
}

TEST(Requests, of_one_address_have_a_limit_that_others_do_not_feel) {
  core::Config few = config();
  few.limits.address_rates = 2;
  few.limits.address_bursts = 3;
  HostDriver driver(few);
  const auto other = arrive(driver, 2).first;
  int answered = 0;
  core::ConnectionId last{};
  for (int i = 0; i < 5; ++i) {
    const auto [id, welcome] = arrive(driver, 1);
    if (!welcome.has_welcome()) {
      EXPECT_EQ(welcome.error().code(), Error::CODE_RATE_LIMITED);
      break;
    }
    answered += 1 + pings(driver, id);
    last = id;
  }
  EXPECT_EQ(answered, 15) << "three bursts";
  EXPECT_EQ(driver.ask(last, ping()).error().code(), Error::CODE_RATE_LIMITED);
  EXPECT_EQ(pings(driver, other), 4);
}

TEST(Requests, of_fifty_people_at_one_address_are_answered) {
  core::Config usual;
  usual.limits.silence_timeout = {};
  HostDriver driver(usual);
  std::vector<core::ConnectionId> guests;
  for (int i = 0; i < 50; ++i) {
    const auto [id, welcome] = arrive(driver, 1);
    ASSERT_TRUE(welcome.has_welcome());
    guests.push_back(id);
  }
  for (std::size_t i = 0; i < guests.size(); i += 2) {
    const std::string room = "table " + std::to_string(i);
    ASSERT_TRUE(driver.ask(guests[i], create_request(room)).has_snapshot());
    ASSERT_TRUE(driver.ask(guests[i + 1], join_request(room)).has_snapshot());
  }
  for (int second = 0; second < 20; ++second) {
    for (const auto guest : guests) {
      for (int i = 0; i < 10; ++i) ASSERT_TRUE(driver.ask(guest, ping()).has_pong());
    }
    driver.pass(seconds(1));
  }
}

TEST(Requests, have_no_limit_by_address_if_connections_have_none) {
  core::Config open = config();
  open.limits.connections_per_address = 0;
  open.limits.address_bursts = 1;
  open.limits.newcomer_burst = 1;
  HostDriver driver(open);
  for (int i = 0; i < 10; ++i) {
    const auto [id, welcome] = arrive(driver, 1);
    ASSERT_TRUE(welcome.has_welcome());
    EXPECT_EQ(pings(driver, id), 4);
  }
}

// New players -------------------------------------------------------------------------------------

TEST(Newcomers, of_one_address_have_a_rate) {
  core::Config few = HostDriver::patient();
  few.limits.newcomer_burst = 2;
  few.limits.newcomers_per_minute = 12;
  HostDriver driver(few);
  const auto [known, welcome] = arrive(driver, 1);
  arrive(driver, 1);
  const auto [third, refused] = arrive(driver, 1);
  EXPECT_EQ(refused.error().code(), Error::CODE_RATE_LIMITED);
  EXPECT_EQ(refused.error().retry_after_ms(), 5'000u);
  EXPECT_EQ(refused.error().message(),
            "Too many new players come from your network: try again in 5 s.");
  EXPECT_TRUE(arrive(driver, 2).second.has_welcome()) << "from elsewhere they are welcome";
  driver.disconnect(known);
  EXPECT_TRUE(arrive(driver, 1, welcome.welcome().token()).second.welcome().resumed())
      << "somebody known is not new";
  driver.pass(seconds(5));
  ASSERT_TRUE(driver.is_open(third)) << "it has had the time to try again";
  EXPECT_TRUE(driver.ask(third, hello_request("third")).has_welcome());
}

TEST(Newcomers, of_one_network_have_a_rate) {
  core::Config few = HostDriver::patient();
  few.limits.newcomer_burst = 2;
  few.limits.network_factor = 2;
  HostDriver driver(few);
  for (std::uint64_t address = 1; address <= 4; ++address) {
    EXPECT_TRUE(arrive(driver, address).second.has_welcome());
  }
  EXPECT_EQ(arrive(driver, 5).second.error().code(), Error::CODE_RATE_LIMITED);
  EXPECT_TRUE(arrive(driver, 105).second.has_welcome());
}

// Connections -------------------------------------------------------------------------------------

TEST(ConnectionsOfANetwork, have_a_limit) {
  core::Config few = HostDriver::patient();
  few.limits.connections_per_address = 2;
  few.limits.network_factor = 2;
  HostDriver driver(few);
  for (std::uint64_t address = 1; address <= 4; ++address) {
    EXPECT_TRUE(driver.is_open(driver.connect(place(address))));
  }
  const auto fifth = driver.connect(place(5));
  EXPECT_FALSE(driver.is_open(fifth));
  EXPECT_EQ(driver.inbox(fifth).back().error().code(), Error::CODE_TOO_MANY_CONNECTIONS);
  EXPECT_TRUE(driver.is_open(driver.connect(place(105))));
}

TEST(ConnectionsOfANetwork, without_a_hello_have_a_limit) {
  core::Config few = HostDriver::patient();
  few.limits.pending_per_address = 1;
  HostDriver driver(few);
  const auto first = driver.connect(place(1));
  EXPECT_FALSE(driver.is_open(driver.connect(place(1))));
  ASSERT_TRUE(driver.ask(first, hello_request("first")).has_welcome());
  EXPECT_TRUE(driver.is_open(driver.connect(place(1))));
}

}  // namespace
}  // namespace tictactoe::test
