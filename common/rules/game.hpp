// One game: whose turn it is, which moves are legal, who won.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "common/rules/boxed.hpp"
#include "common/rules/dense_grid.hpp"
#include "common/rules/detectors/line_counters.hpp"
#include "common/rules/detectors/run_lengths.hpp"
#include "common/rules/tiled_grid.hpp"
#include "common/rules/types.hpp"

namespace tictactoe::rules {

/// Why a move was not played.
enum class Refusal : std::uint8_t { off_board, occupied, game_over };

/// The lines that one move completed: at most one of each kind. Uses no heap.
class WonLines {
 public:
  using value_type = Line;
  using const_reference = const Line&;
  using const_iterator = const Line*;

  void push_back(const Line& line) { lines_[size_++] = line; }
  const Line* begin() const { return lines_.data(); }
  const Line* end() const { return lines_.data() + size_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  std::array<Line, std::size(line_kinds)> lines_{};
  std::size_t size_ = 0;
};

/// A game and its history. A move, an undo and a reset cost O(1) at any size: square games use
/// counters, the others run lengths. Memory is proportional to the number of moves (and to the side
/// of a square board), not to the number of cells.
class Game {
 public:
  /// Requires valid rules (`!rules.problem()`) and a starter that is not `none`.
  explicit Game(Rules rules, Mark starter = Mark::x);

  const Rules& rules() const { return rules_; }
  Mark starter() const { return starter_; }
  /// The side to move; `none` after the end of the game.
  Mark to_move() const { return to_move_; }
  Status status() const { return status_; }
  /// The side that won; `none` while ongoing and after a draw.
  Mark winner() const { return winner_; }
  /// The mark on a cell of the board (`rules().contains(cell)`). O(1).
  Mark at(Cell cell) const {
    return std::visit([&](const auto& board) { return unboxed(board).read(cell.row, cell.col); },
                      board_);
  }
  /// Number of marks on the board.
  int ply() const { return static_cast<int>(moves_.size()); }
  /// The cells played so far, in order. Valid until the next play, undo or reset.
  std::span<const Cell> moves() const { return moves_; }

  /// Plays for the side to move. If the move is illegal, returns the reason and changes nothing.
  /// O(1).
  std::optional<Refusal> play(Cell cell);
  /// Takes the last move back. Returns false if there is none. O(1).
  bool undo();
  /// Clears the board for a new game. O(1), amortised over the removed moves. After more than 4,096
  /// moves it frees the memory instead: O(memory), which is little compared to the game.
  void reset(Mark starter);

  /// Bytes held on the heap, without the allocator's overhead.
  std::size_t memory() const;
  /// An upper bound of memory() after this many moves, including those taken back.
  static std::size_t max_memory(const Rules& rules, std::size_t plies);

  /// Every line that the last move completed, each as a whole run; empty unless won.
  /// O(rows + cols).
  WonLines winning_lines() const;

 private:
  Mark& place(Cell cell) {
    return std::visit(
        [&](auto& board) -> Mark& { return unboxed(board).write(cell.row, cell.col); }, board_);
  }

  static constexpr std::size_t max_undone_by_reset = 4096;

  Rules rules_;
  Mark starter_;
  Mark to_move_;
  Mark winner_ = Mark::none;
  Status status_ = Status::ongoing;
  std::vector<Cell> moves_;
  // Chosen by the size of the board. Those for large boards are large objects, hence boxed.
  std::variant<DenseGrid<Mark>, Boxed<TiledGrid<Mark>>> board_;
  std::variant<LineCounters, RunLengths, Boxed<SparseRunLengths>> detector_;
};

}  // namespace tictactoe::rules
