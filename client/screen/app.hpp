// The full-screen client without a terminal, a socket or a clock: server messages and input go in,
// a picture comes out. It owns the session with the server. The owner of the App (the program, or a
// test) moves the session's bytes, and calls happened() after each event of the session.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/net/invitation.hpp"
#include "client/net/protection.hpp"
#include "client/paint/scene.hpp"
#include "client/screen/board_pane.hpp"
#include "client/screen/dialogs.hpp"
#include "client/screen/lists_view.hpp"
#include "client/screen/lobby_list.hpp"
#include "client/screen/replay_view.hpp"
#include "client/screen/room_form.hpp"
#include "client/screen/room_view.hpp"
#include "client/screen/start_screen.hpp"
#include "client/screen/typing_guard.hpp"
#include "client/session/session.hpp"
#include "client/words/command.hpp"

namespace tictactoe::screen {

using client::Session;
using client::Time;

/// Minimum time between two requests for the lists of people.
inline constexpr client::milliseconds lobby_pace{2'000};

/// A new dialog ignores keys and clicks, which were meant for the screen below it, until there was
/// none for this long. So a key that is held down never answers it.
inline constexpr client::milliseconds dialog_pause{300};

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

  /// A finished game to continue after `moves` of its moves, without a server.
  struct PlayOn {
    v1::GameRecord game;
    std::size_t moves = 0;
  };

  /// Actions for the owner of the App.
  struct Wishes {
    /// The person trusts this new key of the last server.
    std::optional<tls::Fingerprint> trusted_key;
    /// The password of the account that has the person's name.
    std::optional<std::string> account_password;
    std::optional<PlayOn> play_on;
    bool replays = false;     ///< a finished game is shown: see replayed()
    bool invitation = false;  ///< see invite_with()
    bool bell = false;
  };

  explicit App(Options options);

  /// Whether the terminal has nothing but ASCII.
  void set_ascii(bool ascii) { options_.ascii = ascii; }

  // What happens. `now` never runs backwards.

  void take(const Input& input, Time now);
  void press(const Key& key, Time now);
  void point(const Mouse& mouse, Time now);
  void paste(const Paste& paste, Time now);
  /// Ends the program. During a game a dialog first asks what to do with the seat; if it is already
  /// open, the seat is kept.
  void quit(Time now);
  /// The terminal is gone, or the system ends the program: the seat is kept.
  void hang_up(Time now);
  void resized(Size size) { size_ = size; }
  /// The screen on which a server is chosen.
  StartScreen& start() { return start_; }
  /// How others join. The room and the lobby show it in short, a dialog in full.
  void invite_with(client::Invitation invitation);
  /// Joins that room once there is a welcome. To be called after begin().
  void join_at_welcome(std::string room) { room_to_join_ = std::move(room); }
  /// Call before happened(), if the session ended because of this. Asks the person.
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
  /// Where the replayed game was decided.
  void decided(const client::Decision& decision) {
    if (replay_) replay_->decided(decision);
  }
  /// Call after each event of the session, and at next_deadline().
  void happened(Time now);
  /// Deletes the session that has ended. Only then may another begin.
  void forget_talk();

  // For the owner.

  /// The actions requested since the last call.
  Wishes take_wishes() { return std::exchange(wishes_, {}); }
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
  /// The game being replayed; null if none.
  const v1::GameRecord* replayed() const { return replay_ ? &replay_->game() : nullptr; }
  /// The server's own name, or the one that the person gave it.
  std::string server_name() const;
  /// For the title of the window.
  std::string title() const;
  /// When to call happened(), besides the session's own deadlines.
  std::optional<Time> next_deadline() const;
  /// Draws everything. O(cells of the screen).
  Scene draw(Time now);

 private:
  enum class Stage : unsigned char { start, lobby, room, games, replay };
  Stage stage() const;
  bool has_entry_line() const { return entry_ == Entry::move || entry_ == Entry::chat; }
  // Whether the person has a seat in a game that is going on, or in one that has ended.
  bool plays() const { return has_seat_in(client::Phase::playing); }
  bool has_played() const { return has_seat_in(client::Phase::finished); }
  bool has_seat_in(client::Phase phase) const;
  std::vector<std::string> levels() const;

  // What happens (app.cpp).
  void on_event(const client::SessionEvent& event) override;
  void session_ended(const client::Ending& ending);
  void type_commands(Time now);
  void add(client::Message message);
  void enter_or_leave_room();
  void watch_turn();
  bool dialog_tells(const client::SessionEvent& event);
  void show_lobby();
  void show_replay(const v1::GameRecord& game);
  bool shows_people() const;
  void ask_for_people(Time now);
  void note_people(const client::SessionEvent& event);
  void answer_players();
  void invited(const client::InvitationCame& invitation);
  void ask_for_account(const client::Welcomed& event);
  void mute(const std::string& player, bool on);
  void ring();

  // Input, and the dialogs that it opens (app_input.cpp).
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
  bool is_for_ended_game(Time now);
  bool is_for_ended_game(const Key& key, Time now);
  bool continue_capital(const Key& key, Time now);
  LineEditor* line_to_type();
  void act(const Pressed& pressed, Time now);
  void press_spot(const Key& key, Time now);
  void choose_in_list(std::size_t index, Time now);
  void open_quit_menu(Time now);
  void ask_about_new_key();
  void show_invitation(Time now);
  client::Invitation invitation_here() const;
  void choose_player(Time now);
  void open_room_form(Time now);
  void ask_twice(std::string_view what, v1::ClientMessage request, Time now);
  void next_alert();

  // Keys of each screen.
  void press_stage(const Key& key, Time now);
  void press_start(const Key& key, Time now);
  void press_lobby(const Key& key, Time now);
  void press_room(const Key& key, Time now);
  void press_games(const Key& key, Time now);
  void press_replay(const Key& key, Time now);
  bool press_anywhere(char32_t letter, Time now);
  void press_command(char32_t letter, Time now);
  void press_capital(char32_t letter, Time now);
  void begin_entry(Entry entry, std::string_view text = {});
  void press_entry(const Key& key, Time now);
  void finish_entry(Time now);
  void carry_out(const client::Command& command, Time now);
  void join_selected(bool watch, Time now);
  void resign(Time now);
  void leave_room(Time now);
  void show_games(const std::string& player, Time now);
  void show_rooms();
  void show_board(const std::optional<Cell>& around);
  void show_last_move();
  void begin_room();
  void play_on();

  Options options_;
  Time now_;
  Size size_{80, 24};
  StartScreen start_;
  client::Invitation invitation_;
  Wishes wishes_;
  std::optional<client::Ending> ending_;
  std::string ending_reason_;

  // The session and its server.
  std::unique_ptr<Session> talk_;
  std::string server_;  // as the person named it
  std::string connecting_;
  std::string room_to_join_;
  bool switching_ = false;     // another session is wanted, not the end
  bool returns_ = false;       // the session is for one game
  bool begun_ = false;         // commands were typed
  bool seat_is_kept_ = false;  // by the server, after the session
  std::optional<client::KeyChange> key_change_;
  std::optional<client::Ending> refused_ending_;  // unless the changed key is trusted

  // View.
  Log log_;
  std::string notice_;  // until the next key or event
  LobbyList lobby_;
  bool rooms_open_ = false;  // the list of rooms, while in a room
  struct Games {
    bool open = false;
    std::string player;  // whose games are listed; empty for all
    std::size_t selected = 0;
  };
  Games games_;
  std::optional<ReplayDesk> replay_;
  BoardPane pane_;
  std::vector<Spot> spots_;  // of the last picture
  std::vector<ListSpot> list_;

  // Input.
  Entry entry_ = Entry::none;
  LineEditor field_{client::max_line_bytes / 4};  // moves and commands
  LineEditor chat_{client::max_line_bytes / 4};
  std::unique_ptr<Dialog> dialog_;  // null: none is open
  Time quiet_since_;                // the dialog has opened, or ignored input
  CapitalKey capital_;
  EndedGame ended_game_;

  // Derived from events of the session.
  bool in_room_ = false;
  bool was_my_turn_ = false;
  std::string opponent_;   // the AI that takes a seat of the room that is being created
  std::string ai_to_add_;  // to the room, once requests can be sent
  struct People {
    bool players_wanted = false;  // to choose from
    bool members_wanted = false;  // to be told
    bool changed = true;          // since they were asked for
    Time ask_at;                  // when they may be asked for again
  };
  People people_;
};

}  // namespace tictactoe::screen
