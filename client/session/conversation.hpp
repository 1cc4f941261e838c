// The client's side of its talk with a server, without any I/O: bytes and typed lines go in, bytes
// and text come out. It outlives its connections: where one is lost it says so, asks for another
// when it is time, and takes up where it was. Whoever owns it (the shell, or a test) carries the
// bytes, has the clock, and calls deadline_reached() when next_deadline() has come.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "client/model/room.hpp"
#include "client/model/time.hpp"
#include "client/session/credentials.hpp"
#include "client/session/heartbeat.hpp"
#include "client/session/retry_plan.hpp"
#include "client/text/board_view.hpp"
#include "client/text/command.hpp"
#include "client/text/game_table.hpp"
#include "client/text/room_table.hpp"
#include "common/wire/frame.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::client {

/// Version of the protocol that is spoken here.
inline constexpr std::uint32_t protocol_version = 1;
/// Longest frame that is taken from a server, whatever it says its limit is. A full board of
/// 1,000 x 1,000 takes three quarters of it.
inline constexpr std::size_t max_server_frame_bytes = std::size_t{4} << 20;
/// Requests that may be without an answer before no more lines are taken.
inline constexpr std::size_t max_pending = 64;
/// Rooms, and pages of them, that one `rooms` asks for.
inline constexpr std::size_t max_listed_rooms = 2000;
inline constexpr int max_list_pages = 200;
/// Snapshots asked for one after the other because the updates make no sense, before giving up.
inline constexpr int max_resyncs = 5;

