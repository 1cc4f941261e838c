#include "common/ai/alpha_beta.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

namespace tictactoe::ai {

namespace {

constexpr int max_table_bits = 18;
/// How many attacking moves and plies a chain of fours inside the search may have.
constexpr int chain_depth = 6;
constexpr std::uint64_t chain_nodes = 120;
/// An open three is answered beyond the last ply of the depth, this deep.
constexpr int deepest_extension = -4;
constexpr std::size_t full_depth_moves = 4;
/// The first best moves change often.
constexpr int min_checked_depth = 3;

}  // namespace

AlphaBeta::AlphaBeta(PatternBoard& board, NodeBudget& budget)
    : board_(board), budget_(budget), threats_(board, budget) {
  const int bits = std::clamp(static_cast<int>(std::bit_width(budget.left())), 8, max_table_bits);
  table_.resize(std::size_t{1} << bits);
  killers_.fill({-1, -1});
  history_.fill(std::vector<int>(static_cast<std::size_t>(board.cells())));
}

AlphaBeta::Cell AlphaBeta::best(Side side, std::vector<Cell> moves, const Loses& loses) {
  std::vector<Cell> checked;
  for (int depth = 1; depth <= deepest && moves.size() > 1 && !budget_.spent();) {
    const bool goes_on = search_root(side, moves, depth);
    if (depth >= min_checked_depth && std::ranges::find(checked, moves.front()) == checked.end()) {
      if (loses(moves.front())) {
        moves.erase(moves.begin());
        continue;  // the same depth without it
      }
      checked.push_back(moves.front());
    }
    if (!goes_on) break;
    ++depth;
  }
  return moves.front();
}

bool AlphaBeta::search_root(Side side, std::vector<Cell>& moves, int depth) {
  Window window{-infinity, infinity};
  std::size_t best = 0;
  for (std::size_t i = 0; i < moves.size() && !budget_.spent(); ++i) {
    std::int32_t score = 0;
    if (i > 0) {
      score = score_of(moves[i], side, depth, {window.alpha, window.alpha + 1}, 0);
    }
    if (i == 0 || score > window.alpha) score = score_of(moves[i], side, depth, window, 0);
    if (budget_.spent()) break;
    if (score > window.alpha) {
      window.alpha = score;
      best = i;
    }
  }
  // A better move that was searched to its end counts even if the others were not.
  std::rotate(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(best),
              moves.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  const bool decided = window.alpha > won - max_plies || window.alpha < max_plies - won;
  return !budget_.spent() && !decided;
}

std::int32_t AlphaBeta::score_of(Cell cell, Side side, int depth, Window window, int ply) {
  if (!budget_.spend()) return 0;
  board_.place(cell, side);
  const std::int32_t score = -search(1 - side, depth - 1, {-window.beta, -window.alpha}, ply + 1);
  board_.take_back();
  return score;
}

std::optional<std::int32_t> AlphaBeta::settled(Side side, int depth, int ply) {
  const Side other = 1 - side;
  if (board_.free_cells() == 0) return 0;
  if (board_.count(side, Gain::five) > 0) return won - ply - 1;
  if (board_.count(other, Gain::five) > 1) return ply + 2 - won;
  if (board_.count(other, Gain::five) > 0) return std::nullopt;
  if (board_.count(side, Gain::open_four) > 0) return won - ply - 3;
  if (wins_by_fours(side, depth)) return won - ply - 5;
  const bool answers_three = board_.count(other, Gain::open_four) > 0 && depth > deepest_extension;
  if ((depth <= 0 && !answers_three) || ply >= max_plies) return evaluate(side);
  return std::nullopt;
}

bool AlphaBeta::wins_by_fours(Side side, int depth) {
  const int fours = board_.count(side, Gain::four) + board_.count(side, Gain::four_three);
  if (fours < 2 && board_.count(side, Gain::four_three) == 0) return false;
  const std::uint64_t rest = budget_.limit(depth > 0 ? chain_nodes : chain_nodes / 2);
  const bool wins = threats_.find(side, ThreatSpace::Means::fours, chain_depth).has_value();
  budget_.restore(rest);
  return wins;
}

std::int32_t AlphaBeta::search(Side side, int depth, Window window, int ply) {
  const Side other = 1 - side;
  if (budget_.spent()) return 0;
  const std::uint64_t position = key(side);
  const Entry known = entry(position);
  const bool is_known = known.key == position && known.bound != Bound::none;
  if (is_known && known.depth >= depth) {
    if (known.bound != Bound::upper && known.score >= window.beta) return known.score;
    if (known.bound != Bound::lower && known.score <= window.alpha) return known.score;
    if (known.bound == Bound::exact) return known.score;
  }
  if (const auto score = settled(side, depth, ply)) return *score;
  if (board_.count(other, Gain::five) > 0) {
    return score_of(board_.first(other, Gain::five), side, depth + 1, window, ply);
  }
  const std::vector<Cell>& moves = moves_for(side, is_known ? known.move : -1, ply);
  if (moves.empty()) return board_.count(other, Gain::open_four) > 0 ? ply + 4 - won : 0;
  return search_moves(side, moves, depth, window, ply);
}

std::int32_t AlphaBeta::search_moves(Side side, const std::vector<Cell>& moves, int depth,
                                     Window window, int ply) {
  const std::int32_t alpha_before = window.alpha;
  std::int32_t best = -infinity;
  Cell best_move = moves.front();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    std::int32_t score = 0;
    if (i > 0) {
      // A late move without a threat is searched in full only if it seems to be good.
      const bool late = i >= full_depth_moves && depth >= 3 && is_quiet(moves[i], side);
      const Window empty{window.alpha, window.alpha + 1};
      score = score_of(moves[i], side, late ? depth - 1 : depth, empty, ply);
      if (late && score > window.alpha) score = score_of(moves[i], side, depth, empty, ply);
    }
    if (i == 0 || (score > window.alpha && score < window.beta)) {
      score = score_of(moves[i], side, depth, window, ply);
    }
    if (budget_.spent()) return 0;
    if (score > best) {
      best = score;
      best_move = moves[i];
    }
    window.alpha = std::max(window.alpha, score);
    if (window.alpha >= window.beta) {
      remember_cut(moves[i], side, depth, ply);
      break;
    }
  }
  const Bound bound = best >= window.beta   ? Bound::lower
                      : best > alpha_before ? Bound::exact
                                            : Bound::upper;
  entry(key(side)) = {key(side), best, static_cast<std::int16_t>(best_move),
                      static_cast<std::int8_t>(depth), bound};
  return best;
}

// The side to move is half a move ahead.
std::int32_t AlphaBeta::evaluate(Side side) const {
  const Side other = 1 - side;
  const auto has = [&](Side of, Gain gain) { return board_.count(of, gain) > 0; };
  std::int32_t bonus = 0;
  if (has(side, Gain::four_three)) bonus += 400;
  if (has(side, Gain::three_three) && !has(other, Gain::four)) bonus += 200;
  if (has(other, Gain::open_four)) bonus -= 200;
  return board_.total(side) + board_.total(side) / 8 - board_.total(other) + bonus;
}

const std::vector<AlphaBeta::Cell>& AlphaBeta::moves_for(Side side, Cell table_move, int ply) {
  std::vector<Cell>& moves = moves_[static_cast<std::size_t>(ply)];
  moves.clear();
  if (board_.count(1 - side, Gain::open_four) > 0) {
    moves = answers_to_open_threes(side);
  } else {
    add_worthy_cells(side, inner_width, moves);
  }
  const auto& killers = killers_[static_cast<std::size_t>(ply)];
  // The last one that is brought to the front comes first.
  for (const Cell cell : {killers[1], killers[0], table_move}) {
    const auto found = std::ranges::find(moves, cell);
    if (found != moves.end()) std::rotate(moves.begin(), found, found + 1);
  }
  return moves;
}

std::vector<AlphaBeta::Cell> AlphaBeta::worthy_cells(Side side, std::size_t max) {
  std::vector<Cell> cells;
  add_worthy_cells(side, max, cells);
  return cells;
}

void AlphaBeta::add_worthy_cells(Side side, std::size_t max, std::vector<Cell>& cells) {
  // By falling rank, then in reading order: both in one number, which is quick to sort.
  const int factor = board_.cells();
  ranked_.clear();
  const auto& history = history_[side];
  for (Cell cell = 0; cell < board_.cells(); ++cell) {
    const int worth = 3 * board_.value(cell, side) + 2 * board_.value(cell, 1 - side);
    if (worth == 0) continue;
    ranked_.push_back((4 * worth + history[static_cast<std::size_t>(cell)] + 1) * factor - cell);
  }
  const auto count = static_cast<std::ptrdiff_t>(std::min(max, ranked_.size()));
  std::partial_sort(ranked_.begin(), ranked_.begin() + count, ranked_.end(), std::greater());
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    cells.push_back(factor - 1 - (ranked_[static_cast<std::size_t>(i)] + factor - 1) % factor);
  }
}

