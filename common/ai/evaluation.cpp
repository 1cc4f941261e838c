#include "common/ai/evaluation.hpp"

#include <cstddef>

namespace tictactoe::ai {

namespace {

/// Shapes above a four end the game before it is judged.
constexpr std::size_t weighed_shapes = 8;
constexpr std::size_t threat_kinds = 7;

/// By whether the side waits, and by Shape.
constexpr std::array<std::array<int, 8>, 2> single_weights{
    {{0, 0, -1, -2, 10, 7, 72, 0}, {0, 3, 1, 0, -13, -3, -76, 45}}};
/// By whether the side waits, and by both shapes.
constexpr std::array<std::array<std::array<int, 8>, 8>, 2> pair_weights{{
    {{{0, 0, 0, 0, 0, 0, 0, 0},
      {0, 0, 0, 2, 12, 12, -12, 40},
      {0, 0, 0, 5, 1, 20, 80, 141},
      {0, 2, 5, -2, 25, 26, 75, 204},
      {0, 12, 1, 25, 78, 102, 510, 755},
      {0, 12, 20, 26, 102, 88, 380, 318},
      {0, -12, 80, 75, 510, 380, 692, -48},
      {0, 40, 141, 204, 755, 318, -48, 0}}},
    {{{0, 0, 0, 0, 0, 0, 0, 0},
      {0, 1, -2, -5, -13, -31, 38, -55},
      {0, -2, 0, -6, 0, -20, -67, -98},
      {0, -5, -6, -1, -22, -34, -57, -147},
      {0, -13, 0, -22, -39, -54, -154, -505},
      {0, -31, -20, -34, -54, -60, -164, -451},
      {0, 38, -67, -57, -154, -164, -244, -558},
      {0, -55, -98, -147, -505, -451, -558, 0}}},
}};
/// The worth of being to move.
constexpr int tempo = 21;
/// By two threats, own ones first, in the order of struct Threats; the diagonal is for each alone.
constexpr std::array<std::array<int, threat_kinds>, threat_kinds> threat_weights{
    {{-48, -377, -48, -48, -394, -316, -48},
     {-377, 1093, 1050, 1093, -2082, 423, -755},
     {-48, 1050, -130, 340, 344, 390, -105},
     {-48, 1093, 340, -136, -607, 241, -144},
     {-394, -2082, 344, -607, -249, -1527, -212},
     {-316, 423, 390, 241, -1527, 128, -867},
     {-48, -755, -105, -144, -212, -867, 51}}};

unsigned bits_of(const Threats& threats) {
  return (threats.four_three ? 1U : 0U) | (threats.three_three ? 2U : 0U) |
         (threats.four ? 4U : 0U) | (threats.three ? 8U : 0U);
}

using ThreatTable = std::array<int, std::size_t{1} << threat_kinds>;

constexpr ThreatTable make_threat_table() {
  ThreatTable table{};
  for (std::size_t bits = 0; bits < table.size(); ++bits) {
    table[bits] = tempo;
    for (std::size_t a = 0; a < threat_kinds; ++a) {
      for (std::size_t b = a; b < threat_kinds; ++b) {
        if ((bits >> a & bits >> b & 1) != 0) table[bits] += threat_weights[a][b];
      }
    }
  }
  return table;
}

constexpr ThreatTable threat_table = make_threat_table();

}  // namespace

CellWeight weight_of(const std::array<Shape, 4>& shapes) {
  std::array<int, 2> sums{};
  for (std::size_t turn = 0; turn < 2; ++turn) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const auto a = static_cast<std::size_t>(shapes[i]);
      if (a >= weighed_shapes) continue;
      sums[turn] += single_weights[turn][a];
      for (std::size_t j = i + 1; j < shapes.size(); ++j) {
        const auto b = static_cast<std::size_t>(shapes[j]);
        if (b < weighed_shapes) sums[turn] += pair_weights[turn][a][b];
      }
    }
  }
  return {sums[0], sums[1]};
}

int weight_of(const Threats& own, const Threats& other) {
  const unsigned without_threes = bits_of(other) & 7U;
  return threat_table[bits_of(own) | without_threes << 4];
}

}  // namespace tictactoe::ai
