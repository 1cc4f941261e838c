// The free cells of a board, ready to draw one at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/rules/tiled_grid.hpp"
#include "common/rules/types.hpp"

namespace tictactoe::ai {

/// All cells stand in slots, the free ones first; taking a cell swaps it with the last free one
/// (the swap-remove of a list, kept reversible). Only cells out of their own slot are stored, so
/// memory follows what was played. All operations: O(1).
class FreeCells {
 public:
  explicit FreeCells(const rules::Rules& rules);

  int size() const { return size_; }
  /// The free cell in that slot, 0 <= slot < size().
  rules::Cell operator[](int slot) const { return cell(occupant(slot)); }
  /// Requires a free cell.
  void take(rules::Cell cell);
  /// Gives the cell taken last back, into its old slot.
  void give_back();
  /// Bytes held on the heap.
  std::size_t memory() const;
  /// An upper bound of memory() after this many cells were taken, including those given back.
  static std::size_t max_memory(const rules::Rules& rules, std::size_t taken);

 private:
  rules::Cell cell(int index) const { return {index / cols_, index % cols_}; }
  int occupant(int slot) const;
  int slot_of(int index) const;
  void swap_slots(int a, int b);

  int cols_;
  int size_;
  /// The cell in each slot and the slot of each cell, as differences from the start, when every
  /// cell is in the slot of its index.
  rules::TiledGrid<std::int32_t> occupants_;
  rules::TiledGrid<std::int32_t> slots_;
  std::vector<int> taken_slots_;
};

}  // namespace tictactoe::ai
