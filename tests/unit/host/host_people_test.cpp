// Invitations, and chat in the lobby.
#include <gmock/gmock.h>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_people_tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using v1::Error;

class PeopleTest : public testing::Test {
 protected:
  static server::Config config() {
    server::Config config = HostDriver::patient();
    config.limits.invitation_burst = 3;
    config.limits.invitations_per_minute = 6;
    config.limits.invitations_per_room = 2;
    config.limits.kept_chat = 3;
    return config;
  }

  /// Somebody of that network who has created a room, both of that name.
  server::ConnectionId enter_with_room(std::uint64_t network, const std::string& name) {
    const auto id = driver.connect({network, network});
    driver.ask(id, hello_request(name));
    driver.ask(id, create_request(name));
    return id;
  }
  Error::Code refusal(server::ConnectionId from, const v1::ClientMessage& request) {
    return driver.ask(from, request).error().code();
  }
  /// The invitations that this connection got since the last call: "who: room".
  std::vector<std::string> invitations(server::ConnectionId id) {
    std::vector<std::string> all;
    for (const v1::ServerMessage& message : driver.take(id)) {
      if (!message.has_invited()) continue;
      EXPECT_EQ(message.request_id(), 0u);
      all.push_back(message.invited().from() + ": " + message.invited().room().name());
    }
    return all;
  }
  /// What this connection has heard in the lobby since the last call: "who: what".
  std::vector<std::string> heard(server::ConnectionId id) {
    std::vector<std::string> all;
    for (const v1::ServerMessage& message : driver.take(id)) {
      for (const v1::ChatSaid& said : message.lobby_update().chat()) {
        EXPECT_EQ(said.seat(), v1::MARK_NONE);
        all.push_back(said.from() + ": " + said.text());
      }
    }
    return all;
  }

  HostDriver driver{config()};
  server::ConnectionId ann = driver.enter("ann");
  server::ConnectionId bob = driver.enter("bob");
  server::ConnectionId eve = driver.enter("eve");
};

// Invitations -------------------------------------------------------------------------------------

TEST_F(PeopleTest, an_invitation_names_the_player_and_the_room) {
  driver.ask(ann, create_request("den", rules::Rules{5, 5, 4}));
  EXPECT_TRUE(driver.ask(ann, invite_request("bob")).has_done());
  const v1::ServerMessage invited = driver.take(bob).back();
  EXPECT_EQ(invited.invited().from(), "ann");
  EXPECT_EQ(invited.invited().room().name(), "den");
  EXPECT_EQ(invited.invited().room().rules().k(), 4u);
  EXPECT_FALSE(invited.invited().room().needs_password());
  EXPECT_TRUE(invitations(eve).empty());
}

TEST_F(PeopleTest, an_invitation_needs_a_room_and_a_connected_player_who_is_not_in_it) {
  EXPECT_EQ(refusal(ann, invite_request("bob")), Error::CODE_NOT_IN_ROOM);
  driver.ask(ann, create_request("den"));
  EXPECT_EQ(refusal(ann, invite_request("nobody")), Error::CODE_PLAYER_NOT_FOUND);
  EXPECT_EQ(refusal(ann, invite_request("")), Error::CODE_PLAYER_NOT_FOUND);
  EXPECT_EQ(refusal(ann, invite_request("ann")), Error::CODE_ALREADY_IN_ROOM);
  driver.ask(bob, watch_request("den"));
  EXPECT_EQ(refusal(ann, invite_request("bob")), Error::CODE_ALREADY_IN_ROOM);
  EXPECT_EQ(refusal(bob, invite_request("eve")), Error::CODE_NOT_ALLOWED);
  driver.disconnect(eve);
  EXPECT_EQ(refusal(ann, invite_request("eve")), Error::CODE_PLAYER_NOT_FOUND);
}

TEST_F(PeopleTest, an_invitation_opens_a_room_with_a_password_once_for_one_player) {
  driver.ask(ann, create_request("den", "pw"));
  driver.ask(ann, invite_request("bob"));
  EXPECT_EQ(refusal(eve, join_request("den")), Error::CODE_WRONG_PASSWORD);
  EXPECT_TRUE(driver.ask(bob, watch_request("den")).has_snapshot());
  EXPECT_TRUE(driver.ask(bob, join_request("den")).has_snapshot()) << "from watching";
  driver.ask(bob, leave_request());
  EXPECT_EQ(refusal(bob, join_request("den")), Error::CODE_WRONG_PASSWORD);
}

TEST_F(PeopleTest, an_invitation_opens_an_unlisted_room) {
  v1::ClientMessage create = create_request("den", "pw");
  create.mutable_create_room()->mutable_options()->set_unlisted(true);
  driver.ask(ann, create);
  driver.ask(ann, invite_request("bob"));
  EXPECT_THAT(invitations(bob), ElementsAre("ann: den"));
  EXPECT_TRUE(driver.ask(bob, join_request("den")).has_snapshot());
  EXPECT_EQ(refusal(eve, join_request("den")), Error::CODE_ROOM_NOT_FOUND);
}

