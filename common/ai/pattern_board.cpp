#include "common/ai/pattern_board.hpp"

#include <algorithm>
#include <random>

namespace tictactoe::ai {

namespace {

/// By Shape. A shape is worth about twice the next lower one; a four alone is worth less than an
/// open three, as it only drives the other side to one cell.
constexpr std::array<int, 10> shape_values{0, 1, 3, 5, 14, 18, 60, 50, 400, 1000};
/// By Gain, besides.
constexpr std::array<int, gain_kinds> gain_values{0, 0, 0, 150, 0, 250, 300, 1000};

struct Worth {
  Gain gain = Gain::none;
  std::int16_t value = 0;
};

Worth worth_of(std::size_t shapes) {
  std::array<int, 16> counts{};
  for (int direction = 0; direction < 4; ++direction) ++counts[shapes >> (4 * direction) & 15];
  const auto count = [&](Shape shape) { return counts[static_cast<std::size_t>(shape)]; };
  const int fours = count(Shape::four);
  const int threes = count(Shape::open_three);
  Gain gain = count(Shape::none) == 4 ? Gain::none : Gain::quiet;
  if (threes > 0) gain = threes > 1 ? Gain::three_three : Gain::three;
  if (fours > 0) gain = threes > 0 ? Gain::four_three : Gain::four;
  if (count(Shape::open_four) > 0 || fours > 1) gain = Gain::open_four;
  if (count(Shape::five) > 0) gain = Gain::five;
  int value = gain_values[static_cast<std::size_t>(gain)];
  for (std::size_t i = 0; i < shape_values.size(); ++i) value += shape_values[i] * counts[i];
  return {gain, static_cast<std::int16_t>(value)};
}

/// By the shapes of four directions.
const std::vector<Worth>& worths() {
  static const std::vector<Worth> all = [] {
    std::vector<Worth> made(std::size_t{1} << 16);
    for (std::size_t shapes = 0; shapes < made.size(); ++shapes) made[shapes] = worth_of(shapes);
    return made;
  }();
  return all;
}

}  // namespace

PatternBoard::PatternBoard(const rules::Rules& rules)
    : rules_(rules),
      shapes_(Shapes::of(rules.k, rules.overline_wins)),
      steps_{1, rules.cols, rules.cols + 1, rules.cols - 1},
      data_(static_cast<std::size_t>(rules.cells())),
      free_(rules.cells()) {
  const auto rows = static_cast<std::size_t>(rules.rows);
  const auto cols = static_cast<std::size_t>(rules.cols);
  lines_ = {std::vector<Line>(rows), std::vector<Line>(cols), std::vector<Line>(rows + cols),
            std::vector<Line>(rows + cols)};
  std::mt19937_64 random(2026);
  for (const Side side : {0U, 1U}) {
    gains_[side].resize(data_.size());
    values_[side].resize(data_.size());
    for (std::size_t i = 0; i < data_.size(); ++i) keys_[side].push_back(random());
  }
  for (Cell i = 0; i < cells(); ++i) {
    CellData& data = data_[at(i)];
    data.row = static_cast<std::uint8_t>(i / rules.cols);
    data.col = static_cast<std::uint8_t>(i % rules.cols);
    for (std::size_t direction = 0; direction < directions; ++direction) {
      line(direction, data).border &= ~(std::uint64_t{1} << position(direction, data));
    }
  }
  for (Cell i = 0; i < cells(); ++i) {
    CellData& data = data_[at(i)];
    for (std::size_t direction = 0; direction < directions; ++direction) {
      update_shapes(direction, line(direction, data), position(direction, data), data);
    }
    for (const Side side : {0U, 1U}) {
      counts_[side][0] += 1;
      update_gain(i, side);
    }
  }
}

std::size_t PatternBoard::line_number(std::size_t direction, const CellData& data) const {
  switch (direction) {
    case 0:
      return data.row;
    case 1:
      return data.col;
    case 2:
      return static_cast<std::size_t>(data.row) + static_cast<std::size_t>(rules_.cols) - data.col;
    default:
      return static_cast<std::size_t>(data.row) + data.col;
  }
}

void PatternBoard::place(Cell cell, Side side) {
  for (const Side each : {0U, 1U}) set_gain(cell, each, Gain::none, 0);
  set_mark(cell, side, true);
  update_neighbours(cell);
}

void PatternBoard::take_back(Cell cell, Side side) {
  set_mark(cell, side, false);
  update_neighbours(cell);
  CellData& data = data_[at(cell)];
  for (std::size_t direction = 0; direction < directions; ++direction) {
    update_shapes(direction, line(direction, data), position(direction, data), data);
  }
  for (const Side each : {0U, 1U}) update_gain(cell, each);
}

void PatternBoard::set_mark(Cell cell, Side side, bool taken) {
  CellData& data = data_[at(cell)];
  data.taken = taken;
  free_ += taken ? -1 : 1;
  hash_ ^= keys_[side][at(cell)];
  for (std::size_t direction = 0; direction < directions; ++direction) {
    line(direction, data).marks[side] ^= std::uint64_t{1} << position(direction, data);
  }
}

// Occupied cells are left out: take_back() computes them again.
void PatternBoard::update_neighbours(Cell cell) {
  const int reach = shapes_.reach();
  for (std::size_t direction = 0; direction < directions; ++direction) {
    const CellData& middle = data_[at(cell)];
    const Line& through = line(direction, middle);
    const std::uint64_t full = through.border | through.marks[0] | through.marks[1];
    const int here = position(direction, middle);
    for (int offset = -reach; offset <= reach; ++offset) {
      if (offset == 0 || (full >> (here + offset) & 1) != 0) continue;
      const Cell other = cell + offset * steps_[direction];
      CellData& data = data_[at(other)];
      const std::array before = data.shapes;
      update_shapes(direction, through, here + offset, data);
      for (const Side side : {0U, 1U}) {
        if (data.shapes[side] != before[side]) update_gain(other, side);
      }
    }
  }
}

void PatternBoard::update_shapes(std::size_t direction, const Line& line, int position,
                                 CellData& data) const {
  const int reach = shapes_.reach();
  const auto mask = static_cast<Shapes::Word>((std::uint64_t{1} << (2 * reach + 1)) - 1);
  const auto around = [&](std::uint64_t bits) {
    return static_cast<Shapes::Word>(bits >> (position - reach)) & mask;
  };
  const std::array marks{around(line.marks[0]), around(line.marks[1])};
  const Shapes::Word border = around(line.border);
  const auto set = [&](Side side, Shape shape) {
    const auto others = data.shapes[side] & ~(15U << (4 * direction));
    data.shapes[side] =
        static_cast<std::uint16_t>(others | static_cast<unsigned>(shape) << (4 * direction));
  };
  set(0, shapes_.shape(marks[0], marks[1] | border));
  set(1, shapes_.shape(marks[1], marks[0] | border));
}

void PatternBoard::update_gain(Cell cell, Side side) {
  const Worth worth = worths()[data_[at(cell)].shapes[side]];
  set_gain(cell, side, worth.gain, worth.value);
}

void PatternBoard::set_gain(Cell cell, Side side, Gain gain, int value) {
  Gain& old_gain = gains_[side][at(cell)];
  int& old_value = values_[side][at(cell)];
  --counts_[side][static_cast<std::size_t>(old_gain)];
  ++counts_[side][static_cast<std::size_t>(gain)];
  totals_[side] += value - old_value;
  old_gain = gain;
  old_value = value;
}

void PatternBoard::collect(Side side, Gain min_gain, std::vector<Cell>& found) const {
  const auto& of_side = gains_[side];
  for (std::size_t i = 0; i < of_side.size(); ++i) {
    if (of_side[i] >= min_gain) found.push_back(static_cast<Cell>(i));
  }
}

PatternBoard::Cell PatternBoard::first(Side side, Gain min_gain) const {
  const auto& of_side = gains_[side];
  const auto found = std::ranges::find_if(of_side, [&](Gain gain) { return gain >= min_gain; });
  return static_cast<Cell>(found - of_side.begin());
}

void PatternBoard::defences(Cell cell, Side side, std::vector<Cell>& found) const {
  found.push_back(cell);
  const CellData& middle = data_[at(cell)];
  const int reach = shapes_.reach();
  for (std::size_t direction = 0; direction < directions; ++direction) {
    if (shape(middle.shapes[side], direction) < Shape::four) continue;
    const Line& through = line(direction, middle);
    const std::uint64_t full = through.border | through.marks[0] | through.marks[1];
    const int here = position(direction, middle);
    for (int offset = -reach; offset <= reach; ++offset) {
      if (offset == 0 || (full >> (here + offset) & 1) != 0) continue;
      found.push_back(cell + offset * steps_[direction]);
    }
  }
}

}  // namespace tictactoe::ai
