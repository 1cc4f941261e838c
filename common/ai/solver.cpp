#include "common/ai/solver.hpp"

#include <algorithm>
#include <bit>
#include <random>
#include <tuple>

namespace tictactoe::ai {

using rules::Board;
using rules::Cell;
using rules::Mark;
using rules::Rules;

namespace {

/// 2 * 3^39 < 2^64.
constexpr int max_exact_cells = 39;
/// Bounds the stack.
constexpr int deepest_line = 400;

std::vector<std::uint64_t> cell_values(const Rules& rules) {
  std::vector<std::uint64_t> values;
  std::mt19937_64 random(20'26);
  std::uint64_t power = 2;  // the lowest bit is the side to move
  for (int i = 0; i < rules.cells(); ++i) {
    values.push_back(rules.cells() <= max_exact_cells ? power : random() << 1);
    power *= 3;
  }
  return values;
}

/// Where a cell goes under the symmetry of that number; 4 to 7 need equal sides.
Cell image(const Rules& rules, Cell cell, int symmetry) {
  if ((symmetry & 1) != 0) cell.row = rules.rows - 1 - cell.row;
  if ((symmetry & 2) != 0) cell.col = rules.cols - 1 - cell.col;
  if ((symmetry & 4) != 0) std::swap(cell.row, cell.col);
  return cell;
}

/// As many as number that many entries, rounded down; at least four.
int bits_of(std::size_t entries) {
  return static_cast<int>(std::bit_width(std::max<std::size_t>(16, entries))) - 1;
}

/// The maximum depth of a search that keeps this many lists of moves.
int depth_of(std::size_t lists) {
  return static_cast<int>(std::clamp<std::size_t>(lists, 1, deepest_line));
}

}  // namespace

Solver::Solver(const Rules& rules, std::size_t memory)
    : rules_(rules),
      lines_(rules),
      board_(rules),
      max_table_bits_(bits_of(memory / sizeof(Entry))),
      max_depth_(depth_of(memory / sizeof(Move) / static_cast<std::size_t>(rules.cells()))) {
  if (rules.cells() <= PairCover::max_cells) cover_.emplace(rules);
  if (cover_ && (rules.overline_wins || rules.is_square())) forks_.emplace(rules);
  const std::vector<std::uint64_t> values = cell_values(rules);
  const int symmetries = rules.rows == rules.cols ? 8 : 4;
  for (int symmetry = 0; symmetry < symmetries; ++symmetry) {
    auto& keys = cell_keys_.emplace_back();
    for (int i = 0; i < rules.cells(); ++i) {
      const Cell to = image(rules, board_.cell(i), symmetry);
      keys.push_back(values[board_.index(to)]);
    }
  }
  keys_.resize(cell_keys_.size());
}

Solver::Answer Solver::solve(const Board& board, Mark side, const Budget& budget) {
  set_up(board);
  budget_ = budget;
  nodes_ = 0;
  Answer answer;
  try {
    // With an extra mark that never hurts, the second side's strategy would serve the first.
    const bool steals = rules_.overline_wins && free_ == rules_.cells();
    answer.score = search(side, steals ? 0 : -1, 1, 0);
    for (int i = 0; i < rules_.cells() && !answer.cell; ++i) {
      const Cell cell = board_.cell(i);
      if (board_.at(cell) != Mark::none) continue;
      // Whether the move keeps the score is one question with two answers.
      const int score = *answer.score;
      if (score == -1 || score_of(cell, side, score - 1, score, 0) >= score) answer.cell = cell;
    }
  } catch (const BudgetSpent&) {
    // A score may be proven by now, the cell is not. The next set_up() clears the board.
    answer.cell.reset();
  } catch (const TooDeep&) {
    answer.cell.reset();
    answer.too_deep = true;
  }
  answer.nodes = nodes_;
  return answer;
}

void Solver::set_up(const Board& board) {
  lines_ = LineTable(rules_);
  board_ = Board(rules_);
  marks_ = {};
  free_ = rules_.cells();
  std::ranges::fill(keys_, 0);
  for (int i = 0; i < rules_.cells(); ++i) {
    const Cell cell = board.cell(i);
    if (board.at(cell) != Mark::none) place(cell, board.at(cell));
  }
  // Each free cell can be left so or taken by either side, log2(3) < 2 bits.
  const int bits = std::clamp(2 * free_, 4, max_table_bits_);
  if (bits <= table_bits_) return;
  table_bits_ = bits;
  table_.assign(std::size_t{1} << bits, Entry{});
}

void Solver::place(Cell cell, Mark mark) {
  board_.set(cell, mark);
  if (cover_) marks_[mark == Mark::x ? 0 : 1] |= CellSet{1} << board_.index(cell);
  lines_.place(cell, mark);
  --free_;
  const std::size_t index = board_.index(cell);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    keys_[i] += static_cast<std::uint64_t>(mark) * cell_keys_[i][index];
  }
}

void Solver::take_back(Cell cell, Mark mark) {
  board_.set(cell, Mark::none);
  if (cover_) marks_[mark == Mark::x ? 0 : 1] &= ~(CellSet{1} << board_.index(cell));
  lines_.take_back(cell, mark);
  ++free_;
  const std::size_t index = board_.index(cell);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    keys_[i] -= static_cast<std::uint64_t>(mark) * cell_keys_[i][index];
  }
}

