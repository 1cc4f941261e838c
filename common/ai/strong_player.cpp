#include "common/ai/strong_player.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "common/ai/guard.hpp"
#include "common/ai/pairing.hpp"
#include "common/ai/pattern_board.hpp"
#include "common/ai/perfect_three.hpp"
#include "common/ai/position.hpp"
#include "common/ai/solver.hpp"
#include "common/ai/strong_search.hpp"
#include "common/ai/suggester.hpp"
#include "common/ai/threat_play.hpp"
#include "common/ai/threats.hpp"
#include "common/ai/trap_plan.hpp"
#include "common/ai/zetters.hpp"

namespace tictactoe::ai {

using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;

namespace {

/// Boards of up to this many cells are searched to the end if there is no certificate. So many
/// plies are spent on that whatever the time is, so that what was claimed once can be kept.
constexpr int max_solved_cells = 36;
constexpr std::uint64_t sure_nodes = 30'000;
/// Plies spent on a position that is known to be lost.
constexpr std::uint64_t hopeless_nodes = 5'000;
/// Plies spent on a chain of fours before a certificate is looked for, if the choice has to be
/// quick and otherwise.
constexpr std::uint64_t quick_nodes = 200;
constexpr std::uint64_t patient_nodes = 5'000;
/// Traps are planned on square boards up to this side.
constexpr int max_planned_side = 16;

bool is_three_in_a_row(const Rules& rules) {
  return rules.is_square() && rules.rows == 3;
}

class StrongPlayer final : public WatchfulPlayer {
 public:
  explicit StrongPlayer(const Game& so_far) : position_(Game(so_far.rules(), so_far.starter())) {
    for (const Cell cell : so_far.moves()) played(cell);
  }

  const Position& position() const override { return position_; }

  void played(Cell cell) override {
    const Mark mark = position_.to_move();
    position_.play(cell);
    follow_pairs(cell, mark);
    follow_tiles(cell);
    follow_plan(cell);
    if (promised(mark) != cell) promised(mark).reset();
    certified_.reset();
  }

  void undone() override {
    const Cell cell = position_.game().moves().back();
    position_.undo();
    plan_.clear();
    planned_ = false;
    promised_ = {};
    certified_.reset();
    unfollow_pairs(cell);
    follow_tiles(cell);
  }

  bool quick() const override {
    if (is_three()) return true;
    if (can_plan() || searches_threats()) return false;
    return in_plan() || certify().has_value();
  }

  Choice choose(const Budget& budget) override {
    Choice choice = find(budget);
    choice.effort = effort_of(position_, choice.cell);
    return choice;
  }

  std::size_t memory() const override {
    return sizeof(*this) + position_.memory() + tiles_.memory() +
           (plan_.capacity() + broken_[0].capacity() + broken_[1].capacity()) * sizeof(Cell);
  }

 private:
  Choice find(const Budget& budget) {
    if (is_three()) return PerfectThree::instance().choose(position_.game());
    if (can_plan()) {
      plan_ = plan_trap(position_, budget);
      plan_side_ = position_.to_move();
      planned_ = true;
    }
    if (in_plan()) return {plan_.front(), true};
    if (follow_chain(winning_chain(budget))) return {plan_.front(), true};
    if (const auto cell = certify()) return {*cell, true};
    Budget left = budget;
    if (rules().cells() <= max_solved_cells) {
      const Solver::Answer answer = solve(budget);
      if (answer.cell && *answer.score >= 0) {
        promised(position_.to_move()) = *answer.cell;
        return {*answer.cell, true};
      }
      // Lost against the best play, so what is left is to make it hard to see.
      if (answer.score) left.nodes = std::min(left.nodes, hopeless_nodes);
    }
    return search(left);
  }

  const Rules& rules() const { return position_.rules(); }
  bool is_three() const { return is_three_in_a_row(rules()); }

  /// A trap is planned once a game, at the first choice, while the board is still open.
  bool can_plan() const {
    return !planned_ && rules().is_square() && rules().rows <= max_planned_side &&
           position_.game().ply() < 2;
  }

  /// If neither pairing nor tiles guard the game, threats decide it.
  bool searches_threats() const { return !rules().is_square() && rules().k < min_tiled_line; }
  bool has_pairs() const { return !rules().is_square() && rules().k >= min_paired_line; }
  bool has_tiles() const { return !rules().is_square() && rules().k == min_tiled_line; }

  /// A short win by continuous fours.
  std::vector<Cell> winning_chain(const Budget& budget) {
    constexpr int plies = 9;
    const std::uint64_t nodes =
        std::min(budget.nodes, searches_threats() ? patient_nodes : quick_nodes);
    return continuous_fours(position_, plies, nodes, budget.stop).line;
  }

  /// The side to move wins by these plies, however little time is left for its next choices: a
  /// reply that is not among them leaves it a win in one. False if there are none.
  bool follow_chain(std::vector<Cell> chain) {
    if (chain.empty()) return false;
    plan_ = std::move(chain);
    plan_side_ = position_.to_move();
    return true;
  }

