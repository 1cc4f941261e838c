// Passwords of rooms, of the server and of logins; rooms that are in no list.
#include <gtest/gtest.h>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_passwords_tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using v1::Error;

class PasswordsTest : public testing::Test {
 protected:
  static server::Config config() {
    server::Config config = HostDriver::patient();
    config.keeps_records = true;
    return config;
  }

  v1::ServerMessage create(const std::string& name, const std::string& password,
                           bool unlisted = false) {
    v1::ClientMessage request = create_request(name, password);
    request.mutable_create_room()->mutable_options()->set_unlisted(unlisted);
    return driver.ask(alice, request);
  }
  server::ConnectionId enter_from(std::uint64_t address, const std::string& name) {
    const auto id = driver.connect({address, address / 256});
    EXPECT_TRUE(driver.ask(id, hello_request(name)).has_welcome());
    return id;
  }
  v1::ServerMessage try_to_join(server::ConnectionId who, const std::string& room,
                                const std::string& password) {
    return driver.ask(who, join_request(room, v1::MARK_NONE, password));
  }

  void create_listed() {
    EXPECT_TRUE(driver.ask(enter_from(5'000, "carol"), create_request("hall")).has_snapshot());
  }

  HostDriver driver{config()};
  server::ConnectionId alice = driver.enter("alice");
};

TEST_F(PasswordsTest, the_journal_has_the_key_and_never_the_password) {
  create("den", "swordfish");
  bool has_key = false;
  for (const auto& record : driver.records) {
    EXPECT_EQ(record.SerializeAsString().find("swordfish"), std::string::npos);
    if (!record.has_room()) continue;
    has_key = true;
    EXPECT_EQ(record.room().password_key().key().size(), server::key_bytes);
    EXPECT_EQ(record.room().password_key().salt().size(), 16u);
  }
  EXPECT_TRUE(has_key);
}

TEST_F(PasswordsTest, guesses_that_are_sent_at_once_are_counted_before_they_are_answered) {
  create("den", "9999");
  driver.derives_keys = false;
  std::vector<server::ConnectionId> guessers;
  for (int i = 0; i < 50; ++i) {
    guessers.push_back(enter_from(1000, "guesser " + std::to_string(i)));
  }
  for (const auto id : guessers) driver.post(id, join_request("den", v1::MARK_NONE, "1234"));
  driver.derives_keys = true;
  driver.answer_key_requests();
  driver.go_on();
  driver.answer_key_requests();
  int tried = 0;
  for (const auto id : guessers) {
    tried += driver.inbox(id).back().error().code() == Error::CODE_WRONG_PASSWORD ? 1 : 0;
  }
  EXPECT_LE(tried, 33) << "the places of one address, and the one that is under way";
}

TEST_F(PasswordsTest, a_right_password_elsewhere_does_not_pay_for_wrong_ones) {
  for (int i = 0; i < 7; ++i) {
    const auto owner = driver.enter("owner " + std::to_string(i));
    driver.ask(owner, create_request("den " + std::to_string(i), "swordfish"));
  }
  create("own", "mine");
  const auto guesser = enter_from(1000, "guesser");
  int tried = 0;
  for (int i = 0; i < 200; ++i) {
    const auto answer = try_to_join(guesser, "den " + std::to_string(i % 7), "1234");
    tried += answer.error().code() == Error::CODE_WRONG_PASSWORD ? 1 : 0;
    driver.ask(guesser, watch_request("own", "mine"));
    driver.ask(guesser, leave_request());
    driver.pass(milliseconds(100));
  }
  EXPECT_LE(tried, 60) << "in twenty seconds";
}

// Unlisted rooms ----------------------------------------------------------------------------------

TEST_F(PasswordsTest, names_of_unlisted_rooms_are_not_guessed) {
  create("attic", "", true);
  int refused = 0;
  for (int i = 0; i < 600; ++i) {
    // From one address, over many connections.
    const auto mallory = enter_from(300, "mallory");
    const std::string guess = "attic " + std::to_string(i);
    const auto answer = i % 2 == 0 ? driver.ask(mallory, join_request(guess))
                                   : driver.ask(mallory, watch_request(guess));
    if (answer.error().code() == Error::CODE_RATE_LIMITED) ++refused;
    driver.ask(mallory, goodbye_request());
    driver.pass(seconds(10));
  }
  EXPECT_GT(refused, 300);
  const auto mallory = enter_from(300, "mallory");
  for (const char* password : {"", "needless"}) {
    const Error wrong = try_to_join(mallory, "cellar", password).error();
    const Error right = try_to_join(mallory, "attic", password).error();
    EXPECT_EQ(wrong.code(), Error::CODE_RATE_LIMITED);
    EXPECT_GT(wrong.retry_after_ms(), 0u);
    EXPECT_EQ(right.SerializeAsString(), wrong.SerializeAsString());
  }
  create_listed();
  EXPECT_TRUE(try_to_join(mallory, "hall", "").has_snapshot()) << "rooms in the list are open";
  EXPECT_TRUE(try_to_join(enter_from(3'000, "bob"), "attic", "").has_snapshot());
}

TEST(Passwords, of_clients_that_guess_names_are_not_looked_for_in_a_database) {
  constexpr bool late = true;
  HostDriver driver(HostDriver::recording(), 1, late);
  const auto mallory = driver.connect({300, 1});
  ASSERT_TRUE(driver.ask(mallory, hello_request("mallory")).has_welcome());
  int refused = 0;
  for (int i = 0; i < 500; ++i) {
    const auto answer = driver.ask(mallory, join_request("attic " + std::to_string(i)));
    if (answer.error().code() == Error::CODE_RATE_LIMITED) ++refused;
  }
  EXPECT_GT(refused, 200);
  EXPECT_EQ(driver.rooms_asked(), 500 - refused);
  const auto bob = driver.connect({900, 3});
  ASSERT_TRUE(driver.ask(bob, hello_request("bob")).has_welcome());
  EXPECT_EQ(driver.ask(bob, join_request("attic")).error().code(), Error::CODE_ROOM_NOT_FOUND);
}

// A server has been restarted, and the rooms that were only watched are gone.
TEST_F(PasswordsTest, a_party_that_comes_back_to_a_room_that_is_gone_is_not_locked_out) {
  create("den", "swordfish");
  const auto carol = enter_from(5'000, "carol");
  v1::ClientMessage attic = create_request("attic");
  attic.mutable_create_room()->mutable_options()->set_unlisted(true);
  driver.ask(carol, attic);
  std::vector<server::ConnectionId> party;
  for (int i = 0; i < 50; ++i) party.push_back(enter_from(300, "guest " + std::to_string(i)));
  for (const char* password : {"", "swordfish", ""}) {
    for (const auto guest : party) {
      const auto answer = driver.ask(guest, watch_request("gone", password));
      EXPECT_EQ(answer.error().code(), Error::CODE_ROOM_NOT_FOUND);
    }
  }
  const auto guest = party.front();
  for (const auto& [room, password] : {std::pair("den", "swordfish"), std::pair("attic", "")}) {
    const auto answer = driver.ask(guest, watch_request(room, password));
    EXPECT_TRUE(answer.has_snapshot()) << answer.ShortDebugString();
    driver.ask(guest, leave_request());
  }
  EXPECT_EQ(try_to_join(party.back(), "den", "typo").error().code(), Error::CODE_WRONG_PASSWORD);
}

TEST_F(PasswordsTest, an_unlisted_room_with_a_password_is_as_if_it_were_not_there) {
  ASSERT_TRUE(create("den", "swordfish", true).has_snapshot());
  const auto bob = enter_from(1000, "bob");
  const auto carol = enter_from(2000, "carol");
  driver.derives_keys = false;
  const auto ask = [&](server::ConnectionId who, const std::string& room, bool watches,
                       const std::string& password) {
    driver.take(who);
    driver.key_requests.clear();
    driver.post(
        who, watches ? watch_request(room, password) : join_request(room, v1::MARK_NONE, password));
    driver.go_on();
    const std::size_t keys = driver.key_requests.size();
    driver.answer_key_requests();
    driver.go_on();
    v1::Error error = driver.inbox(who).back().error();
    // The key is the only thing that takes time.
    return std::to_string(keys) + " " + error.ShortDebugString();
  };
  for (const bool watches : {false, true}) {
    for (int i = 0; i < 35; ++i) {
      const std::string password = i == 0 ? "" : std::to_string(i);
      const std::string there = ask(bob, "den", watches, password);
      EXPECT_EQ(there, ask(carol, "nowhere", watches, password)) << password;
      EXPECT_EQ(there.find("WRONG_PASSWORD"), std::string::npos);
      driver.pass(milliseconds(50));
    }
  }
  EXPECT_NE(ask(bob, "den", false, "8").find("RATE_LIMITED"), std::string::npos);
  // Over a long time, and when the names are refused, too.
  bool has_waited = false;
  for (int i = 0; i < 600; ++i) {
    const std::string password = i % 3 == 0 ? "" : "guess";
    const std::string there = ask(bob, "den", false, password);
    ASSERT_EQ(there, ask(carol, "nowhere", false, password)) << i;
    if (password.empty() && there.find("RATE_LIMITED") != std::string::npos) has_waited = true;
    driver.pass(seconds(i % 7));
  }
  EXPECT_TRUE(has_waited);
}

TEST_F(PasswordsTest, a_key_for_no_room_costs_as_much_as_one_for_a_room) {
  create("den", "swordfish", true);
  const auto bob = driver.enter("bob");
  driver.derives_keys = false;
  std::vector<server::DeriveKey> asked;
  for (const char* room : {"den", "nowhere"}) {
    driver.post(bob, join_request(room, v1::MARK_NONE, "guess"));
    driver.go_on();
    ASSERT_EQ(driver.key_requests.size(), 1u);
    asked.push_back(driver.key_requests.front());
    driver.answer_key_requests();
  }
  EXPECT_EQ(asked[0].request->with.cost.log2_n, asked[1].request->with.cost.log2_n);
  EXPECT_EQ(asked[0].request->with.cost.r, asked[1].request->with.cost.r);
  EXPECT_EQ(asked[0].request->with.cost.p, asked[1].request->with.cost.p);
  EXPECT_EQ(asked[0].request->with.salt.size(), asked[1].request->with.salt.size());
}

// Servers with a password, and names that need one ------------------------------------------------

server::Login login(const std::string& name, const std::string& password,
                    const std::string& salt = "salt") {
  server::Login made{name, {{1, 8, 1}, salt, {}}, name + "'s id"};
  made.key.key = server::derive_key({password, made.key});
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
  static server::Config config() {
    server::Config config = HostDriver::patient();
    config.keeps_records = true;
    config.limits.look_ups = 3;
    config.limits.look_ups_per_address = 3;
    config.limits.look_ups_per_network = 3;
    return config;
  }

  void SetUp() override { driver.host().set_logins(server::Logins({login("ann", "swordfish")})); }

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
  server::ConnectionId last;
};

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
  server::Login later = login("ann", "trombone");
  later.id = "another";
  driver.host().set_logins(server::Logins({later}));
  welcome(hello_with("ann", "trombone"));
  driver.post(last, list);
  ASSERT_EQ(driver.look_ups.size(), 2u);
  EXPECT_NE(driver.look_ups[0].reader, driver.look_ups[1].reader);
}

// The server's password ---------------------------------------------------------------------------

class ServerPassword : public testing::Test {
 protected:
  static server::Config config() {
    server::Config config = HostDriver::patient();
    config.server_password_hash = server::digest("swordfish");
    return config;
  }
  v1::ServerMessage say_hello(const std::string& password, const std::string& token = {},
                              server::Origin from = {1, 1}) {
    v1::ClientMessage message = hello_request("ann");
    message.mutable_hello()->set_server_password(password);
    message.mutable_hello()->set_token(token);
    return driver.ask(driver.connect(from), message);
  }

  HostDriver driver{config()};
};

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
}  // namespace tictactoe::test::host_passwords_tests
