#include "common/ai/trap_plan.hpp"

#include <algorithm>
#include <array>

#include "common/ai/guard.hpp"
#include "common/ai/suggester.hpp"

namespace tictactoe::ai {

using rules::Cell;
using rules::Mark;
using rules::Status;

namespace {

class Planner {
 public:
  Planner(Position& position, Orientation orientation, std::uint64_t nodes, std::stop_token stop)
      : position_(position),
        me_(position.to_move()),
        orientation_(orientation),
        nodes_(nodes),
        stop_(std::move(stop)) {}

  bool spent() const { return nodes_ == 0 || stop_.stop_requested(); }
  const std::vector<Cell>& plan() const { return plan_; }

  /// Whether a win was found that departs from the first choice by `departures` in all at most; it
  /// then stands in plan().
  bool search(int departures) {
    if (position_.game().status() != Status::ongoing) return position_.game().winner() == me_;
    if (position_.to_move() != me_) return follow(suggest(position_), departures);
    if (spent() || position_.lines().potential(me_) == 0) return false;
    --nodes_;
    const auto moves =
        safe_moves(position_, orientation_, static_cast<std::size_t>(departures) + 1);
    for (const Cell cell : moves) {
      if (follow(cell, departures)) return true;
      --departures;
    }
    return false;
  }

 private:
  bool follow(Cell cell, int departures) {
    position_.play(cell);
    plan_.push_back(cell);
    const bool won = search(departures);
    position_.undo();
    if (!won) plan_.pop_back();
    return won;
  }

  Position& position_;
  Mark me_;
  Orientation orientation_;
  std::uint64_t nodes_;
  std::stop_token stop_;
  std::vector<Cell> plan_;
};

}  // namespace

std::vector<Cell> plan_trap(Position& position, const Budget& budget) {
  // The suggester fills boards from the top left; building up along its way, away from it and
  // across it each catch it on other sizes (measured: every size from 4 to 10, in both roles).
  constexpr std::array<Orientation, 4> orientations{0, 3, 6, 4};
  std::uint64_t left = std::min<std::uint64_t>(budget.nodes, 4'000);
  for (const std::uint64_t share : {100U, 900U}) {
    for (const Orientation orientation : orientations) {
      const std::uint64_t nodes = std::min(share, left);
      left -= nodes;
      Planner planner(position, orientation, nodes, budget.stop);
      for (int departures = 0; !planner.spent() && departures < 12; ++departures) {
        if (planner.search(departures)) return planner.plan();
      }
    }
  }
  return {};
}

}  // namespace tictactoe::ai
