// The values of the game: marks, cells, rules, lines. common/rules uses only the standard library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tictactoe::rules {

/// The content of a cell, and the side of a player. X and O are symmetrical; the starter is a
/// property of a game.
enum class Mark : std::uint8_t { none = 0, x = 1, o = 2 };

constexpr Mark opponent(Mark mark) {
  return mark == Mark::x ? Mark::o : mark == Mark::o ? Mark::x : Mark::none;
}

/// A cell of a board, counted from 0 at the top left.
struct Cell {
  int row = 0;
  int col = 0;
  friend constexpr bool operator==(const Cell&, const Cell&) = default;
};

/// An m,n,k-game: `k` marks in a row on a board of `rows` x `cols` win.
struct Rules {
  int rows = 3;
  int cols = 3;
  int k = 3;
  /// Whether more than `k` in a row win too (freestyle). If false, only exactly `k` win.
  bool overline_wins = true;

  /// Bounds of the engine: 3 <= k <= max(rows, cols), 1 <= rows, cols <= max_side,
  /// checked by problem().
  static constexpr int max_side = 4096;

  /// The n x n game with n in a row.
  static constexpr Rules square(int n) { return Rules{n, n, n, true}; }

  /// Whether every winning line is a whole row, column or main diagonal, so that 2n+2 counters
  /// decide the game (an overline cannot occur there).
  constexpr bool is_square() const { return rows == cols && cols == k; }
  constexpr int cells() const { return rows * cols; }
  constexpr bool contains(Cell cell) const {
    return cell.row >= 0 && cell.row < rows && cell.col >= 0 && cell.col < cols;
  }

  /// A sentence for people that says what is wrong with these rules; nothing if they are valid.
  std::optional<std::string> problem() const;

  friend constexpr bool operator==(const Rules&, const Rules&) = default;
};

/// The direction of a line. The lower end of a `diagonal` is on the right, of an `antidiagonal` on
/// the left.
enum class LineKind : std::uint8_t { row, column, diagonal, antidiagonal };

/// A run of equal marks from `first` to `last`, both included. `first` is the left end of a row,
/// and the upper end of the others.
struct Line {
  LineKind kind = LineKind::row;
  Cell first;
  Cell last;
  friend constexpr bool operator==(const Line&, const Line&) = default;
};

enum class Status : std::uint8_t { ongoing, won, drawn };

}  // namespace tictactoe::rules
