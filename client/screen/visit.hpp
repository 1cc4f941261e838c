// One session on the full screen, from its beginning to its end: the lobby, a room, the finished
// games, and what is typed there.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "client/net/invitation.hpp"
#include "client/screen/board_pane.hpp"
#include "client/screen/front.hpp"
#include "client/screen/lists_view.hpp"
#include "client/screen/replay_view.hpp"
#include "client/screen/room_view.hpp"
#include "client/screen/typing.hpp"
#include "client/session/session.hpp"
#include "client/words/command.hpp"

namespace tictactoe::screen {

using client::Session;
using client::Time;

class Visit final : private client::Subscriber {
 public:
  struct Destination {
    std::string server;  ///< as the person named it
    /// To join at the welcome; empty for none.
    std::string room = {};  // NOLINT(readability-redundant-member-init)
  };

  /// `front` must outlive this.
  Visit(Front& front, Session::Options options, Destination to, client::FindInvitation find);
  ~Visit() { typing_.begin_session({}); }  // the completer refers to the session
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

  Session& session() { return session_; }
  const Session& session() const { return session_; }
  /// As the person named it.
  const std::string& server() const { return to_.server; }
  /// The server's own name, or the one that the person gave it.
  std::string server_name() const;
  /// Whether the program continues after this session.
  bool is_followed() const { return is_followed_; }

  // Events and input. A dialog on top takes its own input.

  /// Call after each event of the session, and at next_deadline().
  void happened(Time now);
  std::optional<Time> next_deadline() const;
  /// Adds a line for the person to the log.
  void note(const std::string& line) { log_.add({client::Message::Kind::happened, line}); }
  void press(const Key& key, Time now);
  void paste(std::string_view text);
  /// Handles a click outside all keys and lists. Returns whether it has chosen a cell, which Enter
  /// then plays.
  bool point_at(Point place);
  /// Scrolls the board. False if none is shown.
  bool scroll(int rows);
  /// Selects an entry of the list that is shown. Returns whether it was selected already.
  bool select(std::size_t index);
  /// Handles the key after a capital letter: a number makes both a cell such as "L8", whatever the
  /// letter has opened; other keys may end the wait for a number. Returns whether the key was used.
  bool continue_capital(const Key& key, Time now);
  bool capital_waits() const { return capital_.waits(); }
  /// Whether the input was meant for the game that has just ended.
  bool ignores_input(Time now);
  bool ignores(const Key& key, Time now);
  /// Whether Enter would send a line that is being typed.
  bool is_typing() const { return typing_.is_active(); }

  /// Leaves, or opens a dialog that asks what to do with the seat; if it is open, keeps the seat.
  void quit(Time now);
  /// Ends at once. The server keeps the seat.
  void hang_up(Time now);
  void leave_for_another(Time now);

  /// The room, and whether it is the player's turn; empty outside of rooms.
  std::string title() const;
  void draw(const Canvas& canvas, Scene& scene, Time now);

 private:
  enum class Stage : std::uint8_t { lobby, room, games, replay };
  Stage stage() const;
  // Whether the person has a seat in a running game, or in a room in that phase.
  bool plays() const { return has_seat_in(client::Phase::playing); }
  bool has_seat_in(client::Phase phase) const;

  // Events.
  void on_event(const client::SessionEvent& event) override;
  bool dialog_tells(const client::SessionEvent& event);
  void add(client::Message message);
  void type_commands(Time now);
  void enter_or_leave_room();
  void watch_turn();
  void show_players();
  void show_members();
  void show_replay(const v1::GameRecord& game);
  void ask_about(const client::InvitationCame& invitation);
  void ask_for_account(const client::Welcomed& event);
  void mute(const client::Mute& mute);
  void ring();

  // How others join.
  void find_invitation();
  void show_invitation(Time now);
  void open_invitation(Time now);
  client::Invitation invitation_here() const;

  // Keys of each screen.
  bool scroll_log(const Key& key);
  bool press_viewer(const Key& key, Time now);
  bool press_anywhere(char32_t letter, Time now);
  void press_lobby(const Key& key, Time now);
  void press_room(const Key& key, Time now);
  void press_games(const Key& key, Time now);
  void press_replay(const Key& key, Time now);
  void press_command(char32_t letter, Time now);
  void press_capital(char32_t letter, Time now);
  void press_entry(const Key& key, Time now);
  void finish_entry(Time now);

  // Actions.
  void carry_out(const client::Command& command, Time now);
  bool has_something_to_lose() const;
  void ask_before(std::string_view what, v1::ClientMessage request, Time now);
  void resign(Time now);
  void leave_room(Time now);
  void join_selected(bool watch, Time now);
  void open_room_form(Time now);
  void open_quit_menu(Time now);
  void show_games(const std::string& player, Time now);
  void show_rooms();
  void show_board(const std::optional<Cell>& around);
  void show_last_move();
  void begin_room();

  Front& front_;
  Session session_;
  client::FindInvitation find_;
  Destination to_;
  bool is_followed_ = false;  // the program continues after the session
  Time now_;                  // of the last happened()
  struct {
    std::optional<client::Invitation> known;
    std::shared_ptr<void> search;
    bool is_awaited = false;  // by the person
  } invitation_;

  Log log_;
  Typing& typing_;
  CapitalKey capital_;
  EndedGame ended_game_;
  LobbyList lobby_;
  struct Table {
    bool is_entered = false;
    bool is_my_turn = false;
    bool is_covered = false;  // by the list of rooms
    BoardPane pane;
  } table_;
  std::string opponent_;           // the AI that takes a seat of the room that is being created
  bool is_for_next_room_ = false;  // not for the one that is left for it
  struct Games {
    bool is_open = false;
    std::string player;  // whose games are listed; empty for all
    std::size_t selected = 0;
  } games_;
  std::optional<ReplayDesk> replay_;  // above the list of games
};

}  // namespace tictactoe::screen
