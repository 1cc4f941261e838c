// The full-screen client without a terminal, a socket or a clock: server messages and input go in,
// a picture comes out. It is the frame: the choice of a server, one session after another (see
// Visit), the dialog on top, and the end. The owner of the App (the program, or a test) moves the
// bytes of the session, and calls happened() after each of its events.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/screen/front.hpp"
#include "client/screen/start_screen.hpp"
#include "client/screen/visit.hpp"

namespace tictactoe::screen {

class App {
 public:
  using Options = Front::Options;
  using Wishes = Front::Wishes;

  explicit App(Options options) { front_.options = std::move(options); }

  /// Whether the terminal can show only ASCII.
  void set_ascii(bool ascii) { front_.options.ascii = ascii; }

  // Events and input. `now` never runs backwards.

  void take(const Input& input, Time now);
  void press(const Key& key, Time now);
  void point(const Mouse& mouse, Time now);
  void paste(const Paste& paste, Time now);
  /// Ends the program. During a game a dialog first asks what to do with the seat; if it is already
  /// open, the seat is kept.
  void quit(Time now);
  /// The terminal was closed, or the system ends the program: the seat is kept.
  void hang_up(Time now);
  void resized(Size size) { front_.size = size; }
  /// The screen on which a server is chosen.
  StartScreen& start() { return start_; }
  /// Shows an error on the screen on which a server is chosen.
  void tell(std::string notice) { front_.notice = std::move(notice); }
  /// Begins a session with a server.
  void begin(Session::Options options, Visit::Destination to, client::FindInvitation find = {});
  /// Ends the session because another one follows: see talk_is_over().
  void end_session(Time now);
  /// Adds a line for the person to the log of the session.
  void note(const std::string& line) {
    if (visit_) visit_->note(line);
  }
  /// Call after each event of the session, and at next_deadline().
  void happened(Time now);
  /// Deletes the session that has ended. Only then may another begin.
  void forget_talk();

  // For the owner.

  /// The actions requested since the last call.
  Wishes take_wishes() { return std::exchange(front_.wishes, {}); }
  /// Null before begin() and after forget_talk().
  Session* talk() { return visit_ ? &visit_->session() : nullptr; }
  /// Whether the session has ended and another one follows. If ending() is set instead, the program
  /// is over.
  bool talk_is_over() const { return visit_ && visit_->session().ending() && !end_; }
  /// Null until the program is over.
  const client::Ending* ending() const { return end_ ? &end_->ending : nullptr; }
  /// Why, in a line for people; empty if the person ended it.
  std::string ending_reason() const { return end_ ? end_->reason : std::string(); }
  /// Whether a dialog is open.
  bool has_dialog() const { return static_cast<bool>(front_.dialog); }
  /// The server's own name, or the one that the person gave it; empty without a session.
  std::string server_name() const { return visit_ ? visit_->server_name() : std::string(); }
  /// For the title of the window.
  std::string title() const;
  /// When to call happened(), besides the session's own deadlines.
  std::optional<Time> next_deadline() const;
  /// Draws everything. O(cells of the screen).
  Scene draw(Time now);

 private:
  struct End {
    client::Ending ending;
    std::string reason;
  };

  /// Whether a server has welcomed the person.
  bool is_visiting() const { return visit_ && visit_->session().is_welcomed(); }
  /// Whether a letter is text now, and no key.
  bool is_text_typed() const;
  void session_ended(const client::Ending& ending);
  void press_start(const Key& key, Time now);
  void press_spot(const Key& key, Time now);
  void choose_in_list(std::size_t index, Time now);

  Front front_;
  StartScreen start_;
  std::unique_ptr<Visit> visit_;  // null while a server is chosen
  std::optional<End> end_;
  std::vector<Spot> spots_;  // of the last picture
  std::vector<ListSpot> list_;
};

}  // namespace tictactoe::screen
