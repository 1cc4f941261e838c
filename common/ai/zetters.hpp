// Zetters' defence of eight in a row: tiles of twelve cells cover the plane, and every eight cells
// in a row contain a whole line of some tile. In each tile, the side that moves second keeps the
// other from completing a line. So it answers in the tile in which the other side has just played.
// (T. G. L. Zetters, "8 (or more) in a row", American Mathematical Monthly 87, 1980. This tiling
// was found by search.)
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/ai/pairing.hpp"
#include "common/ai/position.hpp"

namespace tictactoe::ai {

/// The smallest k for which the tiles are a defence.
inline constexpr int min_tiled_line = 8;

/// A set of cells of a tile: bit i is the cell number i.
using TileCells = std::uint16_t;

/// The twelve cells of the tile that covers this cell, by number. Some may be off the board.
/// A tile has three rows of four cells, each a cell to the left of the row above; in every second
/// band of three rows, the tiles are mirrored. The pattern repeats every 12 rows and 4 columns.
std::array<rules::Cell, 12> tile_around(rules::Cell cell);

/// The lines of a tile. No tile needs to hold more than these.
inline constexpr std::array<TileCells, 9> tile_lines{
    0x00F, 0x0F0, 0xF00,         // rows
    0x111, 0x222, 0x444, 0x888,  // diagonals across the three rows
    0x842, 0x210};               // a column of three cells and one of two

/// Whether the side with the marks `own` can keep the other side, with the marks `theirs`, from
/// completing a line of the tile, if the other side moves next. Searches up to 20,000 positions,
/// 100 on average.
bool tile_holds(TileCells own, TileCells theirs);
/// The number of a cell after which tile_holds(); nothing if there is none.
std::optional<std::size_t> tile_answer(TileCells own, TileCells theirs);

/// The tiles of one game, for both sides.
class ZettersTiles {
 public:
  /// A mark was placed on this cell or taken back from it.
  void update(const Position& position, rules::Cell cell);
  /// The state of the tiles for the side to move. Holds if at most one tile needs an answer, and
  /// has one.
  PairingState state(const Position& position) const;
  std::size_t memory() const {
    return (open_[0].capacity() + open_[1].capacity()) * sizeof(rules::Cell);
  }

 private:
  /// By side, X first: a cell of each tile that this side loses unless it moves there next.
  std::array<std::vector<rules::Cell>, 2> open_;
};

}  // namespace tictactoe::ai
