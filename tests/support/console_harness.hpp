// A conversation without a socket: decodes its requests and makes up the answers.
#pragma once

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/lines/conversation.hpp"
#include "common/wire/frame.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::client::testing {

/// A message from its text form. An invalid text ends the test program.
template <class Message>
Message from_text(const std::string& text) {
  Message message;
  if (!google::protobuf::TextFormat::ParseFromString(text, &message)) std::abort();
  return message;
}

inline v1::ServerMessage said(const std::string& text) {
  return from_text<v1::ServerMessage>(text);
}

/// A 3 x 3 room in which alice plays X and bob plays O; `more` changes or adds fields.
inline v1::RoomSnapshot snapshot(const std::string& more = {}) {
  auto base = from_text<v1::RoomSnapshot>(
      "name: 'den' rules { rows: 3 cols: 3 k: 3 } revision: 7 your_seat: MARK_X "
      "x { kind: KIND_PERSON name: 'alice' } o { kind: KIND_PERSON name: 'bob' } "
      "phase: PHASE_PLAYING game: 1 starter: MARK_X turn: MARK_X");
  base.MergeFrom(from_text<v1::RoomSnapshot>(more));
  return base;
}

/// The same room for a player who watches it.
inline v1::RoomSnapshot watched(const std::string& more = {}) {
  v1::RoomSnapshot room = snapshot(more);
  room.set_your_seat(v1::MARK_NONE);
  return room;
}

/// Two updates that may follow snapshot().
inline constexpr const char* x_plays_centre =
    "update { revision: 8 phase: PHASE_PLAYING turn: MARK_O "
    "move_played { mark: MARK_X cell { row: 1 col: 1 } ply: 1 } }";
inline constexpr const char* o_plays_corner =
    "update { revision: 9 phase: PHASE_PLAYING turn: MARK_X "
    "move_played { mark: MARK_O cell { } ply: 2 } }";

/// The requests in the bytes that a session has sent.
inline std::vector<v1::ClientMessage> requests_in(std::string_view bytes) {
  std::vector<v1::ClientMessage> requests;
  for (wire::NextFrame next; (next = wire::take_frame(bytes, std::size_t{1} << 20)).state ==
                             wire::NextFrame::State::frame;) {
    EXPECT_TRUE(requests.emplace_back().ParseFromString(std::string(next.body)));
  }
  EXPECT_EQ(bytes, "");
  return requests;
}

/// Gives a session bytes of its server, `step` at a time, and calls `taken` after each step.
template <class Taken>
void deliver_to(Session& session, std::string_view bytes, Time now, Taken taken,
                std::size_t step = std::string_view::npos) {
  while (!bytes.empty() && session.wants_connection()) {
    const auto space = session.prepare();
    const std::size_t count = std::min({bytes.size(), step, space.size()});
    std::copy_n(bytes.begin(), count, space.begin());
    session.received(count, now);
    taken();
    bytes.remove_prefix(count);
  }
}

inline std::string frame_of(const v1::ServerMessage& message) {
  std::string frame;
  wire::append_frame(frame, message.SerializeAsString());
  return frame;
}

/// Searches for the ways to join a server. The test finds them.
class Searches {
 public:
  using Done = std::function<void(const Invitation&)>;

  FindInvitation finder() const {
    return [last = last_](Done done) {
      *last = std::move(done);
      return last;
    };
  }
  bool is_begun() const { return *last_ != nullptr; }
  /// Answers the last search.
  void find(const Invitation& invitation) const {
    const Done done = *last_;
    done(invitation);
  }

 private:
  std::shared_ptr<Done> last_ = std::make_shared<Done>();
};

/// The server's end of a session, and its clock.
class SessionPeer {
 public:
  SessionPeer() = default;
  virtual ~SessionPeer() = default;
  SessionPeer(const SessionPeer&) = delete;
  SessionPeer& operator=(const SessionPeer&) = delete;

  virtual Session& session() = 0;
  const Session& session() const { return const_cast<SessionPeer*>(this)->session(); }
  /// A line is typed.
  virtual void typed(std::string_view line) = 0;
  /// What the client has told since the last call.
  virtual std::string text() = 0;
  /// Something has happened to the session.
  virtual void happened() {}
  virtual std::optional<Time> next_deadline() const { return session().next_deadline(); }

