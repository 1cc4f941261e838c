// Questions about records: any number can be sent at once.
#include <gtest/gtest.h>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_look_ups_tests {
namespace {

using v1::Error;

v1::ClientMessage games_request() {
  v1::ClientMessage message;
  message.mutable_list_games();
  return message;
}

class LookUpsTest : public testing::Test {
 protected:
  static core::Config config() {
    core::Config config = HostDriver::patient();
    config.keeps_records = true;
    config.limits.look_ups = 6;
    config.limits.look_ups_per_address = 4;
    config.limits.look_ups_per_network = 16;
    config.limits.look_ups_per_connection = 2;
    return config;
  }

  core::ConnectionId enter(std::uint64_t address) { return enter({address, address}); }
  core::ConnectionId enter(core::Origin origin) {
    const auto id = driver.connect(origin);
    EXPECT_TRUE(driver.ask(id, hello_request("guest")).has_welcome());
    return id;
  }
  /// Answers the question that runs longest.
  void answer() {
    const core::LookUp question = driver.look_ups.front();
    driver.look_ups.erase(driver.look_ups.begin());
    v1::ServerMessage list;
    list.mutable_game_list();
    driver.host().looked_up(
        question.from, question.request_id,
        core::encode_answer(std::move(list), config().limits.server_frame_bytes));
    driver.collect();
  }
  int answers(core::ConnectionId id) {
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
  std::vector<core::ConnectionId> crowd;
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

TEST_F(LookUpsTest, of_many_addresses_of_a_network_wait_for_one_of_another_network) {
  std::vector<core::ConnectionId> crowd;
  for (std::uint64_t address = 1; address <= 20; ++address) {
    crowd.push_back(enter({address, 1}));
    for (int i = 0; i < 3; ++i) driver.post(crowd.back(), games_request());
  }
  EXPECT_EQ(driver.look_ups.size(), 6u);
  std::vector<core::ConnectionId> others;
  for (std::uint64_t address = 100; address <= 101; ++address) {
    others.push_back(enter({address, address}));
    for (int i = 0; i < 3; ++i) driver.post(others.back(), games_request());
  }
  int ended = 0;
  while (answers(others[0]) < 3 || answers(others[1]) < 3) {
    answer();
    ++ended;
    ASSERT_FALSE(driver.look_ups.empty());
  }
  // Each question waits for the six that run and for one of each network.
  EXPECT_LE(ended, 18);
  while (!driver.look_ups.empty()) answer();
  for (const auto id : crowd) EXPECT_EQ(answers(id), 3);
}

// With the limits that a server has. One thread answers the questions that have begun, and a long
// record takes it a while.
TEST(LookUpsOfANetwork, are_one_at_a_time_so_that_others_wait_for_one) {
  core::Config config = HostDriver::patient();
  config.keeps_records = true;
  HostDriver driver(config);
  const auto ask_from = [&](core::Origin origin) {
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
}  // namespace tictactoe::test::host_look_ups_tests
