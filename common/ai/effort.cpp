#include "common/ai/effort.hpp"

#include "common/ai/position.hpp"

namespace tictactoe::ai {

using rules::Cell;
using rules::Mark;

Effort effort_of(const Position& position, Cell cell) {
  const rules::Rules& rules = position.rules();
  const auto any_lacks = [&](Mark side, int marks) {
    return position.lines().any_alive(side, rules.k - marks);
  };
  if (position.game().ply() + 1 == rules.cells()) return Effort::none;
  for (const Mark side : {Mark::x, Mark::o}) {
    if (any_lacks(side, 1) && position.wins_at(cell, side)) return Effort::none;
  }
  const bool has_threats = rules.k > 3 && (any_lacks(Mark::x, 2) || any_lacks(Mark::o, 2));
  return has_threats ? Effort::much : Effort::some;
}

}  // namespace tictactoe::ai
