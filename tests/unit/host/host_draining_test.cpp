// Draining, a journal that is full or stalled, and questions about records.
#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

#include "tests/support/ledger.hpp"
#include "tests/support/timed_room.hpp"

namespace tictactoe::test::host_draining_tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using v1::Error;
using v1::Outcome;

using RedirectTest = TimedRoomTest;

// The server's own troubles -----------------------------------------------------------------------

TEST(Notices, reach_everybody_a_few_in_each_event) {
  server::Config config = HostDriver::patient();
  config.limits.connections_per_address = 0;
  HostDriver driver(config);
  std::vector<server::ConnectionId> crowd;
  for (int i = 0; i < 1'000; ++i) {
    crowd.push_back(driver.enter("p" + std::to_string(i)));
    driver.take(crowd.back());
  }
  const auto silent = driver.connect();
  const auto told = [&] {
    return std::ranges::count_if(crowd, [&](auto id) { return !driver.inbox(id).empty(); });
  };
  constexpr int max = 256;
  driver.host().drain(seconds(60), driver.now());
  driver.collect();
  EXPECT_LE(told(), max);
  for (auto before = told(); told() < 1'000; before = told()) {
    ASSERT_EQ(driver.host().next_deadline(), driver.now());
    driver.host().deadline_reached(driver.now());
    driver.collect();
    ASSERT_GT(told(), before);
    ASSERT_LE(told() - before, max);
  }
  driver.pass(seconds(1));
  for (const auto id : crowd) {
    ASSERT_EQ(driver.inbox(id).size(), 1u);
    EXPECT_EQ(driver.inbox(id)[0].notice().within_ms(), 60'000u);
  }
  EXPECT_TRUE(driver.inbox(silent).empty());
}

TEST_F(RedirectTest, who_follows_redirects_is_sent_to_the_servers_that_take_over) {
  begin();
  const auto new_one = driver.connect();
  std::vector<server::ConnectionId> followers;
  for (const char* name : {"carol", "dave", "erin"}) {
    followers.push_back(driver.connect());
    auto hello = hello_request(name);
    hello.mutable_hello()->add_capabilities("redirect");
    ASSERT_TRUE(driver.ask(followers.back(), hello).has_welcome());
  }
  driver.host().stop(driver.now(), {{7, "10.0.0.7:7654", "key"}, {8, "10.0.0.8:7654", {}}});
  driver.collect();
  std::map<std::string, int> sent;
  for (const auto follower : followers) {
    const v1::ServerMessage& last = driver.inbox(follower).back();
    EXPECT_EQ(last.request_id(), 0u);
    ++sent[last.redirect().server().address()];
  }
  EXPECT_EQ(sent.size(), 2u);
  EXPECT_EQ(sent["10.0.0.7:7654"] + sent["10.0.0.8:7654"], 3);
  for (const auto other : {alice, bob, new_one}) {
    EXPECT_EQ(driver.inbox(other).back().error().code(), Error::CODE_SERVER_STOPPING);
  }
}

// Rooms that go to another server, one after another ---------------------------------------------

class GivingTest : public TimedRoomTest {
 protected:
  server::ConnectionId follower(const std::string& name) {
    const server::ConnectionId id = driver.connect();
    auto hello = hello_request(name);
    hello.mutable_hello()->add_capabilities("redirect");
    const v1::ServerMessage answer = driver.ask(id, hello);
    EXPECT_TRUE(answer.has_welcome());
    tokens[name] = answer.welcome().token();
    return id;
  }
  std::size_t give(std::size_t max) {
    const std::size_t given = driver.host().give_rooms(other, max, driver.now());
    driver.collect();
    return given;
  }
  /// What the other server reads.
  journal::v1::Saved moved() const {
    Ledger ledger;
    journal::v1::Saved moved;
    for (const journal::v1::Record& record : driver.records) {
      if (record.has_player_moved()) continue;
      if (!record.has_room_moved()) {
        ledger.apply(record);
        continue;
      }
      const journal::v1::RoomMoved& room = record.room_moved();
      EXPECT_EQ(room.stream(), other.stream);
      for (const journal::v1::SavedRoom& known : ledger.saved().rooms()) {
        if (known.room().serial() == room.room().serial()) *moved.add_rooms() = known;
      }
      *moved.mutable_rooms(moved.rooms_size() - 1)->mutable_room() = room.room();
      moved.mutable_players()->MergeFrom(room.players());
    }
    return moved;
  }

  const server::Directory::LobbyServer other{7, "10.0.0.7:7654", "key"};
  std::map<std::string, std::string> tokens;
};

TEST_F(GivingTest, a_room_goes_with_everybody_in_it_while_another_one_plays_on) {
  const auto carol = follower("carol");
  const auto dave = follower("dave");
  const auto erin = follower("erin");
  ASSERT_TRUE(driver.ask(carol, create_request("den")).has_snapshot());
  ASSERT_TRUE(driver.ask(dave, join_request("den")).has_snapshot());
  ASSERT_TRUE(driver.ask(carol, move_request(1, 1)).has_update());
  ASSERT_TRUE(driver.ask(erin, watch_request("den")).has_snapshot());
  ASSERT_TRUE(driver.ask(alice, watch_request("den")).has_snapshot());
  ASSERT_TRUE(driver.ask(bob, create_request("pit")).has_snapshot());
  ASSERT_TRUE(driver.ask(bob, add_ai_request(v1::MARK_O)).has_update());
  EXPECT_EQ(give(1), 1u);
  for (const auto who : {carol, dave, erin}) {
    EXPECT_EQ(driver.inbox(who).back().redirect().server().address(), other.address);
    EXPECT_FALSE(driver.is_open(who));
  }
  EXPECT_EQ(driver.inbox(alice).back().error().code(), Error::CODE_SERVER_STOPPING)
      << "it follows no redirects";
  EXPECT_EQ(driver.host().rooms(), 1u);
  EXPECT_EQ(driver.host().players(), 1u);
  EXPECT_TRUE(driver.ask(bob, move_request(0, 0)).has_update());

  const journal::v1::Saved saved = moved();
  ASSERT_EQ(saved.players_size(), 2);
  std::vector<std::string> watchers;
  for (const journal::v1::Record& record : driver.records) {
    if (!record.has_player_moved()) continue;
    EXPECT_EQ(record.player_moved().stream(), other.stream);
    watchers.push_back(record.player_moved().player().name());
  }
  EXPECT_THAT(watchers, testing::UnorderedElementsAre("alice", "erin"));

  HostDriver receiver(HostDriver::recording(), 2);
  EXPECT_TRUE(receiver.host().adopt(saved, receiver.now()).refused.empty());
  receiver.collect();
  const auto again = receiver.come_back(tokens["carol"], "den");
  const v1::RoomSnapshot room = receiver.inbox(again).back().snapshot();
  EXPECT_EQ(room.your_seat(), v1::MARK_X);
  EXPECT_EQ(room.moves_size(), 1);
  EXPECT_TRUE(receiver.ask(receiver.come_back(tokens["dave"]), move_request(0, 0)).has_update());
  EXPECT_EQ(give(5), 1u);
  EXPECT_EQ(give(5), 0u);
}

// The name of somebody who was forgotten is held against strangers, not against a player of the
// lobby who has claimed it at another server since.
TEST_F(GivingTest, a_player_whose_name_is_held_for_a_forgotten_one_comes_all_the_same) {
  server::Config for_one = HostDriver::recording();
  for_one.limits.players = 1;
  HostDriver receiver(for_one, 2);
  const auto former = receiver.enter("carol");
  receiver.ask(former, create_request("pit"));
  receiver.ask(former, add_ai_request(v1::MARK_O));
  receiver.ask(former, move_request(0, 0));
  receiver.ask(former, leave_request());
  receiver.disconnect(former);
  receiver.disconnect(receiver.enter("passer-by"));
  ASSERT_EQ(receiver.host().players(), 1u);
  const auto carol = follower("carol");
  ASSERT_TRUE(driver.ask(carol, create_request("den")).has_snapshot());
  EXPECT_EQ(give(1), 1u);
  for (const auto& refused : receiver.host().adopt(moved(), receiver.now()).refused) {
    ADD_FAILURE() << refused.id << ": " << refused.why;
  }
  receiver.collect();
  const auto again = receiver.come_back(tokens["carol"], "den");
  EXPECT_EQ(receiver.inbox(again).back().snapshot().your_seat(), v1::MARK_X);
}

TEST_F(GivingTest, what_a_room_waits_for_is_given_up_without_an_answer) {
  driver.thinks = false;
  const auto carol = follower("carol");
  ASSERT_TRUE(driver.ask(carol, create_request("den")).has_snapshot());
  ASSERT_TRUE(driver.ask(carol, add_ai_request(v1::MARK_O)).has_update());
  driver.post(carol, hint_request());
  ASSERT_EQ(driver.thoughts.size(), 1u);
  driver.take(carol);
  EXPECT_EQ(give(1), 1u);
  EXPECT_EQ(driver.inbox(carol).size(), 1u);
  EXPECT_EQ(driver.stopped_thoughts.size(), 1u);
  EXPECT_EQ(driver.released.size(), 1u);
  driver.answer_thought(driver.thoughts[0].id, ai::Choice{});
  EXPECT_FALSE(driver.host().next_deadline());
}

TEST_F(GivingTest, who_has_found_a_room_that_goes_has_to_ask_again) {
  const auto carol = follower("carol");
  ASSERT_TRUE(driver.ask(carol, create_request("den", "secret")).has_snapshot());
  driver.derives_keys = false;
  driver.post(bob, join_request("den", v1::MARK_NONE, "secret"));
  driver.go_on();
  ASSERT_EQ(driver.key_requests.size(), 1u);
  EXPECT_EQ(give(1), 1u);
  driver.answer_key_requests();
  driver.go_on();
  EXPECT_EQ(driver.inbox(bob).back().error().code(), Error::CODE_CANNOT_RECORD);
  EXPECT_GT(driver.inbox(bob).back().error().retry_after_ms(), 0u);
}

TEST_F(GivingTest, new_rooms_begin_at_the_other_server) {
  const auto carol = follower("carol");
  EXPECT_EQ(give(1), 0u);
  const v1::ServerMessage answer = driver.ask(carol, create_request("den"));
  EXPECT_EQ(answer.redirect().server().address(), other.address);
  EXPECT_EQ(driver.records.back().player_moved().player().name(), "carol");
  EXPECT_TRUE(driver.ask(alice, create_request("den")).has_snapshot()) << "she can't go there";
  driver.pass(seconds(1));
  EXPECT_TRUE(driver.ask(follower("dave"), play_request()).has_snapshot()) << "nobody gives now";
}

TEST_F(GivingTest, nothing_goes_while_nothing_can_be_recorded) {
  const auto carol = follower("carol");
  ASSERT_TRUE(driver.ask(carol, create_request("den")).has_snapshot());
  const auto records = driver.records.size();
  driver.host().set_journal_health(server::JournalHealth::stalled, driver.now());
  driver.collect();
  EXPECT_EQ(give(1), 0u);
  EXPECT_EQ(driver.records.size(), records);
  EXPECT_TRUE(driver.is_open(carol));
  driver.host().set_journal_health(server::JournalHealth::good, driver.now());
  EXPECT_EQ(give(1), 1u);
}

TEST_F(GivingTest, games_that_go_are_no_games_that_have_ended) {
  begin();
  driver.ask(alice, move_request(0, 0));
  driver.host().drain(seconds(60), driver.now());
  EXPECT_EQ(give(1), 1u);
  EXPECT_FALSE(driver.host().is_drained(driver.now()));
  EXPECT_TRUE(driver.host().is_drained(driver.now() + seconds(1)));
}

TEST(Giving, sends_a_limited_number_of_people_away_in_each_event) {
  server::Config config = HostDriver::recording();
  config.limits.connections_per_address = 0;
  HostDriver driver(config);
  constexpr int rooms = 100;
  for (int i = 0; i < rooms; ++i) {
    const auto id = driver.enter("p" + std::to_string(i));
    ASSERT_TRUE(driver.ask(id, create_request("r" + std::to_string(i))).has_snapshot());
  }
  EXPECT_EQ(driver.host().give_rooms({7, "b:1", {}}, rooms, driver.now()), 64u);
  driver.collect();
  EXPECT_EQ(driver.host().rooms(), 36u);
}

}  // namespace
}  // namespace tictactoe::test::host_draining_tests
