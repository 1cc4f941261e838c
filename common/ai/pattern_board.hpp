// A board that knows, for every empty cell and side, what a mark there would make.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/ai/evaluation.hpp"
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
/// lines through a cell, up to Shapes::reach() cells away. Placing takes 16 * reach() look-ups,
/// taking back none. Cells are numbered in reading order, sides are 0 (X) and 1 (O). Memory: about
/// 80 bytes a cell, and up to 600 bytes for each mark that can be taken back.
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
  /// Takes back the last mark. Requires one that was placed after settle().
  void take_back();
  /// Makes the present marks final: they can no longer be taken back.
  void settle();

  /// The gain of a free cell; `none` for other cells.
  Gain gain(Cell cell, Side side) const { return gains_[side][at(cell)]; }
  /// The worth of a free cell's gains, for ordering moves.
  int value(Cell cell, Side side) const { return values_[side][at(cell)]; }
  /// The number of cells with exactly that gain.
  int count(Side side, Gain gain) const {
    return sums_[side].counts[static_cast<std::size_t>(gain)];
  }
  /// The sum of weight_of() over all free cells.
  CellWeight weight(Side side) const { return sums_[side].weight; }
  /// A hash of the marks.
  std::uint64_t hash() const { return hash_; }

  /// Appends the free cells with at least this gain, in reading order. Requires one above `none`.
  /// O(cells).
  void collect(Side side, Gain min_gain, std::vector<Cell>& found) const;
  /// The first such cell. Requires one.
  Cell first(Side side, Gain min_gain) const;
  /// Appends `cell` and all free cells where a mark of the other side can change that `side` makes
  /// an open four there.
  void defences(Cell cell, Side side, std::vector<Cell>& found) const;

 private:
  static constexpr std::size_t directions = 4;

  struct CellData {
    /// By direction and side: what is around the cell, and what a mark here makes of it.
    std::array<std::array<Shapes::Code, 2>, directions> codes{};
    std::array<std::array<Shape, 2>, directions> shapes{};
    /// By side: the number of its four shapes together.
    std::array<std::uint16_t, 2> worth{};
    /// How many cells of each line are on the board, up to the reach: before this one, after it.
    std::array<std::array<std::uint8_t, 2>, directions> room{};
    bool taken = false;
  };
  struct Worth;
  /// Over all cells, of one side.
  struct Sums {
    std::array<std::int16_t, gain_kinds> counts{};
    CellWeight weight;
  };
  /// The state of a cell before a mark was placed.
  struct Change {
    std::uint16_t cell;
    std::uint16_t worth;
    std::uint8_t direction;
    std::uint8_t side;
    Shape shape;
  };
  struct Placed {
    Cell cell;
    Side side;
    std::size_t first_change;
    std::array<Sums, 2> sums;
  };

  /// By the number of four shapes, see worth_of().
  static const std::vector<Worth>& worths();
  static Worth worth_of(std::size_t shapes);
  static std::size_t at(Cell cell) { return static_cast<std::size_t>(cell); }
  /// Calls `changed(direction, data, cell)` after the code of each other cell within reach has
  /// been changed for a mark of this side that is placed or taken back.
  template <class Changed>
  void set_mark(Cell cell, Side side, bool taken, const Changed& changed);
  void change_shape(Cell cell, CellData& data, std::size_t direction, Side side, Shape shape);
  void set_gain(Cell cell, Side side, const Worth& worth);
  void add(Side side, const Worth& worth, int sign);
  /// The first cell from this one on with at least that gain. Requires one.
  Cell next(Side side, Gain min_gain, Cell from) const;

  rules::Rules rules_;
  const Shapes& shapes_;
  const std::vector<Worth>& worths_;
  std::array<int, directions> steps_;
  std::vector<CellData> data_;
  std::array<std::vector<Gain>, 2> gains_;
  std::array<std::vector<std::int16_t>, 2> values_;
  std::array<Sums, 2> sums_{};
  std::array<std::vector<std::uint64_t>, 2> keys_;
  std::uint64_t hash_ = 0;
  int free_;
  std::vector<Placed> placed_;
  std::vector<Change> changes_;
};

}  // namespace tictactoe::ai
