// The line table compared with one that is counted from the board, over marks put down and taken
// back in any order.
#include "common/ai/line_table.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace tictactoe::ai::line_table_tests {
namespace {

using rules::Cell;
using rules::LineKind;
using rules::Mark;
using rules::Rules;

using Key = std::tuple<int, int, LineKind>;
using Marks = std::map<std::pair<int, int>, Mark>;

struct Counted {
  int x = 0;
  int o = 0;
};

/// Every window of k cells on the board, found by trying every cell and direction.
std::map<Key, Counted> count_lines(const Rules& rules, const Marks& marks) {
  const std::vector<std::tuple<LineKind, int, int>> directions{{LineKind::row, 0, 1},
                                                               {LineKind::column, 1, 0},
                                                               {LineKind::diagonal, 1, 1},
                                                               {LineKind::antidiagonal, 1, -1}};
  std::map<Key, Counted> lines;
  for (int row = 0; row < rules.rows; ++row) {
    for (int col = 0; col < rules.cols; ++col) {
      for (const auto& [kind, down, right] : directions) {
        const Cell last{row + (rules.k - 1) * down, col + (rules.k - 1) * right};
        if (!rules.contains(last)) continue;
        Counted counted;
        for (int i = 0; i < rules.k; ++i) {
          const auto found = marks.find({row + i * down, col + i * right});
          if (found == marks.end()) continue;
          (found->second == Mark::x ? counted.x : counted.o)++;
        }
        lines[{row, col, kind}] = counted;
      }
    }
  }
  return lines;
}

double potential(const std::map<Key, Counted>& lines, const Rules& rules, Mark side) {
  double sum = 0;
  for (const auto& [key, counted] : lines) {
    const int own = side == Mark::x ? counted.x : counted.o;
    const int other = side == Mark::x ? counted.o : counted.x;
    if (other == 0) sum += std::ldexp(1.0, own - rules.k);
  }
  return sum;
}

std::set<Key> alive(const std::map<Key, Counted>& lines, Mark side, int marks) {
  std::set<Key> found;
  for (const auto& [key, counted] : lines) {
    const int own = side == Mark::x ? counted.x : counted.o;
    const int other = side == Mark::x ? counted.o : counted.x;
    if (other == 0 && own == marks) found.insert(key);
  }
  return found;
}

void compare(const LineTable& table, const Rules& rules, const Marks& marks) {
  const auto lines = count_lines(rules, marks);
  for (const Mark side : {Mark::x, Mark::o}) {
    const double expected = potential(lines, rules, side);
    RC_ASSERT(std::ldexp(static_cast<double>(table.potential(side)), -40) == expected);
    for (int count = 1; count <= rules.k; ++count) {
      std::set<Key> listed;
      table.for_each_alive(side, count, [&](LineTable::Id line) {
        RC_ASSERT(listed.insert({line.row, line.col, line.kind}).second);
        return true;
      });
      RC_ASSERT(listed == alive(lines, side, count));
      RC_ASSERT(table.any_alive(side, count) == !listed.empty());
    }
  }
  for (const auto& [key, counted] : lines) {
    const auto [row, col, kind] = key;
    const LineTable::Id line{static_cast<std::int16_t>(row), static_cast<std::int16_t>(col), kind};
    RC_ASSERT(table.count(line, Mark::x) == counted.x);
    RC_ASSERT(table.count(line, Mark::o) == counted.o);
  }
}

RC_GTEST_PROP(LineTableProperty, agrees_with_counting, ()) {
  const bool square = *rc::gen::arbitrary<bool>();
  const int rows = *rc::gen::inRange(square ? 3 : 1, 9);
  const int cols = square ? rows : *rc::gen::inRange(rows < 3 ? 3 : 1, 9);
  const int k = square ? rows : *rc::gen::inRange(3, std::max(rows, cols) + 1);
  const Rules rules{rows, cols, k, true};
  LineTable table(rules);
  Marks marks;
  for (const auto step :
       *rc::gen::container<std::vector<std::uint32_t>>(40, rc::gen::arbitrary<std::uint32_t>())) {
    const auto index = static_cast<int>((step >> 4) % static_cast<std::uint32_t>(rules.cells()));
    const Cell cell{index / cols, index % cols};
    const auto found = marks.find({cell.row, cell.col});
    if (found == marks.end()) {
      const Mark mark = step % 2 == 0 ? Mark::x : Mark::o;
      table.place(cell, mark);
      marks[{cell.row, cell.col}] = mark;
    } else {
      table.take_back(cell, found->second);
      marks.erase(found);
    }
  }
  compare(table, rules, marks);
}

TEST(LineTable, weight_of_a_cell_is_what_a_mark_of_the_other_side_takes_away) {
  const Rules rules{6, 7, 4, true};
  LineTable table(rules);
  table.place({2, 2}, Mark::x);
  table.place({2, 3}, Mark::x);
  table.place({3, 3}, Mark::o);
  for (int row = 0; row < rules.rows; ++row) {
    for (int col = 0; col < rules.cols; ++col) {
      const auto before = table.potential(Mark::x);
      const auto weight = table.weight_at({row, col}, Mark::x);
      if ((row == 2 && (col == 2 || col == 3)) || (row == 3 && col == 3)) continue;
      table.place({row, col}, Mark::o);
      EXPECT_EQ(table.potential(Mark::x), before - weight);
      table.take_back({row, col}, Mark::o);
      EXPECT_EQ(table.potential(Mark::x), before);
    }
  }
}

TEST(LineTable, potentials_of_the_empty_board) {
  EXPECT_EQ(LineTable(Rules::square(4)).potential(Mark::x), LineTable::one * 10 / 16);
  EXPECT_EQ(LineTable(Rules::square(5)).potential(Mark::o), LineTable::one * 12 / 32);
  EXPECT_EQ(LineTable(Rules::square(4096)).potential(Mark::o), 2U * 4096 + 2);
}

}  // namespace
}  // namespace tictactoe::ai::line_table_tests
