// The full-screen client without a terminal, a socket or a clock: what the server said and what the
// person typed go in, a picture comes out. It owns the session with the server. The owner of the
// App (the program, or a test) moves the session's bytes, and calls happened() after each event of
// the session.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/net/invitation.hpp"
#include "client/net/protection.hpp"
#include "client/screen/board_pane.hpp"
#include "client/screen/dialogs.hpp"
#include "client/screen/lists_view.hpp"
#include "client/screen/replay_view.hpp"
#include "client/screen/room_form.hpp"
#include "client/screen/room_view.hpp"
#include "client/screen/scene.hpp"
#include "client/screen/start_screen.hpp"
#include "client/session/session.hpp"
#include "client/words/command.hpp"

namespace tictactoe::screen {

using client::Session;
using client::Time;

/// How often people are asked for while they come and go.
inline constexpr client::milliseconds lobby_pace{2'000};
/// Time within which a capital letter that has opened a menu and a number after it are a cell.
inline constexpr client::milliseconds word_pace{1'500};

/// A dialog that has opened ignores keys and clicks, which were meant for the screen below it,
/// until there was none for this time: a key that is held down never answers it.
inline constexpr client::milliseconds dialog_pause{300};
/// Time within which a number after a capital letter makes it a cell instead of a command. Commands
/// that send a request wait for so long.
inline constexpr client::milliseconds capital_pace{1'000};
/// After a game has ended, keys, clicks and pasted text do nothing for this time: they were meant
/// for the game. A person who keeps typing during it has to pause for ended_typing_pause.
inline constexpr client::milliseconds game_end_pause{1'000};
inline constexpr client::milliseconds ended_typing_pause{500};

/// How the player is alerted at their turn.
enum class Alert : unsigned char { bell_and_title, title, bell, none };

class App final : private client::Subscriber {
 public:
  struct Options {
    std::string name;    ///< the wanted name
    bool ascii = false;  ///< the terminal has nothing else
    Alert alert = Alert::bell_and_title;
    std::vector<std::string> commands;  ///< lines that are typed at the first welcome
    bool hosting = false;               ///< the server ends with the program
    bool choose = true;  ///< begins with the choice of a server, and comes back to it
  };

  /// A finished game that is to be played on after so many of its moves, without a server.
  struct PlayOn {
    v1::GameRecord game;
    std::size_t moves = 0;
  };

  explicit App(Options options);

  /// Whether the terminal has nothing but ASCII.
  void set_ascii(bool ascii) { options_.ascii = ascii; }

  // What happens. `now` never runs backwards.

  void take(const Input& input, Time now);
  void press(const Key& key, Time now);
  void point(const Mouse& mouse, Time now);
  void paste(const Paste& paste, Time now);
  /// Ends the program. During a game a dialog asks what becomes of the seat; if it is open already,
  /// the seat is kept.
  void quit(Time now);
  /// The terminal is gone, or the system ends the program: the seat is kept.
  void hang_up(Time now);
  void resized(Size size) { size_ = size; }
  /// The screen on which a server is chosen.
  StartScreen& start() { return start_; }
  /// How others join. The room and the lobby show it in short, and a key shows it all.
  void invite_with(client::Invitation invitation) { invitation_ = std::move(invitation); }
  /// Joins that room once there is a welcome. To be called after begin().
  void join_at_welcome(std::string room) { room_to_join_ = std::move(room); }
  /// To be called before happened(): the session has ended because of that. The person is asked.
  void ask_about_key(client::KeyChange change) { key_change_ = std::move(change); }
  /// Shows an error on the screen on which a server is chosen.
  void tell(std::string notice) { notice_ = std::move(notice); }
  /// Begins a session with a server; `server` is how the person named it. If it `returns`, the
  /// person has gone there for one game: talk_is_over() when that is left, even without
  /// App::choose.
  void begin(Session::Options options, const std::string& server, bool returns = false);
  /// Ends the session because another one follows: see talk_is_over().
  void end_session(Time now);
  /// Adds a line for the person to the log.
  void note(const std::string& line) { log_.add({client::Message::Kind::happened, line}); }
  bool replays() const { return replay_.has_value(); }
  /// It has been worked out where the game that is stepped through was decided.
  void decided(const client::Decision& decision) {
    if (replay_) replay_->decided(decision);
  }
  /// To be called after each event of the session, and at next_deadline().
  void happened(Time now);
  /// Deletes the session that has ended. Only then may another begin.
  void forget_talk();

  // What is to be done.

  /// The new key of the last server, if the person has chosen to trust it since the last call.
  std::optional<tls::Fingerprint> take_trusted_key() { return std::exchange(trusted_key_, {}); }
  /// The password of the account that has the person's name, if it was typed since the last call.
  std::optional<std::string> take_account_password() {
    return std::exchange(account_password_, {});
  }
  /// A game that the person wants to play on since the last call.
  std::optional<PlayOn> take_play_on();
  /// Null before begin() and after forget_talk().
  Session* talk() { return talk_.get(); }
  /// Whether the session has ended and another one follows. If ending() is set
  /// instead, the program is over.
  bool talk_is_over() const { return talk_ && talk_->ending() && !ending_; }
  const std::optional<client::Ending>& ending() const { return ending_; }
  /// Whether the session has ended and the server keeps the player's seat.
  bool seat_is_kept() const { return seat_is_kept_; }
  bool gave_password(client::Asks asks) const { return talk_ && talk_->gave_password(asks); }
  /// Whether a dialog is open.
  bool has_dialog() const { return dialog_ != nullptr; }
  /// Why the session has ended, in a line for people; empty if the person ended it.
  const std::string& ending_reason() const { return ending_reason_; }
  /// A finished game that is stepped through since the last call; null if there is none.
  const v1::GameRecord* take_replayed() {
    return std::exchange(replay_is_new_, false) && replay_ ? &replay_->game() : nullptr;
  }
  /// Whether the bell is due since the last call.
  bool take_bell() { return std::exchange(bell_, false); }
  /// The server's own name, or the one that the person gave it.
  std::string server_name() const;
  /// For the title of the window.
  std::string title() const;
  /// When happened() is to be called, beside the session's own deadlines.
  std::optional<Time> next_deadline() const;
  /// Draws everything. O(cells of the screen).
  Scene draw(Time now);

 private:
  enum class Stage : unsigned char { start, lobby, room, games, replay };
  bool has_entry_line() const { return entry_ == Entry::move || entry_ == Entry::chat; }
  Stage stage() const;

  // What happens (app.cpp).
  void on_event(const client::SessionEvent& event) override;
  void add(client::Message message);
  void enter_or_leave_room();
  void watch_turn();
  void watch_game_end();
  void carry_out(const client::Command& command, Time now);
  bool dialog_tells(const client::SessionEvent& event);
  std::vector<std::string> levels() const;
  void sort_lobby();

  // Whether the person has a seat in a game that is going on, or in one that has ended.
  bool plays() const;
  bool has_played() const;

  // People (app_people.cpp).
  bool shows_people() const;
  void ask_for_people(Time now);
  void choose_player(Time now);
  void ask_for_account(const client::Welcomed& event);
  void note_people(const client::SessionEvent& event);
  void choose_action_for(const client::ListedPlayer& player, Time now);
  void mute(const std::string& player, bool on);

  // Finished games (app_replay.cpp).
  void press_games(const Key& key, Time now);
  void press_replay(const Key& key, Time now);
  void begin_room();
  void play_on();

  // Input (app_input.cpp).
  void open(std::unique_ptr<Dialog> dialog, Time now);
  /// Opens a dialog of that class.
  template <class Kind, class... Arguments>
  void open(Time now, Arguments&&... arguments) {
    open(std::make_unique<Kind>(std::forward<Arguments>(arguments)...), now);
  }
  /// The dialog that is open, if it is of that class.
  template <class Kind>
  Kind* dialog() const {
    return dynamic_cast<Kind*>(dialog_.get());
  }
  bool dialog_ignores_input(Time now);
  bool is_too_early(const Key& key, Time now);
  LineEditor* line_to_type();
  void act(const Pressed& pressed, Time now);
  void open_quit_menu(Time now);
  void ask_about_new_key();
  void show_invitation(Time now);
  void press_spot(const Key& key, Time now);
  void choose_in_list(std::size_t index, Time now);

  // Keys (app_keys.cpp).
  void press_entry(const Key& key, Time now);
  void finish_entry(Time now);
  void press_start(const Key& key, Time now);
  void press_lobby(const Key& key, Time now);
  void press_room(const Key& key, Time now);
  void press_command(char32_t letter, Time now);
  void begin_entry(Entry entry, std::string_view text);
  bool continue_capital(const Key& key, Time now);
  void show_last_move();
  void press_capital(char32_t letter, Time now);
  bool is_for_ended_game(Time now);
  bool is_for_ended_game(const Key& key, Time now);
  void join_selected(bool watch, Time now);
  void open_room_form(Time now);
  void ask_twice(std::string_view what, v1::ClientMessage request, Time now);
  void resign(Time now);
  void leave_room(Time now);
  void show_games(const std::string& player, Time now);
  void show_board(const std::optional<Cell>& around);
  void next_alert();

  Options options_;
  Time now_;
  Size size_{80, 24};
  std::unique_ptr<Session> talk_;
  std::optional<client::Ending> ending_;
  std::string ending_reason_;
  bool switching_ = false;  // another session is wanted, not the end
  bool returns_ = false;    // the session is for one game
  std::optional<PlayOn> play_on_;
  bool begun_ = false;  // commands were typed

  StartScreen start_;
  client::Invitation invitation_;
  std::string room_to_join_;
  std::optional<client::KeyChange> key_change_;
  std::optional<client::Ending> refused_ending_;  // unless the changed key is trusted
  std::optional<tls::Fingerprint> trusted_key_;
  std::optional<std::string> account_password_;
  std::string server_;  // as the person named it
  std::string connecting_;

  Log log_;
  std::string notice_;  // until the next key or event
  std::size_t selected_ = 0;
  std::vector<client::ListedRoom> rooms_;  // sorted and filtered
  std::size_t all_rooms_ = 0;
  LineEditor filter_{64};

  bool wants_players_ = false;  // to choose from
  bool wants_members_ = false;  // to be told
  bool people_changed_ = true;  // since they were asked for
  Time people_at_;              // when they may be asked for again

  bool rooms_open_ = false;  // the list of rooms, while in a room
  bool games_open_ = false;
  std::string games_of_;  // the player whose games are listed; empty for all
  std::optional<ReplayDesk> replay_;
  bool replay_is_new_ = false;

  bool in_room_ = false;
  BoardPane pane_;
  Entry entry_ = Entry::none;
  LineEditor field_{client::max_line_bytes / 4};  // moves and commands
  LineEditor chat_{client::max_line_bytes / 4};
  std::unique_ptr<Dialog> dialog_;  // null: none is open
  Time quiet_since_;                // the dialog has opened, or ignored input
  bool seat_is_kept_ = false;
  std::string opponent_;   // the AI that takes a seat of the room that is being created
  std::string ai_to_add_;  // to the room, once requests can be sent

  struct Capital {  // the key of a command, but it may begin a cell
    char32_t letter = 0;
    Time at;
    bool waits = false;  // the command is carried out if no number follows
  };
  std::optional<Capital> capital_;
  bool cells_are_typed_ = false;  // letters begin moves
  bool leaves_room_ = false;      // because the person wants to
  Time ended_until_;              // keys are meant for the game that has ended
  bool was_my_turn_ = false;
  bool bell_ = false;

  std::vector<Spot> spots_;  // of the last picture
  std::vector<ListSpot> list_;
};

}  // namespace tictactoe::screen
