// The sentences for the events of a session, for both front ends. Each front end shows boards,
// lists and the standing in its own way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/session/session.hpp"
#include "client/words/narration.hpp"

namespace tictactoe::client {

/// A message for a person: one sanitized line without a newline.
struct Message {
  enum class Kind : std::uint8_t {
    happened,
    chat,
    refused,  ///< a request of the person failed
  };
  Kind kind = Kind::happened;
  std::string text;
};

/// The messages for an event; none if the front ends show it without words. `server` is how the
/// person named the server. Instructions name the commands or keys of `controls`.
std::vector<Message> messages_of(const SessionEvent& event, const Session& session,
                                 const std::string& server, Controls controls);

inline constexpr std::string_view move_was_played = "That move had already been played.";
inline constexpr std::string_view missed_nothing = "You missed nothing.";
inline constexpr std::string_view room_now = "The room now:";
/// How long the room holds the seat of an absent player, such as "2 min".
std::string hold_text(const Room& room, const v1::Limits& limits);
/// The menu entry that quits and keeps the seat.
std::string keep_seat_text(const Room& room, const v1::Limits& limits);
/// Said after quitting with the seat kept. `hosting`: the server has stopped, too.
std::string seat_kept_text(const Session& session, bool hosting);
/// Said before quitting a program that hosts the server: that the server stops.
std::vector<std::string> hosting_texts(const Session& session);
/// Asks in line mode what to do with the seat when quitting.
std::string quit_question(const Session& session);
/// The answer to a room command outside a room.
std::string no_room_text(Controls controls);
std::string hint_text(Cell cell, Mark mark, bool cannot_lose);
/// Shown while a move waits for its answer.
std::string sent_move_text(Cell cell);
/// The state of a connection that is lost or being resumed; empty if it is up.
std::string lost_text(const Session& session, Time now);
/// Explains the field for a password.
std::string account_password_wanted_text(const std::string& name);
std::string password_wanted_text(const std::string& room);
/// A finished game that can't be replayed; `fault` says why.
std::string unreadable_game_text(const std::string& fault);

/// The new chat lines of `shown`, under a heading; empty if there are none.
std::vector<Message> chat_messages(const Room& room, const RoomShown& shown);

/// Why there is no connection, in a sentence; empty for no cause. `server` is how the person named
/// the server; another one of its lobby is called by its address.
std::string cause_text(const Cause& cause, const Session& session, const std::string& server);
/// Why there is no connection, and when the next try is.
std::string retry_text(const RetryScheduled& event, const Session& session,
                       const std::string& server);
/// Why the session has ended; empty if it was asked to.
std::string ending_text(const Ending& ending, const Session& session, const std::string& server);

/// Whole seconds that a countdown shows.
std::int64_t seconds_left(Time::duration left);
/// When a countdown or the running clock shows another second; nothing if none runs.
std::optional<Time> next_second(const Session& session, Time now);

}  // namespace tictactoe::client
