// Draining, a journal that is full or stalled, and questions about records.
#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

#include "tests/support/ledger.hpp"
#include "tests/support/timed_room.hpp"

namespace tictactoe::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using v1::Error;
using v1::Outcome;

using DrainingTest = TimedRoomTest;

// The server's own troubles -----------------------------------------------------------------------

TEST_F(DrainingTest, draining_lets_games_end_but_not_begin) {
  begin();
  driver.ask(alice, move_request(0, 0));
  driver.host().drain(seconds(60), driver.now());
  driver.collect();
  EXPECT_EQ(driver.inbox(bob).back().notice().within_ms(), 60'000u);
  const auto carol = driver.enter("carol");
  EXPECT_EQ(refusal(carol, create_request("other")), Error::CODE_NO_NEW_GAMES);
  EXPECT_EQ(refusal(carol, play_request()), Error::CODE_NO_NEW_GAMES);
  EXPECT_FALSE(driver.host().is_drained(driver.now()));
  EXPECT_TRUE(driver.ask(bob, move_request(1, 1)).has_update());
  driver.ask(bob, resign_request());
  EXPECT_TRUE(driver.host().is_drained(driver.now()));
  EXPECT_EQ(refusal(bob, rematch_request()), Error::CODE_NO_NEW_GAMES);
}

TEST(Notices, reach_everybody_a_few_in_each_event) {
  core::Config config = HostDriver::patient();
  config.limits.connections_per_address = 0;
  HostDriver driver(config);
  std::vector<core::ConnectionId> crowd;
  for (int i = 0; i < 1'000; ++i) {
    crowd.push_back(driver.enter("p" + std::to_string(i)));
    driver.take(crowd.back());
  }
  const auto silent = driver.connect();
  const auto told = [&] {
    return std::ranges::count_if(crowd, [&](auto id) { return !driver.inbox(id).empty(); });
  };
  constexpr int most = 256;
  driver.host().drain(seconds(60), driver.now());
  driver.collect();
  EXPECT_LE(told(), most);
  for (auto before = told(); told() < 1'000; before = told()) {
    ASSERT_EQ(driver.host().next_deadline(), driver.now());
    driver.host().deadline_reached(driver.now());
    driver.collect();
    ASSERT_GT(told(), before);
    ASSERT_LE(told() - before, most);
  }
  driver.pass(seconds(1));
  for (const auto id : crowd) {
    ASSERT_EQ(driver.inbox(id).size(), 1u);
    EXPECT_EQ(driver.inbox(id)[0].notice().within_ms(), 60'000u);
  }
  EXPECT_TRUE(driver.inbox(silent).empty());
}

TEST_F(DrainingTest, draining_ends_in_time) {
  begin();
  driver.ask(alice, move_request(0, 0));
  driver.host().drain(seconds(60), driver.now());
  EXPECT_FALSE(driver.host().is_drained(driver.now() + milliseconds(59'999)));
  EXPECT_TRUE(driver.host().is_drained(driver.now() + seconds(60)));
}

TEST_F(DrainingTest, who_follows_redirects_is_sent_to_the_servers_that_take_over) {
  begin();
  const auto new_one = driver.connect();
  std::vector<core::ConnectionId> followers;
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

TEST_F(DrainingTest, with_little_space_games_go_on_but_none_begins) {
  begin();
  driver.host().recording(core::Recording::low, driver.now());
  EXPECT_EQ(refusal(driver.enter("carol"), play_request()), Error::CODE_NO_NEW_GAMES);
  EXPECT_TRUE(driver.ask(alice, move_request(0, 0)).has_update());
  driver.host().recording(core::Recording::good, driver.now());
  EXPECT_TRUE(driver.ask(driver.enter("dave"), play_request()).has_snapshot());
}

TEST_F(DrainingTest, while_nothing_can_be_recorded_nothing_changes) {
  begin(0, 5'000);
  driver.ask(alice, move_request(0, 0));
  const std::string before = room().SerializeAsString();
  const auto records = driver.records.size();
  driver.host().recording(core::Recording::stalled, driver.now());
  for (const auto& request : {move_request(1, 1), chat_request("x"), resign_request(),
                              draw_request(), leave_request(), goodbye_request()}) {
    const Error error = driver.ask(bob, request).error();
    EXPECT_EQ(error.code(), Error::CODE_CANNOT_RECORD);
    EXPECT_GT(error.retry_after_ms(), 0u);
  }
  EXPECT_EQ(room().SerializeAsString(), before);
  driver.pass(seconds(10));
  EXPECT_EQ(driver.records.size(), records) << "nor does a clock end the game";
  driver.host().recording(core::Recording::good, driver.now());
  EXPECT_EQ(room().clocks().o_ms(), 5'000u) << "for that is nobody's fault";
  driver.pass(milliseconds(4'999));
  EXPECT_EQ(room().phase(), v1::PHASE_PLAYING);
  driver.pass(milliseconds(1));
  EXPECT_EQ(room().outcome().reason(), Outcome::REASON_TIME);
}

TEST_F(DrainingTest, records_are_looked_up_beside_the_host) {
  v1::ClientMessage request;
  request.mutable_get_game()->set_id(7);
  request.set_request_id(99);
  driver.send_bytes(alice, request.SerializeAsString());
  ASSERT_EQ(driver.look_ups.size(), 1u);
  v1::ServerMessage found;
  found.mutable_game_found()->mutable_game()->set_id(7);
  driver.host().looked_up(driver.look_ups[0].from, driver.look_ups[0].request_id,
                          core::encode_answer(found, core::Limits{}.server_frame_bytes));
  driver.collect();
  EXPECT_EQ(driver.inbox(alice).back().game_found().game().id(), 7u);
  EXPECT_EQ(driver.inbox(alice).back().request_id(), 99u);
}

TEST_F(DrainingTest, a_server_without_a_journal_says_so) {
  core::Config config;
  HostDriver forgetful(config);
  const auto dave = forgetful.enter("dave");
  v1::ClientMessage request;
  request.mutable_list_games();
  EXPECT_EQ(forgetful.ask(dave, request).error().code(), Error::CODE_NO_RECORDS);
}

}  // namespace
}  // namespace tictactoe::test
