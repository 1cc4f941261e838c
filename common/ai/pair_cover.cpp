#include "common/ai/pair_cover.hpp"

#include <algorithm>

namespace tictactoe::ai {

using rules::Cell;
using rules::Rules;

namespace {

/// More groups than boards of 64 cells have in practice.
constexpr std::size_t max_groups = 96;

/// Gives groups two cells of their own, by augmenting paths.
class Matching {
 public:
  Matching() { owner_.fill(none); }

  /// If there are not two for it, the group gets none. False if serves_all() can't become true.
  bool add(CellSet group) {
    groups_[count_] = group;
    for (int i = 0; i < 2; ++i) {
      tried_ = 0;
      if (take_cell(static_cast<std::int16_t>(count_))) continue;
      give_back(static_cast<std::int16_t>(count_));
      left_[left_count_++] = group;
      break;
    }
    ++count_;
    return is_light(all_cells);
  }

  /// Whether one set of the cells that nobody has serves the groups that have none.
  bool serves_all() const { return is_light(~owned_); }

 private:
  static constexpr std::int16_t none = -1;
  static constexpr CellSet all_cells = ~CellSet{0};

  /// Whether the weights of the groups without cells, within this set, sum up to less than a half.
  bool is_light(CellSet set) const {
    constexpr int bits = 32;
    std::uint64_t weight = 0;
    for (std::size_t i = 0; i < left_count_; ++i) {
      weight += std::uint64_t{1} << (bits - std::min(std::popcount(left_[i] & set), bits));
    }
    return 2 * weight < std::uint64_t{1} << bits;
  }

  bool take_cell(std::int16_t group) {
    CellSet open = groups_[static_cast<std::size_t>(group)] & ~tried_;
    for (; open != 0; open = groups_[static_cast<std::size_t>(group)] & ~tried_) {
      // Cells of nobody first.
      const CellSet free = open & ~owned_;
      const int cell = std::countr_zero(free != 0 ? free : open);
      tried_ |= CellSet{1} << cell;
      std::int16_t& owner = owner_[static_cast<std::size_t>(cell)];
      if (owner == group) continue;
      if (owner == none || take_cell(owner)) {
        owner = group;
        owned_ |= CellSet{1} << cell;
        return true;
      }
    }
    return false;
  }

  void give_back(std::int16_t group) {
    for (CellSet cells = groups_[static_cast<std::size_t>(group)]; cells != 0; cells &= cells - 1) {
      const int cell = std::countr_zero(cells);
      std::int16_t& owner = owner_[static_cast<std::size_t>(cell)];
      if (owner != group) continue;
      owner = none;
      owned_ &= ~(CellSet{1} << cell);
    }
  }

  std::array<CellSet, max_groups> groups_;  // NOLINT: only the first count_ are used
  std::array<CellSet, max_groups> left_;    // NOLINT: only the first left_count_ are used
  std::size_t count_ = 0;
  std::size_t left_count_ = 0;
  std::array<std::int16_t, PairCover::max_cells> owner_;
  CellSet owned_ = 0;
  CellSet tried_ = 0;
};

}  // namespace

PairCover::PairCover(const Rules& rules) {
  for (const Cell step : {Cell{0, 1}, Cell{1, 0}, Cell{1, 1}, Cell{1, -1}}) {
    for (int i = 0; i < rules.cells(); ++i) {
      const Cell first{i / rules.cols, i % rules.cols};
      if (rules.contains({first.row - step.row, first.col - step.col})) continue;
      std::vector<CellSet> windows;
      for (Cell from = first;; from = {from.row + step.row, from.col + step.col}) {
        const Cell last{from.row + (rules.k - 1) * step.row, from.col + (rules.k - 1) * step.col};
        if (!rules.contains(last)) break;
        CellSet window = 0;
        for (int j = 0; j < rules.k; ++j) {
          window |=
              CellSet{1} << ((from.row + j * step.row) * rules.cols + from.col + j * step.col);
        }
        windows.push_back(window);
      }
      if (!windows.empty()) lines_.push_back(std::move(windows));
    }
  }
}

bool PairCover::stops(CellSet attacker, CellSet defender) const {
  std::array<CellSet, max_groups> groups;  // NOLINT: only the first `count` are used
  std::size_t count = 0;
  const CellSet empty = ~(attacker | defender);
  for (const std::vector<CellSet>& windows : lines_) {
    CellSet shared = 0;
    for (const CellSet window : windows) {
      if ((window & defender) != 0) continue;
      const CellSet open = window & empty;
      const CellSet both = shared & open;
      if (std::popcount(both) >= 2) {
        shared = both;
        continue;
      }
      if (std::popcount(open) < 2 || count + 2 > max_groups) return false;
      if (shared != 0) groups[count++] = shared;
      shared = open;
    }
    if (shared != 0) groups[count++] = shared;
  }
  // Those with few cells need them most.
  Matching matching;
  for (int cells = 2, done = 0; done < static_cast<int>(count); ++cells) {
    for (std::size_t i = 0; i < count; ++i) {
      if (std::popcount(groups[i]) != cells) continue;
      if (!matching.add(groups[i])) return false;
      ++done;
    }
  }
  return matching.serves_all();
}

}  // namespace tictactoe::ai
