#include "common/ai/strong_search.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "common/ai/alpha_beta.hpp"
#include "common/ai/board_view.hpp"
#include "common/ai/pattern_board.hpp"
#include "common/ai/threat_space.hpp"

namespace tictactoe::ai {

using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;

namespace {

/// Of a choice without any limit.
constexpr std::uint64_t usual_nodes = 4'000'000;
constexpr std::size_t root_width = 28;
/// Attacking moves of the wins that are looked for and feared.
constexpr int max_fours = 16;
constexpr int max_threats = 10;
/// Plies spent on each of them: on own wins, on the opponent's after a pass, and on the opponent's
/// after one of the moves. Small budgets are shared in the same proportions, and half is left.
constexpr std::uint64_t hoped_nodes = 30'000;
constexpr std::uint64_t feared_nodes = 20'000;
constexpr std::uint64_t checked_nodes = 2'000;
constexpr std::uint64_t sum_of_looks =
    4 * (hoped_nodes + feared_nodes + root_width * checked_nodes);

class StrongSearch {
 public:
  using Side = PatternBoard::Side;
  using Index = PatternBoard::Cell;
  using Reason = StrongMove::Reason;

  StrongSearch(const Game& game, const Budget& budget)
      : view_(game),
        board_(view_.board(game)),
        side_(game.to_move() == Mark::x ? 0 : 1),
        total_(nodes_of(budget)),
        budget_(total_, budget.stop) {
    if (game.ply() > 0) last_ = view_.seen(game.moves().back());
  }

  std::optional<StrongMove> choose(int ply) {
    auto chosen = find(ply);
    if (chosen) chosen->nodes = total_ - budget_.left();
    return chosen;
  }

 private:
  static std::uint64_t nodes_of(const Budget& budget) {
    const bool has_limit = budget.nodes != Budget{}.nodes || budget.stop.stop_possible();
    return has_limit ? budget.nodes : usual_nodes;
  }

  std::optional<StrongMove> find(int ply) {
    if (board_.free_cells() == 0) return std::nullopt;
    if (ply < 2) return StrongMove{view_.whole(opening(ply)), Reason::opening};
    const Side other = 1 - side_;
    if (board_.count(side_, Gain::five) > 0)
      return at(board_.first(side_, Gain::five), Reason::win);
    if (board_.count(other, Gain::five) > 0) {
      return at(board_.first(other, Gain::five), Reason::block);
    }
    ThreatSpace threats(board_, budget_);
    if (const auto win = look(threats, side_, ThreatSpace::Means::fours, hoped_nodes)) {
      StrongMove move = at(win->move, Reason::fours);
      for (const Index cell : win->line) move.line.push_back(view_.whole(board_.cell(cell)));
      return move;
    }
    if (const auto win = look(threats, side_, ThreatSpace::Means::threes, hoped_nodes)) {
      return at(win->move, Reason::threats);
    }
    AlphaBeta search(board_, budget_);
    std::vector<Index> moves = candidates(threats, search);
    keep_defences(threats, moves);
    const auto loses = [&](Index cell) { return loses_to_threats(threats, cell, feared_nodes); };
    return at(search.best(side_, std::move(moves), loses), Reason::search);
  }

  /// Looks for a win of the side to move, within this many nodes and a part of the budget.
  std::optional<ThreatSpace::Win> look(ThreatSpace& threats, Side side, ThreatSpace::Means means,
                                       std::uint64_t nodes) {
    const bool fours = means == ThreatSpace::Means::fours;
    nodes = std::min(nodes, std::min(total_, sum_of_looks) * nodes / sum_of_looks + 1);
    const std::uint64_t rest = budget_.limit(nodes);
    const auto win = threats.find(side, means, fours ? max_fours : max_threats);
    budget_.restore(rest);
    return win;
  }

  /// The moves to search. Against a win that the opponent threatens, only what may prevent it.
  std::vector<Index> candidates(ThreatSpace& threats, AlphaBeta& search) {
    std::vector<Index> moves = search.worthy_cells(side_, root_width);
    if (moves.empty()) moves.push_back(first_free());
    auto threat = look(threats, 1 - side_, ThreatSpace::Means::fours, feared_nodes);
    if (!threat) threat = look(threats, 1 - side_, ThreatSpace::Means::threes, feared_nodes);
    if (!threat) return moves;
    std::vector<Index> defences = threat->cells;
    board_.collect(side_, Gain::three, defences);
    std::ranges::sort(defences);
    defences.erase(std::ranges::unique(defences).begin(), defences.end());
    std::ranges::sort(defences, std::greater(), [&](Index cell) {
      return std::pair(3 * board_.value(cell, side_) + 2 * board_.value(cell, 1 - side_), -cell);
    });
    return defences.empty() ? moves : defences;
  }

  bool loses_to_threats(ThreatSpace& threats, Index cell, std::uint64_t nodes) {
    board_.place(cell, side_);
    const bool loses = look(threats, 1 - side_, ThreatSpace::Means::threes, nodes).has_value();
    board_.take_back();
    return loses;
  }

  /// Drops the moves after which the opponent wins by threats. If all do, those remain that resist
  /// longest.
  void keep_defences(ThreatSpace& threats, std::vector<Index>& moves) {
    constexpr int never = std::numeric_limits<int>::max();
    std::vector<std::pair<int, Index>> resisting;
    int longest = 0;
    for (const Index cell : moves) {
      board_.place(cell, side_);
      auto win = look(threats, 1 - side_, ThreatSpace::Means::fours, checked_nodes);
      if (!win) win = look(threats, 1 - side_, ThreatSpace::Means::threes, checked_nodes);
      board_.take_back();
      resisting.emplace_back(win ? win->depth : never, cell);
      longest = std::max(longest, resisting.back().first);
    }
    moves.clear();
    for (const auto& [depth, cell] : resisting) {
      if (depth == longest) moves.push_back(cell);
    }
  }

  /// The middle of the board, or the cell beside the first mark on its way to the middle.
  Cell opening(int ply) const {
    const Cell middle{(view_.rules().rows - 1) / 2, (view_.rules().cols - 1) / 2};
    if (ply == 0) return middle;
    const auto towards = [](int from, int to, int side) {
      if (from != to) return from < to ? from + 1 : from - 1;
      return from + 1 < side ? from + 1 : std::max(0, from - 1);
    };
    return {towards(last_.row, middle.row, view_.rules().rows),
            towards(last_.col, middle.col, view_.rules().cols)};
  }

  Index first_free() const {
    Index cell = 0;
    while (!board_.is_free(cell)) ++cell;
    return cell;
  }

  StrongMove at(Index cell, Reason reason) const {
    return {view_.whole(board_.cell(cell)), reason};
  }

  BoardView view_;
  PatternBoard board_;
  Side side_;
  std::uint64_t total_;
  NodeBudget budget_;
  Cell last_;
};

}  // namespace

bool plays_strong(const Rules& rules) {
  return rules.k <= Shapes::max_line;
}

std::optional<StrongMove> strong_move(const Game& game, const Budget& budget) {
  return StrongSearch(game, budget).choose(game.ply());
}

}  // namespace tictactoe::ai
