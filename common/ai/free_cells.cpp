#include "common/ai/free_cells.hpp"

namespace tictactoe::ai {

FreeCells::FreeCells(const rules::Rules& rules)
    : cols_(rules.cols),
      size_(rules.cells()),
      occupants_(rules.rows, rules.cols),
      slots_(rules.rows, rules.cols) {}

void FreeCells::take(rules::Cell cell) {
  const int slot = slot_of(cell.row * cols_ + cell.col);
  --size_;
  swap_slots(slot, size_);
  taken_slots_.push_back(slot);
}

void FreeCells::give_back() {
  swap_slots(taken_slots_.back(), size_);
  ++size_;
  taken_slots_.pop_back();
}

int FreeCells::occupant(int slot) const {
  return slot + occupants_.read(slot / cols_, slot % cols_);
}

int FreeCells::slot_of(int index) const {
  return index + slots_.read(index / cols_, index % cols_);
}

void FreeCells::swap_slots(int a, int b) {
  const int at_a = occupant(a);
  const int at_b = occupant(b);
  const auto put = [&](int slot, int index) {
    occupants_.write(slot / cols_, slot % cols_) = index - slot;
    slots_.write(index / cols_, index % cols_) = slot - index;
  };
  put(a, at_b);
  put(b, at_a);
}

std::size_t FreeCells::memory() const {
  return occupants_.memory() + slots_.memory() + taken_slots_.capacity() * sizeof(taken_slots_[0]);
}

std::size_t FreeCells::max_memory(const rules::Rules& rules, std::size_t taken) {
  using Grid = rules::TiledGrid<std::int32_t>;
  return 2 * Grid::max_memory(rules.rows, rules.cols, 2 * taken) + 3 * taken * sizeof(int) + 1024;
}

}  // namespace tictactoe::ai
