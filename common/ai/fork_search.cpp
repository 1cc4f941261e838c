#include "common/ai/fork_search.hpp"

#include <bit>
#include <cstddef>

namespace tictactoe::ai {

using rules::Cell;
using rules::Rules;

namespace {

constexpr int max_forcing_moves = 4;

std::size_t number(CellSet cell) {
  return static_cast<std::size_t>(std::countr_zero(cell));
}

CellSet first_of(CellSet cells) {
  return cells & (~cells + 1);
}

template <class Visit>
void for_each_cell(CellSet cells, Visit&& visit) {
  for (; cells != 0; cells &= cells - 1) visit(first_of(cells));
}

}  // namespace

ForkSearch::ForkSearch(const Rules& rules) {
  for (int i = 0; i < rules.cells(); ++i) {
    for (const Cell step : {Cell{0, 1}, Cell{1, 0}, Cell{1, 1}, Cell{1, -1}}) {
      const Cell first{i / rules.cols, i % rules.cols};
      const Cell last{first.row + (rules.k - 1) * step.row, first.col + (rules.k - 1) * step.col};
      if (!rules.contains(last)) continue;
      CellSet window = 0;
      for (int j = 0; j < rules.k; ++j) {
        window |= CellSet{1} << (i + j * (step.row * rules.cols + step.col));
      }
      windows_.push_back(window);
      for_each_cell(window, [&](CellSet cell) { through_[number(cell)].push_back(window); });
    }
  }
}

/// The pairs of empty cells of the windows that lack two marks, along one line of play.
class ForkSearch::Chain {
 public:
  explicit Chain(const ForkSearch& search) : search_(search) {}

  /// Adds the pair of such a window. Returns the cells of a fork that it makes with another window;
  /// empty if it makes none.
  CellSet add(CellSet pair, CellSet defender) {
    CellSet fork = 0;
    for_each_cell(pair, [&](CellSet cell) {
      const CellSet other = pair & ~cell;
      const CellSet others = partners_[number(cell)] & ~defender & ~other;
      if (others != 0) fork = cell | other | first_of(others);
      partners_[number(cell)] |= other;
    });
    return fork;
  }

  /// The attacker has just played `move`, the defender `reply`. Returns all cells of a chain and
  /// fork that win, with the cells that the defender could use against it; empty if none is found.
  CellSet follow(CellSet attacker, CellSet defender, CellSet move, CellSet reply, int moves_left) {
    CellSet counter = 0;
    for (const CellSet window : search_.through_[number(reply)]) {
      if ((window & attacker) != 0) continue;
      const CellSet missing = window & ~defender;
      if (std::popcount(missing) < 2) return 0;  // the reply is a threat itself
      if (std::popcount(missing) == 2) counter |= missing;
    }
    const Partners before = partners_;
    CellSet next = continued(attacker, defender, move, moves_left);
    partners_ = before;
    return next == 0 ? 0 : next | move | reply | counter;
  }

 private:
  using Partners = std::array<CellSet, PairCover::max_cells>;

  CellSet continued(CellSet attacker, CellSet defender, CellSet move, int moves_left) {
    std::array<CellSet, 32> pairs{};
    std::size_t count = 0;
    for (const CellSet window : search_.through_[number(move)]) {
      if ((window & defender) != 0) continue;
      const CellSet missing = window & ~attacker;
      if (std::popcount(missing) != 2) continue;
      if (const CellSet fork = add(missing, defender); fork != 0) return fork;
      if (count < pairs.size()) pairs[count++] = missing;
    }
    if (moves_left == 0) return 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (const CellSet cell : {first_of(pairs[i]), pairs[i] & (pairs[i] - 1)}) {
        const CellSet reply = pairs[i] & ~cell;
        const CellSet found =
            follow(attacker | cell, defender | reply, cell, reply, moves_left - 1);
        if (found != 0) return found;
      }
    }
    return 0;
  }

  const ForkSearch& search_;
  Partners partners_{};
};

ForkSearch::Found ForkSearch::find(CellSet attacker, CellSet defender) const {
  Found found;
  Chain chain(*this);
  std::array<CellSet, PairCover::max_cells> replies{};
  for (const CellSet window : windows_) {
    if ((window & defender) != 0) continue;
    const CellSet missing = window & ~attacker;
    if (std::popcount(missing) != 2) continue;
    found.threats |= missing;
    for_each_cell(missing, [&](CellSet cell) { replies[number(cell)] = missing & ~cell; });
    if (const CellSet fork = chain.add(missing, defender); fork != 0) {
      found.wins = true;
      found.needed &= fork;
    }
  }
  for (CellSet left = found.threats; left != 0 && !found.wins; left &= left - 1) {
    const CellSet move = first_of(left);
    const CellSet reply = replies[number(move)];
    const CellSet cells =
        chain.follow(attacker | move, defender | reply, move, reply, max_forcing_moves - 1);
    if (cells == 0) continue;
    found.wins = true;
    found.needed = cells;
  }
  return found;
}

}  // namespace tictactoe::ai
