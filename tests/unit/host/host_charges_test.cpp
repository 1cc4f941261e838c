// What the host charges to players, addresses and networks.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_charges_tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using v1::Error;

v1::ClientMessage ping() {
  v1::ClientMessage message;
  message.mutable_ping();
  return message;
}

server::Origin place(std::uint64_t address) {
  return {address, address / 100};
}

server::Config config() {
  server::Config config = HostDriver::patient();
  config.limits.requests_per_second = 10;
  config.limits.request_burst = 5;
  return config;
}

/// Connects from there as somebody new. Returns the connection and the answer to the hello.
std::pair<server::ConnectionId, v1::ServerMessage> arrive(HostDriver& driver, std::uint64_t address,
                                                          const std::string& token = {}) {
  const auto id = driver.connect(place(address));
  v1::ClientMessage hello = hello_request("guest");
  hello.mutable_hello()->set_token(token);
  return {id, driver.ask(id, hello)};
}

// Requests ----------------------------------------------------------------------------------------

TEST(Requests, refused_to_one_network_too_often_end_its_connections) {
  server::Config few = config();
  few.limits.address_bursts = 2;
  HostDriver driver(few);
  const auto other = arrive(driver, 101).first;
  std::vector<server::ConnectionId> flooders;
  for (std::uint64_t address = 1; address <= 3; ++address) {
    flooders.push_back(arrive(driver, address).first);
    driver.tokens(flooders.back());
  }
  // A player may have 30 requests refused, an address 60, and a network no more than that.
  const auto is_open = [&](server::ConnectionId id) { return driver.is_open(id); };
  for (int round = 0; round < 25 && std::ranges::all_of(flooders, is_open); ++round) {
    for (const auto id : flooders) driver.ask(id, ping());
  }
  EXPECT_FALSE(std::ranges::all_of(flooders, is_open));
  EXPECT_EQ(driver.tokens(other), 4);
}

