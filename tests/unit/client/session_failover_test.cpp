// A server of a lobby is lost, and the client goes on at another one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/support/returning_client.hpp"

namespace tictactoe::client::session_failover_tests {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;
using testing::lasting;
using ::testing::Not;
using testing::o_plays_corner;
using testing::Returning;
using testing::snapshot;
using testing::x_plays_centre;

constexpr const char* a_and_b =
    "token: '0123456789abcdef' server_id: 7 "
    "servers { address: '10.0.0.1:7654' key: 'of a' } "
    "servers { address: '10.0.0.2:7654' key: 'of b' }";
constexpr const char* only_b =
    "token: '0123456789abcdef' server_id: 7 servers { address: '10.0.0.2:7654' key: 'of b' }";
constexpr const char* back_at_b =
    "resumed: true room: 'den' server_id: 7 servers { address: '10.0.0.2:7654' key: 'of b' }";

/// A client with a seat in a lobby of several servers.
class Member : public Returning {
 public:
  explicit Member(const std::string& servers = only_b, Conversation::Options options = lasting())
      : Returning(std::move(options)) {
    enter(snapshot(), servers);
  }

  std::string place() {
    return session().elsewhere() == nullptr ? "named" : session().elsewhere()->address();
  }
  /// No server can be reached where the client is trying it. Returns the wait before the next try.
  milliseconds refuse_connection() {
    wait_for_try();
    session().cannot_connect("Connection refused", now);
    return session().ending() ? milliseconds(-1) : next_in();
  }
  void wait_for_try() {
    while (!session().wants_connection() && !session().ending()) pass(next_in());
  }
};

TEST(Failover, tries_the_lost_server_first_and_then_another_at_once) {
  Member alice;
  alice.lose();
  EXPECT_EQ(alice.place(), "named");
  EXPECT_GE(alice.next_in(), first_wait * 3 / 4);
  alice.text();
  EXPECT_EQ(alice.refuse_connection(), milliseconds(0));
  EXPECT_EQ(alice.text(),
            "Can't reach a server at testhost: Connection refused. Trying 10.0.0.2:7654.\n");
  EXPECT_EQ(alice.place(), "10.0.0.2:7654");
  EXPECT_EQ(alice.session().elsewhere()->key(), "of b");
}

TEST(Failover, goes_on_in_the_room_with_what_was_missed) {
  Member alice;
  alice.server(x_plays_centre);
  alice.lose();
  alice.refuse_connection();
  const v1::Hello hello = alice.reconnect();
  EXPECT_EQ(hello.token(), "0123456789abcdef");
  EXPECT_EQ(hello.room(), "den");
  EXPECT_EQ(hello.revision(), 8U);
  alice.text();
  const auto barrier = alice.welcome_back(back_at_b);
  alice.server(o_plays_corner);
  alice.answer(barrier, "pong { }");
  EXPECT_THAT(alice.text(), ::testing::StartsWith("Back on the server as alice, at 10.0.0.2:7654.\n"
                                                  "bob plays a1.\nYour turn: place your X.\n"));
  alice.lose();
  EXPECT_EQ(alice.place(), "10.0.0.2:7654") << "it is the first to be tried from now on";
}

TEST(Failover, a_move_without_an_answer_is_sent_again) {
  Member alice;
  alice.typed("b2");
  EXPECT_TRUE(alice.only_request().has_move());
  alice.lose();
  alice.refuse_connection();
  alice.come_back(back_at_b);
  EXPECT_TRUE(alice.only_request().has_move());
}

TEST(Failover, waits_a_second_at_most_until_a_server_has_taken_over) {
  Member alice;
  alice.lose();
  for (Time lost = alice.now; alice.now < lost + seconds(15);) {
    alice.refuse_connection();
    ASSERT_EQ(alice.place(), "10.0.0.2:7654");
    alice.reconnect();
    alice.redirect_hello("redirect { server { address: '10.0.0.1:7654' key: 'of a' } }");
    alice.pass(milliseconds(0));
    ASSERT_EQ(alice.place(), "10.0.0.1:7654");
    const milliseconds wait = alice.refuse_connection();
    ASSERT_GT(wait, milliseconds(0));
    ASSERT_LE(wait, longest_wait_for_takeover * 5 / 4);
    ASSERT_EQ(alice.place(), "named");
  }
  EXPECT_THAT(alice.text(), Not(HasSubstr("Moved")));
}

TEST(Failover, a_hello_that_is_refused_for_now_is_said_again) {
  Member alice;
  alice.lose();
  alice.refuse_connection();
  alice.reconnect();
  alice.redirect_hello(
      "error { code: CODE_CANNOT_RECORD message: 'Try again.' retry_after_ms: 1000 }");
  EXPECT_FALSE(alice.session().ending());
  EXPECT_LE(alice.next_in(), longest_wait_for_takeover * 5 / 4);
}

TEST(Failover, a_server_that_does_not_answer_is_left_after_three_seconds) {
  Member alice;
  alice.lose();
  alice.wait_for_try();
  EXPECT_EQ(alice.next_in(), lobby_connect_timeout);
  alice.pass(lobby_connect_timeout);
  EXPECT_EQ(alice.place(), "10.0.0.2:7654");
  EXPECT_TRUE(alice.session().wants_connection());
}

TEST(Failover, a_server_with_another_key_than_the_named_one_is_left_out) {
  Member alice(a_and_b);
  alice.lose();
  alice.refuse_connection();
  alice.wait_for_try();
  const std::string bad = alice.place();
  alice.text();
  alice.session().refuse_server("It has another key.", alice.now);
  ASSERT_FALSE(alice.session().ending());
  EXPECT_THAT(alice.text(), ::testing::StartsWith("It has another key. Trying 10.0.0."));
  EXPECT_NE(alice.place(), bad);
  for (int tries = 0; tries < 6; ++tries) {
    alice.refuse_connection();
    EXPECT_NE(alice.place(), bad);
  }
}

TEST(Failover, the_named_server_with_another_key_ends) {
  Member alice;
  alice.lose();
  alice.wait_for_try();
  alice.session().refuse_server("The key has changed.", alice.now);
  EXPECT_TRUE(alice.session().ending());
}

TEST(Failover, gives_up_after_its_patience) {
  Member alice(a_and_b);
  alice.lose();
  const Time lost = alice.now;
  int tries = 0;
  while (!alice.session().ending() && tries < 1000) {
    alice.refuse_connection();
    ++tries;
  }
  ASSERT_TRUE(alice.session().ending());
  EXPECT_EQ(alice.session().ending()->status, 1);
  EXPECT_LE(alice.now - lost, seconds(60));
  EXPECT_LE(tries, 3 * 40) << "three servers in each round";
}

TEST(Failover, tries_nothing_without_patience) {
  Conversation::Options options = lasting();
  options.session.patience = seconds(0);
  Member alice(only_b, options);
  alice.session().connection_lost("reset by peer", alice.now);
  EXPECT_TRUE(alice.session().ending());
}

TEST(Failover, a_player_of_another_lobby_is_not_taken_for_this_one) {
  Member alice;
  alice.take_token();
  alice.lose();
  alice.refuse_connection();
  alice.reconnect();
  alice.welcome_only("token: 'another token 16' server_id: 8");
  EXPECT_FALSE(alice.take_token());
  EXPECT_FALSE(alice.session().ending());
  EXPECT_EQ(alice.place(), "named");
}

TEST(Choice, keeps_a_limited_number_of_servers_in_an_order_of_its_own) {
  v1::Welcome welcome;
  for (int i = 0; i < 100; ++i) {
    welcome.add_servers()->set_address("10.0.0." + std::to_string(i) + ":7654");
  }
  welcome.add_servers()->set_address("10.0.0.1:7654");
  welcome.add_servers();
  welcome.add_servers()->set_address(std::string(max_server_address_bytes + 1, 'a'));
  std::set<std::string> first;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    ServerChoice choice("", seed);
    choice.welcomed(welcome);
    choice.go_home();
    std::set<std::string> tried;
    first.insert(choice.another()->address());
    while (choice.another() != nullptr) {
      choice.go_to_another();
      EXPECT_TRUE(tried.insert(choice.elsewhere()->address()).second) << "twice";
    }
    EXPECT_EQ(tried.size(), max_lobby_servers);
  }
  EXPECT_GT(first.size(), 10U);
}

TEST(Choice, remembers_servers_that_the_last_one_does_not_name) {
  v1::Welcome both;
  both.add_servers()->set_address("a:1");
  both.add_servers()->set_address("b:1");
  v1::Welcome alone;
  *alone.add_servers() = both.servers(1);
  ServerChoice choice("a:1", 1);
  choice.welcomed(both);
  choice.go_home();
  EXPECT_EQ(choice.elsewhere(), nullptr) << "the named one, which is a:1";
  EXPECT_EQ(choice.another()->address(), "b:1");
  choice.go_to_another();
  EXPECT_EQ(choice.another(), nullptr) << "a:1 was tried";
  choice.welcomed(alone);
  choice.go_home();
  EXPECT_EQ(choice.elsewhere()->address(), "b:1");
  ASSERT_NE(choice.another(), nullptr);
  choice.go_to_another();
  EXPECT_EQ(choice.elsewhere()->address(), "a:1");
  EXPECT_EQ(choice.another(), nullptr);
}

}  // namespace
}  // namespace tictactoe::client::session_failover_tests