  Choice search(const Budget& budget) {
    if (const auto win = position_.winning_cell(position_.to_move())) return {*win, true};
    if (plays_strong(rules())) {
      // Of a larger board strong_move() sees only a part: beside that there can be a win for the
      // opponent, which has to be stopped and with which nothing is certain.
      const bool sees_all = std::max(rules().rows, rules().cols) <= PatternBoard::max_side;
      if (!sees_all) {
        const auto block = position_.winning_cell(opponent(position_.to_move()));
        if (block) return {*block, false};
      }
      auto found = strong_move(position_.game(), budget);
      if (found) return {found->cell, sees_all && follow_chain(std::move(found->line))};
    }
    return {choose_by_threats(position_, budget), false};
  }

  bool in_plan() const { return !plan_.empty() && plan_side_ == position_.to_move(); }

  /// A move that keeps a certificate; found once a position.
  std::optional<Cell> certify() const {
    if (!certified_) certified_ = find_certified();
    return *certified_;
  }

  std::optional<Cell> find_certified() const {
    if (has_pairs()) return by_pairs();
    // Building up away from the suggester's corner serves the second player better, along its
    // edges the first (measured).
    const Orientation orientation = position_.to_move() == position_.game().starter() ? 0 : 3;
    const std::vector<Cell> safe = safe_moves(position_, orientation, 1);
    if (!safe.empty()) return safe.front();
    if (has_tiles()) return guarded(tiles_.state(position_));
    return std::nullopt;
  }

  std::optional<Cell> by_pairs() const {
    if (const auto win = position_.winning_cell(position_.to_move())) return win;
    return guarded(tiled_pairing(position_, broken_[position_.to_move() == Mark::x ? 1 : 0]));
  }

  /// The answer that keeps this guard, or the suggester's choice if none is needed.
  std::optional<Cell> guarded(const PairingState& state) const {
    if (!state.holds) return std::nullopt;
    return state.answer ? *state.answer : suggest(position_);
  }

  Solver::Answer solve(const Budget& budget) {
    // Its table takes megabytes: too much to keep in every room between two moves.
    Solver solver(rules());
    rules::Board board(rules());
    for (const Cell cell : position_.game().moves()) board.set(cell, position_.game().at(cell));
    const auto solve = [&](const Budget& part) {
      return solver.solve(board, position_.to_move(), part);
    };
    // It is no more than a part of what was searched for the promise.
    if (promised(position_.to_move())) return solve({.nodes = budget.nodes});
    const Solver::Answer sure = solve({.nodes = std::min(budget.nodes, sure_nodes)});
    const bool is_spent = budget.stop.stop_requested() || budget.nodes <= sure_nodes;
    if (sure.cell || is_spent) return sure;
    return solve({.nodes = budget.nodes - sure_nodes, .stop = budget.stop});
  }

  std::optional<Cell>& promised(Mark side) { return promised_[side == Mark::x ? 0 : 1]; }

  void follow_plan(Cell cell) {
    if (plan_.empty()) return;
    if (plan_.front() == cell) {
      plan_.erase(plan_.begin());
    } else {
      plan_.clear();
    }
  }

  /// Keeps the lists of marks whose partner is not taken by the other side.
  void follow_pairs(Cell cell, Mark mark) {
    if (!has_pairs()) return;
    const auto partner = partner_of(cell, rules());
    if (!partner) return;
    const std::size_t side = mark == Mark::x ? 0 : 1;
    if (position_.game().at(*partner) == opponent(mark)) {
      std::erase(broken_[1 - side], *partner);
    } else {
      broken_[side].push_back(cell);
    }
  }

  void follow_tiles(Cell cell) {
    if (has_tiles()) tiles_.update(position_, cell);
  }

  void unfollow_pairs(Cell cell) {
    if (!has_pairs()) return;
    std::erase(broken_[0], cell);
    std::erase(broken_[1], cell);
    const auto partner = partner_of(cell, rules());
    if (!partner || position_.is_free(*partner)) return;
    auto& list = broken_[position_.game().at(*partner) == Mark::x ? 0 : 1];
    if (std::ranges::find(list, *partner) == list.end()) list.push_back(*partner);
  }

  /// Searches play on it and take back, so that it is the same again after each call.
  mutable Position position_;
  /// The plies to come, both sides', by which `plan_side_` wins.
  std::vector<Cell> plan_;
  Mark plan_side_ = Mark::none;
  bool planned_ = false;
  /// By side, X first: the last cell that the solver has chosen, if it has proven that this side
  /// does not lose if it plays there, and the side has done so.
  std::array<std::optional<Cell>, 2> promised_;
  mutable std::optional<std::optional<Cell>> certified_;
  /// By side, X first: see tiled_pairing().
  std::array<std::vector<Cell>, 2> broken_;
  ZettersTiles tiles_;
};

}  // namespace

std::size_t strong_choice_memory(const Rules& rules) {
  constexpr std::size_t beside_the_table = std::size_t{256} << 10;
  if (is_three_in_a_row(rules)) return 0;
  // The solver's memory is freed before the search begins.
  if (rules.cells() <= max_solved_cells) return Solver::usual_memory + beside_the_table;
  return plays_strong(rules) ? max_search_memory : 0;
}

std::unique_ptr<WatchfulPlayer> make_strong_player(const Game& so_far) {
  return std::make_unique<StrongPlayer>(so_far);
}

}  // namespace tictactoe::ai