TEST_F(PeopleTest, an_invitation_stands_if_there_is_no_seat_at_first) {
  driver.ask(ann, create_request("den", "pw"));
  driver.ask(ann, add_ai_request(v1::MARK_O));
  driver.ask(ann, invite_request("bob"));
  EXPECT_EQ(refusal(bob, join_request("den")), Error::CODE_ROOM_FULL);
  driver.ask(ann, remove_ai_request(v1::MARK_O));
  EXPECT_TRUE(driver.ask(bob, join_request("den")).has_snapshot());
}

TEST_F(PeopleTest, a_room_keeps_only_the_latest_invitations) {
  driver.ask(ann, create_request("den", "pw"));
  const auto dan = driver.enter("dan");
  for (const char* guest : {"bob", "eve", "dan"}) {
    EXPECT_TRUE(driver.ask(ann, invite_request(guest)).has_done());
  }
  EXPECT_EQ(refusal(bob, watch_request("den")), Error::CODE_WRONG_PASSWORD);
  EXPECT_TRUE(driver.ask(eve, watch_request("den")).has_snapshot());
  EXPECT_TRUE(driver.ask(dan, watch_request("den")).has_snapshot());
}

TEST_F(PeopleTest, invitations_of_a_closed_room_do_not_open_another_one) {
  driver.ask(ann, create_request("den", "pw"));
  driver.ask(ann, invite_request("bob"));
  driver.ask(ann, leave_request());
  driver.ask(ann, create_request("den", "pw"));
  EXPECT_EQ(refusal(bob, join_request("den")), Error::CODE_WRONG_PASSWORD);
}

