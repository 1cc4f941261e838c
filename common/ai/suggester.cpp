#include "common/ai/suggester.hpp"

#include <algorithm>
#include <tuple>

namespace tictactoe::ai {

using rules::Cell;
using rules::Mark;

namespace {

/// The best free cell seen so far; of equal ones the first in reading order.
struct Best {
  Cell cell{-1, -1};
  std::uint64_t reward = 0;

  void offer(Cell other, std::uint64_t value) {
    if (value == 0 || value < reward) return;
    if (value == reward && std::tie(cell.row, cell.col) <= std::tie(other.row, other.col)) return;
    *this = {other, value};
  }
};

/// Examines the free cells of the lines alive for `side`, lines with the most marks first. Stops if
/// no cell of the remaining lines can do better, or after `probes`: a cell costs one, and its
/// reward `reward_cost`. Every cell that is worth anything is on such a line.
/// `value(marks)` is what a line adds to its cells; it grows with the marks.
template <class Reward, class Value>
void look_along_lines(const Position& position, Mark side, int probes, int reward_cost,
                      Reward&& reward, Value&& value, Best& best) {
  const LineTable& lines = position.lines();
  const auto max_lines = static_cast<std::uint64_t>(lines.max_lines_through_a_cell());
  for (int marks = position.rules().k - 1; marks >= 1; --marks) {
    if (best.reward >= max_lines * value(marks)) return;
    const bool go_on = lines.for_each_alive(side, marks, [&](LineTable::Id line) {
      for (int i = 0; i < position.rules().k && probes > 0; ++i, --probes) {
        const Cell cell = LineTable::cell(line, i);
        if (!position.is_free(cell)) continue;
        best.offer(cell, reward(cell));
        probes -= reward_cost;
      }
      return probes > 0;
    });
    if (!go_on) return;
  }
}

/// The document's reward: own marks over the live lines through the cell.
Best best_on_square(const Position& position) {
  const LineTable& lines = position.lines();
  const Mark me = position.to_move();
  const auto reward = [&](Cell cell) {
    std::uint64_t sum = 0;
    lines.for_each_line(cell, [&](LineTable::Id line) {
      if (lines.alive(line, me)) sum += static_cast<std::uint64_t>(lines.count(line, me));
    });
    return sum;
  };
  const auto value = [](int marks) { return static_cast<std::uint64_t>(marks); };
  // 16 n probes find the true best on small boards and stay O(n) on large ones.
  const int probes = std::max(1024, 16 * position.rules().k);
  Best best;
  look_along_lines(position, me, probes, 0, reward, value, best);
  return best;
}

/// For k in a row on other boards: both sides' lines, four times as much for each mark in them, the
/// own ones a little more.
Best best_on_other(const Position& position) {
  const LineTable& lines = position.lines();
  const Mark me = position.to_move();
  const auto value = [](int marks) { return std::uint64_t{3} << 2 * std::min(marks, 24); };
  const auto reward = [&](Cell cell) {
    std::uint64_t sum = 0;
    lines.for_each_line(cell, [&](LineTable::Id line) {
      for (const Mark side : {me, opponent(me)}) {
        const int marks = lines.count(line, side);
        if (marks > 0 && lines.alive(line, side)) {
          sum += value(marks) / (side == me ? 2 : 3);
        }
      }
    });
    return sum;
  };
  Best best;
  // Enough for 64 lines of gomoku on each side; with a large k a reward alone looks at 4k lines.
  const int probes = 8192 + 16 * (position.rules().rows + position.rules().cols);
  const int reward_cost = lines.max_lines_through_a_cell();
  look_along_lines(position, me, probes, reward_cost, reward, value, best);
  look_along_lines(position, opponent(me), probes, reward_cost, reward, value, best);
  return best;
}

class Suggester final : public Player {
 public:
  explicit Suggester(const rules::Game& so_far) : position_(so_far) {}

  void played(Cell cell) override { position_.play(cell); }
  void undone() override { position_.undo(); }
  bool quick() const override { return true; }

  Choice choose(const Budget&) override {
    Choice choice{suggest(position_), false};
    choice.effort = effort_of(position_, choice.cell);
    return choice;
  }
  std::size_t memory() const override { return sizeof(*this) + position_.memory(); }

 private:
  Position position_;
};

}  // namespace

Cell suggest(const Position& position) {
  const rules::Rules& rules = position.rules();
  const Mark me = position.to_move();
  if (const auto win = position.winning_cell(me)) return *win;
  if (const auto block = position.winning_cell(opponent(me))) return *block;
  const Best best = rules.is_square() ? best_on_square(position) : best_on_other(position);
  if (best.reward > 0) return best.cell;
  if (!rules.is_square() && position.game().ply() < 2) return position.central_cell();
  return position.first_free_cell();
}

std::unique_ptr<Player> make_suggester(const rules::Game& so_far) {
  return std::make_unique<Suggester>(so_far);
}

}  // namespace tictactoe::ai
