#include "client/words/messages.hpp"

#include <algorithm>
#include <utility>

#include "client/model/sanitized.hpp"
#include "client/words/lists.hpp"
#include "client/words/narration.hpp"
#include "client/words/prompts.hpp"
#include "client/words/time.hpp"

namespace tictactoe::client {
namespace {

using Kind = Message::Kind;

std::string refusal_text(const Cause& cause, const Session& session, const std::string& server) {
  const std::string name = quoted(sanitized(session.wanted_name()));
  if (cause.error.code() == v1::Error::CODE_INVALID_NAME) {
    return "The server does not accept the name " + name + ": " + error_text(cause.error) +
           " Choose another with --name.";
  }
  if (cause.error.code() == v1::Error::CODE_ACCOUNT_PASSWORD) {
    return "Wrong password for the account " + name + " at " + server + ".";
  }
  const std::string what = session.passwords().server.empty()
                               ? server + " has a password."
                               : "Wrong password for " + server + ".";
  return what + " Pass it in a file with --server-password-file.";
}

std::string not_your_turn_text(const Room& room) {
  if (room.my_seat == Mark::none) return "You are watching this game and can't move.";
  if (room.turn == Mark::none) return "The game has not started yet. Wait a moment.";
  return "It is " + name_of(room.occupant(room.turn)) + "'s turn (" + mark_name(room.turn) + ").";
}

std::string notice_text(const v1::Notice& notice) {
  if (notice.kind() != v1::Notice::KIND_DRAINING) {
    return "The server says: " + sanitized(notice.message(), max_shown_sentence);
  }
  std::string text = "The server will stop soon: no new games can start";
  if (notice.within_ms() > 0) {
    text.append(", and running games have " + duration_text(milliseconds(notice.within_ms())) +
                " left");
  }
  return text + ".";
}

// Makes the messages of one event.
class MessageWriter {
 public:
  MessageWriter(const Session& session, const std::string& server, Controls controls)
      : session_(session), server_(server), controls_(controls) {}

  std::vector<Message> take() { return std::move(messages_); }