TEST_F(PeopleTest, a_player_can_send_only_so_many_invitations) {
  driver.ask(ann, create_request("den"));
  driver.enter("dan");
  driver.enter("fay");
  for (const char* guest : {"bob", "eve", "dan"}) {
    EXPECT_TRUE(driver.ask(ann, invite_request(guest)).has_done());
  }
  const v1::ServerMessage refused = driver.ask(ann, invite_request("fay"));
  EXPECT_EQ(refused.error().code(), Error::CODE_RATE_LIMITED);
  EXPECT_EQ(refused.error().retry_after_ms(), 10'000u);
  driver.pass(seconds(10));
  EXPECT_TRUE(driver.ask(ann, invite_request("fay")).has_done());
  EXPECT_EQ(invitations(bob).size(), 1u);
}

TEST_F(PeopleTest, a_player_gets_only_so_many_invitations) {
  for (const std::uint64_t network : {11U, 12U, 13U}) {
    const auto sender = enter_with_room(network, "host " + std::to_string(network));
    EXPECT_TRUE(driver.ask(sender, invite_request("bob")).has_done());
  }
  const auto last = enter_with_room(14, "the last");
  EXPECT_EQ(refusal(last, invite_request("bob")), Error::CODE_RATE_LIMITED);
  for (const char* guest : {"ann", "eve", "host 11"}) {
    EXPECT_TRUE(driver.ask(last, invite_request(guest)).has_done()) << "the refused one is free";
  }
  EXPECT_EQ(invitations(bob).size(), 3u);
}

TEST_F(PeopleTest, an_address_can_send_only_so_many_invitations) {
  server::Config narrow = config();
  narrow.limits.address_bursts = 1;
  HostDriver one_address(narrow);
  const auto first = one_address.enter("first");
  const auto second = one_address.enter("second");
  for (const char* guest : {"guest 1", "guest 2", "guest 3", "other"}) one_address.enter(guest);
  one_address.ask(first, create_request("den"));
  one_address.ask(second, create_request("attic"));
  for (const char* guest : {"guest 1", "guest 2", "guest 3"}) {
    EXPECT_TRUE(one_address.ask(first, invite_request(guest)).has_done());
  }
  EXPECT_EQ(one_address.ask(second, invite_request("other")).error().code(),
            Error::CODE_RATE_LIMITED);
}

// Chat in the lobby -------------------------------------------------------------------------------

TEST_F(PeopleTest, everybody_who_watches_the_lobby_hears_what_is_said_there) {
  driver.ask(ann, watch_lobby_request());
  driver.ask(bob, watch_lobby_request());
  EXPECT_TRUE(driver.ask(ann, lobby_chat_request(" Who plays? ")).has_done());
  driver.pass(seconds(1));
  EXPECT_THAT(heard(ann), ElementsAre("ann: Who plays?"));
  EXPECT_THAT(heard(bob), ElementsAre("ann: Who plays?"));
  EXPECT_TRUE(heard(eve).empty());
}

TEST_F(PeopleTest, the_latest_lines_are_kept_for_those_who_come) {
  driver.ask(ann, watch_lobby_request());
  for (const char* text : {"1", "2", "3", "4"}) {
    driver.ask(ann, lobby_chat_request(text));
    driver.pass(seconds(2));  // one player has a part of what can be said
  }
  driver.take(bob);
  driver.ask(bob, watch_lobby_request());
  EXPECT_THAT(heard(bob), ElementsAre("ann: 2", "ann: 3", "ann: 4"));
  driver.pass(seconds(1));
  EXPECT_TRUE(heard(bob).empty());
}

TEST_F(PeopleTest, a_line_comes_once_even_if_the_list_of_rooms_begins_again) {
  server::Config few = config();
  few.limits.rooms = 1;
  HostDriver host(few);
  const auto reader = host.enter("reader");
  const auto owner = host.enter("owner");
  host.ask(owner, watch_lobby_request());
  host.ask(owner, lobby_chat_request("hello"));
  host.ask(reader, watch_lobby_request());
  host.host().reading_paused(reader, true, host.now());
  for (int i = 0; i < 3; ++i) {  // more closed rooms than the server remembers
    host.ask(owner, create_request("den"));
    host.ask(owner, leave_request());
  }
  host.host().reading_paused(reader, false, host.now());
  host.take(reader);
  host.pass(seconds(1));
  const auto news = host.take(reader);
  ASSERT_EQ(news.size(), 1u);
  EXPECT_TRUE(news[0].lobby_update().reset());
  EXPECT_EQ(news[0].lobby_update().chat_size(), 0);
}

TEST_F(PeopleTest, one_network_leaves_invitations_of_a_player_to_others) {
  for (int i = 0; i < 10; ++i) {
    const auto sender = enter_with_room(11, "sender " + std::to_string(i));
    driver.ask(sender, invite_request("bob"));
  }
  EXPECT_LT(invitations(bob).size(), 3u);
  EXPECT_TRUE(driver.ask(enter_with_room(12, "dan"), invite_request("bob")).has_done());
  EXPECT_THAT(invitations(bob), ElementsAre("dan: dan"));
}

TEST_F(PeopleTest, only_who_watches_the_lobby_talks_there) {
  EXPECT_EQ(refusal(ann, lobby_chat_request("hello")), Error::CODE_NOT_ALLOWED);
  driver.ask(ann, watch_lobby_request());
  EXPECT_EQ(refusal(ann, lobby_chat_request("")), Error::CODE_INVALID_TEXT);
  EXPECT_TRUE(driver.ask(ann, lobby_chat_request("hello")).has_done());
  driver.ask(ann, watch_lobby_request(true));
  EXPECT_EQ(refusal(ann, lobby_chat_request("hello")), Error::CODE_NOT_ALLOWED);
}

TEST_F(PeopleTest, a_server_can_have_no_chat_in_the_lobby) {
  server::Config silent = config();
  silent.lobby_chat = false;
  HostDriver host(silent);
  const auto guest = host.enter("guest");
  host.ask(guest, watch_lobby_request());
  EXPECT_EQ(host.ask(guest, lobby_chat_request("hello")).error().code(), Error::CODE_NOT_ALLOWED);
}

// Asks until that is refused for its rate. Returns how often it was done.
int times_granted(HostDriver& host, server::ConnectionId from, const v1::ClientMessage& request) {
  int granted = 0;
  while (host.ask(from, request).has_done()) ++granted;
  return granted;
}

TEST_F(PeopleTest, a_line_costs_a_token_for_every_20_who_hear_it) {
  server::Config tight = config();
  tight.limits.request_burst = 48;  // 8 to watch; then 4 a line
  tight.limits.kept_chat = 100;
  HostDriver host(tight);
  for (int i = 0; i < 39; ++i) {
    host.ask(host.enter("watcher " + std::to_string(i)), watch_lobby_request());
  }
  const auto talker = host.enter("talker");
  host.pass(seconds(1));
  host.ask(talker, watch_lobby_request());
  EXPECT_EQ(times_granted(host, talker, lobby_chat_request("hello")), 10);
}

TEST_F(PeopleTest, everybody_together_says_only_so_much_in_the_lobby) {
  server::Config tight = config();
  tight.limits.chat_receivers_burst = 6;
  tight.limits.chat_receivers_per_second = 2;
  tight.limits.connections_per_address = 0;
  HostDriver host(tight);
  std::vector<server::ConnectionId> talkers;
  for (int i = 0; i < 3; ++i) {
    talkers.push_back(host.enter("talker " + std::to_string(i)));
    host.ask(talkers.back(), watch_lobby_request());
  }
  EXPECT_TRUE(host.ask(talkers[0], lobby_chat_request("hello")).has_done());
  EXPECT_TRUE(host.ask(talkers[1], lobby_chat_request("hello")).has_done());
  const v1::ServerMessage refused = host.ask(talkers[2], lobby_chat_request("hello"));
  EXPECT_EQ(refused.error().code(), Error::CODE_RATE_LIMITED);
  EXPECT_EQ(refused.error().retry_after_ms(), 1'500u);
  host.pass(std::chrono::milliseconds(1'500));
  EXPECT_TRUE(host.ask(talkers[2], lobby_chat_request("hello")).has_done());
}

TEST_F(PeopleTest, one_player_cannot_keep_the_others_from_talking_in_the_lobby) {
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

}  // namespace
}  // namespace tictactoe::test::host_people_tests
