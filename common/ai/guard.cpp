#include "common/ai/guard.hpp"

#include <algorithm>
#include <utility>

#include "common/ai/pairing.hpp"

namespace tictactoe::ai {

using rules::Cell;
using rules::Mark;

namespace {

struct Candidate {
  bool fork = false;
  std::uint64_t promise = 0;
  LineTable::Weight weight = 0;  ///< what it takes from the opponent
  int order = 0;
  Cell cell;
};

bool better(const Candidate& a, const Candidate& b) {
  if (a.fork != b.fork) return a.fork;
  if (a.promise != b.promise) return a.promise > b.promise;
  if (a.weight != b.weight) return a.weight > b.weight;
  return a.order < b.order;
}

class Guard {
 public:
  Guard(Position& position, Orientation orientation)
      : position_(position),
        lines_(position.lines()),
        me_(position.to_move()),
        other_(opponent(me_)),
        orientation_(orientation),
        small_(position.rules().cells() <= max_weighed_cells) {}

  std::vector<Cell> moves(std::size_t max) {
    if (const auto win = position_.winning_cell(me_)) return {*win};
    if (!small_ && !position_.rules().is_square()) return {};
    if (lines_.potential(other_) < LineTable::one) {
      std::vector<Cell> safe = moves_by_weight(max);
      if (!safe.empty()) return safe;
    }
    if (!position_.rules().is_square() || position_.rules().rows < 5) return {};
    const PairingState pairing = square_pairing(position_);
    if (!pairing.holds) return {};
    if (pairing.answer) return {*pairing.answer};
    return first_cells(candidates(), max);
  }

 private:
  std::vector<Cell> moves_by_weight(std::size_t max) {
    std::vector<Candidate> found = candidates();
    const auto heaviest = *std::ranges::max_element(found, {}, &Candidate::weight);
    // A block of one is the heaviest cell whenever the potential is below one.
    if (lines_.any_alive(other_, position_.rules().k - 1)) {
      const auto block = position_.winning_cell(other_);
      if (block) found = {candidate(*block)};
    }
    std::vector<Cell> safe;
    constexpr std::size_t tries = 24;
    for (const Cell cell : first_cells(std::move(found), tries)) {
      if (safe.size() == max) break;
      if (stays_safe(cell)) safe.push_back(cell);
    }
    // Erdos and Selfridge's own move is right even if no other is. On large boards only the cells
    // examined are known, so there it must pass the test like the others.
    const bool known_heaviest = small_ || stays_safe(heaviest.cell);
    if (safe.empty() && known_heaviest) safe.push_back(heaviest.cell);
    return safe;
  }

  /// Whether the opponent's potential stays below one whatever the opponent replies.
  bool stays_safe(Cell cell) {
    position_.play(cell);
    const bool safe = position_.to_move() == Mark::none ||
                      lines_.potential(other_) + heaviest_reply() < LineTable::one;
    position_.undo();
    return safe;
  }

  /// The largest weight of any free cell, or on large boards a bound of it.
  LineTable::Weight heaviest_reply() const {
    if (!small_) {
      int marks = position_.rules().k - 1;
      while (marks > 0 && !lines_.any_alive(other_, marks)) --marks;
      return 4 * lines_.weight(marks);
    }
    LineTable::Weight heaviest = 0;
    for_each_free_cell(
        [&](Cell cell) { heaviest = std::max(heaviest, lines_.weight_at(cell, other_)); });
    return heaviest;
  }

  template <class Visit>
  void for_each_free_cell(Visit&& visit) const {
    for (int row = 0; row < position_.rules().rows; ++row) {
      for (int col = 0; col < position_.rules().cols; ++col) {
        if (position_.is_free({row, col})) visit(Cell{row, col});
      }
    }
  }

  std::vector<Candidate> candidates() const {
    std::vector<Candidate> found;
    const auto offer = [&](Cell cell) { found.push_back(candidate(cell)); };
    if (small_) {
      for_each_free_cell(offer);
    } else {
      offer_promising(offer);
    }
    // Late in a large game there are no lines left to examine, and any cell will do.
    if (found.empty()) offer(position_.first_free_cell());
    return found;
  }

  /// On a large square board: cells of the diagonals, which carry a line more, and of the lines
  /// with the most marks, 3 n or so.
  template <class Offer>
  void offer_promising(Offer&& offer) const {
    const int n = position_.rules().rows;
    const auto offer_free = [&](Cell cell) {
      if (position_.is_free(cell)) offer(cell);
    };
    for (int i = 0; i < std::min(32, (n + 1) / 2); ++i) {
      for (const int row : {i, n - 1 - i}) {
        offer_free({row, row});
        offer_free({row, n - 1 - row});
      }
    }
    offer_lines(me_, 2, offer_free);
    offer_lines(other_, 1, offer_free);
  }

  /// Lines that lack two marks offer two cells, whatever their length, so more of them are
  /// examined.
  template <class Offer>
  void offer_lines(Mark side, int count, Offer&& offer) const {
    const int n = position_.rules().rows;
    int nearly_full = 8;
    for (int marks = n - 1; marks >= 1 && count > 0; --marks) {
      lines_.for_each_alive(side, marks, [&](LineTable::Id line) {
        for (int i = 0; i < n; ++i) offer(LineTable::cell(line, i));
        int& left = marks >= n - 2 ? nearly_full : count;
        return --left > 0;
      });
    }
  }

  Candidate candidate(Cell cell) const {
    Candidate result;
    int fours = 0;
    lines_.for_each_line(cell, [&](LineTable::Id line) {
      if (!lines_.alive(line, me_)) return;
      const auto marks = static_cast<std::uint64_t>(lines_.count(line, me_));
      if (static_cast<int>(marks) == position_.rules().k - 2) {
        ++fours;
      } else {
        result.promise += (marks + 1) * (marks + 1) * (marks + 1);
      }
    });
    result.fork = fours >= 2;
    result.weight = lines_.weight_at(cell, other_);
    result.order = order(cell);
    result.cell = cell;
    return result;
  }

  int order(Cell cell) const {
    if ((orientation_ & 1) != 0) cell.row = position_.rules().rows - 1 - cell.row;
    if ((orientation_ & 2) != 0) cell.col = position_.rules().cols - 1 - cell.col;
    if ((orientation_ & 4) != 0) std::swap(cell.row, cell.col);
    return cell.row * std::max(position_.rules().rows, position_.rules().cols) + cell.col;
  }

  static std::vector<Cell> first_cells(std::vector<Candidate> found, std::size_t max) {
    const std::size_t count = std::min(max, found.size());
    std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(count), better);
    std::vector<Cell> cells;
    cells.reserve(count);
    for (std::size_t i = 0; i < count; ++i) cells.push_back(found[i].cell);
    return cells;
  }

  Position& position_;
  const LineTable& lines_;
  Mark me_;
  Mark other_;
  Orientation orientation_;
  bool small_;
};

}  // namespace

std::vector<Cell> safe_moves(Position& position, Orientation orientation, std::size_t max) {
  return Guard(position, orientation).moves(max);
}

}  // namespace tictactoe::ai
