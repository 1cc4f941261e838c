#include "common/ai/line_table.hpp"

namespace tictactoe::ai {

using rules::Cell;
using rules::Mark;
using rules::TiledGrid;

namespace {

LineTable::Weight number_of_lines(const rules::Rules& rules) {
  const auto starts = [&](int side) {
    return static_cast<LineTable::Weight>(std::max(0, side - rules.k + 1));
  };
  return static_cast<LineTable::Weight>(rules.rows) * starts(rules.cols) +
         static_cast<LineTable::Weight>(rules.cols) * starts(rules.rows) +
         2 * starts(rules.rows) * starts(rules.cols);
}

}  // namespace

LineTable::LineTable(const rules::Rules& rules)
    : rules_(rules),
      records_{Grid(rules.rows, rules.cols), Grid(rules.rows, rules.cols),
               Grid(rules.rows, rules.cols), Grid(rules.rows, rules.cols)} {
  for (int marks = 0; marks <= rules.k; ++marks) {
    const auto missing = static_cast<unsigned>(rules.k - marks);
    weights_.push_back(missing >= weight_bits ? 1 : one >> missing);
  }
  potential_.fill(number_of_lines(rules) * weights_[0]);
  heads_.fill(std::vector<Id>(static_cast<std::size_t>(rules.k) + 1));
}

void LineTable::place(Cell cell, Mark mark) {
  const std::size_t mine = slot(mark);
  const std::size_t other = 1 - mine;
  for_each_line(cell, [&](Id line) {
    Record& entry = record(line);
    const int own = entry.counts[mine]++;
    const int theirs = entry.counts[other];
    if (theirs == 0) {
      if (own == 0) potential_[other] -= weight(0);
      if (own > 0) unlink(line, mine, own);
      potential_[mine] += weight(own + 1) - weight(own);
      link(line, mine, own + 1);
    } else if (own == 0) {
      unlink(line, other, theirs);
      potential_[other] -= weight(theirs);
    }
  });
}

void LineTable::take_back(Cell cell, Mark mark) {
  const std::size_t mine = slot(mark);
  const std::size_t other = 1 - mine;
  for_each_line(cell, [&](Id line) {
    Record& entry = record(line);
    const int own = --entry.counts[mine];
    const int theirs = entry.counts[other];
    if (theirs == 0) {
      unlink(line, mine, own + 1);
      potential_[mine] -= weight(own + 1) - weight(own);
      if (own > 0) link(line, mine, own);
      if (own == 0) potential_[other] += weight(0);
    } else if (own == 0) {
      link(line, other, theirs);
      potential_[other] += weight(theirs);
    }
  });
}

LineTable::Weight LineTable::weight_at(Cell cell, Mark side) const {
  Weight sum = 0;
  for_each_line(cell, [&](Id line) {
    if (alive(line, side)) sum += weight(count(line, side));
  });
  return sum;
}

void LineTable::link(Id line, std::size_t side, int marks) {
  Id& head = heads_[side][static_cast<std::size_t>(marks)];
  if (head.row >= 0) record(head).previous = line;
  Record& entry = record(line);
  entry.previous = Link{};
  entry.next = head;
  head = line;
}

void LineTable::unlink(Id line, std::size_t side, int marks) {
  const Record entry = record(line);
  if (entry.next.is_set()) record(entry.next.id()).previous = entry.previous;
  if (entry.previous.is_set()) {
    record(entry.previous.id()).next = entry.next;
  } else {
    heads_[side][static_cast<std::size_t>(marks)] = entry.next.id();
  }
}

// Memory ------------------------------------------------------------------------------------------

std::size_t LineTable::memory() const {
  std::size_t bytes = weights_.capacity() * sizeof(weights_[0]);
  for (const auto& heads : heads_) bytes += heads.capacity() * sizeof(heads[0]);
  for (const Grid& grid : records_) bytes += grid.memory();
  return bytes;
}

std::size_t LineTable::max_memory(const rules::Rules& rules, std::size_t marks) {
  // Along a row, the windows through a cell begin in this many tiles; along a diagonal in twice as
  // many.
  const std::size_t along = rules.is_square() ? 1 : static_cast<std::size_t>(rules.k + 6) / 8 + 1;
  std::size_t bytes = 16 * (static_cast<std::size_t>(rules.k) + 64) * sizeof(Id);
  for (const std::size_t tiles : {along, along, 2 * along, 2 * along}) {
    bytes += Grid::max_memory(rules.rows, rules.cols, marks * tiles);
  }
  return bytes;
}

}  // namespace tictactoe::ai
