// The client's side of a connection, without any I/O: bytes and typed lines go in, bytes and text
// come out. Whoever owns it (the shell, or a test) carries them and keeps its one alarm clock.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "client/console/board_view.hpp"
#include "client/console/command.hpp"
#include "client/console/room.hpp"
#include "client/console/room_table.hpp"
#include "common/wire/frame.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::console {

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

inline constexpr std::chrono::milliseconds welcome_timeout{10'000};
/// How long one who leaves waits for the server to say that it knows.
inline constexpr std::chrono::milliseconds leave_timeout{2'000};
/// Longest time that a server's retry_after_ms is taken at its word.
inline constexpr std::chrono::milliseconds max_retry_delay{60'000};

/// How it all ended.
struct Ending {
  int status = 0;      ///< for the operating system: 0 as asked for, 1 server lost, 2 bad name
  std::string reason;  ///< a line for people, without a newline; empty with status 0
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
    Look look;
  };

  explicit Conversation(Options options);

  // What happens. After each of these the outputs below may have changed.

  /// There is no connection to be had; `why` is a cause in a few words.
  void cannot_connect(std::string_view why);
  /// The connection stands: says hello.
  void connected();
  /// Where to put the server's next bytes; at least one.
  std::span<char> prepare() { return reader_.prepare(); }
  /// The first `count` bytes of prepare()'s space have come.
  void received(std::size_t count);
  /// The connection ended or broke; `why` is a cause in a few words.
  void connection_lost(std::string_view why);
  /// One line of input without its newline. Of one that is over max_line_bytes, anything longer
  /// than that will do.
  void typed(std::string_view line);
  /// There will be no more lines: what is pending is finished, then one leaves.
  void input_ended();
  /// The person wants out, now.
  void leave();
  /// The time asked for by take_alarm is over.
  void alarm_rang();
  void resized(const Look& look) { options_.look = look; }

  // What is to be done.

  /// Bytes for the server since the last call.
  std::string take_bytes();
  /// Text for the person since the last call; whole lines.
  std::string take_text();
  /// Set the alarm to ring once after this time, in place of any set before.
  std::optional<std::chrono::milliseconds> take_alarm();
  /// Whether more lines are of use now.
  bool wants_lines() const;
  /// What to put before the place where a person types.
  std::string prompt() const;
  /// Set once it is over; nothing more happens then.
  const std::optional<Ending>& ending() const { return ending_; }

 private:
  void end(int status, std::string reason);
  void say(std::string_view line);
  void show_board(std::optional<Cell> around = {});

  // Lines.
  void pump();
  void carry_out(const Command& command);
  void place_mark(Cell cell);
  void request(v1::ClientMessage message);
  bool busy() const { return !pending_.empty() || !retries_.empty(); }
  bool must_retry(const v1::ClientMessage& asked) const;

  // Messages.
  void end_with_nonsense(std::string_view what);
  void on_frame(std::string_view body);
  void on_message(const v1::ServerMessage& message);
  void on_hello_answer(const v1::ServerMessage& message);
  void on_welcome(const v1::Welcome& welcome);
  void on_error(const v1::Error& error, const std::optional<v1::ClientMessage>& asked);
  void on_room_list(const v1::RoomList& list);
  void on_snapshot(const v1::RoomSnapshot& snapshot, const std::optional<v1::ClientMessage>& asked);
  void on_update(const v1::RoomUpdate& update);
  void on_left();
  void on_hinted(const v1::Hinted& hinted);
  void resync();
  std::optional<v1::ClientMessage> take_pending(std::uint64_t request_id);
  const Room* room() const { return room_ ? &*room_ : nullptr; }

  Options options_;
  wire::FrameReader reader_{max_server_frame_bytes};
  std::string bytes_;
  std::string text_;
  std::optional<std::chrono::milliseconds> alarm_;
  std::optional<Ending> ending_;

  std::deque<std::string> lines_;
  bool input_ended_ = false;
  bool leaving_ = false;

  std::uint64_t last_request_id_ = 0;
  std::vector<v1::ClientMessage> pending_;  // asked and not answered, oldest first
  std::vector<v1::ClientMessage> retries_;  // to be asked again when the alarm rings
  std::optional<v1::Limits> limits_;        // set by the welcome
  std::string me_;                          // own name, as shown

  std::optional<Room> room_;
  int resyncs_ = 0;  // since an update was last understood
  bool resyncing_ = false;
  std::optional<std::vector<ListedRoom>> listing_;  // while the pages of a list come in
  int list_pages_ = 0;
};

}  // namespace tictactoe::console
