// Clients that lose their connection and come back, step by step: a session alone, whose events are
// recorded, and one with the front end for lines.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "client/words/command.hpp"
#include "tests/support/console_harness.hpp"

namespace tictactoe::client::testing {

constexpr const char* first_token = "token: '0123456789abcdef'";

/// Writes the events of a session down: a line for each, its name first.
class Recorder final : public Subscriber {
 public:
  std::string take() { return std::exchange(lines_, {}); }

  void on_event(const SessionEvent& event) override {
    std::visit([this](const auto& happened) { write(happened); }, event);
  }

 private:
  void line(const std::string& text) { lines_ += text + "\n"; }

  void write(const client::Welcomed& event) {
    line(std::string("Welcomed") + (event.welcome.resumed() ? " resumed" : ""));
  }
  void write(const WelcomedBack& event) {
    line(std::string("WelcomedBack") + (event.resumed ? "" : " unknown") +
         (event.lost_room.empty() ? "" : " lost " + event.lost_room));
  }
  void write(const Moved& event) { line("Moved " + event.address); }
  void write(const CaughtUp& event) { line(event.changed ? "CaughtUp changed" : "CaughtUp"); }
  void write(const RoomShown& event) {
    line(std::string("RoomShown") + (event.known ? " known" : "") + ", new chat from " +
         std::to_string(event.first_new_chat));
  }
  void write(const RoomChanged& event) {
    const int number = event.update.change_case();
    line("RoomChanged " + v1::RoomUpdate::descriptor()->FindFieldByNumber(number)->name());
  }
  void write(const RoomLeft& event) { line("RoomLeft " + event.name); }
  void write(const WatchingEnded& event) {
    line("WatchingEnded " + event.name + ": " + event.error.message());
  }
  void write(const Refused& event) { line("Refused: " + event.error.message()); }
  void write(const NotSent& event) {
    line("NotSent " + std::to_string(static_cast<int>(event.reason)));
  }
  void write(const HintGiven& event) { line("HintGiven " + cell_name(event.cell)); }
  void write(const Noticed& event) { line("Noticed: " + event.notice.message()); }
  void write(const ConnectionLost& event) { line("ConnectionLost " + text_of(event.cause)); }
  void write(const RetryScheduled& event) {
    line("RetryScheduled " + text_of(event.cause) +
         (event.another.empty() ? "" : ", at " + event.another));
  }
  void write(const PerhapsLost& /*event*/) { line("PerhapsLost"); }
  template <class Other>
  void write(const Other& /*event*/) {}

  static std::string text_of(const Cause& cause) {
    using Kind = Cause::Kind;
    switch (cause.kind) {
      case Kind::none:
        return "for the cause that was told";
      case Kind::silent:
        return "silent";
      case Kind::no_answer:
        return "without an answer";
      case Kind::passed_on:
        return "passed on";
      case Kind::closed:
        return "closed: " + cause.error.message();
      default:
        return cause.detail;
    }
  }

  std::string lines_;
};

/// A session alone. Lines that are typed become its requests; text() are its events.
class RecordedSession : public SessionPeer {
 public:
  explicit RecordedSession(Session::Options options) : session_(std::move(options)) {
    session_.subscribe(&recorder_);
    session_.connected(now);
  }

  using SessionPeer::session;
  Session& session() override { return session_; }
  void typed(std::string_view line) override {
    const Command command = parse_command(line);
    if (const auto* const place = std::get_if<PlaceMark>(&command))
      session_.place(place->cell, now);
    if (const auto* const asked = std::get_if<v1::ClientMessage>(&command)) {
      session_.request(*asked, now);
    }
    if (std::holds_alternative<Quit>(command)) session_.leave(now);
  }
  std::string text() override { return recorder_.take(); }

 private:
  Session session_;
  Recorder recorder_;
};

/// `retries`: whether temporarily refused requests are sent again.
inline Session::Options lasting(bool retries = false) {
  Session::Options options;
  options.name = "alice";
  options.software = "test";
  options.retry_refused = retries;
  options.patience = std::chrono::seconds(60);
  return options;
}

inline Conversation::Options lasting_lines(bool script = false) {
  Conversation::Options options = Harness::options(script);
  options.session.patience = std::chrono::seconds(60);
  return options;
}

/// A client that loses its connection and comes back, step by step.
template <class Client>
class ReturningAs : public Client {
 public:
  template <class Options>
  explicit ReturningAs(Options options) : Client(std::move(options)) {}

  void enter_room(const v1::RoomSnapshot& room = snapshot()) { this->enter(room, first_token); }

  void lose() {
    this->session().connection_lost("reset by peer", this->now);
    EXPECT_FALSE(this->session().wants_connection());
  }

  /// Waits until the next attempt, connects, and returns the hello.
  v1::Hello reconnect() {
    while (!this->session().wants_connection() && !this->session().ending()) {
      this->pass(this->next_in());
    }
    EXPECT_FALSE(this->session().ending());
    this->sent();
    this->session().connected(this->now);
    hello_ = this->only_request();
    return hello_.hello();
  }

  /// Answers the hello. Returns the request that marks the end of what was missed.
  v1::ClientMessage welcome_back(const std::string& more = "resumed: true room: 'den'") {
    welcome_only(more);
    return this->only_request();
  }
  /// Comes back to a server that has sent all that was missed.
  void come_back(const std::string& more = "resumed: true room: 'den'") {
    reconnect();
    this->answer(welcome_back(more), "pong { }");
  }
  /// Answers the hello, and expects nothing.
  void welcome_only(const std::string& more) {
    this->answer(hello_,
                 "welcome { protocol_version: 1 player_name: 'alice' "
                 "limits { client_frame_bytes: 65536 } " +
                     more + " }");
  }
  /// Answers the hello with a Redirect.
  void redirect_hello(const std::string& redirect) { this->answer(hello_, redirect); }

  std::optional<std::string> take_token() { return this->session().take_token(); }

 private:
  v1::ClientMessage hello_;
};

using Returning = ReturningAs<RecordedSession>;
using ReturningLines = ReturningAs<Harness>;

/// One with a seat in a room.
struct Seated : Returning {
  explicit Seated(Session::Options options = lasting()) : Returning(std::move(options)) {
    enter_room();
  }
};
struct SeatedLines : ReturningLines {
  explicit SeatedLines(Conversation::Options options = lasting_lines())
      : ReturningLines(std::move(options)) {
    enter_room();
  }
};

}  // namespace tictactoe::client::testing