std::vector<AlphaBeta::Cell> AlphaBeta::answers_to_open_threes(Side side) const {
  std::vector<Cell> cells = defences_to_all(board_, 1 - side);
  board_.collect(side, Gain::four, cells);
  std::ranges::sort(cells);
  cells.erase(std::ranges::unique(cells).begin(), cells.end());
  std::ranges::sort(cells, std::greater(), [&](Cell cell) {
    return std::pair(board_.value(cell, side) + board_.value(cell, 1 - side), -cell);
  });
  return cells;
}

bool AlphaBeta::is_quiet(Cell cell, Side side) const {
  return board_.gain(cell, side) < Gain::three && board_.gain(cell, 1 - side) < Gain::three;
}

void AlphaBeta::remember_cut(Cell cell, Side side, int depth, int ply) {
  auto& killers = killers_[static_cast<std::size_t>(ply)];
  if (killers[0] != cell) killers = {cell, killers[0]};
  constexpr int max_history = 200;
  int& history = history_[side][static_cast<std::size_t>(cell)];
  history = std::min(max_history, history + std::max(1, depth));
}

std::uint64_t AlphaBeta::key(Side side) const {
  return board_.hash() ^ (side == 0 ? 0 : 0x9E37'79B9'7F4A'7C15U);
}

}  // namespace tictactoe::ai
