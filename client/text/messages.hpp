// The sentences for what happens to a session: the same ones in both front ends. A front end adds
// what it shows in its own way: boards, lists, how things stand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/session/session.hpp"

namespace tictactoe::client {

/// A message for a person, as a line that is fit for a screen, without a newline.
struct Message {
  enum class Kind : std::uint8_t {
    happened,
    chat,
    refused,  ///< what the person wanted is not done
  };
  Kind kind = Kind::happened;
  std::string text;
};

/// The messages for an event; none if a front end shows it without words. `server` is how the
/// person named the server.
std::vector<Message> messages_of(const SessionEvent& event, const Session& session,
                                 const std::string& server);

/// The chat of the room that is new in `shown`, under a heading; nothing if there is none.
std::vector<Message> chat_messages(const Room& room, const RoomShown& shown);

/// Why there is no connection, in a sentence; empty for no cause.
std::string cause_text(const Cause& cause, const Session& session, const std::string& server);
/// Why the session has ended; empty if it was asked to.
std::string ending_text(const Ending& ending, const Session& session, const std::string& server);

/// Whole seconds that a countdown shows.
std::int64_t seconds_left(Time::duration left);
/// When a countdown or the running clock shows another second; nothing if none runs.
std::optional<Time> next_second(const Session& session, Time now);

/// A request in a few words, for a sentence: "your move b3", "what you said".
std::string request_text(const v1::ClientMessage& asked);

}  // namespace tictactoe::client
