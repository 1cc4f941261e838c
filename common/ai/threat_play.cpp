#include "common/ai/threat_play.hpp"

#include <algorithm>
#include <ranges>
#include <tuple>
#include <utility>
#include <vector>

#include "common/ai/suggester.hpp"
#include "common/ai/threats.hpp"

namespace tictactoe::ai {

using rules::Cell;
using rules::Mark;
using rules::Status;

namespace {

/// How long a chain of fours is looked for on both sides.
constexpr int hopeful_plies = 19;
constexpr int feared_plies = 9;

using Score = std::int64_t;
constexpr Score win_score = Score{1} << 60;

class ThreatPlay {
 public:
  ThreatPlay(Position& position, const Budget& budget)
      : position_(position), stop_(budget.stop), nodes_(std::min(budget.nodes, max_nodes)) {}

  Cell choose() {
    const Mark me = position_.to_move();
    if (const auto win = position_.winning_cell(me)) return *win;
    if (const auto block = position_.winning_cell(opponent(me))) return *block;
    const ThreatSearch attack = continuous_fours(position_, hopeful_plies, nodes_ / 8, stop_);
    if (attack.move) return *attack.move;
    std::vector<Cell> moves = ranked(root_width);
    keep_defences(moves);
    return search_root(moves);
  }

 private:
  static constexpr std::size_t root_width = 20;
  static constexpr std::size_t inner_width = 10;
  static constexpr int deepest = 6;

  /// Without a limit from outside a choice still ends.
  static constexpr std::uint64_t max_nodes = 2'000'000;

  /// The free cells with the most weight for both sides together, the heaviest first; at least one.
  std::vector<Cell> ranked(std::size_t width) const {
    std::vector<std::pair<LineTable::Weight, Cell>> found;
    const LineTable& lines = position_.lines();
    for (const Cell cell : promising(3 * width)) {
      found.emplace_back(lines.weight_at(cell, Mark::x) + lines.weight_at(cell, Mark::o), cell);
    }
    if (found.empty()) return {suggest(position_)};
    std::ranges::sort(found, [](const auto& a, const auto& b) {
      return std::tie(b.first, a.second.row, a.second.col) <
             std::tie(a.first, b.second.row, b.second.col);
    });
    std::vector<Cell> cells;
    for (const auto& [weight, cell] : found | std::views::take(width)) cells.push_back(cell);
    return cells;
  }

  /// Up to `most` free cells of the live lines of both sides, lines with the most marks first.
  std::vector<Cell> promising(std::size_t max) const {
    std::vector<Cell> cells;
    cells.reserve(max + static_cast<std::size_t>(position_.rules().k));
    const auto add_line = [&](LineTable::Id line) {
      for (int i = 0; i < position_.rules().k; ++i) {
        const Cell cell = LineTable::cell(line, i);
        if (position_.is_free(cell) && std::ranges::find(cells, cell) == cells.end()) {
          cells.push_back(cell);
        }
      }
      return cells.size() < max;
    };
    for (int marks = position_.rules().k - 1; marks >= 1; --marks) {
      for (const Mark side : {Mark::x, Mark::o}) {
        if (!position_.lines().for_each_alive(side, marks, add_line)) return cells;
      }
    }
    return cells;
  }

  /// Drops the moves after which the opponent wins by continuous fours, unless all of them are
  /// such.
  void keep_defences(std::vector<Cell>& moves) {
    std::vector<Cell> kept;
    const std::uint64_t share = nodes_ / (4 * moves.size());
    for (const Cell cell : moves) {
      position_.play(cell);
      const bool loses = position_.to_move() != Mark::none &&
                         continuous_fours(position_, feared_plies, share, stop_).move.has_value();
      position_.undo();
      if (!loses) kept.push_back(cell);
    }
    if (!kept.empty()) moves = std::move(kept);
  }

  Cell search_root(const std::vector<Cell>& moves) {
    Cell best = moves.front();
    for (int depth = 2; depth <= deepest && !spent(); ++depth) {
      Cell best_here = best;
      Score alpha = -win_score - 1;
      for (const Cell cell : moves) {
        const Score score = score_of(cell, alpha, win_score + 1, depth);
        if (spent()) return best;
        if (score > alpha) {
          alpha = score;
          best_here = cell;
        }
      }
      best = best_here;
    }
    return best;
  }

  Score score_of(Cell cell, Score alpha, Score beta, int depth) {
    if (nodes_ > 0) --nodes_;
    position_.play(cell);
    const Score score = -search(-beta, -alpha, depth - 1);
    position_.undo();
    return score;
  }

  Score search(Score alpha, Score beta, int depth) {
    if (position_.game().status() == Status::won) return -win_score - depth;
    if (position_.game().status() == Status::drawn || spent()) return 0;
    const Mark me = position_.to_move();
    if (position_.winning_cell(me)) return win_score + depth - 1;
    const Position::Wins forced = position_.wins_in_one(opponent(me));
    if (forced.count > 1) return -win_score - depth + 2;
    if (depth <= 0 && forced.count == 0) return evaluate(me);
    if (forced.count == 1) return score_of(forced.cells[0], alpha, beta, depth);
    for (const Cell cell : ranked(inner_width)) {
      alpha = std::max(alpha, score_of(cell, alpha, beta, depth));
      if (alpha >= beta) break;
    }
    return alpha;
  }

  /// The side to move is half a move ahead, so its lines count a little more.
  Score evaluate(Mark me) const {
    const auto mine = static_cast<Score>(position_.lines().potential(me));
    const auto theirs = static_cast<Score>(position_.lines().potential(opponent(me)));
    return mine + mine / 8 - theirs;
  }

  bool spent() const { return nodes_ == 0 || stop_.stop_requested(); }

  Position& position_;
  std::stop_token stop_;
  std::uint64_t nodes_;
};

}  // namespace

Cell choose_by_threats(Position& position, const Budget& budget) {
  return ThreatPlay(position, budget).choose();
}

}  // namespace tictactoe::ai
