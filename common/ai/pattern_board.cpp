#include "common/ai/pattern_board.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

namespace tictactoe::ai {

namespace {

/// By Shape. A shape is worth about twice the next lower one; a four alone is worth less than an
/// open three, as it only drives the other side to one cell.
constexpr std::array<int, 10> shape_values{0, 1, 3, 5, 14, 18, 60, 50, 400, 1000};
/// By Gain, besides.
constexpr std::array<int, gain_kinds> gain_values{0, 0, 0, 150, 0, 250, 300, 1000};

constexpr std::size_t shape_kinds = 10;
/// The place value of each direction in the number of four shapes.
constexpr std::array<std::size_t, 4> powers{1, 10, 100, 1'000};

}  // namespace

struct PatternBoard::Worth {
  Gain gain = Gain::none;
  std::int16_t value = 0;
  std::int16_t to_move = 0;
  std::int16_t waiting = 0;
};

PatternBoard::Worth PatternBoard::worth_of(std::size_t shapes) {
  std::array<int, shape_kinds> counts{};
  for (const std::size_t power : powers) ++counts[shapes / power % shape_kinds];
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
  std::array<Shape, 4> four{};
  for (std::size_t i = 0; i < four.size(); ++i) {
    four[i] = static_cast<Shape>(shapes / powers[i] % shape_kinds);
  }
  const CellWeight weight = weight_of(four);
  return {gain, static_cast<std::int16_t>(value), static_cast<std::int16_t>(weight.to_move),
          static_cast<std::int16_t>(weight.waiting)};
}

const std::vector<PatternBoard::Worth>& PatternBoard::worths() {
  static const std::vector<Worth> all = [] {
    std::vector<Worth> made(powers.back() * shape_kinds);
    for (std::size_t shapes = 0; shapes < made.size(); ++shapes) made[shapes] = worth_of(shapes);
    return made;
  }();
  return all;
}

PatternBoard::PatternBoard(const rules::Rules& rules)
    : rules_(rules),
      shapes_(Shapes::of(rules.k, rules.overline_wins)),
      worths_(worths()),
      steps_{1, rules.cols, rules.cols + 1, rules.cols - 1},
      data_(static_cast<std::size_t>(rules.cells())),
      free_(rules.cells()) {
  std::mt19937_64 random(2026);
  for (const Side side : {0U, 1U}) {
    gains_[side].resize(data_.size() + 8);  // next() reads eight at once
    values_[side].resize(data_.size());
    for (std::size_t i = 0; i < data_.size(); ++i) keys_[side].push_back(random());
  }
  constexpr std::array<std::array<int, 2>, directions> ways{{{0, 1}, {1, 0}, {1, 1}, {1, -1}}};
  for (Cell i = 0; i < cells(); ++i) {
    CellData& data = data_[at(i)];
    const rules::Cell middle = cell(i);
    for (const Side side : {0U, 1U}) add(side, worths_[0], 1);
    for (std::size_t direction = 0; direction < directions; ++direction) {
      const auto& [rows, cols] = ways[direction];
      for (int offset = -shapes_.reach(); offset <= shapes_.reach(); ++offset) {
        if (offset == 0) continue;
        if (rules.contains({middle.row + offset * rows, middle.col + offset * cols})) {
          ++data.room[direction][offset < 0 ? 0 : 1];
        } else {
          for (Shapes::Code& code : data.codes[direction]) code += 2 * shapes_.digit(offset);
        }
      }
      for (const Side side : {0U, 1U}) {
        change_shape(i, data, direction, side, shapes_.shape(data.codes[direction][side]));
      }
    }
  }
  settle();
}

template <class Changed>
void PatternBoard::set_mark(Cell cell, Side side, bool taken, const Changed& changed) {
  CellData* const middle = &data_[at(cell)];
  middle->taken = taken;
  free_ += taken ? -1 : 1;
  hash_ ^= keys_[side][at(cell)];
  const Shapes& shapes = shapes_;
  for (std::size_t direction = 0; direction < directions; ++direction) {
    const auto [before, after] = middle->room[direction];
    const int step = steps_[direction];
    const int last = after;
    for (int offset = -before; offset <= last; ++offset) {
      const Shapes::Code one = shapes.digit(-offset);  // of the cell itself: 0
      const Shapes::Code digit = taken ? one : 0 - one;
      CellData& data = middle[offset * step];
      data.codes[direction][side] += digit;
      data.codes[direction][1 - side] += 2 * digit;
      changed(direction, data, cell + offset * step);
    }
  }
}

void PatternBoard::place(Cell cell, Side side) {
  placed_.push_back({cell, side, changes_.size(), sums_});
  CellData& taken = data_[at(cell)];
  for (const Side each : {0U, 1U}) {
    add(each, worths_[taken.worth[each]], -1);
    add(each, worths_[0], 1);
    set_gain(cell, each, worths_[0]);
  }
  set_mark(cell, side, true, [&](std::size_t direction, CellData& data, Cell other) {
    if (data.taken) return;
    for (const Side each : {0U, 1U}) {
      const Shape shape = shapes_.shape(data.codes[direction][each]);
      if (shape == data.shapes[direction][each]) continue;
      changes_.push_back({static_cast<std::uint16_t>(other), data.worth[each],
                          static_cast<std::uint8_t>(direction), static_cast<std::uint8_t>(each),
                          data.shapes[direction][each]});
      change_shape(other, data, direction, each, shape);
    }
  });
}

// The shapes of occupied cells stay as they were, and are right again when the mark is taken back.
void PatternBoard::take_back() {
  const Placed last = placed_.back();
  placed_.pop_back();
  set_mark(last.cell, last.side, false, [](auto...) {});
  for (const Side side : {0U, 1U}) {
    set_gain(last.cell, side, worths_[data_[at(last.cell)].worth[side]]);
  }
  for (std::size_t i = changes_.size(); i-- > last.first_change;) {
    const Change& change = changes_[i];
    CellData& data = data_[change.cell];
    data.shapes[change.direction][change.side] = change.shape;
    data.worth[change.side] = change.worth;
    set_gain(change.cell, change.side, worths_[change.worth]);
  }
  changes_.resize(last.first_change);
  sums_ = last.sums;
}

void PatternBoard::settle() {
  placed_.clear();
  changes_.clear();
}

void PatternBoard::change_shape(Cell cell, CellData& data, std::size_t direction, Side side,
                                Shape shape) {
  Shape& old = data.shapes[direction][side];
  const std::size_t before = data.worth[side];
  const std::size_t now =
      before +
      (static_cast<std::size_t>(shape) - static_cast<std::size_t>(old)) * powers[direction];
  old = shape;
  data.worth[side] = static_cast<std::uint16_t>(now);
  const Worth& was = worths_[before];
  const Worth& is = worths_[now];
  Sums& sums = sums_[side];
  if (was.gain != is.gain) {
    --sums.counts[static_cast<std::size_t>(was.gain)];
    ++sums.counts[static_cast<std::size_t>(is.gain)];
  }
  sums.weight.to_move += is.to_move - was.to_move;
  sums.weight.waiting += is.waiting - was.waiting;
  set_gain(cell, side, is);
}

void PatternBoard::set_gain(Cell cell, Side side, const Worth& worth) {
  gains_[side][at(cell)] = worth.gain;
  values_[side][at(cell)] = worth.value;
}

void PatternBoard::add(Side side, const Worth& worth, int sign) {
  Sums& sums = sums_[side];
  sums.counts[static_cast<std::size_t>(worth.gain)] += static_cast<std::int16_t>(sign);
  sums.weight.to_move += sign * worth.to_move;
  sums.weight.waiting += sign * worth.waiting;
}

PatternBoard::Cell PatternBoard::next(Side side, Gain min_gain, Cell from) const {
  constexpr std::uint64_t ones = 0x0101'0101'0101'0101U;
  const std::uint64_t add = (0x80U - static_cast<std::uint64_t>(min_gain)) * ones;
  const Gain* const gains = gains_[side].data();
  // Eight cells at once: most of them have no gain of interest.
  for (;; ++from) {
    for (std::uint64_t eight = 0; from % 8 == 0; from += 8) {
      std::memcpy(&eight, gains + from, sizeof eight);
      if (((eight + add) & 0x80 * ones) != 0) break;
    }
    if (gains[from] >= min_gain) return from;
  }
}

void PatternBoard::collect(Side side, Gain min_gain, std::vector<Cell>& found) const {
  const auto& counts = sums_[side].counts;
  int left =
      std::accumulate(counts.begin() + static_cast<std::ptrdiff_t>(min_gain), counts.end(), 0);
  for (Cell cell = 0; left > 0; --left, ++cell) {
    cell = next(side, min_gain, cell);
    found.push_back(cell);
  }
}

PatternBoard::Cell PatternBoard::first(Side side, Gain min_gain) const {
  return next(side, min_gain, 0);
}

void PatternBoard::defences(Cell cell, Side side, std::vector<Cell>& found) const {
  found.push_back(cell);
  for (std::size_t direction = 0; direction < directions; ++direction) {
    const CellData& data = data_[at(cell)];
    if (data.shapes[direction][side] < Shape::four) continue;
    const auto [before, after] = data.room[direction];
    for (int offset = -before; offset <= after; ++offset) {
      const Cell other = cell + offset * steps_[direction];
      if (offset != 0 && is_free(other)) found.push_back(other);
    }
  }
}

}  // namespace tictactoe::ai
