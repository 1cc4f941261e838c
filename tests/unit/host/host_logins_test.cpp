// Servers with a password, and names that need one.
#include <gtest/gtest.h>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_logins_tests {
namespace {

using std::chrono::seconds;
using v1::Error;

core::Login login(const std::string& name, const std::string& password,
                  const std::string& salt = "salt") {
  core::Login made{name, {{1, 8, 1}, salt, {}}, name + "'s id"};
  made.key.key = core::derive_key({password, made.key});
  return made;
}

v1::ClientMessage hello_with(const std::string& name, const std::string& account_password,
                             const std::string& token = {}) {
  v1::ClientMessage message = hello_request(name);
  message.mutable_hello()->set_account_password(account_password);
  message.mutable_hello()->set_token(token);
  return message;
}

class AccountsOfPeople : public testing::Test {
 protected:
  static core::Config config() {
    core::Config config = HostDriver::patient();
    config.keeps_records = true;
    config.limits.look_ups = 3;
    config.limits.look_ups_per_address = 3;
    config.limits.look_ups_per_network = 3;
    return config;
  }

  void SetUp() override { driver.host().set_logins(core::Logins({login("ann", "swordfish")})); }

  v1::Welcome welcome(const v1::ClientMessage& hello) {
    last = driver.connect();
    const v1::ServerMessage answer = driver.ask(last, hello);
    EXPECT_TRUE(answer.has_welcome()) << answer.ShortDebugString();
    return answer.welcome();
  }
  v1::Error refusal(const v1::ClientMessage& hello) {
    last = driver.connect();
    return driver.ask(last, hello).error();
  }

  HostDriver driver{config()};
  core::ConnectionId last;
};

TEST_F(AccountsOfPeople, a_stranger_gets_another_name_and_the_reason) {
  const v1::Welcome stranger = welcome(hello_request("ann"));
  EXPECT_EQ(stranger.player_name(), "ann-2");
  EXPECT_NE(stranger.name_note().find("account"), std::string::npos);
  EXPECT_FALSE(stranger.account());
  EXPECT_EQ(welcome(hello_request("bob")).name_note(), "");
}

TEST_F(AccountsOfPeople, the_right_password_gives_the_name) {
  const v1::Welcome ann = welcome(hello_with("ann", "swordfish"));
  EXPECT_EQ(ann.player_name(), "ann");
  EXPECT_TRUE(ann.account());
  EXPECT_EQ(ann.token().size(), core::Token{}.size());
  EXPECT_FALSE(ann.resumed());
}

TEST_F(AccountsOfPeople, a_wrong_password_is_refused_and_soon_has_to_wait) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(refusal(hello_with("ann", "sword")).code(), Error::CODE_ACCOUNT_PASSWORD);
  }
  const v1::Error error = refusal(hello_with("ann", "swordfish"));
  EXPECT_EQ(error.code(), Error::CODE_RATE_LIMITED);
  EXPECT_EQ(error.retry_after_ms(), 1'000u);
  driver.pass(seconds(1));
  EXPECT_EQ(welcome(hello_with("ann", "swordfish")).player_name(), "ann");
}

TEST_F(AccountsOfPeople, other_machines_become_the_same_player_and_take_its_seat) {
  const std::string first = welcome(hello_with("ann", "swordfish")).token();
  const auto desk = last;
  ASSERT_TRUE(driver.ask(desk, create_request("den")).has_snapshot());
  const v1::Welcome laptop = welcome(hello_with("ann", "swordfish"));
  EXPECT_TRUE(laptop.resumed());
  EXPECT_EQ(laptop.room(), "den");
  EXPECT_NE(laptop.token(), first);
  EXPECT_FALSE(driver.is_open(desk));
  EXPECT_EQ(driver.inbox(desk).back().error().code(), Error::CODE_REPLACED);
  EXPECT_EQ(welcome(hello_with("ann", "", first)).player_name(), "ann-2")
      << "the former token is void";
  EXPECT_TRUE(welcome(hello_with("ann", "", laptop.token())).resumed());
}

TEST_F(AccountsOfPeople, a_password_counts_more_than_the_token_of_another_player) {
  const std::string other = welcome(hello_request("ann")).token();
  EXPECT_EQ(refusal(hello_with("ann", "sword", other)).code(), Error::CODE_ACCOUNT_PASSWORD);
  const v1::Welcome ann = welcome(hello_with("ann", "swordfish", other));
  EXPECT_EQ(ann.player_name(), "ann");
  EXPECT_TRUE(ann.account());
  EXPECT_TRUE(welcome(hello_with("ann", "swordfish", ann.token())).resumed());
}

TEST_F(AccountsOfPeople, private_games_know_the_account_on_every_machine) {
  v1::ClientMessage list;
  list.mutable_list_games();
  for (int machine = 0; machine < 2; ++machine) {
    welcome(hello_with("ann", "swordfish"));
    driver.post(last, list);
  }
  welcome(hello_request("ann"));
  driver.post(last, list);
  ASSERT_EQ(driver.look_ups.size(), 3u);
  EXPECT_EQ(driver.look_ups[0].reader, driver.look_ups[1].reader);
  EXPECT_NE(driver.look_ups[0].reader, driver.look_ups[2].reader);
}

TEST_F(AccountsOfPeople, private_games_do_not_know_a_later_account_of_the_same_name) {
  v1::ClientMessage list;
  list.mutable_list_games();
  welcome(hello_with("ann", "swordfish"));
  driver.post(last, list);
  core::Login later = login("ann", "trombone");
  later.id = "another";
  driver.host().set_logins(core::Logins({later}));
  welcome(hello_with("ann", "trombone"));
  driver.post(last, list);
  ASSERT_EQ(driver.look_ups.size(), 2u);
  EXPECT_NE(driver.look_ups[0].reader, driver.look_ups[1].reader);
}