  void operator()(const AdmissionDelayed&) {
    say(server_ + " " + std::string(prompts::admission_delayed));
  }
  void operator()(const Welcomed& event) {
    if (session_.is_local()) {
      return say("Playing without a server. Games are not saved.");
    }
    const v1::Welcome& welcome = event.welcome;
    const std::string& me = session_.me();
    std::string text = "Connected to " + server_name();
    if (!welcome.software().empty()) text.append(" (" + sanitized(welcome.software()) + ")");
    say(text + " as " + me + ".");
    if (welcome.player_name() != session_.wanted_name()) {
      say("Your name here is " + me + ".");
      // Else the server's note says why.
      if (welcome.name_note().empty() && !welcome.resumed()) {
        say("The name " + quoted(sanitized(session_.wanted_name())) +
            " is in use by another player or another of your clients.");
      }
    }
    if (!welcome.name_note().empty()) {
      say(sanitized(welcome.name_note(), max_shown_sentence) +
          " If it is yours, log in with its password.");
    }
    if (!session_.passwords().account.empty() && !welcome.account()) {
      say("There is no account with that name, so the password was not used.");
    }
    if (welcome.resumed() && !welcome.room().empty()) {
      say("You are back in your seat in the room " + quoted(sanitized(welcome.room())) + ".");
    } else if (event.had_token && !welcome.resumed()) {
      say("This server has not met you before: you are a new player.");
    }
  }
  void operator()(const WelcomedBack& event) {
    const v1::ServerAddress* const elsewhere = session_.elsewhere();
    const std::string at = elsewhere == nullptr ? "" : ", at " + sanitized(elsewhere->address());
    say("Back on the server as " + session_.me() + at +
        (event.resumed ? "." : ", but the server no longer knows you: you are a new player."));
    if (!event.lost_room.empty()) {
      say("You lost your seat in the room " + quoted(event.lost_room) + ".");
    }
  }
  void operator()(const Moved& event) { say("Moved to " + event.address + "."); }
  void operator()(const CaughtUp& event) {
    if (!event.changed) say(std::string(missed_nothing));
  }
  void operator()(const RoomShown& event) {
    const Room& room = *session_.room();
    if (event.repeated_move) say(std::string(move_was_played));
    const std::string name = "the room " + quoted(room.name) + ".";
    say(event.known ? std::string(room_now) + " " + standing_of(room, controls_).text
        : room.my_seat == Mark::none ? "You are watching " + name
                                     : "You play " + mark_name(room.my_seat) + " in " + name);
    if (room.waits_for_seat) say(waiting_for_seat_text(room));
    for (Message& line : chat_messages(room, event)) messages_.push_back(std::move(line));
    say(offers_text(room, controls_));
  }
  void operator()(const RoomChanged& event) {
    const Room& room = *session_.room();
    say(update_text(room, event.update, event.seat_before, controls_),
        event.update.has_chat_said() ? Kind::chat : Kind::happened);
    // Who won is worth keeping; whose turn it is can be seen.
    const bool ends = room.phase == Phase::finished && event.phase_before != Phase::finished;
    if (ends && !event.catching_up && room.outcome) {
      say(outcome_text(room));
    }
  }
  void operator()(const RoomLeft& event) {
    say("You are no longer in the room " + quoted(event.name) + ".");
  }
  void operator()(const WatchingEnded& event) {
    say("You are no longer watching the room " + quoted(event.name) + ": " +
        error_text(event.error));
  }
  void operator()(const Refused& event) { say(error_text(event.error), Kind::refused); }
  void operator()(const NotSent& event) {
    switch (event.reason) {
      case NotSent::Reason::no_room:
        return say(no_room_text(controls_), Kind::refused);
      case NotSent::Reason::no_connection:
        return say("Not sent: you are not connected.", Kind::refused);
      case NotSent::Reason::too_long:
        return say("That is too long for this server. Type something shorter.", Kind::refused);
      case NotSent::Reason::not_your_turn:
        return say(not_your_turn_text(*session_.room()), Kind::refused);
    }
  }
  void operator()(const InvitationCame& event) {
    const std::string begin = controls_ == Controls::keys ? "`:" : "`";
    say(invitation_text(event) + ". Type " + begin + invitation_command(event) +
        "` to accept, or " + begin + "mute " + event.from + "`.");
  }
  void operator()(const InvitationSent& event) {
    say("You invited " + person_name(event.player) + ".");
  }
  void operator()(const LobbySaid& event) {
    say(person_name(event.line.from) + " (lobby): " + event.line.text, Kind::chat);
  }
  void operator()(const HintGiven& event) {
    if (!event.current) return say("The hint came too late: the position has changed.");
    say(hint_text(event.cell, event.mark, event.cannot_lose));
  }
  void operator()(const Noticed& event) { say(notice_text(event.notice)); }
  void operator()(const ConnectionLost& event) {
    say(cause_text(event.cause, session_, server_) + " Reconnecting for up to " +
        duration_text(event.patience) + ".");
  }
  void operator()(const PerhapsLost&) {
    say("Your last message or invitation may not have arrived: the connection was lost.");
  }
  // Shown by a front end in its own way.
  template <class Other>
  void operator()(const Other&) {}

 private:
  void say(std::string text, Kind kind = Kind::happened) {
    if (!text.empty()) messages_.push_back({kind, std::move(text)});
  }
  std::string server_name() const {
    return session_.server_name().empty() ? server_ : session_.server_name();
  }

