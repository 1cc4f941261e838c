// A board that knows, for every empty cell and side, what a mark there would make.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/ai/shapes.hpp"
#include "common/rules/types.hpp"

namespace tictactoe::ai {

/// What a mark on an empty cell makes of the four lines through it, weakest first. As in Shape, a
/// four lacks one mark whatever k is.
enum class Gain : std::uint8_t {
  none,
  quiet,        ///< no threat
  three,        ///< one open three
  three_three,  ///< more than one
  four,         ///< one four
  four_three,   ///< one four and an open three
  open_four,    ///< two winning cells or more: an open four, or fours in two directions
  five          ///< wins
};
inline constexpr std::size_t gain_kinds = 8;

/// The board of the search: place() and take_back() update the shapes of the cells on the four
/// lines through a cell, up to Shapes::reach() cells away: 16 * reach() look-ups. Cells are
/// numbered in reading order, sides are 0 (X) and 1 (O). Memory: about 60 bytes a cell.
class PatternBoard {
 public:
  using Cell = int;
  using Side = std::size_t;

  static constexpr int max_side = 48;
  /// Whether the board and k are small enough.
  static bool supports(const rules::Rules& rules) {
    return rules.rows <= max_side && rules.cols <= max_side && rules.k <= Shapes::max_line;
  }

  /// An empty board. Requires supports(rules).
  explicit PatternBoard(const rules::Rules& rules);

  const rules::Rules& rules() const { return rules_; }
  int cells() const { return rules_.cells(); }
  int free_cells() const { return free_; }
  Cell index(rules::Cell cell) const { return cell.row * rules_.cols + cell.col; }
  rules::Cell cell(Cell index) const { return {index / rules_.cols, index % rules_.cols}; }
  bool is_free(Cell cell) const { return !data_[at(cell)].taken; }

  /// Requires a free cell.
  void place(Cell cell, Side side);
  /// Requires a mark of that side, not necessarily the latest.
  void take_back(Cell cell, Side side);

  /// The gain of a free cell; `none` for other cells.
  Gain gain(Cell cell, Side side) const { return gains_[side][at(cell)]; }
  /// The worth of a free cell's gains, for ordering moves and for the evaluation.
  int value(Cell cell, Side side) const { return values_[side][at(cell)]; }
  /// The number of cells with exactly that gain.
  int count(Side side, Gain gain) const { return counts_[side][static_cast<std::size_t>(gain)]; }
  /// The sum of value() over all free cells.
  int total(Side side) const { return totals_[side]; }
  /// A hash of the marks.
  std::uint64_t hash() const { return hash_; }

  /// Appends the free cells with at least the gain `least`, in reading order. O(cells).
  void collect(Side side, Gain min_gain, std::vector<Cell>& found) const;
  /// The first such cell. Requires one.
  Cell first(Side side, Gain min_gain) const;
  /// Appends `cell` and all free cells where a mark of the other side can change that `side` makes
  /// an open four there.
  void defences(Cell cell, Side side, std::vector<Cell>& found) const;

 private:
  static constexpr std::size_t directions = 4;
  static constexpr int margin = Shapes::max_reach;

  struct CellData {
    bool taken = false;
    std::uint8_t row = 0;
    std::uint8_t col = 0;
    std::array<std::uint16_t, 2> shapes{};  // four bits for each direction
  };
  /// The marks of one line, by position; `border` are the cells off the board.
  struct Line {
    std::array<std::uint64_t, 2> marks{};
    std::uint64_t border = ~std::uint64_t{0};
  };

  static Shape shape(std::uint16_t shapes, std::size_t direction) {
    return static_cast<Shape>(shapes >> (4 * direction) & 15);
  }
  static std::size_t at(Cell cell) { return static_cast<std::size_t>(cell); }
  Line& line(std::size_t direction, const CellData& data) {
    return lines_[direction][line_number(direction, data)];
  }
  const Line& line(std::size_t direction, const CellData& data) const {
    return lines_[direction][line_number(direction, data)];
  }
  std::size_t line_number(std::size_t direction, const CellData& data) const;
  /// The position of a cell in its line, which is the bit of its marks.
  static int position(std::size_t direction, const CellData& data) {
    return margin + (direction == 0 ? data.col : data.row);
  }
  void set_mark(Cell cell, Side side, bool taken);
  void update_neighbours(Cell cell);
  void update_shapes(std::size_t direction, const Line& line, int position, CellData& data) const;
  /// Sets gain and value of a free cell by its shapes.
  void update_gain(Cell cell, Side side);
  void set_gain(Cell cell, Side side, Gain gain, int value);

  rules::Rules rules_;
  const Shapes& shapes_;
  std::array<int, directions> steps_;
  std::vector<CellData> data_;
  std::array<std::vector<Gain>, 2> gains_;
  std::array<std::vector<int>, 2> values_;
  std::array<std::vector<Line>, directions> lines_;
  std::array<std::array<int, gain_kinds>, 2> counts_{};
  std::array<int, 2> totals_{};
  std::array<std::vector<std::uint64_t>, 2> keys_;
  std::uint64_t hash_ = 0;
  int free_;
};

}  // namespace tictactoe::ai