bool Solver::wins_at(Cell cell, Mark side) const {
  if (rules_.overline_wins || rules_.is_square()) return true;  // its line lacks one mark
  return rules::wins_at(rules_, [this](Cell other) { return board_.at(other); }, cell, side);
}

int Solver::winning_cells(Mark side, Cell& cell) const {
  int found = 0;
  lines_.for_each_alive(side, rules_.k - 1, [&](LineTable::Id line) {
    int i = 0;
    while (board_.at(LineTable::cell(line, i)) != Mark::none) ++i;
    const Cell empty = LineTable::cell(line, i);
    if ((found == 0 || empty != cell) && wins_at(empty, side)) {
      cell = empty;
      ++found;
    }
    return found < 2;
  });
  return found;
}

int Solver::score_of(Cell cell, Mark side, int alpha, int beta, int depth) {
  if (lines_.any_alive(side, rules_.k - 1)) {
    const auto at = [this](Cell other) { return board_.at(other); };
    if (rules::wins_at(rules_, at, cell, side)) return 1;
  }
  place(cell, side);
  // A spent budget leaves the marks where they are; set_up() starts from an empty board.
  const int score = free_ == 0 ? 0 : -search(opponent(side), -beta, -alpha, depth + 1);
  take_back(cell, side);
  return score;
}

int Solver::search(Mark side, int alpha, int beta, int depth) {
  spend_node();
  Cell forced;
  if (winning_cells(side, forced) > 0) return 1;
  const int blocks = winning_cells(opponent(side), forced);
  if (blocks > 1) return -1;
  if (depth >= max_depth_) throw TooDeep{};
  if (blocks == 1) return score_of(forced, side, alpha, beta, depth);

  const std::uint64_t position_key = key(side);
  Bounds bounds;
  if (const Entry& known = entry(position_key); known.key == position_key + 1) {
    bounds = {known.lower, known.upper};
  }
  if (bounds.lower >= beta || bounds.lower == bounds.upper) return bounds.lower;
  if (bounds.upper <= alpha) return bounds.upper;
  CellSet tried = all_cells;
  if (forks_) {
    const CellSet mine = marks_[side == Mark::x ? 0 : 1];
    const CellSet theirs = marks_[side == Mark::x ? 1 : 0];
    const ForkSearch::Found own = forks_->find(mine, theirs);
    if (own.wins) return 1;
    const ForkSearch::Found feared = forks_->find(theirs, mine);
    if (feared.wins) tried = feared.needed | own.threats;
    if (tried == 0) return -1;
  }
  const std::vector<Move> moves = ordered_moves(side, tried);
  const Bounds by_weight = weight_bounds(side, moves);
  bounds = {std::max(bounds.lower, by_weight.lower), std::min(bounds.upper, by_weight.upper)};
  if (bounds.lower >= beta || bounds.lower == bounds.upper) return bounds.lower;
  if (bounds.upper <= alpha) return bounds.upper;
  // Tries first the bound that decides this search.
  if (bounds.upper > 0 && alpha >= 0 && pairs_stop(side)) bounds.upper = 0;
  if (bounds.lower < 0 && beta <= 0 && pairs_stop_after(opponent(side), moves)) bounds.lower = 0;
  if (bounds.lower >= beta || bounds.lower == bounds.upper) return bounds.lower;
  if (bounds.upper <= alpha) return bounds.upper;

  alpha = std::max(alpha, bounds.lower);
  beta = std::min(beta, bounds.upper);
  const int score = search_moves(side, moves, alpha, beta, depth);
  if (score > alpha) bounds.lower = std::max(bounds.lower, score);
  if (score < beta) bounds.upper = std::min(bounds.upper, score);
  // Zero marks an empty entry, so keys are stored one up.
  entry(position_key) = {position_key + 1, static_cast<std::int8_t>(bounds.lower),
                         static_cast<std::int8_t>(bounds.upper)};
  return score;
}

