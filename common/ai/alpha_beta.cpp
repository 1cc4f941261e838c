#include "common/ai/alpha_beta.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>
#include <utility>

namespace tictactoe::ai {

namespace {

constexpr int max_table_bits = 18;
/// How many fours a chain inside the search may have, and the plies spent on looking for one.
constexpr int max_chain = 6;
constexpr std::uint64_t inner_chain_nodes = 120;
constexpr std::uint64_t leaf_chain_nodes = 40;
/// An open three is answered beyond the last ply of the depth, this deep.
constexpr int deepest_extension = -4;
constexpr std::size_t full_depth_moves = 2;
constexpr int min_reduced_depth = 2;
constexpr int min_passed_depth = 2;
/// Near the leaves, a position whose score exceeds beta by this much for each remaining ply is not
/// searched.
constexpr int max_futile_depth = 3;
constexpr std::int32_t futile_margin = 300;
constexpr std::int32_t open_three_weight = 800;
/// The first best moves change often.
constexpr int min_checked_depth = 3;

}  // namespace

AlphaBeta::AlphaBeta(PatternBoard& board, NodeBudget& budget) : board_(board), budget_(budget) {
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
    const std::int32_t score = score_of_nth(i, moves[i], side, depth, window, 0);
    if (budget_.spent()) break;
    if (score > window.alpha) {
      window.alpha = score;
      best = i;
    }
  }
  // A better move that was searched to its end counts even if the others were not.
  std::rotate(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(best),
              moves.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  return !budget_.spent() && !is_decided(window.alpha);
}

std::int32_t AlphaBeta::score_of_nth(std::size_t number, Cell cell, Side side, int depth,
                                     Window window, int ply) {
  if (number > 0) {
    // Searched in full only if it seems to be better than the moves before.
    const Window empty{window.alpha, window.alpha + 1};
    const int less = reduction(number, cell, side, depth);
    std::int32_t score = score_of(cell, side, depth - less, empty, ply);
    if (less > 0 && score > window.alpha) score = score_of(cell, side, depth, empty, ply);
    if (score <= window.alpha || score >= window.beta) return score;
  }
  return score_of(cell, side, depth, window, ply);
}

int AlphaBeta::reduction(std::size_t number, Cell cell, Side side, int depth) const {
  if (number < full_depth_moves || depth < min_reduced_depth) return 0;
  if (board_.gain(cell, side) >= Gain::four) return 0;
  // About half the product of both logarithms.
  const auto width = [](auto value) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(value)));
  };
  const int less = width(depth) * width(number) / 5;
  return is_quiet(cell, side) ? less : std::max(0, less - 1);
}

std::int32_t AlphaBeta::score_of(Cell cell, Side side, int depth, Window window, int ply) {
  if (!budget_.spend()) return 0;
  board_.place(cell, side);
  const std::int32_t score =
      -search(1 - side, depth - 1, {-window.beta, -window.alpha}, ply + 1, true);
  board_.take_back();
  return score;
}

std::optional<std::int32_t> AlphaBeta::settled(Side side, int ply) const {
  const Side other = 1 - side;
  if (board_.free_cells() == 0) return 0;
  if (board_.count(side, Gain::five) > 0) return won - ply - 1;
  if (board_.count(other, Gain::five) > 1) return ply + 2 - won;
  if (board_.count(other, Gain::five) == 0 && board_.count(side, Gain::open_four) > 0) {
    return won - ply - 3;
  }
  if (ply >= max_plies) return evaluate(side);
  return std::nullopt;
}

std::int32_t AlphaBeta::quiet_score(Side side, Window window, int ply) {
  const std::int32_t score = evaluate(side);
  if (score >= window.beta) return score;
  return wins_by_fours(side, leaf_chain_nodes) ? won - ply - 5 : score;
}

// An extra mark hardly ever hurts, so a position that is good enough without one is so with one.
bool AlphaBeta::stands_a_pass(Side side, int depth, std::int32_t beta, int ply) {
  if (!budget_.spend()) return false;
  const int left = depth - 3 - depth / 4;
  const std::int32_t score = -search(1 - side, left, {-beta, 1 - beta}, ply + 1, false);
  return !budget_.spent() && score >= beta;
}

bool AlphaBeta::wins_by_fours(Side side, std::uint64_t nodes) {
  const int fours = board_.count(side, Gain::four) + board_.count(side, Gain::four_three);
  if (fours < 2 && board_.count(side, Gain::four_three) == 0) return false;
  const std::uint64_t rest = budget_.limit(nodes);
  const bool wins = chain_of_fours(side, -1, max_chain);
  budget_.restore(rest);
  return wins;
}

bool AlphaBeta::chain_of_fours(Side side, Cell before, int length) {
  const Side other = 1 - side;
  if (board_.count(side, Gain::five) > 0) return true;
  const int against = board_.count(other, Gain::five);
  if (against > 1) return false;
  if (against == 0 && board_.count(side, Gain::open_four) > 0) return true;
  if (length == 0) return false;
  const std::size_t begin = fours_.size();
  if (against == 0) {
    board_.collect(side, Gain::four, fours_);
  } else if (const Cell block = board_.first(other, Gain::five);
             board_.gain(block, side) >= Gain::four) {
    fours_.push_back(block);
  }
  const std::size_t end = fours_.size();
  bool wins = false;
  for (std::size_t i = begin; i < end && !wins; ++i) {
    const Cell cell = fours_[i];
    if (before >= 0 && !is_aligned(cell, before)) continue;
    if (!budget_.spend()) break;
    board_.place(cell, side);
    if (board_.count(other, Gain::five) == 0) {
      wins = board_.count(side, Gain::five) > 1;
      if (!wins && budget_.spend()) {
        board_.place(board_.first(side, Gain::five), other);
        wins = chain_of_fours(side, cell, length - 1);
        board_.take_back();
      }
    }
    board_.take_back();
  }
  fours_.resize(begin);
  return wins;
}

