// Shapes of one line: how near a mark on an empty cell brings its side to k in a row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tictactoe::ai {

/// The shape of a line after a side has played on the cell in its middle. The names are those of
/// gomoku (k = 5), where a "four" lacks one mark. Here a `four` lacks one mark for every k, a
/// `three` two, and so on. Open: one more mark gives the next open shape, so that an open four has
/// two winning cells and an open three becomes an open four.
enum class Shape : std::uint8_t {
  none,
  one,
  open_one,
  two,
  open_two,
  three,
  open_three,
  four,
  open_four,
  five
};

/// The shapes of one kind of game. A line is given by the reach() cells on each side of the cell,
/// as a number with a digit for each of them: 1 for a mark of the side, 2 for one of the other side
/// and for a cell off the board, 0 for a free cell.
///
/// Windows of k cells through the cell that hold nothing of the other side are compared by the
/// cells that they lack; if overlines do not win, a window beside an own mark is dead. Up to a
/// reach of 6 the answers are in a table of 3^(2 reach) bytes, at most 519 KiB; beyond it they
/// are computed, O(k^2).
class Shapes {
 public:
  using Code = std::uint32_t;
  using Word = std::uint32_t;

  static constexpr int max_line = 8;
  static constexpr int max_reach = max_line;

  /// Requires 3 <= k <= max_line.
  Shapes(int k, bool overline_wins);
  /// The shapes of that kind of game, made at the first call and shared by all threads.
  static const Shapes& of(int k, bool overline_wins);

  /// How far away a mark can change a shape: k - 1 cells, or k if overlines do not win.
  int reach() const { return reach_; }
  /// The place value in a code of the cell at this offset. Requires 1 <= |offset| <= reach().
  Code digit(int offset) const { return digits_[static_cast<std::size_t>(offset + reach_)]; }
  Shape shape(Code code) const { return table_.empty() ? compute(code) : table_[code]; }
  /// The same from two words of 2 * reach() + 1 bits, without the table: `own` has the bits of the
  /// digits 1, `blocked` those of the digits 2. The bit in the middle is ignored.
  Shape compute(Word own, Word blocked) const;

 private:
  Shape compute(Code code) const;

  int k_;
  bool overline_wins_;
  int reach_;
  /// Digits of a number in base 3 if there is a table, otherwise in base 4.
  Code base_;
  std::array<Code, 2 * max_reach + 1> digits_{};
  std::vector<Shape> table_;
};

}  // namespace tictactoe::ai