int Solver::search_moves(Mark side, const std::vector<Move>& moves, int alpha, int beta,
                         int depth) {
  int best = alpha;
  for (const Move& move : moves) {
    best = std::max(best, score_of(move.cell, side, best, beta, depth));
    if (best >= beta) break;
  }
  return best;
}

bool Solver::heavier(const Move& a, const Move& b) {
  return std::tie(b.weight, a.cell.row, a.cell.col) < std::tie(a.weight, b.cell.row, b.cell.col);
}

std::vector<Solver::Move> Solver::ordered_moves(Mark side, CellSet cells) const {
  std::vector<Move> moves;
  moves.reserve(static_cast<std::size_t>(free_));
  for (int i = 0; i < rules_.cells(); ++i) {
    const Cell cell = board_.cell(i);
    if (board_.at(cell) != Mark::none) continue;
    if (cells != all_cells && (cells >> i & 1) == 0) continue;
    moves.push_back({cell, lines_.weight_at(cell, side) + lines_.weight_at(cell, opponent(side))});
  }
  std::ranges::sort(moves, heavier);
  return moves;
}

Solver::Bounds Solver::weight_bounds(Mark side, const std::vector<Move>& moves) const {
  Bounds bounds;
  if (lines_.potential(opponent(side)) < LineTable::one) bounds.lower = 0;
  if (lines_.potential(side) < LineTable::one) {
    LineTable::Weight most = 0;
    for (const Move& move : moves) most = std::max(most, lines_.weight_at(move.cell, side));
    if (lines_.potential(side) + most < LineTable::one) bounds.upper = 0;
  }
  return bounds;
}

bool Solver::pairs_stop(Mark attacker) const {
  if (!cover_) return false;
  const std::size_t side = attacker == Mark::x ? 0 : 1;
  return cover_->stops(marks_[side], marks_[1 - side]);
}

bool Solver::pairs_stop_after(Mark attacker, const std::vector<Move>& moves) const {
  if (!cover_) return false;
  const std::size_t side = attacker == Mark::x ? 0 : 1;
  constexpr std::size_t tries = 4;
  for (std::size_t i = 0; i < std::min(tries, moves.size()); ++i) {
    const CellSet defender = marks_[1 - side] | CellSet{1} << board_.index(moves[i].cell);
    if (cover_->stops(marks_[side], defender)) return true;
  }
  return false;
}

void Solver::spend_node() {
  if (nodes_ >= budget_.nodes || budget_.stop.stop_requested()) throw BudgetSpent{};
  ++nodes_;
}

std::uint64_t Solver::key(Mark side) const {
  return *std::ranges::min_element(keys_) + (side == Mark::o ? 1 : 0);
}

Solver::Entry& Solver::entry(std::uint64_t key) {
  // Fibonacci hashing: keys of similar positions are close, their places must not be.
  return table_[(key * 0x9E37'79B9'7F4A'7C15U) >> (64 - table_bits_)];
}

}  // namespace tictactoe::ai
