#include "common/ai/shapes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

namespace tictactoe::ai {

namespace {

constexpr int max_tabled_reach = 6;

/// By the number of marks that the best window lacks.
constexpr std::array closed_shapes{Shape::five, Shape::four, Shape::three, Shape::two, Shape::one};
constexpr std::array open_shapes{Shape::five, Shape::open_four, Shape::open_three, Shape::open_two,
                                 Shape::open_one};

template <std::size_t number>
const Shapes& shapes_of() {
  static const Shapes made(std::max(3, static_cast<int>(number / 2)), number % 2 == 1);
  return made;
}

template <std::size_t... numbers>
constexpr auto makers(std::index_sequence<numbers...>) {
  return std::array{&shapes_of<numbers>...};
}

}  // namespace

Shapes::Shapes(int k, bool overline_wins)
    : k_(k),
      overline_wins_(overline_wins),
      reach_(overline_wins ? k - 1 : k),
      base_(reach_ > max_tabled_reach ? 4 : 3) {
  Code digit = 1;
  for (int offset = -reach_; offset <= reach_; ++offset) {
    if (offset == 0) continue;
    digits_[static_cast<std::size_t>(offset + reach_)] = digit;
    digit *= base_;
  }
  if (reach_ > max_tabled_reach) return;
  std::vector<Shape> table(digit);
  for (Code code = 0; code < digit; ++code) table[code] = compute(code);
  table_ = std::move(table);
}

Shape Shapes::compute(Code code) const {
  std::array<Word, 3> bits{};  // by digit
  for (int bit = 0; bit <= 2 * reach_; ++bit) {
    if (bit == reach_) continue;
    bits[code % base_] |= Word{1} << bit;
    code /= base_;
  }
  return compute(bits[1], bits[2]);
}

const Shapes& Shapes::of(int k, bool overline_wins) {
  constexpr auto all = makers(std::make_index_sequence<std::size_t{2} * (max_line + 1)>());
  return all[2 * static_cast<std::size_t>(k) + (overline_wins ? 1 : 0)]();
}

Shape Shapes::compute(Word own, Word blocked) const {
  const Word middle = Word{1} << reach_;
  own |= middle;
  blocked &= ~middle;
  const int first = overline_wins_ ? 0 : 1;
  const Word window = (Word{1} << k_) - 1;
  // The cells that the best windows lack.
  std::array<Word, max_line> lacking{};
  std::size_t found = 0;
  int least = k_;
  for (int start = first; start < first + k_; ++start) {
    const Word cells = window << start;
    if ((blocked & cells) != 0) continue;
    const Word beside = overline_wins_ ? 0 : Word{1} << (start - 1) | Word{1} << (start + k_);
    if ((own & beside) != 0) continue;
    const Word lacks = cells & ~own;
    const int count = std::popcount(lacks);
    if (count > least) continue;
    if (count < least) found = 0;
    least = count;
    lacking[found++] = lacks;
  }
  if (found == 0 || static_cast<std::size_t>(least) >= closed_shapes.size()) return Shape::none;
  const auto missing = static_cast<std::size_t>(least);
  for (std::size_t a = 0; a < found; ++a) {
    for (std::size_t b = a + 1; b < found; ++b) {
      if (std::popcount(lacking[a] & lacking[b]) == least - 1) return open_shapes[missing];
    }
  }
  return closed_shapes[missing];
}

}  // namespace tictactoe::ai
