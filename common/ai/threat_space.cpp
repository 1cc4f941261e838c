#include "common/ai/threat_space.hpp"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace tictactoe::ai {

ThreatSpace::ThreatSpace(PatternBoard& board, NodeBudget& budget)
    : board_(board), budget_(budget), table_(std::size_t{1} << table_bits) {}

std::optional<ThreatSpace::Win> ThreatSpace::find(Side side, Means means, int depth) {
  means_ = means;
  const int free = board_.free_cells();
  for (int max = 0; max <= std::min(depth, free) && !budget_.spent(); ++max) {
    proof_.clear();
    if (!attack(side, max)) continue;
    std::ranges::sort(proof_);
    proof_.erase(std::ranges::unique(proof_).begin(), proof_.end());
    std::ranges::reverse(line_);
    return Win{first_move_, max, std::move(proof_), std::move(line_)};
  }
  return std::nullopt;
}

// The means are part of the key, as a position without a win by fours may have one by threes.
std::uint64_t ThreatSpace::key(Side side) const {
  constexpr std::uint64_t factor = 0x9E37'79B9'7F4A'7C15U;
  return (board_.hash() ^ (side + (means_ == Means::threes ? 3U : 1U)) * factor) * factor;
}

bool ThreatSpace::attack(Side side, int depth) {
  const Side other = 1 - side;
  if (board_.count(side, Gain::five) > 0) {
    first_move_ = board_.first(side, Gain::five);
    proof_.push_back(first_move_);
    line_ = {first_move_};
    return true;
  }
  if (board_.count(other, Gain::five) > 1) return false;
  // A block takes no depth: the other side's fours do not make the attack longer.
  if (board_.count(other, Gain::five) == 1) {
    return attacks_with(board_.first(other, Gain::five), side, depth);
  }
  if (board_.count(side, Gain::open_four) > 0) {
    first_move_ = board_.first(side, Gain::open_four);
    board_.defences(first_move_, side, proof_);
    line_ = {first_move_};
    return true;
  }
  if (depth == 0) return false;
  const std::uint64_t position = key(side);
  if (const Refuted& known = refuted(position); known.key == position && known.depth >= depth) {
    return false;
  }
  const std::size_t begin = moves_.size();
  add_attacking_moves(side);
  const std::size_t end = moves_.size();
  bool wins = false;
  for (std::size_t i = begin; i < end && !wins && !budget_.spent(); ++i) {
    wins = attacks_with(moves_[i], side, depth - 1);
  }
  moves_.resize(begin);
  if (!wins && !budget_.spent()) refuted(position) = {position, depth};
  return wins;
}

void ThreatSpace::add_attacking_moves(Side side) {
  const std::size_t begin = moves_.size();
  board_.collect(side, means_ == Means::threes ? Gain::three : Gain::four, moves_);
  const auto added = moves_.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(added, moves_.end(), [&](Cell a, Cell b) {
    const auto rank = [&](Cell cell) {
      return std::tuple(board_.gain(cell, side), board_.value(cell, side), -cell);
    };
    return rank(a) > rank(b);
  });
}

bool ThreatSpace::attacks_with(Cell cell, Side side, int depth) {
  if (!budget_.spend()) return false;
  const std::size_t before = proof_.size();
  board_.place(cell, side);
  const bool wins = survives_replies(side, depth);
  board_.take_back();
  if (wins) {
    proof_.push_back(cell);
    line_.push_back(cell);
    first_move_ = cell;
  } else {
    proof_.resize(before);
  }
  return wins;
}

bool ThreatSpace::survives_replies(Side side, int depth) {
  const Side other = 1 - side;
  if (board_.count(other, Gain::five) > 0) return false;
  const int fives = board_.count(side, Gain::five);
  if (fives > 1) {
    board_.collect(side, Gain::five, proof_);
    line_.clear();
    return true;
  }
  if (fives == 1) return survives(board_.first(side, Gain::five), side, depth);
  return means_ == Means::threes && survives_threes(side, depth);
}

bool ThreatSpace::survives_threes(Side side, int depth) {
  const Side other = 1 - side;
  if (board_.count(side, Gain::open_four) == 0) return false;
  if (board_.count(other, Gain::open_four) > 0) return false;
  std::vector<Cell> replies = defences_to_all(board_, side);
  board_.collect(other, Gain::four, replies);
  std::ranges::sort(replies);
  replies.erase(std::ranges::unique(replies).begin(), replies.end());
  for (const Cell reply : replies) {
    if (!survives(reply, side, depth)) return false;
  }
  // A reply elsewhere leaves one of these as it is.
  std::vector<Cell> fours;
  board_.collect(side, Gain::open_four, fours);
  for (const Cell cell : fours) board_.defences(cell, side, proof_);
  return true;
}

bool ThreatSpace::survives(Cell reply, Side side, int depth) {
  if (!budget_.spend()) return false;
  const Side other = 1 - side;
  board_.place(reply, other);
  const bool wins = attack(side, depth);
  board_.take_back();
  if (wins) proof_.push_back(reply);
  if (wins) line_.push_back(reply);
  return wins;
}

std::vector<PatternBoard::Cell> defences_to_all(const PatternBoard& board,
                                                PatternBoard::Side side) {
  std::vector<PatternBoard::Cell> fours;
  board.collect(side, Gain::open_four, fours);
  std::vector<PatternBoard::Cell> common;
  for (std::size_t i = 0; i < fours.size(); ++i) {
    std::vector<PatternBoard::Cell> cells;
    board.defences(fours[i], side, cells);
    if (i == 0) {
      common = std::move(cells);
    } else {
      std::erase_if(common,
                    [&](auto cell) { return std::ranges::find(cells, cell) == cells.end(); });
    }
  }
  return common;
}

}  // namespace tictactoe::ai
