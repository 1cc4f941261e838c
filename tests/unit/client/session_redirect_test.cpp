// The servers of a lobby: one sends the client to another, or is lost.
#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

#include "tests/support/returning_client.hpp"

namespace tictactoe::client::session_redirect_tests {
namespace {

using std::chrono::seconds;
using testing::first_token;
using ::testing::HasSubstr;
using testing::lasting;
using ::testing::Not;
using testing::o_plays_corner;
using testing::Returning;
using testing::snapshot;
using testing::watched;
using testing::x_plays_centre;

constexpr const char* to_b = "redirect { server { address: '10.0.0.2:7654' key: 'of b' } }";
constexpr const char* to_a = "redirect { server { address: '10.0.0.1:7654' key: 'of a' } }";

/// A client that servers send to each other.
class Moving : public Returning {
 public:
  explicit Moving(Session::Options options = lasting()) : Returning(std::move(options)) {}

  /// Where the next connection goes; "named" for the server that the person named.
  std::string place() const {
    return session().elsewhere() == nullptr ? "named" : session().elsewhere()->address();
  }
  /// The client has closed its connection and wants another one at once, without any wait.
  void expect_at_once() {
    EXPECT_FALSE(session().wants_connection());
    pass(milliseconds(0));
    EXPECT_TRUE(session().wants_connection());
  }
  /// Connects, as reconnect() does, but without the passing of time.
  v1::Hello move() {
    expect_at_once();
    return reconnect();
  }
  void arrive(const std::string& more = "resumed: true room: 'den'") {
    move();
    answer(welcome_back(more), "pong { }");
  }
  /// Enters, asks to join a room, and is sent to another server. Returns the request.
  v1::ClientMessage join(const std::string& redirect = to_b) {
    welcome("alice", first_token);
    typed("join den");
    const auto request = only_request();
    answer(request, redirect);
    return request;
  }
};

TEST(Redirect, is_followed_by_clients_that_say_so) {
  Moving alice;
  EXPECT_THAT(alice.only_request().hello().capabilities(), ::testing::Contains("redirect"));
}

TEST(Redirect, of_a_request_is_followed_with_the_token_and_the_request_is_sent_again) {
  Moving alice;
  alice.welcome("alice", first_token);
  alice.typed("join den");
  const auto join = alice.only_request();
  alice.text();
  alice.answer(join, to_b);
  EXPECT_EQ(alice.place(), "10.0.0.2:7654");
  EXPECT_EQ(alice.session().elsewhere()->key(), "of b");
  const v1::Hello hello = alice.move();
  EXPECT_EQ(hello.token(), "0123456789abcdef");
  EXPECT_EQ(hello.name(), "alice");
  const auto barrier = alice.welcome_back("resumed: true");
  EXPECT_TRUE(barrier.has_ping());
  alice.answer(barrier, "pong { }");
  const auto again = alice.only_request();
  EXPECT_EQ(again.SerializeAsString(), join.SerializeAsString()) << "with the same id";
  alice.answer(again, snapshot());
  const std::string text = alice.text();
  EXPECT_EQ(text, "Moved 10.0.0.2:7654\nRoomShown, new chat from 0\n");
  EXPECT_EQ(alice.place(), "10.0.0.2:7654");
}

TEST(Redirect, of_a_hello_is_followed_and_nothing_is_repeated) {
  Session::Options options = lasting();
  options.token = "0123456789abcdef";
  Moving alice(options);
  alice.answer(alice.only_request(), to_b);
  EXPECT_EQ(alice.move().token(), "0123456789abcdef");
  const auto barrier = alice.welcome_back();
  EXPECT_TRUE(barrier.has_ping());
  alice.news(snapshot());
  alice.answer(barrier, "pong { }");
  EXPECT_TRUE(alice.sent().empty());
  EXPECT_THAT(alice.text(), ::testing::StartsWith("Welcomed resumed\n"));
}

TEST(Redirect, of_a_hello_after_a_lost_connection_takes_the_seat_along) {
  Moving alice;
  alice.enter_room();
  alice.server(x_plays_centre);
  alice.lose();
  alice.reconnect();
  alice.text();
  alice.redirect_hello(to_b);
  const v1::Hello hello = alice.move();
  EXPECT_EQ(hello.room(), "den");
  EXPECT_EQ(hello.revision(), 8U);
  const auto barrier = alice.welcome_back();
  alice.server(o_plays_corner);
  alice.answer(barrier, "pong { }");
  EXPECT_THAT(alice.text(), HasSubstr("RoomChanged move_played\nCaughtUp changed\n"));
}

TEST(Redirect, without_a_request_moves_the_player_whose_seat_stays) {
  Moving alice;
  alice.enter_room();
  alice.server(to_b);
  EXPECT_EQ(alice.move().room(), "den");
  alice.answer(alice.welcome_back(), "pong { }");
  EXPECT_EQ(alice.text(), "Moved 10.0.0.2:7654\n") << "nothing was missed";
  alice.typed("2 2");
  EXPECT_TRUE(alice.only_request().has_move());
}

TEST(Redirect, other_requests_without_an_answer_are_sent_after_the_redirected_one) {
  Moving alice;
  alice.welcome("alice", first_token);
  alice.typed("rooms");
  alice.typed("join den");
  alice.typed("players");
  const auto requests = alice.sent();
  ASSERT_EQ(requests.size(), 3U);
  alice.answer(requests[1], to_b);
  alice.arrive("resumed: true");
  const auto again = alice.sent();
  ASSERT_EQ(again.size(), 3U);
  EXPECT_EQ(again[0].request_id(), requests[1].request_id());
  EXPECT_TRUE(again[1].has_list_rooms());
  EXPECT_TRUE(again[2].has_list_players());
}

TEST(Redirect, a_watcher_who_goes_elsewhere_does_not_watch_again_there) {
  Moving alice;
  auto room = watched();
  alice.enter_room(room);
  alice.typed("watch other");
  alice.answer(alice.only_request(), to_b);
  alice.move();
  const auto barrier = alice.welcome_back("resumed: true");
  EXPECT_TRUE(barrier.has_ping()) << "the old room is at the other server";
  alice.answer(barrier, "pong { }");
  const auto again = alice.only_request();
  EXPECT_EQ(again.watch_room().name(), "other");
  alice.text();
  alice.answer(again, "error { code: CODE_ROOM_NOT_FOUND message: 'No such room.' }");
  EXPECT_EQ(alice.text(), "Refused: No such room.\nRoomLeft den\n");
  EXPECT_EQ(alice.session().room(), nullptr);
}

TEST(Redirect, a_watched_room_that_has_moved_is_watched_there) {
  Moving alice;
  auto room = watched();
  alice.enter_room(room);
  alice.lose();
  alice.reconnect();
  alice.answer(alice.welcome_back("resumed: true"), to_b);
  alice.move();
  const auto watch = alice.welcome_back("resumed: true");
  EXPECT_EQ(watch.watch_room().name(), "den");
  alice.answer(watch, room);
  EXPECT_EQ(alice.session().link(), Session::Link::up);
  EXPECT_TRUE(alice.sent().empty());
}

TEST(Redirect, five_in_a_row_are_followed_and_then_the_client_waits) {
  for (const bool hello : {true, false}) {
    Moving alice;
    const auto join = alice.join();
    for (int followed = 1; followed < 5; ++followed) {
      alice.move();
      const char* const next = followed % 2 == 0 ? to_b : to_a;
      if (hello) {
        alice.redirect_hello(next);
        continue;
      }
      alice.answer(alice.welcome_back("resumed: true"), "pong { }");
      alice.answer(alice.only_request(), next);
    }
    alice.move();
    alice.text();
    if (hello) {
      alice.redirect_hello(to_a);
    } else {
      alice.answer(alice.welcome_back("resumed: true"), "pong { }");
      alice.answer(alice.only_request(), to_a);
    }
    EXPECT_THAT(alice.text(), HasSubstr("ConnectionLost passed on\n"));
    EXPECT_FALSE(alice.session().is_moving());
    EXPECT_GE(alice.next_in(), first_wait * 3 / 4);
    alice.come_back("resumed: true");
    const auto again = alice.only_request();
    EXPECT_EQ(again.SerializeAsString(), join.SerializeAsString());
    alice.answer(again, to_b);
    EXPECT_TRUE(alice.session().is_moving()) << "they are counted anew";
  }
}

TEST(Redirect, redirects_that_lead_to_something_are_not_counted) {
  Moving alice;
  alice.welcome("alice", first_token);
  for (int i = 0; i < 20; ++i) {
    alice.typed("join den");
    alice.answer(alice.only_request(), i % 2 == 0 ? to_b : to_a);
    alice.arrive("resumed: true");
    alice.answer(alice.only_request(), "error { code: CODE_SEAT_TAKEN message: 'Taken.' }");
    ASSERT_EQ(alice.session().link(), Session::Link::up) << i;
  }
}

TEST(Redirect, of_a_player_who_asks_for_nothing_is_not_followed_for_ever) {
  Moving alice;
  alice.enter_room();
  int moves = 0;
  for (alice.server(to_b); alice.session().is_moving(); ++moves) {
    ASSERT_LT(moves, max_redirects);
    alice.arrive();
    alice.server(moves % 2 == 0 ? to_a : to_b);
  }
  EXPECT_EQ(moves, max_redirects);
  EXPECT_GE(alice.next_in(), first_wait * 3 / 4);
  alice.come_back();
  alice.pass(redirects_forgotten_after);
  alice.server(to_b);
  EXPECT_TRUE(alice.session().is_moving());
}

TEST(Redirect, servers_that_pass_a_player_on_are_given_up_after_the_patience) {
  Moving alice;
  alice.enter_room();
  const Time began = alice.now;
  int moves = 0;
  while (!alice.session().ending() && moves < 1000) {
    alice.server(moves++ % 2 == 0 ? to_b : to_a);
    while (!alice.session().wants_connection() && !alice.session().ending()) {
      alice.pass(alice.next_in());
    }
    if (alice.session().ending()) break;
    alice.come_back();
  }
  EXPECT_TRUE(alice.session().ending());
  EXPECT_LE(alice.now - began, std::chrono::seconds(61));
}

TEST(Redirect, to_a_server_that_is_gone_is_a_lost_connection) {
  Moving alice;
  const auto join = alice.join();
  alice.expect_at_once();
  alice.text();
  alice.session().cannot_connect("Connection refused", alice.now);
  EXPECT_THAT(alice.text(), HasSubstr("ConnectionLost Connection refused\n"));
  EXPECT_EQ(alice.place(), "named") << "the last server that has welcomed the client";
  alice.come_back("resumed: true");
  EXPECT_EQ(alice.only_request().SerializeAsString(), join.SerializeAsString());
}

TEST(Redirect, a_hello_that_leads_nowhere_is_said_again_within_the_patience) {
  Session::Options options = lasting(true);
  options.token = "0123456789abcdef";
  Moving alice(options);
  alice.answer(alice.only_request(), to_b);
  alice.expect_at_once();
  alice.session().cannot_connect("Connection refused", alice.now);
  EXPECT_FALSE(alice.session().ending());
  EXPECT_EQ(alice.text(), "RetryScheduled Connection refused\n");
  EXPECT_EQ(alice.place(), "named");
  alice.reconnect();
  alice.welcome_only("resumed: true");
  EXPECT_EQ(alice.session().link(), Session::Link::up);
}

TEST(Redirect, to_a_server_with_another_key_ends) {
  Moving alice;
  alice.join();
  alice.expect_at_once();
  alice.session().refuse_server("It has another key.", alice.now);
  ASSERT_TRUE(alice.session().ending());
  EXPECT_EQ(alice.session().ending()->cause.detail, "It has another key.");
}

TEST(Redirect, to_a_server_of_another_lobby_is_a_lost_connection) {
  Moving alice;
  alice.welcome("alice", std::string(first_token) + " server_id: 7");
  alice.take_token();
  alice.typed("join den");
  alice.answer(alice.only_request(), to_b);
  alice.move();
  alice.text();
  alice.welcome_only("token: 'another token 16' server_id: 8");
  EXPECT_THAT(alice.text(), HasSubstr("ConnectionLost the welcome of another lobby\n"));
  EXPECT_FALSE(alice.take_token()) << "the player of the first lobby is not forgotten";
  EXPECT_EQ(alice.place(), "named");
}

TEST(Redirect, to_what_is_no_address_ends) {
  for (const std::string& server :
       {std::string("address: ''"), "address: '" + std::string(300, 'a') + "'"}) {
    Moving alice;
    alice.join("redirect { server { " + server + " } }");
    EXPECT_TRUE(alice.session().ending()) << server;
  }
}

TEST(Redirect, ends_a_client_that_leaves) {
  Moving alice;
  alice.enter_room();
  alice.typed("quit");
  alice.sent();
  alice.server(to_b);
  ASSERT_TRUE(alice.session().ending());
  EXPECT_EQ(alice.session().ending()->status, 0);
}

// A server of a lobby is lost, and the client goes on at another one ------------------------------

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
  explicit Member(const std::string& servers = only_b, Session::Options options = lasting())
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
  EXPECT_EQ(alice.text(), "RetryScheduled Connection refused, at 10.0.0.2:7654\n");
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
  EXPECT_EQ(alice.text(), "WelcomedBack\nRoomChanged move_played\nCaughtUp changed\n");
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
  EXPECT_THAT(alice.text(),
              ::testing::StartsWith("RetryScheduled It has another key., at 10.0.0."));
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
  Session::Options options = lasting();
  options.patience = seconds(0);
  Member alice(only_b, options);
  alice.session().connection_lost("reset by peer", alice.now);
  EXPECT_TRUE(alice.session().ending());
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
}  // namespace tictactoe::client::session_redirect_tests