TEST(Requests, of_fifty_people_at_one_address_are_answered) {
  server::Config usual;
  usual.limits.silence_timeout = {};
  HostDriver driver(usual);
  std::vector<server::ConnectionId> guests;
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

// Chat in the lobby -------------------------------------------------------------------------------

// Asks until that is refused for its rate. Returns how often it was done.
int times_granted(HostDriver& host, server::ConnectionId from, const v1::ClientMessage& request) {
  int granted = 0;
  while (host.ask(from, request).has_done()) ++granted;
  return granted;
}

TEST(PeopleTest, one_player_cannot_keep_the_others_from_talking_in_the_lobby) {
  HostDriver host(HostDriver::patient());
  const auto talker = host.enter("talker");
  const auto other = host.enter("other");
  host.ask(talker, watch_lobby_request());
  host.ask(other, watch_lobby_request());
  for (int round = 0; round < 10; ++round) {
    EXPECT_LE(times_granted(host, talker, lobby_chat_request("spam")), 5);
    EXPECT_TRUE(host.ask(other, lobby_chat_request("hello")).has_done());
    host.pass(seconds(1));
  }
  const auto updates = host.take(other);
  const bool heard = std::ranges::any_of(updates, [](const v1::ServerMessage& message) {
    return std::ranges::any_of(message.lobby_update().chat(),
                               [](const v1::ChatSaid& said) { return said.from() == "other"; });
  });
  EXPECT_TRUE(heard);
}

// Connections -------------------------------------------------------------------------------------

TEST(Handshakes, have_a_rate_for_each_address_and_network) {
  server::Config few = HostDriver::patient();
  few.limits.handshake_burst = 2;
  few.limits.handshakes_per_second = 1;
  few.limits.network_factor = 2;
  HostDriver driver(few);
  const auto begins = [&](std::uint64_t address) {
    return driver.host().begin_handshake(driver.connect(place(address)), driver.now());
  };
  EXPECT_TRUE(begins(1));
  EXPECT_TRUE(begins(1));
  EXPECT_FALSE(begins(1)) << "also over another connection";
  EXPECT_TRUE(begins(2)) << "the next address";
  EXPECT_TRUE(begins(3));
  EXPECT_FALSE(begins(3)) << "the network has no more";
  EXPECT_TRUE(begins(101)) << "another network";
  driver.pass(std::chrono::seconds(1));
  EXPECT_TRUE(begins(1));
  EXPECT_FALSE(begins(1));
}

TEST(Handshakes, of_a_party_of_sixty_at_one_address_begin_at_once) {
  HostDriver driver;
  for (int guest = 0; guest < 60; ++guest) {
    const auto id = driver.connect(place(1));
    for (int browser = 0; browser < 7; ++browser) {
      ASSERT_TRUE(driver.host().begin_handshake(id, driver.now()));
    }
  }
}

// Games that begin are charged to players, addresses and networks ---------------------------------

server::Config few_games() {
  server::Config config = HostDriver::patient();
  config.keeps_records = true;
  config.limits.game_burst = 3;
  config.limits.games_per_minute = 12;
  return config;
}

/// Plays against an AI and resigns until no further game may begin. Returns how many games ended,
/// and the last answer.
std::pair<int, v1::ServerMessage> resign_often(HostDriver& driver, server::ConnectionId id,
                                               const std::string& room) {
  int games = 0;
  driver.ask(id, create_request(room));
  v1::ServerMessage answer = driver.ask(id, add_ai_request(v1::MARK_O));
  while (answer.has_update()) {
    EXPECT_TRUE(driver.ask(id, resign_request()).update().has_game_ended());
    ++games;
    answer = driver.ask(id, rematch_request());
  }
  return {games, answer};
}

TEST(Games, of_one_address_have_a_rate) {
  server::Config config = few_games();
  config.limits.address_bursts = 2;
  config.limits.network_factor = 2;
  HostDriver driver(config);
  const auto games_from = [&](std::uint64_t address, const std::string& room) {
    return resign_often(driver, arrive(driver, address).first, room).first;
  };
  EXPECT_EQ(games_from(1, "a"), 3);
  EXPECT_EQ(games_from(1, "b"), 3);
  EXPECT_EQ(games_from(1, "c"), 0);
  EXPECT_EQ(games_from(2, "d"), 3);
  EXPECT_EQ(games_from(2, "e"), 3);
  EXPECT_EQ(games_from(3, "f"), 0) << "of the same network";
  EXPECT_EQ(games_from(103, "g"), 3);
}

TEST(Games, of_a_party_of_fifty_at_one_address_begin_as_often_as_they_like) {
  server::Config usual = HostDriver::patient();
  usual.keeps_records = true;
  HostDriver driver(usual);
  std::vector<server::ConnectionId> guests;
  for (int i = 0; i < 50; ++i) {
    guests.push_back(arrive(driver, 1).first);
    driver.ask(guests.back(), create_request("table " + std::to_string(i)));
    ASSERT_TRUE(driver.ask(guests.back(), add_ai_request(v1::MARK_O)).has_update());
  }
  // Everybody ends a game every six seconds for ten minutes.
  for (int game = 0; game < 100; ++game) {
    driver.pass(seconds(6));
    for (const auto guest : guests) {
      ASSERT_TRUE(driver.ask(guest, resign_request()).has_update());
      ASSERT_TRUE(driver.ask(guest, rematch_request()).has_update());
    }
  }
}

// Questions about records -------------------------------------------------------------------------

v1::ClientMessage games_request() {
  v1::ClientMessage message;
  message.mutable_list_games();
  return message;
}

class LookUpsTest : public testing::Test {
 protected:
  static server::Config config() {
    server::Config config = HostDriver::patient();
    config.keeps_records = true;
    config.limits.look_ups = 6;
    config.limits.look_ups_per_address = 4;
    config.limits.look_ups_per_network = 16;
    config.limits.look_ups_per_connection = 2;
    return config;
  }

  server::ConnectionId enter(std::uint64_t address) { return enter({address, address}); }
  server::ConnectionId enter(server::Origin origin) {
    const auto id = driver.connect(origin);
    EXPECT_TRUE(driver.ask(id, hello_request("guest")).has_welcome());
    return id;
  }
  /// Answers the question that runs longest.
  void answer() {
    const server::LookUp question = driver.look_ups.front();
    driver.look_ups.erase(driver.look_ups.begin());
    v1::ServerMessage list;
    list.mutable_game_list();
    driver.host().looked_up(
        question.from, question.request_id,
        server::encode_answer(std::move(list), config().limits.server_frame_bytes));
    driver.collect();
  }
  int answers(server::ConnectionId id) {
    int found = 0;
    for (const v1::ServerMessage& message : driver.inbox(id)) {
      EXPECT_FALSE(message.has_error()) << message.ShortDebugString();
      if (message.has_game_list()) ++found;
    }
    return found;
  }

  HostDriver driver{config()};
};

TEST_F(LookUpsTest, sent_at_once_are_all_answered_in_order) {
  const auto alice = enter(1);
  std::vector<std::uint64_t> asked;
  for (int i = 0; i < 10; ++i) asked.push_back(driver.post(alice, games_request()));
  EXPECT_EQ(driver.look_ups.size(), 2u) << "of one connection";
  EXPECT_TRUE(driver.host().is_waiting(alice));
  driver.take(alice);
  while (!driver.look_ups.empty()) answer();
  EXPECT_FALSE(driver.host().is_waiting(alice));
  std::vector<std::uint64_t> answered;
  for (const v1::ServerMessage& message : driver.take(alice)) {
    ASSERT_TRUE(message.has_game_list()) << message.ShortDebugString();
    answered.push_back(message.request_id());
  }
  EXPECT_EQ(answered, asked);
}

TEST_F(LookUpsTest, of_a_connection_that_ends_are_forgotten) {
  const auto alice = enter(1);
  const auto bob = enter(1);
  for (const auto id : {alice, bob}) {
    for (int i = 0; i < 3; ++i) driver.post(id, games_request());
  }
  const auto carol = enter(1);
  driver.post(carol, games_request());
  EXPECT_TRUE(driver.host().is_waiting(carol));
  driver.disconnect(alice);
  driver.disconnect(carol);
  while (!driver.look_ups.empty()) answer();
  EXPECT_EQ(answers(bob), 3);
}

}  // namespace
}  // namespace tictactoe::test::host_charges_tests
