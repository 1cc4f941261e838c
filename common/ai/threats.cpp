#include "common/ai/threats.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tictactoe::ai {

using rules::Cell;
using rules::Mark;

namespace {

class Search {
 public:
  Search(Position& position, std::uint64_t nodes, const std::stop_token& stop)
      : position_(position), nodes_(nodes), stop_(stop) {}

  bool spent() const { return spent_; }
  /// Of the win that attack() has found.
  std::vector<Cell> line() {
    std::ranges::reverse(line_);
    return std::move(line_);
  }

  /// The side to move attacks.
  std::optional<Cell> attack(int plies) {
    const Mark me = position_.to_move();
    if (const auto win = position_.winning_cell(me)) {
      line_ = {*win};
      return win;
    }
    if (plies < 3) return std::nullopt;
    const Position::Wins to_block = position_.wins_in_one(opponent(me));
    if (to_block.count > 1) return std::nullopt;
    const auto only = to_block.count == 1 ? std::optional(to_block.cells[0]) : std::nullopt;
    for (const Cell cell : fours(me, only)) {
      if (!spend()) return std::nullopt;
      position_.play(cell);
      const bool wins = forces_win(me, plies);
      position_.undo();
      if (!wins) continue;
      line_.push_back(cell);
      return cell;
    }
    return std::nullopt;
  }

 private:
  /// Whether the four just made wins: twice at once, or after the one reply that it leaves.
  bool forces_win(Mark me, int plies) {
    if (position_.to_move() == Mark::none) return false;  // the board is full
    const Position::Wins wins = position_.wins_in_one(me);
    if (wins.count == 0 || position_.wins_in_one(opponent(me)).count > 0) return false;
    if (wins.count > 1) {
      line_.clear();
      return true;
    }
    position_.play(wins.cells[0]);
    const bool won = position_.to_move() == me && attack(plies - 2).has_value();
    position_.undo();
    if (won) line_.push_back(wins.cells[0]);
    return won;
  }

  /// The cells that would make a four, each once: one more than can be tried, or `only` that one.
  std::vector<Cell> fours(Mark me, std::optional<Cell> only) {
    std::vector<Cell> cells;
    std::unordered_set<int> known;
    const auto offer = [&](Cell cell) {
      const int number = cell.row * position_.rules().cols + cell.col;
      if (position_.is_free(cell) && known.insert(number).second) cells.push_back(cell);
    };
    position_.lines().for_each_alive(me, position_.rules().k - 2, [&](LineTable::Id line) {
      spent_ = spent_ || stop_.stop_requested();
      for (int i = 0; i < position_.rules().k; ++i) {
        const Cell cell = LineTable::cell(line, i);
        if (!only || cell == *only) offer(cell);
      }
      return !spent_ && cells.size() <= nodes_;
    });
    return cells;
  }

  bool spend() {
    spent_ = spent_ || nodes_ == 0 || stop_.stop_requested();
    if (!spent_) --nodes_;
    return !spent_;
  }

  Position& position_;
  std::uint64_t nodes_;
  const std::stop_token& stop_;
  std::vector<Cell> line_;  // the last ply first
  bool spent_ = false;
};

}  // namespace

ThreatSearch continuous_fours(Position& position, int plies, std::uint64_t nodes,
                              const std::stop_token& stop) {
  Search search(position, nodes, stop);
  for (int depth = 1; depth <= plies; depth += 2) {
    if (const auto move = search.attack(depth)) return {move, search.line(), true};
    if (search.spent()) return {std::nullopt, {}, false};
  }
  return {};
}

}  // namespace tictactoe::ai