/// How long a server may take for its welcome and, after a connection was lost, for what was
/// missed.
inline constexpr milliseconds welcome_timeout{10'000};
/// How long one who leaves waits for the server to say that it knows.
inline constexpr milliseconds leave_timeout{2'000};
/// Longest time that a server's retry_after_ms is taken at its word, and what is waited where it
/// says nothing.
inline constexpr milliseconds max_retry_delay{60'000};
inline constexpr milliseconds default_retry_delay{1'000};
/// Latest moves that `replay` tells.
inline constexpr int max_told_moves = 200;

/// When a request that was refused for now may be made again.
inline milliseconds retry_delay(const v1::Error& error) {
  if (error.retry_after_ms() == 0) return default_retry_delay;
  return std::min(milliseconds(error.retry_after_ms()), max_retry_delay);
}

/// Latest events that take_events() has not taken yet; of more, the oldest are dropped.
inline constexpr std::size_t max_kept_events = 500;
/// Finished games that one list keeps.
inline constexpr std::size_t max_listed_games = 2000;

/// Something to tell a person, as a line that is fit for a screen, without a newline.
struct Event {
  enum class Kind : std::uint8_t {
    happened,
    chat,
    refused,  ///< what the person wanted is not done
  };
  Kind kind = Kind::happened;
  std::string text;
};

/// A good move, for the position of that game and with so many marks on the board.
struct HintedCell {
  Cell cell;
  Mark mark = Mark::none;
  std::uint32_t game = 0;
  std::uint32_t ply = 0;
};

/// How it all ended.
struct Ending {
  int status = 0;      ///< for the operating system: 0 as asked for, 1 server lost, 2 bad name
  std::string reason;  ///< a line for people, without a newline; empty with status 0
  Asks asks = Asks::nothing;  ///< another try with this password may do
};

class Conversation {
 public:
  struct Options {
    std::string name;      ///< how the player wants to be called
    std::string software;  ///< program and version, for the server's log
    std::string server;    ///< how the person named the server, for messages
    /// Lines wait for the answer to the one before and for their moment in the game; otherwise they
    /// go out at once.
    bool script = false;
    /// prompt() is shown, and so can count down in place; otherwise a wait is told in a line.
    bool prompt = false;
    /// For a full screen: what happens comes out of take_events() instead of take_text(), and what
    /// can be seen (boards, lists, how things stand) is not told but read from the state below.
    bool screen = false;
    /// Says goodbye at the end: neither seat nor name is to be kept.
    bool guest = false;
    Passwords passwords;
    /// Token of an earlier time, empty for none.
    std::string token;
    /// How long a lost server is looked for; 0: not at all.
    std::chrono::seconds patience{0};
    std::uint64_t seed = 1;  ///< of the jitter of the waits
    Look look;
  };

  explicit Conversation(Options options);

  // What happens. After each of these the outputs below may have changed. `now` never runs
  // backwards.

  /// There is no connection to be had; `why` is a cause in a few words.
  void cannot_connect(std::string_view why, Time now);
  /// The connection stands: says hello.
  void connected(Time now);
  /// Where to put the server's next bytes; at least one.
  std::span<char> prepare() { return reader_.prepare(); }
  /// The first `count` bytes of prepare()'s space have come.
  void received(std::size_t count, Time now);
  /// The connection ended or broke; `why` is a cause in a few words.
  void connection_lost(std::string_view why, Time now);
  /// One line of input without its newline. Of one that is over max_line_bytes, anything longer
  /// than that will do.
  void typed(std::string_view line, Time now);
  /// There will be no more lines: what is pending is finished, then one leaves.
  void input_ended(Time now);
  /// The person wants out, now.
  void leave(Time now);
  /// Ends and says nothing to the server, which keeps the seat as for a lost connection. A guest
  /// leaves, because nothing is kept of a guest.
  void drop(Time now);
  void deadline_reached(Time now);
  /// A line for the person that comes from elsewhere.
  void tell(std::string_view line) { say(line); }
  /// Asks for the list of rooms, or for more of the finished games (of `player`, all where that is
  /// empty), if that can be asked now and is not being answered already.
  void refresh_rooms(Time now);
  void list_games(const std::string& player, Time now);
  void more_games(Time now);
  void resized(const Look& look) { options_.look = look; }

  // What is to be done.

  /// Whether there should be a connection: false while one waits before the next try. One that
  /// stands when this becomes false is to be closed, and a new one opened when it becomes true
  /// again.
  bool wants_connection() const { return link_ != Link::waiting && !ending_; }
  /// Bytes for the server since the last call.
  std::string take_bytes();
  /// Text for the person since the last call; whole lines.
  std::string take_text();
  /// With Options::screen: what happened since the last call, oldest first.
  std::vector<Event> take_events();
  /// With Options::screen: the finished game that was asked for and has come since the last call.
  std::optional<v1::GameRecord> take_game();
  /// A token that the server gave since the last call, to be kept for the next time.
  std::optional<std::string> take_token();
  /// When deadline_reached is to be called, if nothing happens before.
  std::optional<Time> next_deadline() const;
  /// Whether more lines are of use now.
  bool wants_lines() const;
  /// What to put before the place where a person types. Changes with time: a deadline comes when it
  /// does.
  std::string prompt(Time now) const;
  /// Set once it is over; nothing more happens then.
  const std::optional<Ending>& ending() const { return ending_; }

  // What is known.

  /// Where things stand with the server.
  enum class Link : std::uint8_t {
    connecting,   ///< a connection is being made
    greeting,     ///< hello was said
    catching_up,  ///< welcome again: what was missed comes in
    up,
    waiting,  ///< until it is time to try again
  };
  Link link() const { return link_; }
  bool guest() const { return options_.guest; }
  /// When a lost server is tried again, while one waits for that.
  const std::optional<Time>& next_try() const { return next_try_; }
  /// Whether the server has ever welcomed us.
  bool welcomed() const { return limits_.has_value(); }
  /// Only once welcomed.
  const v1::Limits& limits() const { return *limits_; }
  /// The own name, and the server's, as shown.
  const std::string& me() const { return me_; }
  const std::string& server_name() const { return server_name_; }
  /// The room that one is in, null for none, and when its clocks were told.
  const Room* room() const { return room_ ? &*room_ : nullptr; }
  Time clocks_told() const { return clocks_told_; }
  /// With Options::screen: the last list of rooms that came whole, nothing before the first.
  const std::optional<std::vector<ListedRoom>>& rooms() const { return rooms_; }
  /// With Options::screen: finished games, the latest first, nothing before the first list; and
  /// whether there are more to ask for.
  const std::optional<std::vector<ListedGame>>& games() const { return games_; }
  bool games_go_on() const { return games_go_on_; }
  /// The last hint, where the position is still the one that it was meant for.
  const HintedCell* hint() const;

 private:
  struct LostRequest {
    v1::ClientMessage request;
    bool refused = false;  ///< for now, so that it was certainly not done
  };

  void end(int status, std::string reason, Asks asks = Asks::nothing);
  void say(std::string_view line, Event::Kind kind = Event::Kind::happened);
  void show_board(std::optional<Cell> around = {});

  // Lines (conversation.cpp).
  void pump();
  enum class Due : std::uint8_t { now, later, never };
  Due when_due(const Command& command);
  void carry_out(const Command& command);
  void carry_out_request(v1::ClientMessage message);
  void place_mark(Cell cell);
  void request(v1::ClientMessage message);
  bool busy() const;
  bool must_retry(const v1::ClientMessage& asked) const;
  std::optional<v1::ClientMessage> take_pending(std::uint64_t request_id);

  // The link (conversation_link.cpp).
  void say_hello();
  void on_hello_answer(const v1::ServerMessage& message);
  void on_refused_hello(const v1::Error& error);
  void on_welcome(const v1::Welcome& welcome);
  void introduce(const v1::Welcome& welcome);
  void on_welcome_back(const v1::Welcome& welcome);
  void settle_if_caught_up();
  void settle();
  void lose(std::string what);
  void wait_for_next_try(std::string what);
  void ping();
  std::optional<Time> next_tick() const;

  // Messages (conversation_server.cpp).
  void end_with_nonsense(std::string_view what);
  void on_frame(std::string_view body);
  void on_message(const v1::ServerMessage& message);
  void on_error(const v1::Error& error, const std::optional<v1::ClientMessage>& asked);
  void on_closing_error(const v1::Error& error);
  void on_room_list(const v1::RoomList& list);
  void on_snapshot(const v1::RoomSnapshot& snapshot, const std::optional<v1::ClientMessage>& asked);
  void show_new_chat(const std::deque<ChatLine>& known, std::string_view heading);
  void on_update(const v1::RoomUpdate& update);
  void tell_update(const v1::RoomUpdate& update, Mark seat_before, Phase phase_before);
  void on_left();
  void on_hinted(const v1::Hinted& hinted);
  void on_notice(const v1::Notice& notice);
  void on_game_list(const v1::GameList& list);
  void on_game_found(const v1::GameRecord& game);
  void resync();
  std::string standing() const;
  void forget_room();
  void ask_games(std::uint64_t before);
  bool asks_for_games() const;

  Options options_;
  Time now_;
  Link link_ = Link::connecting;
  wire::FrameReader reader_{max_server_frame_bytes};
  std::string bytes_;
  std::string text_;
  std::deque<Event> events_;  // with Options::screen
  std::optional<Ending> ending_;

  std::deque<std::string> lines_;
  bool input_ended_ = false;
  bool leaving_ = false;

  std::string token_;  // empty before the first welcome of a new player
  std::optional<std::string> new_token_;
  RetryPlan retry_plan_;
  Heartbeat heartbeat_;
  std::optional<Time> answer_by_;   // for the welcome and what follows it, or when leaving
  std::optional<Time> retries_at_;  // when retries_ are due
  std::optional<Time> next_try_;    // while waiting

  std::uint64_t last_request_id_ = 0;
  std::vector<v1::ClientMessage> pending_;  // asked and not answered, oldest first
  std::vector<v1::ClientMessage> retries_;  // refused for now, to be asked again
  std::vector<LostRequest> lost_;           // asked, and the connection was lost before the answer
  bool by_snapshot_ = false;                // while catching up: what was missed came as a snapshot
  bool missed_board_ = false;               // while catching up: the board has changed
  bool missed_nothing_ = true;
  std::optional<v1::Limits> limits_;  // set by the first welcome
  std::string me_;                    // own name, as shown
  std::string server_name_;           // as shown

  std::optional<Room> room_;
  std::string password_;  // of the room
  Time clocks_told_;      // when the room's clocks were told
  int resyncs_ = 0;       // since an update was last understood
  bool resyncing_ = false;
  std::optional<std::vector<ListedRoom>> listing_;  // while the pages of a list come in
  int list_pages_ = 0;
  std::optional<std::vector<ListedRoom>> rooms_;
  std::optional<std::vector<ListedGame>> games_;
  bool games_go_on_ = false;
  std::string games_player_;  // whose games are listed
  std::optional<v1::GameRecord> found_game_;
  std::optional<HintedCell> hint_;
};

}  // namespace tictactoe::client