bool AlphaBeta::is_aligned(Cell a, Cell b) const {
  const int cols = board_.rules().cols;
  const int rows_apart = std::abs(a / cols - b / cols);
  const int cols_apart = std::abs(a % cols - b % cols);
  return (rows_apart == 0 || cols_apart == 0 || rows_apart == cols_apart) &&
         std::max(rows_apart, cols_apart) < board_.rules().k;
}

std::int32_t AlphaBeta::search(Side side, int depth, Window window, int ply, bool may_pass) {
  const Side other = 1 - side;
  if (budget_.spent()) return 0;
  if (const auto score = settled(side, ply)) return *score;
  if (board_.count(other, Gain::five) > 0) {
    return score_of(board_.first(other, Gain::five), side, depth + 1, window, ply);
  }
  const Entry* const known = find(key(side));
  if (known != nullptr && known->depth >= depth) {
    if (known->bound != Bound::upper && known->score >= window.beta) return known->score;
    if (known->bound != Bound::lower && known->score <= window.alpha) return known->score;
    if (known->bound == Bound::exact) return known->score;
  }
  const Cell table_move = known != nullptr ? known->move : -1;
  const bool threatened = board_.count(other, Gain::open_four) > 0;
  if (depth <= 0 && !(threatened && depth > deepest_extension)) {
    const std::int32_t score = quiet_score(side, window, ply);
    if (!budget_.spent()) store(side, depth, score, {-infinity, window.beta}, table_move);
    return score;
  }
  if (wins_by_fours(side, inner_chain_nodes)) {
    store(side, deepest, won - ply - 5, {-infinity, infinity}, table_move);
    return won - ply - 5;
  }
  if (!threatened && depth > 0 && window.beta - window.alpha == 1 && !is_decided(window.beta)) {
    const std::int32_t score = evaluate(side);
    if (depth <= max_futile_depth && score - futile_margin * depth >= window.beta) return score;
    if (may_pass && depth >= min_passed_depth && score >= window.beta &&
        stands_a_pass(side, depth, window.beta, ply)) {
      return window.beta;
    }
  }
  const std::vector<Cell>& moves = moves_for(side, table_move, ply);
  if (moves.empty()) return threatened ? ply + 4 - won : 0;
  return search_moves(side, moves, depth, window, ply);
}

std::int32_t AlphaBeta::search_moves(Side side, const std::vector<Cell>& moves, int depth,
                                     Window window, int ply) {
  const std::int32_t alpha_before = window.alpha;
  std::int32_t best = -infinity;
  Cell best_move = moves.front();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const std::int32_t score = score_of_nth(i, moves[i], side, depth, window, ply);
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
  store(side, depth, best, {alpha_before, window.beta}, best_move);
  return best;
}

const AlphaBeta::Entry* AlphaBeta::find(std::uint64_t key) const {
  for (const std::size_t number : {0U, 1U}) {
    const Entry& entry = table_[place_of(key) + number];
    if (entry.key == key && entry.bound != Bound::none) return &entry;
  }
  return nullptr;
}

// Of two entries, the first is for the deeper position.
void AlphaBeta::store(Side side, int depth, std::int32_t score, Window window, Cell move) {
  const Bound bound = score >= window.beta   ? Bound::lower
                      : score > window.alpha ? Bound::exact
                                             : Bound::upper;
  const std::uint64_t position = key(side);
  Entry* entry = &table_[place_of(position)];
  if (entry->key != position && entry->depth > depth) ++entry;
  *entry = {position, score, static_cast<std::int16_t>(move), static_cast<std::int8_t>(depth),
            bound};
}

std::int32_t AlphaBeta::evaluate(Side side) const {
  const Side other = 1 - side;
  const auto threats = [&](Side of) {
    return Threats{.four_three = board_.count(of, Gain::four_three) > 0,
                   .three_three = board_.count(of, Gain::three_three) > 0,
                   .four = board_.count(of, Gain::four) > 0,
                   .three = board_.count(of, Gain::three) > 0};
  };
  const CellWeight own = board_.weight(side);
  const CellWeight others = board_.weight(other);
  // With a smaller k than that of the fitted games, empty lines are worth much more to the side to
  // move, whoever it is. That would hide what each side has.
  const std::int32_t shapes =
      board_.rules().k >= 5 ? own.to_move + others.waiting
                            : (own.to_move - own.waiting - others.to_move + others.waiting) / 2;
  std::int32_t score = shapes + weight_of(threats(side), threats(other));
  if (board_.count(other, Gain::open_four) > 0) score -= open_three_weight;
  constexpr std::int32_t limit = won - 2 * max_plies;
  return std::clamp(score, -limit, limit);
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
