// All lines of k cells that could still be won, updated mark by mark.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "common/rules/lines.hpp"
#include "common/rules/tiled_grid.hpp"
#include "common/rules/types.hpp"

namespace tictactoe::ai {

/// A line here is a window of exactly k cells, known by its kind and its first cell. On a square
/// board those are the 2n + 2 rows, columns and diagonals. A line is *alive* for a side while the
/// other side has no mark in it, and *touched* once it holds a mark.
///
/// A mark costs O(lines through its cell): at most 4 on a square board, 4k on others. Memory is
/// proportional to what was touched: 12 bytes a line, so at most 51 MB on 1,000 x 1,000. Lines that
/// are touched and alive hang in intrusive lists by side and number of marks, so that a win in one
/// and a block of one are found without a search.
class LineTable {
 public:
  struct Id {
    std::int16_t row = -1;
    std::int16_t col = -1;
    rules::LineKind kind = rules::LineKind::row;
    friend constexpr bool operator==(const Id&, const Id&) = default;
  };

  /// A potential in units of 2^-40: a line that lacks d marks weighs 2^-d, but one unit at least.
  /// Rounding up keeps every bound sound: adding a mark at most doubles a weight.
  using Weight = std::uint64_t;
  static constexpr unsigned weight_bits = 40;
  static constexpr Weight one = Weight{1} << weight_bits;

  explicit LineTable(const rules::Rules& rules);

  const rules::Rules& rules() const { return rules_; }
  void place(rules::Cell cell, rules::Mark mark);
  /// Takes any mark back, not only the last one.
  void take_back(rules::Cell cell, rules::Mark mark);

  int count(Id line, rules::Mark side) const { return record(line).counts[slot(side)]; }
  bool alive(Id line, rules::Mark side) const { return count(line, opponent(side)) == 0; }

  /// The sum of the weights of all lines alive for `side`: Erdos and Selfridge's potential. Below
  /// `one` on the other side's turn, that side can keep `side` from ever completing a line.
  Weight potential(rules::Mark side) const { return potential_[slot(side)]; }
  /// The part of potential(side) that a mark of the other side on `cell` would take away, which is
  /// also what a mark of `side` would add at most.
  Weight weight_at(rules::Cell cell, rules::Mark side) const;
  /// The weight of a live line with that many marks.
  Weight weight(int marks) const { return weights_[static_cast<std::size_t>(marks)]; }

  /// Calls visit(Id) for every line through a cell.
  template <class Visit>
  void for_each_line(rules::Cell cell, Visit&& visit) const;
  /// Calls visit(Id) for the touched lines alive for `side` that hold `marks` >= 1 marks, until it
  /// returns false; then returns false. The order depends on the marks placed and taken back.
  template <class Visit>
  bool for_each_alive(rules::Mark side, int marks, Visit&& visit) const;
  /// Whether there is such a line. O(1).
  bool any_alive(rules::Mark side, int marks) const {
    return heads_[slot(side)][static_cast<std::size_t>(marks)].row >= 0;
  }
  /// The i-th cell of a line.
  static rules::Cell cell(Id line, int i) {
    return rules::advance({line.row, line.col}, rules::step(line.kind), i);
  }
  /// Bytes held on the heap.
  std::size_t memory() const;
  /// An upper bound of memory() after this many marks were placed, including those taken back.
  static std::size_t max_memory(const rules::Rules& rules, std::size_t marks);

  /// The number of lines through one cell is never larger.
  int max_lines_through_a_cell() const { return rules_.is_square() ? 4 : 4 * rules_.k; }

 private:
  /// An Id in 32 bits: 2 of the kind, 15 each of row and column.
  class Link {
   public:
    constexpr Link() = default;
    constexpr Link(Id id)  // NOLINT(google-explicit-constructor): the same thing in another form
        : bits_(id.row < 0 ? none
                           : static_cast<std::uint32_t>(id.kind) << 30 |
                                 static_cast<std::uint32_t>(id.row) << 15 |
                                 static_cast<std::uint32_t>(id.col)) {}
    constexpr bool is_set() const { return bits_ != none; }
    constexpr Id id() const {
      if (!is_set()) return {};
      return {static_cast<std::int16_t>(bits_ >> 15 & 0x7fff),
              static_cast<std::int16_t>(bits_ & 0x7fff), static_cast<rules::LineKind>(bits_ >> 30)};
    }

   private:
    static constexpr std::uint32_t none = 0xffffffff;  // no board has 32,768 columns
    std::uint32_t bits_ = none;
  };

  struct Record {
    std::array<std::uint16_t, 2> counts{};
    Link previous;
    Link next;
  };

  using Grid = rules::TiledGrid<Record, std::deque>;

  static std::size_t slot(rules::Mark side) { return side == rules::Mark::o ? 1 : 0; }
  const Record& record(Id line) const {
    return records_[static_cast<std::size_t>(line.kind)].read(line.row, line.col);
  }
  Record& record(Id line) {
    return records_[static_cast<std::size_t>(line.kind)].write(line.row, line.col);
  }
  void link(Id line, std::size_t side, int marks);
  void unlink(Id line, std::size_t side, int marks);

  rules::Rules rules_;
  std::vector<Weight> weights_;
  std::array<Weight, 2> potential_{};
  std::array<std::vector<Id>, 2> heads_;
  std::array<Grid, 4> records_;
};

template <class Visit>
void LineTable::for_each_line(rules::Cell cell, Visit&& visit) const {
  const int k = rules_.k;
  const int left = std::min(cell.col, k - 1);
  const int right = std::min(rules_.cols - 1 - cell.col, k - 1);
  const int up = std::min(cell.row, k - 1);
  const int down = std::min(rules_.rows - 1 - cell.row, k - 1);
  // A window may begin up to `before` cells back, and must end at most `after` cells ahead.
  const auto windows = [&](rules::LineKind kind, int before, int after) {
    const rules::Cell forward = rules::step(kind);
    for (int back = before; back >= k - 1 - after && back >= 0; --back) {
      const rules::Cell first = rules::advance(cell, forward, -back);
      visit(Id{static_cast<std::int16_t>(first.row), static_cast<std::int16_t>(first.col), kind});
    }
  };
  windows(rules::LineKind::row, left, right);
  windows(rules::LineKind::column, up, down);
  windows(rules::LineKind::diagonal, std::min(left, up), std::min(right, down));
  windows(rules::LineKind::antidiagonal, std::min(right, up), std::min(left, down));
}

template <class Visit>
bool LineTable::for_each_alive(rules::Mark side, int marks, Visit&& visit) const {
  for (Id line = heads_[slot(side)][static_cast<std::size_t>(marks)]; line.row >= 0;) {
    const Id next = record(line).next.id();
    if (!visit(line)) return false;
    line = next;
  }
  return true;
}

}  // namespace tictactoe::ai
