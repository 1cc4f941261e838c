// The front end for lines, without any I/O: typed lines become requests of a session, and what
// happens to the session becomes text. Its owner (the Shell, or a test) writes the text, and the
// session's bytes.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "client/net/invitation.hpp"
#include "client/session/session.hpp"
#include "client/words/board.hpp"
#include "client/words/command.hpp"
#include "client/words/messages.hpp"

namespace tictactoe::client {

/// Maximum number of unanswered requests. No more lines are read until some are answered.
inline constexpr std::size_t max_pending = 64;
/// `replay` prints at most this many of the latest moves.
inline constexpr int max_told_moves = 200;

/// Exit statuses of Options::exit_result, besides 0 for a win. For a watcher X counts as the own
/// side.
inline constexpr int exit_lost = 3;
inline constexpr int exit_draw = 4;
inline constexpr int exit_no_result = 5;

class Conversation final : private Subscriber {
 public:
  struct Options {
    Session::Options session;
    std::string server;  ///< how the person named the server, for messages
    /// Each line waits for the answer to the previous one and for its moment in the game. Otherwise
    /// lines are sent at once.
    bool script = false;
    /// Leaves after the first line that is refused or not understood, with exit status 1.
    bool fail = false;
    /// exit_status() says how the last game ended.
    bool exit_result = false;
    /// The server stops with this program.
    bool hosting = false;
    /// Leaves if the name belongs to an account, so that the person can be asked for its password:
    /// see wants_account_password().
    bool asks_account = false;
    Look look;
    FindInvitation find_invitation;
  };

  explicit Conversation(Options options);

  Session& session() { return session_; }
  const Session& session() const { return session_; }

  /// One line of input without its newline. A line over max_line_bytes may be cut to any length
  /// above that.
  void typed(std::string_view line, Time now);
  /// Types `lines`. Unless this is a script, skips those that set up a game if the player returns
  /// to one.
  void begin_with(const std::vector<std::string>& lines, Time now);
  /// The input has ended. Finishes what is pending, then leaves.
  void input_ended(Time now);
  /// Leaves at once.
  void leave(Time now);
  /// Call after every event of the session.
  void update(Time now);
  /// Asks the person how to end.
  void ask_quit(Time now);
  /// Adds a line for the person to the text.
  void tell(std::string_view line) { say(line); }
  void resized(const Look& look) { options_.look = look; }

  /// Text for the person since the last call, in whole lines.
  std::string take_text();
  /// Whether to read more lines now.
  bool wants_lines() const;
  /// Whether the session ended because of Options::asks_account.
  bool wants_account_password() const { return wants_account_password_; }
  /// The program's exit status, once the session has ended.
  int exit_status() const;
  /// Why the session has ended, in a line for people; empty if the person ended it.
  std::string ending_reason() const {
    return ending_text(*session_.ending(), session_, options_.server);
  }

 private:
  enum class Due : std::uint8_t { now, later, never };

  void on_event(const SessionEvent& event) override;
  void tell(const Welcomed& event);
  void tell(const CaughtUp& event);
  void tell(const RoomShown& event);
  void tell(const RoomChanged& event);
  void tell(const RoomsListed& event);
  void tell(const PlayersListed& event);
  void tell(const MembersListed& event);
  void tell(const GamesListed& event);
  void tell(const GameFound& event);
  void tell(const RetryScheduled& event);
  void find_invitation();
  void tell(const Invitation& invitation);

  void say(std::string_view line) { text_.append(line).append("\n"); }
  /// Rejects something that was typed.
  void refuse(std::string_view line);
  void note_result();
  void say_all(const std::vector<Message>& messages, std::string_view before = {});
  void show_board(std::optional<Cell> around = {});
  std::string standing() const;

  bool gives_up() const { return failed_ || wants_account_password_; }
  void pump();
  Due when_due(const Command& command);
  void carry_out(const Command& command);

  Options options_;
  Session session_;
  Time now_;
  std::string text_;
  std::deque<std::string> lines_;
  std::size_t begins_ = 0;  // how many of them are still from begin_with()
  bool input_ended_ = false;
  bool failed_ = false;  // with Options::fail: a line was refused
  bool wants_account_password_ = false;
  bool wait_announced_ = false;  // of the first line
  int result_ = exit_no_result;
  std::shared_ptr<void> search_;  // for the ways to join; a script waits for it
};

}  // namespace tictactoe::client
