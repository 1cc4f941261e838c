// Shapes of one line: how near a mark on an empty cell brings its side to k in a row.
#pragma once

#include <cstdint>
#include <vector>

namespace tictactoe::ai {

/// The shape of a line after a side has played on the cell in its middle. The names are those of
/// gomoku (k = 5), where a "four" lacks one mark; here `four` means so for every k, a `three` lacks
/// two marks, and so on. Open: one more mark gives the next open shape, so that an open four has
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

/// The shapes of one kind of game. A line is given as two words of the 2 * reach() + 1 cells around
/// the cell: `own` has the bits of the side's marks, `blocked` those of the other side's marks and
/// of cells off the board. The bit in the middle, that of the cell itself, is ignored.
///
/// Windows of k cells through the cell that hold nothing of the other side are compared by the
/// cells that they lack; if overlines do not win, a window beside an own mark is dead. Up to a
/// reach of 6 the answers stand in a table of 3^(2 reach) bytes, at most 519 KiB; beyond it they
/// are computed, O(k^2).
class Shapes {
 public:
  using Word = std::uint32_t;

  static constexpr int max_line = 8;
  static constexpr int max_reach = max_line;

  /// Requires 3 <= k <= max_line.
  Shapes(int k, bool overline_wins);
  /// The shapes of that kind of game, made at the first call and shared by all threads.
  static const Shapes& of(int k, bool overline_wins);

  /// How far away a mark can change a shape: k - 1 cells, or k if overlines do not win.
  int reach() const { return reach_; }
  Shape shape(Word own, Word blocked) const {
    return table_.empty() ? compute(own, blocked) : table_[packed(own) + 2 * packed(blocked)];
  }
  /// Like the function above, without the table.
  Shape compute(Word own, Word blocked) const;

 private:
  /// The bits except the middle one as digits of a number in base 3.
  std::uint32_t packed(Word bits) const {
    const Word low = bits & ((Word{1} << reach_) - 1);
    const Word high = bits >> (reach_ + 1);
    return base_three_[low | high << reach_];
  }

  int k_;
  bool overline_wins_;
  int reach_;
  std::vector<std::uint32_t> base_three_;
  std::vector<Shape> table_;
};

}  // namespace tictactoe::ai
