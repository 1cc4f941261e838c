// Hello, names, limits and requests that can't be understood.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_connection_tests {
namespace {

using testing::HasSubstr;
using v1::Error;

v1::ClientMessage hello(const std::string& name, std::vector<std::uint32_t> versions = {1}) {
  v1::ClientMessage message;
  for (const std::uint32_t version : versions)
    message.mutable_hello()->add_protocol_versions(version);
  message.mutable_hello()->set_name(name);
  return message;
}

TEST(Hello, is_answered_by_every_limit) {
  server::Config config;
  config.server_name = "den";
  config.keeps_records = true;
  HostDriver driver(config);
  const auto alice = driver.connect();
  const v1::ServerMessage answer = driver.ask(alice, hello("alice", {7, 1}));
  ASSERT_TRUE(answer.has_welcome());
  EXPECT_EQ(answer.welcome().protocol_version(), 1u);
  EXPECT_EQ(answer.welcome().server_name(), "den");
  EXPECT_EQ(answer.welcome().player_name(), "alice");
  // Not one may be forgotten: all fields of Limits are set, and none is 0.
  const v1::Limits& limits = answer.welcome().limits();
  std::vector<const google::protobuf::FieldDescriptor*> set;
  limits.GetReflection()->ListFields(limits, &set);
  EXPECT_EQ(static_cast<int>(set.size()), limits.GetDescriptor()->field_count());
}

TEST(Names, that_many_want_are_made_distinct_without_trying_them_all) {
  server::Config config;
  config.limits.connections = config.limits.pending_connections = 3000;
  config.limits.connections_per_address = 0;
  HostDriver driver(config);
  std::set<std::string> names;
  for (int i = 0; i < 3000; ++i) {
    names.insert(driver.ask(driver.connect(), hello("ann")).welcome().player_name());
  }
  EXPECT_EQ(names.size(), 3000u);
}

TEST(Names, of_forgotten_players_are_free_as_soon_as_a_shorter_hold_ends) {
  server::Config config = HostDriver::patient();
  config.limits.name_hold = std::chrono::hours(24);
  config.limits.players = 1;
  HostDriver driver(config);
  const auto play_and_leave = [&](const std::string& name) {
    const auto player = driver.enter(name);
    driver.ask(player, create_request("den of " + name));
    driver.ask(player, add_ai_request(v1::MARK_O));
    driver.ask(player, move_request(0, 0));
    driver.ask(player, leave_request());
    driver.disconnect(player);
  };
  play_and_leave("ann");
  play_and_leave("bob");  // ann is forgotten, and her name is held for a day
  config.limits.name_hold = std::chrono::seconds(60);
  driver.host().change_settings(config);
  play_and_leave("eve");  // and bob's for a minute
  driver.pass(std::chrono::seconds(61));
  for (const char* name : {"bob", "ann"}) {
    const auto back = driver.connect();
    EXPECT_EQ(driver.ask(back, hello(name)).welcome().player_name(), name);
    driver.disconnect(back);
  }
}

// The end of each is told to all who still watch.
TEST(Silence, of_many_who_watch_one_room_ends_their_connections_in_slices) {
  constexpr std::size_t watchers = 200;
  server::Config config;
  config.limits.connections_per_address = 0;  // no limits by address
  HostDriver driver{config};
  std::vector<server::ConnectionId> silent{driver.enter("creator")};
  driver.ask(silent.front(), create_request("den"));
  for (std::size_t i = 0; i < watchers; ++i) {
    silent.push_back(driver.enter("watcher"));
    ASSERT_TRUE(driver.ask(silent.back(), watch_request("den")).has_snapshot());
  }
  const server::Time late = driver.now() + std::chrono::seconds(31);
  std::size_t longest = 0;
  while (std::ranges::any_of(silent, [&](auto id) { return driver.is_open(id); })) {
    driver.host().deadline_reached(late);
    const std::size_t effects = driver.host().effects().list().size();
    ASSERT_GT(effects, 0u);
    longest = std::max(longest, effects);
    driver.collect();
  }
  EXPECT_LE(longest, 512 + watchers + 5);
}

TEST(Connections, over_the_limit_get_an_error) {
  server::Config config;
  config.limits.connections = 2;
  HostDriver driver(config);
  driver.enter("a");
  const auto second = driver.enter("b");
  const server::ConnectionId third = driver.host().connected({1, 1}, driver.now());
  bool told = false;
  for (const server::Effect& effect : driver.host().effects().list()) {
    if (const auto* close = std::get_if<server::Close>(&effect)) told = close->connection == third;
  }
  EXPECT_TRUE(told);
  driver.host().effects().clear();
  EXPECT_EQ(driver.host().connections(), 2u);
  driver.disconnect(second);
  driver.enter("d");
}

TEST(Connections, are_not_mistaken_for_others_on_the_same_slot) {
  HostDriver driver;
  const auto old = driver.enter("old");
  driver.disconnect(old);
  const auto fresh = driver.enter("fresh");
  ASSERT_EQ(old.slot, fresh.slot);
  driver.take(fresh);
  driver.host().disconnected(old, driver.now());
  const v1::ClientMessage play = play_request();
  driver.host().received(old, &play, driver.now());
  driver.collect();
  EXPECT_TRUE(driver.inbox(fresh).empty());
  EXPECT_TRUE(driver.ask(fresh, play_request()).has_snapshot());
}

// Connections without a hello ---------------------------------------------------------------------

TEST(HelloThatWaits, that_is_refused_can_be_said_again_for_a_minute) {
  server::Config config;
  config.limits.newcomer_burst = 1;
  config.limits.newcomers_per_minute = 1;
  HostDriver driver(config);
  driver.enter("first");
  const auto refused = driver.connect();
  for (int i = 0; i < 7; ++i) {
    ASSERT_TRUE(driver.is_open(refused)) << i;
    EXPECT_EQ(driver.ask(refused, hello_request("second")).error().code(),
              Error::CODE_RATE_LIMITED);
    driver.pass(std::chrono::seconds(9));
    // Somebody else takes the place as soon as there is one.
    driver.ask(driver.connect(), hello_request("third"));
  }
  EXPECT_FALSE(driver.is_open(refused));
}

/// Whether a connection from `place` is let in, and `expected` is closed for it.
bool takes_the_place_of(HostDriver& driver, server::ConnectionId expected, server::Origin place) {
  EXPECT_TRUE(driver.is_open(expected));
  return driver.is_open(driver.connect(place)) && !driver.is_open(expected);
}

TEST(WaitingConnections, that_were_served_make_place_for_others_of_their_address) {
  server::Config config;
  config.limits.pending_per_address = 3;
  HostDriver driver(config);
  const auto first = driver.connect({7, 7});
  const auto second = driver.connect({7, 7});
  const auto third = driver.connect({7, 7});
  EXPECT_FALSE(driver.is_open(driver.connect({7, 7}))) << "nobody has been served";
  for (const auto id : {first, second, third}) {
    EXPECT_TRUE(driver.host().pay(id, driver.now()));
    driver.host().served(id);
    driver.host().served(id);
  }
  EXPECT_TRUE(driver.host().pay(first, driver.now()));
  EXPECT_TRUE(driver.is_open(driver.connect({8, 8})));
  EXPECT_TRUE(takes_the_place_of(driver, second, {7, 7})) << "the first has asked for more";
  ASSERT_TRUE(driver.ask(third, hello_request("third")).has_welcome());
  EXPECT_TRUE(driver.is_open(driver.connect({7, 7})));
  EXPECT_FALSE(driver.is_open(driver.connect({7, 7}))) << "who has said hello stays";
  driver.host().served(third);
  EXPECT_FALSE(driver.is_open(driver.connect({7, 7})));
  driver.host().served(first);
  EXPECT_TRUE(takes_the_place_of(driver, first, {7, 7})) << "it has been served again";
}

TEST(WaitingConnections, that_were_served_make_place_if_there_are_too_many_of_all_kinds) {
  server::Config config;
  config.limits.connections_per_address = 2;
  config.limits.network_factor = 1;
  HostDriver driver(config);
  const auto player = driver.connect({7, 70});
  ASSERT_TRUE(driver.ask(player, hello_request("player")).has_welcome());
  const auto idle = driver.connect({7, 70});
  driver.host().served(idle);
  EXPECT_TRUE(takes_the_place_of(driver, idle, {8, 70})) << "of the whole network";
  EXPECT_FALSE(driver.is_open(driver.connect({9, 70})));
}

TEST(WaitingConnections, without_a_hello_from_a_few_networks_keep_nobody_out) {
  server::Config config;
  config.limits.pending_connections = 30;
  HostDriver driver(config);
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t network = 1 + static_cast<std::uint64_t>(i % 3);
    driver.connect({100 + static_cast<std::uint64_t>(i), network});
    if (i % 20 != 0) continue;
    EXPECT_TRUE(driver.ask(driver.connect({7, 7}), hello_request("guest")).has_welcome());
  }
}

// Names of players and rooms ----------------------------------------------------------------------

std::string welcomed_as(HostDriver& driver, const std::string& name) {
  return driver.ask(driver.connect(), hello_request(name)).welcome().player_name();
}

TEST(HostNames, in_a_journal_are_kept_as_they_are) {
  journal::v1::Saved saved;
  const auto add = [&](std::uint64_t id, const std::string& name) {
    journal::v1::Player& player = *saved.add_players();
    player.set_id(id);
    player.set_name(name);
    player.set_token_hash(std::string(32, static_cast<char>('a' + id)));
  };
  add(1, "alice");
  add(2, "Alice");
  add(3, "\u0430lice");
  add(4, "AI (suggester)");
  add(5, "al\u00A0ice");
  HostDriver driver;
  EXPECT_TRUE(driver.host().restore(saved, driver.now()).refused.empty());
  EXPECT_EQ(driver.host().players(), 5u);
  EXPECT_EQ(welcomed_as(driver, "ALICE"), "ALICE-2");
}

}  // namespace
}  // namespace tictactoe::test::host_connection_tests
