// What the server's owner asks and commands.
#include <gmock/gmock.h>

#include "tests/support/timed_room.hpp"
#include "tictactoe/admin/v1/admin.pb.h"

namespace tictactoe::test::host_owner_tests {
namespace {

using admin::v1::Request;
using admin::v1::Response;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using v1::Error;
using v1::Notice;

class OwnerTest : public TimedRoomTest {
 protected:
  Response ask(const Request& request) {
    Response response;
    driver.host().owner_asks(request, driver.now(), response);
    driver.collect();
    return response;
  }
  static Request kick(const std::string& name, const std::string& reason = {}) {
    Request request;
    request.mutable_kick()->set_name(name);
    request.mutable_kick()->set_reason(reason);
    return request;
  }
  static Request close_room(const std::string& name) {
    Request request;
    request.mutable_close_room()->set_name(name);
    return request;
  }
  static Request say(const std::string& text) {
    Request request;
    request.mutable_say()->set_text(text);
    return request;
  }
  admin::v1::Status status() {
    Request request;
    request.mutable_status();
    return ask(request).status();
  }
  admin::v1::RoomDetails room(const std::string& name) {
    Request request;
    request.mutable_room()->set_name(name);
    return ask(request).room();
  }
};

TEST_F(OwnerTest, status_counts_players_rooms_games_and_moves) {
  EXPECT_EQ(status().players(), 2u);
  EXPECT_EQ(status().rooms(), 0u);
  begin();
  driver.enter("carol");
  driver.connect();
  EXPECT_EQ(status().players(), 3u);
  EXPECT_EQ(status().connections(), 4u);
  EXPECT_EQ(status().rooms(), 1u);
  EXPECT_EQ(status().running_games(), 1u);
  driver.ask(alice, move_request(0, 0));
  driver.ask(bob, resign_request());
  EXPECT_EQ(status().moves(), 1u);
  EXPECT_EQ(status().finished_games(), 1u);
  EXPECT_EQ(status().running_games(), 0u);
  EXPECT_EQ(driver.host().counts().games[v1::Outcome::REASON_RESIGNED], 1u);
  driver.disconnect(alice);
  EXPECT_EQ(status().players(), 2u);
  EXPECT_EQ(status().known_players(), 3u);
}

TEST_F(OwnerTest, refusals_are_counted_by_code) {
  EXPECT_EQ(refusal(alice, move_request(0, 0)), Error::CODE_NOT_IN_ROOM);
  begin();
  EXPECT_EQ(refusal(bob, move_request(0, 0)), Error::CODE_NOT_YOUR_TURN);
  const core::Counts& counts = driver.host().counts();
  EXPECT_EQ(counts.refusals[Error::CODE_NOT_IN_ROOM], 1u);
  EXPECT_EQ(counts.refusals[Error::CODE_NOT_YOUR_TURN], 1u);
  driver.send_bytes(driver.connect(), "no message");
  EXPECT_EQ(counts.expulsions[Error::CODE_MALFORMED_MESSAGE] +
                counts.expulsions[Error::CODE_HELLO_EXPECTED],
            1u);
}

TEST_F(OwnerTest, lists_of_players_and_rooms_have_pages) {
  begin();
  Request players;
  players.mutable_players();
  const Response all = ask(players);
  ASSERT_EQ(all.players().players_size(), 2);
  EXPECT_FALSE(all.players().more());
  EXPECT_EQ(all.players().players(0).name(), "alice");
  EXPECT_EQ(all.players().players(0).room(), "den");
  EXPECT_EQ(all.players().players(0).address(), "0.0.0.1");
  players.mutable_players()->set_after("alice");
  EXPECT_EQ(ask(players).players().players_size(), 1);

  constexpr int many = 505;
  for (std::uint64_t i = 0; i < many; ++i) {
    const std::uint64_t from = 0x0a000000 + (i << 8);  // from a network of their own each
    const auto guest = driver.connect({from, from});
    EXPECT_TRUE(driver.ask(guest, hello_request("guest " + std::to_string(i))).has_welcome());
  }
  players.mutable_players()->clear_after();
  const Response first = ask(players);
  EXPECT_TRUE(first.players().more());
  players.mutable_players()->set_after(first.players().players().rbegin()->name());
  const Response second = ask(players);
  EXPECT_FALSE(second.players().more());
  EXPECT_EQ(first.players().players_size() + second.players().players_size(), many + 2);

  Request rooms;
  rooms.mutable_rooms();
  ASSERT_EQ(ask(rooms).rooms().rooms_size(), 1);
  EXPECT_EQ(ask(rooms).rooms().rooms(0).info().name(), "den");
  rooms.mutable_rooms()->set_after(ask(rooms).rooms().rooms(0).serial());
  EXPECT_EQ(ask(rooms).rooms().rooms_size(), 0);
}

TEST_F(OwnerTest, shows_addresses) {
  driver.connect();
  const auto from = [&](std::uint64_t address, const std::string& name) {
    driver.ask(driver.connect({address, 1}), hello_request(name));
    Request request;
    request.mutable_players();
    const Response page = ask(request);
    for (const auto& player : page.players().players()) {
      if (player.name() == name) return player.address();
    }
    return std::string("nobody");
  };
  EXPECT_EQ(from(0xc0000201, "four"), "192.0.2.1");
  EXPECT_EQ(from(0x20010db800000001, "six"), "2001:db8:0:1::/64");
  EXPECT_EQ(from(0, "loopback"), "::/64");
}

TEST_F(OwnerTest, describes_a_room_with_its_watchers) {
  begin();
  const auto carol = driver.enter("carol");
  driver.ask(carol, watch_request("den"));
  const admin::v1::RoomDetails details = room("den");
  EXPECT_EQ(details.summary().info().x().name(), "alice");
  EXPECT_EQ(details.summary().info().watchers(), 1u);
  EXPECT_THAT(details.watchers(), ElementsAre("carol"));
  Request request;
  request.mutable_room()->set_name("no room");
  EXPECT_THAT(ask(request).failure().sentence(), HasSubstr("no room of that name"));
}

TEST_F(OwnerTest, a_kicked_player_leaves_and_learns_why) {
  begin();
  driver.take(alice);
  EXPECT_TRUE(ask(kick("bob", "too loud")).has_done());
  EXPECT_FALSE(driver.is_open(bob));
  const Error error = driver.inbox(bob).back().error();
  EXPECT_EQ(error.code(), Error::CODE_KICKED);
  EXPECT_TRUE(error.closing());
  EXPECT_THAT(error.message(), HasSubstr("too loud"));
  EXPECT_EQ(room("den").summary().info().o().kind(), v1::Occupant::KIND_OPEN);
  EXPECT_EQ(driver.take_updates(alice).size(), 1u);
  // Who was kicked may come back: a ban is something else.
  driver.come_back(driver.token(bob));
  EXPECT_TRUE(ask(kick("nobody")).has_failure());
}

TEST_F(OwnerTest, what_the_owner_says_reaches_every_player) {
  const auto stranger = driver.connect();
  EXPECT_THAT(ask(say("Back in ten minutes.")).done().sentence(), HasSubstr("2 players"));
  for (const auto player : {alice, bob}) {
    const Notice notice = driver.inbox(player).back().notice();
    EXPECT_EQ(notice.kind(), Notice::KIND_FROM_OWNER);
    EXPECT_EQ(notice.message(), "Back in ten minutes.");
  }
  EXPECT_TRUE(driver.inbox(stranger).empty());
  EXPECT_TRUE(ask(say("")).has_failure());
  EXPECT_TRUE(ask(say("two\nlines")).has_failure());
}

TEST_F(OwnerTest, everybody_leaves_a_closed_room) {
  begin();
  const auto carol = driver.enter("carol");
  driver.ask(carol, watch_request("den"));
  driver.disconnect(bob);  // whose seat is held
  driver.take(alice);
  driver.take(carol);
  EXPECT_TRUE(ask(close_room("den")).has_done());
  for (const auto member : {alice, carol}) {
    const auto told = driver.take(member);
    ASSERT_EQ(told.size(), 2u);  // and nothing of how the others leave
    EXPECT_THAT(told[0].notice().message(), HasSubstr("\"den\""));
    EXPECT_TRUE(told[1].has_left());
    EXPECT_EQ(told[1].request_id(), 0u);
  }
  EXPECT_EQ(status().rooms(), 0u);
  EXPECT_TRUE(ask(close_room("den")).has_failure());
  // They are in no room, and the name is free.
  EXPECT_TRUE(driver.ask(alice, create_request("den")).has_snapshot());
  driver.pass(seconds(300));  // no hold of the closed room is due any more
}

TEST_F(OwnerTest, closing_a_room_stops_its_ai) {
  driver.thinks = false;
  ASSERT_TRUE(driver.ask(alice, create_request("den")).has_snapshot());
  driver.ask(alice, add_ai_request(v1::MARK_O));
  driver.ask(alice, move_request(0, 0));
  driver.pass(seconds(1));
  ASSERT_EQ(driver.thoughts.size(), 1u);
  EXPECT_TRUE(ask(close_room("den")).has_done());
  EXPECT_EQ(driver.stopped_thoughts.size(), 1u);
}

TEST_F(OwnerTest, nothing_changes_while_nothing_can_be_recorded) {
  begin();
  driver.host().recording(core::Recording::stalled, driver.now());
  EXPECT_THAT(ask(kick("bob")).failure().sentence(), HasSubstr("can't record"));
  EXPECT_THAT(ask(close_room("den")).failure().sentence(), HasSubstr("can't record"));
  EXPECT_TRUE(driver.is_open(bob));
  EXPECT_EQ(status().rooms(), 1u);
}

TEST_F(OwnerTest, a_command_that_is_not_known_is_answered) {
  EXPECT_TRUE(ask(Request()).has_failure());
}

TEST(Settings, of_rates_hold_for_those_who_are_there) {
  core::Config config = HostDriver::patient();
  config.limits.requests_per_second = 10;
  config.limits.request_burst = 5;
  HostDriver host(config);
  const auto guest = host.connect();
  host.ask(guest, hello_request("guest"));
  config.limits.requests_per_second = 1;
  config.limits.request_burst = 2;
  config.server_name = "another";
  host.host().change_settings(config);
  EXPECT_EQ(host.tokens(guest), 2);
  host.pass(seconds(1));
  EXPECT_EQ(host.tokens(guest), 1);
  const auto other = host.connect();
  const v1::Welcome welcome = host.ask(other, hello_request("other")).welcome();
  EXPECT_EQ(welcome.server_name(), "another");
  EXPECT_EQ(welcome.limits().request_burst(), 2u);
  EXPECT_EQ(host.tokens(other), 1) << "the hello costs 1";
  config.limits.requests_per_second = 0;
  host.host().change_settings(config);
  EXPECT_EQ(host.tokens(guest, 100), 100);
  config.limits.requests_per_second = 10;
  host.host().change_settings(config);
  EXPECT_EQ(host.tokens(guest), 2);
}

}  // namespace
}  // namespace tictactoe::test::host_owner_tests