TEST_F(AccountsOfPeople, a_token_is_enough_to_come_back_even_after_a_restart) {
  const std::string token = welcome(hello_with("ann", "swordfish")).token();
  journal::v1::Saved saved;
  for (const auto& record : driver.records) {
    if (record.has_player()) *saved.add_players() = record.player();
  }
  HostDriver next(config(), 2);
  next.host().set_logins(core::Logins({login("ann", "swordfish")}));
  ASSERT_TRUE(next.host().restore(saved, next.now()).refused.empty());
  next.collect();
  const auto id = next.connect();
  EXPECT_TRUE(next.ask(id, hello_with("ann", "", token)).welcome().resumed());
}

TEST_F(AccountsOfPeople, who_had_the_name_before_needs_the_password_from_the_next_time_on) {
  const std::string token = welcome(hello_request("bob")).token();
  ASSERT_TRUE(driver.ask(last, create_request("den")).has_snapshot());
  driver.host().set_logins(core::Logins({login("bob", "pw")}));
  EXPECT_EQ(welcome(hello_with("bob", "", token)).player_name(), "bob-2");
  const v1::Welcome bob = welcome(hello_with("bob", "pw", token));
  EXPECT_EQ(bob.player_name(), "bob");
  EXPECT_EQ(bob.room(), "den") << "the account has the seat of the name";
}

TEST_F(AccountsOfPeople, another_password_makes_tokens_void) {
  const std::string token = welcome(hello_with("ann", "swordfish")).token();
  driver.host().set_logins(core::Logins({login("ann", "other", "other salt")}));
  EXPECT_FALSE(welcome(hello_with("ann", "", token)).resumed());
  EXPECT_EQ(refusal(hello_with("ann", "swordfish")).code(), Error::CODE_ACCOUNT_PASSWORD);
  EXPECT_EQ(welcome(hello_with("ann", "other")).player_name(), "ann");
}

TEST_F(AccountsOfPeople, the_name_is_free_once_the_account_is_gone) {
  driver.host().set_logins({});
  EXPECT_EQ(welcome(hello_with("ann", "swordfish")).player_name(), "ann");
  EXPECT_FALSE(driver.key_requests.size() > 0);
}

TEST_F(AccountsOfPeople, a_stranger_with_a_token_keeps_the_name_that_was_given) {
  const v1::Welcome stranger = welcome(hello_request("ann"));
  const v1::Welcome again = welcome(hello_with("ann", "", stranger.token()));
  EXPECT_TRUE(again.resumed());
  EXPECT_EQ(again.player_name(), "ann-2");
}

TEST_F(AccountsOfPeople, a_peer_that_leaves_while_it_logs_in_leaves_nothing_behind) {
  const auto id = driver.connect();
  driver.derives_keys = false;
  driver.post(id, hello_with("ann", "swordfish"));
  driver.go_on();
  driver.disconnect(id);
  driver.derives_keys = true;
  driver.answer_key_requests();
  driver.go_on();
  EXPECT_EQ(driver.host().players(), 0u);
  EXPECT_EQ(welcome(hello_with("ann", "swordfish")).player_name(), "ann");
}

// The server's password ---------------------------------------------------------------------------

class ServerPassword : public testing::Test {
 protected:
  static core::Config config() {
    core::Config config = HostDriver::patient();
    config.server_password_hash = core::digest("swordfish");
    return config;
  }
  v1::ServerMessage say_hello(const std::string& password, const std::string& token = {},
                              core::Origin from = {1, 1}) {
    v1::ClientMessage message = hello_request("ann");
    message.mutable_hello()->set_server_password(password);
    message.mutable_hello()->set_token(token);
    return driver.ask(driver.connect(from), message);
  }

  HostDriver driver{config()};
};

TEST_F(ServerPassword, is_asked_for_and_checked) {
  EXPECT_EQ(say_hello("").error().code(), Error::CODE_SERVER_PASSWORD);
  EXPECT_EQ(say_hello("sword").error().code(), Error::CODE_SERVER_PASSWORD);
  EXPECT_EQ(say_hello("swordfish").welcome().player_name(), "ann");
}

TEST_F(ServerPassword, can_be_given_after_it_was_asked_for_on_the_same_connection) {
  const auto id = driver.connect();
  v1::ClientMessage message = hello_request("ann");
  EXPECT_EQ(driver.ask(id, message).error().code(), Error::CODE_SERVER_PASSWORD);
  message.mutable_hello()->set_server_password("swordfish");
  EXPECT_TRUE(driver.ask(id, message).has_welcome());
}

TEST_F(ServerPassword, is_not_needed_by_a_player_who_comes_back) {
  const std::string token = say_hello("swordfish").welcome().token();
  EXPECT_TRUE(say_hello("", token).welcome().resumed());
}

TEST_F(ServerPassword, cannot_be_guessed_quickly) {
  int tried = 0;
  for (int i = 0; i < 600; ++i) {
    tried += say_hello("guess").error().code() == Error::CODE_SERVER_PASSWORD ? 1 : 0;
    driver.pass(seconds(1));
  }
  EXPECT_LE(tried, 15) << "in ten minutes";
  EXPECT_TRUE(say_hello("swordfish", {}, {2, 2}).has_welcome()) << "others come in";
}

TEST_F(ServerPassword, lets_a_party_in_at_once) {
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(say_hello("swordfish").has_welcome());
}

}  // namespace
}  // namespace tictactoe::test::host_logins_tests
