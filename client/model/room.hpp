// The mirror of a room: what the server has said about it so far. It decides nothing: the turn, the
// legal moves and the winner are copied from the server's messages. It only checks that these are
// consistent, so that a server can neither crash the program nor exhaust its memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "common/record/cell.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::client {

// Cells as people write them, the same as in files of games.
using record::Cell;
using record::cell_name;
using record::column_name;
using record::parse_cell_name;
using record::parse_id;
using record::parse_number;

/// Maximum number of rows and of columns: 4 MB of board.
inline constexpr std::uint32_t max_mirrored_side = 2000;
/// Maximum number of winning lines kept; one move can complete four.
inline constexpr int max_kept_lines = 8;
/// Number of latest chat lines kept, to tell which lines of a snapshot are new.
inline constexpr std::size_t max_kept_chat = 50;

enum class Mark : std::uint8_t { none, x, o };

/// "X", "O", or "-" for none.
std::string mark_name(Mark mark);
Mark read_mark(v1::Mark mark);
v1::Mark write_mark(Mark mark);
/// The other side; none stays none.
Mark other(Mark mark);

enum class Phase : std::uint8_t { waiting, playing, finished };

Phase read_phase(v1::Phase phase);

/// The occupant of a seat. The texts are sanitized.
struct Occupant {
  enum class Kind : std::uint8_t { open, person, ai };
  Kind kind = Kind::open;
  std::string name;
  std::string ai_level;
  bool away = false;
  std::uint32_t away_ms_left = 0;
};

Occupant read_occupant(const v1::Occupant& occupant);

/// A line of a win. Both ends are on the board, and it runs straight from one to the other.
struct Line {
  Cell first;
  Cell last;
  /// Every cell of it, in order.
  std::vector<Cell> cells() const;
  bool contains(Cell cell) const;
};

struct Outcome {
  Mark winner = Mark::none;
  v1::Outcome::Reason reason = v1::Outcome::REASON_UNSPECIFIED;
  std::vector<Line> lines;
};

/// A line of chat. The texts are sanitized.
struct ChatLine {
  std::string from;
  Mark seat = Mark::none;
  std::string text;
  friend bool operator==(const ChatLine&, const ChatLine&) = default;
};

ChatLine read_chat(const v1::ChatSaid& said);

/// Marks on rows x cols cells, in the order in which they were set.
class Board {
 public:
  Board(std::uint32_t rows, std::uint32_t cols);

  std::uint32_t rows() const { return rows_; }
  std::uint32_t cols() const { return cols_; }
  bool contains(Cell cell) const { return cell.row < rows_ && cell.col < cols_; }
  /// `cell` must be on the board.
  Mark at(Cell cell) const { return marks_[index(cell)]; }
  /// Number of marks.
  std::uint32_t count() const { return static_cast<std::uint32_t>(moves_.size()); }
  std::optional<Cell> last() const;

  /// Returns false and changes nothing if the cell is off the board or taken.
  bool place(Cell cell, Mark mark);
  /// Removes the latest marks until at most `ply` are left.
  void take_back(std::uint32_t ply);
  void clear() { take_back(0); }

 private:
  std::size_t index(Cell cell) const { return std::size_t{cell.row} * cols_ + cell.col; }
  Cell cell(std::uint32_t index) const { return {index / cols_, index % cols_}; }

  std::uint32_t rows_;
  std::uint32_t cols_;
  std::vector<Mark> marks_;
  std::vector<std::uint32_t> moves_;  // indices into marks_, oldest first
};

/// Drops lines that leave the board or are not straight.
Outcome read_outcome(const Board& board, const v1::Outcome& sent);

/// The players of a finished game, who may differ from the present occupants. An open seat stands
/// for an unknown player: a newcomer may have taken the seat before this program saw the room.
struct Played {
  Occupant x;
  Occupant o;
  Mark mine = Mark::none;  ///< the own seat in that game
};

struct Room {
  explicit Room(Board empty) : board(std::move(empty)) {}

  std::string name;
  /// The raw name, for requests; not sanitized. Empty if it is too long for a request.
  std::string wire_name;
  v1::RoomOptions options;
  std::uint32_t k = 0;
  bool exact = false;
  std::uint64_t revision = 0;
  Mark my_seat = Mark::none;
  bool both_seats = false;      ///< the other one belongs to a second person at this terminal
  bool waits_for_seat = false;  ///< the player watches, and gets the seat of an AI after this game
  Occupant x;
  Occupant o;
  std::uint32_t watchers = 0;
  Phase phase = Phase::waiting;
  std::uint32_t game = 0;
  std::uint32_t takebacks = 0;  ///< in this game; with game and ply it names a position
  Mark turn = Mark::none;
  Board board;
  std::optional<Outcome> outcome;
  Played played;  ///< with `outcome`
  bool x_wants_rematch = false;
  bool o_wants_rematch = false;
  /// The side with a pending draw offer or takeback request.
  Mark draw_offered_by = Mark::none;
  Mark takeback_asked_by = Mark::none;
  v1::Score score;
  /// Time left as of the server's last message. The clock of the side to move has been running
  /// since.
  std::optional<v1::Clocks> clocks;
  std::deque<ChatLine> chat;  ///< the latest lines, oldest first; at most max_kept_chat

  /// Whether the next move is typed at this terminal.
  bool my_turn() const {
    return my_seat != Mark::none && (turn == my_seat || (both_seats && turn != Mark::none));
  }
  /// Whether `seat` belongs to the only person at this terminal.
  bool is_me(Mark seat) const { return seat != Mark::none && seat == my_seat && !both_seats; }
  bool i_want_rematch() const;
  /// Who sits there; `seat` is X or O.
  const Occupant& occupant(Mark seat) const { return seat == Mark::o ? o : x; }
};

/// The room of a snapshot, or why the snapshot is inconsistent.
struct RoomRead {
  std::optional<Room> room;
  std::string fault;
};
/// O(cells of the board).
RoomRead read_snapshot(const v1::RoomSnapshot& snapshot);

/// Notes who played the game that is over in `now`, a later snapshot of the room `before`.
void note_players(Room& now, const Room& before);

/// The number of lines at the start of `now` that repeat the end of `before`.
std::size_t lines_known(const std::deque<ChatLine>& before, const std::deque<ChatLine>& now);

/// The result of an update.
enum class Applied : std::uint8_t {
  yes,
  old,       ///< the mirror has it already
  gap,       ///< one before it is missing: ask for a snapshot
  nonsense,  ///< it contradicts the mirror: ask for a snapshot
};
/// Changes the room only if it returns Applied::yes. `me` is the own name as shown.
Applied apply_update(Room& room, const v1::RoomUpdate& update, const std::string& me);

/// Whether the board is worth showing again after this update. `room` has the update applied.
bool changes_board(const Room& room, const v1::RoomUpdate& update);
/// Whether changes_board(), or the turn, the missing player or the winner has changed.
bool changes_standing(const Room& room, const v1::RoomUpdate& update, Phase before);

}  // namespace tictactoe::client
