// A console client that loses its connection and comes back, step by step.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "client/lines/conversation.hpp"
#include "tests/support/console_harness.hpp"

namespace tictactoe::client::testing {

constexpr const char* first_token = "token: '0123456789abcdef'";

inline Conversation::Options lasting(bool script = false, bool prompt = false) {
  Conversation::Options options = Harness::options(script);
  options.session.patience = std::chrono::seconds(60);
  options.prompt = prompt;
  return options;
}

/// A client that loses its connection and comes back, step by step.
class Returning : public Harness {
 public:
  explicit Returning(Conversation::Options options) : Harness(std::move(options)) {}

  void enter_room(const v1::RoomSnapshot& room = snapshot()) { enter(room, first_token); }

  void lose() {
    session().connection_lost("reset by peer", now);
    EXPECT_FALSE(session().wants_connection());
  }

  /// Waits until the next attempt, connects, and returns the hello.
  v1::Hello reconnect() {
    while (!session().wants_connection() && !session().ending()) pass(next_in());
    EXPECT_FALSE(session().ending());
    sent();
    session().connected(now);
    hello_ = only_request();
    return hello_.hello();
  }

  /// Answers the hello. Returns the request that marks the end of what was missed.
  v1::ClientMessage welcome_back(const std::string& more = "resumed: true room: 'den'") {
    welcome_only(more);
    return only_request();
  }
  /// Comes back to a server that has sent all that was missed.
  void come_back(const std::string& more = "resumed: true room: 'den'") {
    reconnect();
    answer(welcome_back(more), "pong { }");
  }
  /// Answers the hello, and expects nothing.
  void welcome_only(const std::string& more) {
    answer(hello_,
           "welcome { protocol_version: 1 player_name: 'alice' "
           "limits { client_frame_bytes: 65536 } " +
               more + " }");
  }
  /// Answers the hello with a Redirect.
  void redirect_hello(const std::string& redirect) { answer(hello_, redirect); }

  std::optional<std::string> take_token() { return session().take_token(); }

 private:
  v1::ClientMessage hello_;
};

/// One with a seat in a room.
struct Seated : Returning {
  explicit Seated(Conversation::Options options = lasting()) : Returning(std::move(options)) {
    enter_room();
  }
};

}  // namespace tictactoe::client::testing
