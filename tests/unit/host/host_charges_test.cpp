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

TEST(Requests, of_a_player_are_not_free_again_after_a_reconnect) {
  HostDriver driver(config());
  const auto [first, welcome] = arrive(driver, 1);
  EXPECT_EQ(driver.tokens(first), 4) << "the hello costs 1";
  driver.disconnect(first);
  const auto [second, again] = arrive(driver, 777, welcome.welcome().token());
  ASSERT_TRUE(again.welcome().resumed());
  EXPECT_EQ(driver.ask(second, ping()).error().code(), Error::CODE_RATE_LIMITED);
  driver.pass(milliseconds(200));  // its hello has cost 1 too
  EXPECT_EQ(driver.tokens(second), 1);
}

TEST(Requests, refused_too_often_end_also_the_next_connection_of_that_player) {
  HostDriver driver(config());
  const auto [first, welcome] = arrive(driver, 1);
  while (driver.is_open(first)) driver.ask(first, ping());
  const auto [second, again] = arrive(driver, 1, welcome.welcome().token());
  EXPECT_EQ(driver.ask(second, ping()).error().code(), Error::CODE_FLOODING);
}

TEST(Requests, of_one_address_have_a_limit_that_others_do_not_feel) {
  server::Config few = config();
  few.limits.address_rates = 2;
  few.limits.address_bursts = 3;
  HostDriver driver(few);
  const auto other = arrive(driver, 2).first;
  int answered = 0;
  server::ConnectionId last{};
  for (int i = 0; i < 5; ++i) {
    const auto [id, welcome] = arrive(driver, 1);
    if (!welcome.has_welcome()) {
      EXPECT_EQ(welcome.error().code(), Error::CODE_RATE_LIMITED);
      break;
    }
    answered += 1 + driver.tokens(id);
    last = id;
  }
  EXPECT_EQ(answered, 15) << "three bursts";
  EXPECT_EQ(driver.ask(last, ping()).error().code(), Error::CODE_RATE_LIMITED);
  EXPECT_EQ(driver.tokens(other), 4);
}

TEST(Requests, of_one_network_have_a_limit_that_others_do_not_feel) {
  server::Config few = config();
  few.limits.address_rates = 1;
  few.limits.address_bursts = 2;
  few.limits.network_factor = 2;
  HostDriver driver(few);
  const auto other = arrive(driver, 101).first;
  int answered = 0;
  for (std::uint64_t address = 1; address <= 5; ++address) {
    const auto [id, welcome] = arrive(driver, address);
    if (!welcome.has_welcome()) {
      EXPECT_EQ(welcome.error().code(), Error::CODE_RATE_LIMITED);
      break;
    }
    answered += 1 + driver.tokens(id);
  }
  EXPECT_EQ(answered, 20) << "four bursts, so one address leaves others of its network something";
  EXPECT_EQ(driver.tokens(other), 4);
}

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

TEST(Requests, have_no_limit_by_address_if_connections_have_none) {
  server::Config open = config();
  open.limits.connections_per_address = 0;
  open.limits.address_bursts = 1;
  open.limits.newcomer_burst = 1;
  HostDriver driver(open);
  for (int i = 0; i < 10; ++i) {
    const auto [id, welcome] = arrive(driver, 1);
    ASSERT_TRUE(welcome.has_welcome());
    EXPECT_EQ(driver.tokens(id), 4);
  }
}

// New players -------------------------------------------------------------------------------------