  /// Advances the time and calls each deadline on the way.
  void pass(milliseconds time) {
    const Time until = now + time;
    for (int rings = 0;; ++rings) {
      const auto next = next_deadline();
      if (!next || *next > until) break;
      if (rings > 100'000) std::abort();  // a deadline that stays due
      now = std::max(now, *next);
      session().deadline_reached(now);
      happened();
    }
    now = until;
  }

  /// Time until the next deadline. There must be one.
  milliseconds next_in() const {
    return std::chrono::duration_cast<milliseconds>(next_deadline().value() - now);
  }

  /// Delivers bytes, `step` at a time.
  void deliver(std::string_view bytes, std::size_t step = std::string_view::npos) {
    deliver_to(session(), bytes, now, [this] { happened(); }, step);
  }

  void server(const v1::ServerMessage& message) { deliver(frame_of(message)); }
  void server(const std::string& text) { server(said(text)); }

  /// Answers the hello; `more` are other fields of the welcome.
  void welcome(const std::string& name = "alice", const std::string& more = {}) {
    answer(only_request(), "welcome { protocol_version: 1 player_name: '" + name +
                               "' limits { client_frame_bytes: 65536 } " + more + " }");
  }

  /// Answers a `play` with `snapshot`.
  void enter(const v1::RoomSnapshot& room = snapshot(), const std::string& more_welcome = {}) {
    welcome("alice", more_welcome);
    typed("play");
    answer(only_request(), room);
    text();
  }

  /// Requests since the last call.
  std::vector<v1::ClientMessage> sent() { return requests_in(session().take_bytes()); }

  /// The one request since the last call.
  v1::ClientMessage only_request() {
    const auto messages = sent();
    EXPECT_EQ(messages.size(), 1U);
    return messages.empty() ? v1::ClientMessage() : messages.front();
  }

  /// Answers the last request with `event`, a ServerMessage in text form.
  void answer(const v1::ClientMessage& request, const std::string& event) {
    server("request_id: " + std::to_string(request.request_id()) + " " + event);
  }
  void answer(const v1::ClientMessage& request, const v1::RoomSnapshot& room) {
    v1::ServerMessage message;
    message.set_request_id(request.request_id());
    *message.mutable_snapshot() = room;
    server(message);
  }
  /// A message with request_id 0.
  void news(const v1::RoomSnapshot& room) { answer({}, room); }

  /// Joins a room. Returns the text since the welcome.
  std::string join(const v1::RoomSnapshot& room) {
    welcome();
    text();
    typed("join den");
    answer(only_request(), room);
    return text();
  }

  Time now{std::chrono::hours(1)};
};

class Harness : public SessionPeer {
 public:
  explicit Harness(bool script, const std::string& name = "alice")
      : Harness(options(script, name)) {}
  explicit Harness(Conversation::Options options) : conversation(with_finder(std::move(options))) {
    conversation.session().connected(now);
  }

  static Conversation::Options options(bool script, const std::string& name = "alice") {
    Conversation::Options options;
    options.session.name = name;
    options.session.software = "test";
    options.server = "testhost";
    options.script = script;
    return options;
  }

  using SessionPeer::session;
  Session& session() override { return conversation.session(); }
  void typed(std::string_view line) override { conversation.typed(line, now); }
  std::string text() override { return conversation.take_text(); }
  void happened() override { conversation.update(now); }
  std::optional<Time> next_deadline() const override { return session().next_deadline(); }

  /// The ways to join are known.
  void find(const Invitation& invitation) {
    searches.find(invitation);
    conversation.update(now);
  }

  Searches searches;
  Conversation conversation;

 private:
  Conversation::Options with_finder(Conversation::Options options) const {
    options.find_invitation = searches.finder();
    return options;
  }
};

/// A person whom the server has welcomed.
struct Welcomed : Harness {
  Welcomed() : Harness(false) {
    welcome();
    text();
  }
};

/// A person in a room. What was sent and said before is taken.
struct InRoom : Harness {
  explicit InRoom(const v1::RoomSnapshot& room = snapshot()) : Harness(false) { enter(room); }
};

}  // namespace tictactoe::client::testing