  const Session& session_;
  const std::string& server_;
  Controls controls_;
  std::vector<Message> messages_;
};

}  // namespace

std::vector<Message> messages_of(const SessionEvent& event, const Session& session,
                                 const std::string& server, Controls controls) {
  MessageWriter writer(session, server, controls);
  std::visit(writer, event);
  return writer.take();
}

std::vector<Message> chat_messages(const Room& room, const RoomShown& shown) {
  std::vector<Message> messages;
  for (std::size_t i = shown.first_new_chat; i < room.chat.size(); ++i) {
    messages.push_back({Kind::chat, chat_text(room.chat[i])});
  }
  if (messages.empty()) return messages;
  const std::string heading = shown.known ? "Chat while you were away:" : "Earlier chat:";
  messages.insert(messages.begin(), {Kind::happened, heading});
  return messages;
}

std::string no_room_text(Controls controls) {
  return controls == Controls::lines
             ? "You are not in a room. Type `play`, or `rooms` and then `join NAME`."
             : "You are not in a room. Press P to play the next waiting player.";
}

std::string hint_text(Cell cell, Mark mark, bool cannot_lose) {
  return "Hint: " + cell_name(cell) +
         (cannot_lose ? ". " + mark_name(mark) + " can't lose after it."
                      : " is a good move for " + mark_name(mark) + ".");
}

std::string sent_move_text(Cell cell) {
  return "Sending " + cell_name(cell) + " ...";
}

std::string lost_text(const Session& session, Time now) {
  if (session.link() == Session::Link::up || session.is_moving()) return {};
  if (session.link() == Session::Link::catching_up) {
    return std::string(session.takes_up_seat() ? prompts::taking_up_seat : prompts::catching_up);
  }
  if (!session.next_try()) return "Connection lost. Reconnecting now ...";
  const std::int64_t left = seconds_left(*session.next_try() - now);
  std::string text = "Connection lost. Next try in " + std::to_string(left) + " s.";
  const bool seated = session.room() && session.room()->my_seat != Mark::none;
  return text.append(seated ? " Your seat is kept." : "");
}

std::string hold_text(const Room& room, const v1::Limits& limits) {
  const bool for_long = room.options.away() == v1::AWAY_HOLD || room.options.away() == v1::AWAY_AI;
  std::uint64_t hold = for_long ? limits.longest_hold_ms() : room.options.grace_ms();
  if (!room.options.has_grace_ms() && !for_long) hold = limits.default_grace_ms();
  const bool against_ai = room.occupant(other(room.my_seat)).kind == Occupant::Kind::ai;
  const std::uint64_t against = limits.longest_hold_against_ai_ms();
  if (against_ai && against > 0) hold = std::min<std::uint64_t>(hold, against);
  return duration_text(milliseconds(static_cast<std::int64_t>(hold)));
}

std::string keep_seat_text(const Room& room, const v1::Limits& limits) {
  return "Keep the seat for " + hold_text(room, limits);
}

std::string seat_kept_text(const Session& session, bool hosting) {
  const Room* const room = session.room();
  const std::string time = room ? hold_text(*room, session.limits()) : "a while";
  return hosting ? "The server has stopped. When it starts again, your seat will be held for " +
                       time + "."
                 : "Your seat is held for " + time +
                       ". Start again with the same name and server to return to it.";
}

std::vector<std::string> hosting_texts(const Session& session) {
  std::vector<std::string> texts{
      "The server stops when you quit, and everyone else is disconnected. ./run serve keeps a "
      "server running."};
  if (const Room* const room = session.room(); room && room->phase == Phase::playing) {
    texts.push_back(
        "Games are saved. When the server starts again, the seats of this game will be held for " +
        hold_text(*room, session.limits()) + ".");
  }
  return texts;
}

std::string quit_question(const Session& session) {
  const Room* const room = session.room();
  if (!room || room->phase != Phase::playing || room->my_seat == Mark::none) {
    return "Type `leave` to quit, or `go on` to stay.";
  }
  if (session.is_local()) {
    return "A game is in progress and will not be saved. Type `leave` to end it, or `go on` to "
           "keep playing.";
  }
  std::string keep;
  if (!session.is_guest()) {
    keep = ", `keep` to quit and keep it for " + hold_text(*room, session.limits());
  }
  return "A game is in progress. Type `leave` to quit and give up your seat" + keep +
         ", or `go on` to keep playing.";
}

std::string account_password_wanted_text(const std::string& name) {
  return "The name " + quoted(name) + " has a password.";
}

std::string password_wanted_text(const std::string& room) {
  return "The room " + quoted(room) + " has a password.";
}

std::string unreadable_game_text(const std::string& fault) {
  return "That game can't be shown: " + fault + ".";
}

std::string cause_text(const Cause& cause, const Session& session, const std::string& named) {
  const v1::ServerAddress* const elsewhere = session.elsewhere();
  const std::string server = elsewhere == nullptr ? named : sanitized(elsewhere->address());
  const std::string lost = "Lost the connection to " + server + ": ";
  const std::string doubt = session.is_welcomed() ? "" : " Is it a tic-tac-toe server?";
  switch (cause.kind) {
    case Cause::Kind::none:
      return {};
    case Cause::Kind::unreachable:
      return "Can't reach a server at " + server + ": " + cause.detail + "." +
             (session.is_welcomed() ? "" : " Is it running, and is the address right?");
    case Cause::Kind::untrusted:
      return cause.detail;
    case Cause::Kind::no_welcome:
      return "No answer from " + server + "." + doubt;
    case Cause::Kind::not_let_in:
      return "The server " + server + " has received your name but did not let you in within " +
             duration_text(received_timeout) +
             ": it may be waiting for its disk or its database. Try again later.";
    case Cause::Kind::lost:
      return lost + cause.detail + ".";
    case Cause::Kind::no_answer:
      return lost + "no answer.";
    case Cause::Kind::silent:
      return lost + "it stopped responding.";
    case Cause::Kind::closed:
      return closing_text(server, cause.error);
    case Cause::Kind::refused:
      return refusal_text(cause, session, server);
    case Cause::Kind::replaced:
      return "Another client has connected as " + session.me() + " and has taken over.";
    case Cause::Kind::other_version:
      return server + " speaks version " + cause.detail +
             " of the protocol; this program speaks version " + std::to_string(protocol_version) +
             ".";
    case Cause::Kind::passed_on:
      return lost + "the servers keep redirecting this client to each other.";
    case Cause::Kind::nonsense:
      break;
  }
  return "The server " + server + " sent " + cause.detail + "." + doubt;
}

std::string retry_text(const RetryScheduled& event, const Session& session,
                       const std::string& server) {
  const std::string cause = cause_text(event.cause, session, server);
  return cause + (cause.empty() ? "" : " ") +
         (event.another.empty() ? "Trying again in " + duration_text(event.wait)
                                : "Trying " + event.another) +
         ".";
}

std::string ending_text(const Ending& ending, const Session& session, const std::string& server) {
  std::string text = cause_text(ending.cause, session, server);
  if (ending.patience.count() == 0) return text;
  const std::string late =
      "The server " + server + " has not come back within " + duration_text(ending.patience) + ".";
  return text.empty() ? late : late + " " + text;
}

std::int64_t seconds_left(Time::duration left) {
  return std::chrono::ceil<std::chrono::seconds>(std::max(left, Time::duration(0))).count();
}

std::optional<Time> next_second(const Session& session, Time now) {
  if (session.ending()) return std::nullopt;
  const auto before = [&](Time end) {
    return end - std::chrono::seconds(seconds_left(end - now) - 1);
  };
  if (session.is_moving()) return std::nullopt;
  if (session.next_try()) return before(*session.next_try());
  const auto left = session.room() ? running_clock(*session.room()) : std::nullopt;
  if (!left || session.link() != Session::Link::up) return std::nullopt;
  const Time end = session.clocks_from() + *left;
  if (end <= now) return std::nullopt;
  return before(end);
}

}  // namespace tictactoe::client