TEST(Newcomers, of_one_address_have_a_rate) {
  server::Config few = HostDriver::patient();
  few.limits.newcomer_burst = 2;
  few.limits.newcomers_per_minute = 12;
  HostDriver driver(few);
  const auto [known, welcome] = arrive(driver, 1);
  arrive(driver, 1);
  const auto [third, refused] = arrive(driver, 1);
  EXPECT_EQ(refused.error().code(), Error::CODE_RATE_LIMITED);
  EXPECT_EQ(refused.error().retry_after_ms(), 5'000u);
  EXPECT_EQ(refused.error().message(),
            "There are too many new players from your network. Try again in 5 s.");
  EXPECT_TRUE(arrive(driver, 2).second.has_welcome()) << "from elsewhere they are welcome";
  driver.disconnect(known);
  EXPECT_TRUE(arrive(driver, 1, welcome.welcome().token()).second.welcome().resumed())
      << "somebody known is not new";
  driver.pass(seconds(5));
  ASSERT_TRUE(driver.is_open(third)) << "it has had the time to try again";
  EXPECT_TRUE(driver.ask(third, hello_request("third")).has_welcome());
}

TEST(Newcomers, of_one_network_have_a_rate) {
  server::Config few = HostDriver::patient();
  few.limits.newcomer_burst = 2;
  few.limits.network_factor = 2;
  HostDriver driver(few);
  for (std::uint64_t address = 1; address <= 4; ++address) {
    EXPECT_TRUE(arrive(driver, address).second.has_welcome());
  }
  EXPECT_EQ(arrive(driver, 5).second.error().code(), Error::CODE_RATE_LIMITED);
  EXPECT_TRUE(arrive(driver, 105).second.has_welcome());
}

// Announcements -----------------------------------------------------------------------------------

server::Config crowded() {
  server::Config config = HostDriver::patient();
  config.limits.connections_per_address = 0;
  return config;
}

/// A room with so many watchers. Returns the first of them.
server::ConnectionId fill(HostDriver& driver, int watchers) {
  const auto host = driver.enter("host");
  driver.ask(host, create_request("den"));
  server::ConnectionId first{};
  for (int i = 0; i < watchers; ++i) {
    const auto id = driver.enter("watcher");
    EXPECT_TRUE(driver.ask(id, watch_request("den")).has_snapshot());
    if (i == 0) first = id;
  }
  driver.pass(seconds(10));
  return first;
}

TEST(Announcements, cost_one_token_more_for_every_20_receivers) {
  HostDriver driver(crowded());
  const auto watcher = fill(driver, 99);
  ASSERT_TRUE(driver.ask(watcher, chat_request("hello")).has_update());
  EXPECT_EQ(driver.tokens(watcher), 200 - 2 - 100 / 20);
}

TEST(Announcements, of_coming_and_going_are_paid_by_the_player_who_comes_or_goes) {
  HostDriver driver(crowded());
  fill(driver, 99);
  const auto guest = driver.enter("guest");
  driver.pass(seconds(10));
  ASSERT_TRUE(driver.ask(guest, watch_request("den")).has_snapshot());
  ASSERT_TRUE(driver.ask(guest, leave_request()).has_left());
  EXPECT_EQ(driver.tokens(guest), 200 - (4 + 5) - (1 + 5));
}

TEST(Announcements, of_a_lost_connection_are_paid_when_the_player_is_back) {
  HostDriver driver(crowded());
  fill(driver, 99);
  const auto guest = driver.enter("guest");
  const std::string token = driver.token(guest);
  ASSERT_TRUE(driver.ask(guest, watch_request("den")).has_snapshot());
  driver.pass(seconds(10));
  driver.disconnect(guest);
  EXPECT_EQ(driver.tokens(driver.come_back(token)), 200 - 5 - 1);
}

TEST(Announcements, of_moves_are_paid_afterwards) {
  server::Config config = crowded();
  config.limits.request_burst = 10;
  HostDriver driver(config);
  const auto host = driver.enter("host");
  driver.ask(host, create_request("den"));
  driver.pass(seconds(10));
  const auto other = driver.enter("other");
  driver.ask(other, join_request("den"));
  for (int i = 0; i < 98; ++i) driver.ask(driver.enter("watcher"), watch_request("den"));
  driver.pass(seconds(10));
  ASSERT_TRUE(driver.ask(host, move_request(0, 0)).has_update());
  EXPECT_EQ(driver.tokens(host), 10 - 1 - 5);
}

TEST(ChatOfARoom, has_a_rate_however_many_say_it) {
  server::Config config = crowded();
  config.limits.chat_receivers_per_second = 10;
  config.limits.chat_receivers_burst = 30;
  HostDriver driver(config);
  fill(driver, 9);
  const auto other = driver.enter("other");
  driver.ask(other, create_request("quiet"));
  std::vector<server::ConnectionId> chatters;
  for (int i = 0; i < 4; ++i) {
    chatters.push_back(driver.enter("chatter"));
    driver.ask(chatters.back(), watch_request("den"));
  }
  EXPECT_TRUE(driver.ask(chatters[0], chat_request("1")).has_update());
  EXPECT_TRUE(driver.ask(chatters[1], chat_request("2")).has_update());
  const Error refused = driver.ask(chatters[2], chat_request("3")).error();
  EXPECT_EQ(refused.code(), Error::CODE_RATE_LIMITED);
  EXPECT_EQ(refused.retry_after_ms(), 1'200u) << "28 of 30 are spent, and 14 are needed";
  EXPECT_TRUE(driver.ask(other, chat_request("here is silence")).has_update());
  driver.pass(milliseconds(1'200));
  EXPECT_TRUE(driver.ask(chatters[3], chat_request("3")).has_update());
}

// The table of players ----------------------------------------------------------------------------

auto play_and_disconnect(HostDriver& driver) {
  const auto alice = driver.enter("alice");
  driver.ask(alice, create_request("den"));
  driver.ask(alice, add_ai_request(v1::MARK_O));
  driver.ask(alice, move_request(0, 0));
  driver.ask(alice, leave_request());
  driver.disconnect(alice);
  return alice;
}

TEST(KnownPlayers, who_have_played_are_kept_before_those_who_have_not) {
  server::Config few = HostDriver::patient();
  few.limits.players = 3;
  HostDriver driver(few);
  const auto alice = play_and_disconnect(driver);
  for (int i = 0; i < 20; ++i) {
    driver.pass(seconds(1));
    driver.disconnect(driver.enter("passer-by"));
  }
  driver.come_back(driver.token(alice));
}

TEST(KnownPlayers, who_have_played_leave_a_name_that_nobody_gets_for_a_day) {
  server::Config few = HostDriver::patient();
  few.limits.players = 1;
  HostDriver driver(few);
  play_and_disconnect(driver);
  const auto name_of_another = [&] {
    const auto id = driver.connect();
    std::string name = driver.ask(id, hello_request("alice")).welcome().player_name();
    driver.disconnect(id);
    return name;
  };
  EXPECT_EQ(name_of_another(), "alice-2");
  EXPECT_EQ(driver.host().players(), 1u);
  EXPECT_EQ(name_of_another(), "alice-3") << "place is made when the name is chosen";
  EXPECT_EQ(name_of_another(), "alice-2") << "those who have not played leave theirs at once";
  driver.pass(std::chrono::hours(25));
  EXPECT_EQ(name_of_another(), "alice");
}

// Connections -------------------------------------------------------------------------------------

TEST(ConnectionsOfANetwork, have_a_limit) {
  server::Config few = HostDriver::patient();
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

TEST(Games, of_one_player_have_a_rate_that_others_do_not_feel) {
  HostDriver driver(few_games());
  const auto id = driver.enter("quitter");
  const auto other = driver.enter("other");
  const auto [games, refused] = resign_often(driver, id, "den");
  EXPECT_EQ(games, 3);
  EXPECT_EQ(refused.error().code(), Error::CODE_RATE_LIMITED);
  EXPECT_EQ(refused.error().retry_after_ms(), 5'000u);
  EXPECT_EQ(refused.error().message(),
            "You or others at your address have started too many games. Try again "
            "in 5 s.");
  ASSERT_TRUE(driver.ask(id, leave_request()).has_left());
  EXPECT_EQ(driver.ask(id, create_request("next")).error().code(), Error::CODE_RATE_LIMITED);
  EXPECT_EQ(driver.host().rooms(), 0u) << "nothing is left of a room that was refused";
  EXPECT_EQ(resign_often(driver, other, "quiet").first, 3);
  driver.pass(seconds(5));
  EXPECT_EQ(resign_often(driver, id, "next").first, 1);
}

TEST(Games, over_the_rate_cannot_begin_by_sitting_down_either) {
  HostDriver driver(few_games());
  const auto id = driver.enter("quitter");
  resign_often(driver, id, "den");
  driver.ask(id, leave_request());
  const auto other = driver.enter("other");
  ASSERT_TRUE(driver.ask(other, create_request("table")).has_snapshot());
  EXPECT_EQ(driver.ask(id, join_request("table")).error().code(), Error::CODE_RATE_LIMITED);
  EXPECT_EQ(driver.ask(id, play_request()).error().code(), Error::CODE_RATE_LIMITED);
  ASSERT_TRUE(driver.ask(id, watch_request("table")).has_snapshot());
  EXPECT_EQ(driver.ask(id, join_request("table")).error().code(), Error::CODE_RATE_LIMITED);
}

TEST(Games, that_have_begun_are_finished_also_over_the_rate) {
  server::Config config = few_games();
  config.limits.game_burst = 1;
  HostDriver driver(config);
  const auto alice = driver.enter("alice");
  const auto bob = driver.enter("bob");
  driver.ask(alice, create_request("den"));
  ASSERT_TRUE(driver.ask(bob, join_request("den")).has_snapshot()) << "bob has spent his token";
  for (const unsigned col : {0U, 1U}) {
    ASSERT_TRUE(driver.ask(alice, move_request(0, col)).has_update());
    ASSERT_TRUE(driver.ask(bob, move_request(1, col)).has_update());
  }
  EXPECT_TRUE(driver.ask(alice, move_request(0, 2)).update().move_played().has_outcome());
  ASSERT_TRUE(driver.ask(alice, rematch_request()).has_update());
  EXPECT_EQ(driver.ask(bob, rematch_request()).error().code(), Error::CODE_RATE_LIMITED);
  driver.pass(seconds(5));
  EXPECT_TRUE(driver.ask(bob, rematch_request()).update().has_game_started());
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

TEST(Games, have_no_rate_if_they_leave_no_records) {
  server::Config config = few_games();
  config.keeps_records = false;
  HostDriver driver(config);
  const auto id = driver.enter("quitter");
  driver.ask(id, create_request("den"));
  driver.ask(id, add_ai_request(v1::MARK_O));
  for (int game = 0; game < 10; ++game) {
    ASSERT_TRUE(driver.ask(id, resign_request()).has_update());
    ASSERT_TRUE(driver.ask(id, rematch_request()).has_update());
  }
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

TEST_F(LookUpsTest, cost_their_tokens_once) {
  const auto alice = enter(1);
  for (int i = 0; i < 10; ++i) driver.post(alice, games_request());
  while (!driver.look_ups.empty()) answer();
  driver.take(alice);
  EXPECT_EQ(driver.tokens(alice), 200 - 1 - 10 * 8);
}

TEST_F(LookUpsTest, of_one_address_leave_others_their_turn) {
  std::vector<server::ConnectionId> crowd;
  for (int i = 0; i < 5; ++i) crowd.push_back(enter(1));
  for (const auto id : crowd) {
    for (int i = 0; i < 3; ++i) driver.post(id, games_request());
  }
  EXPECT_EQ(driver.look_ups.size(), 4u);
  const auto bob = enter(2);
  driver.post(bob, games_request());
  EXPECT_EQ(driver.look_ups.size(), 5u) << "his question does not wait";
  EXPECT_EQ(driver.look_ups.back().from, bob);
  while (!driver.look_ups.empty()) answer();
  for (const auto id : crowd) EXPECT_EQ(answers(id), 3);
}

// With the limits that a server has. One thread answers the questions that have begun, and a long
// record takes it a while.
TEST(LookUpsOfANetwork, are_one_at_a_time_so_that_others_wait_for_one) {
  server::Config config = HostDriver::patient();
  config.keeps_records = true;
  HostDriver driver(config);
  const auto ask_from = [&](server::Origin origin) {
    const auto id = driver.connect(origin);
    driver.ask(id, hello_request("guest"));
    for (int i = 0; i < 3; ++i) driver.post(id, games_request());
    return id;
  };
  for (std::uint64_t address = 1; address <= 20; ++address) ask_from({address, 1});
  EXPECT_EQ(driver.look_ups.size(), 1u);
  const auto other = ask_from({100, 2});
  ASSERT_EQ(driver.look_ups.size(), 2u);
  EXPECT_EQ(driver.look_ups.back().from, other);
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

TEST_F(LookUpsTest, do_not_hold_up_what_comes_before_the_limit) {
  const auto alice = enter(1);
  driver.post(alice, games_request());
  EXPECT_TRUE(driver.ask(alice, create_request("den")).has_snapshot());
}

}  // namespace
}  // namespace tictactoe::test::host_charges_tests
