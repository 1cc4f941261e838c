#include "common/ai/pair_cover.hpp"

namespace tictactoe::ai {

using rules::Cell;
using rules::Rules;

namespace {

/// Gives each group two cells of its own, by augmenting paths.
class Matching {
 public:
  explicit Matching(const std::vector<CellSet>& groups) : groups_(groups) { owner_.fill(none); }

  bool is_complete() {
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      for (int i = 0; i < 2; ++i) {
        tried_ = 0;
        if (!take_cell(static_cast<std::int16_t>(group))) return false;
      }
    }
    return true;
  }

 private:
  static constexpr std::int16_t none = -1;

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

  const std::vector<CellSet>& groups_;
  std::array<std::int16_t, PairCover::max_cells> owner_{};
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
  std::vector<CellSet> groups;
  groups.reserve(64);
  const CellSet empty = ~(attacker | defender);
  int cells = 0;  // that the groups need
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
      if (std::popcount(open) < 2) return false;
      if (shared != 0) groups.push_back(shared);
      if (shared != 0) cells += 2;
      shared = open;
    }
    if (shared != 0) groups.push_back(shared);
    if (shared != 0) cells += 2;
  }
  constexpr int all = 64;
  if (cells > all) return false;
  return Matching(groups).is_complete();
}

}  // namespace tictactoe::ai
