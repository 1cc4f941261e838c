// A grid that allocates only the written parts, for boards with millions of cells.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tictactoe::rules {

/// A rows x cols grid of T with one border cell on every side: coordinates run from -1 to `rows`
/// and `cols`. A cell that was never written reads as T{}.
///
/// Cells live in tiles of 8 x 8, tiles in regions of 8 x 8 tiles; a tile or a region exists once a
/// cell in it has been written. Number 0 in both pools is blank and represents all tiles or regions
/// that do not exist, so that reads need no test. Read and write: O(1) (a new tile: O(1)
/// amortised). Memory: at most one tile and one region for each written cell, and 4 bytes per 64 x
/// 64 cells. `Tiles` is the container of the tiles: a vector is faster, a deque holds no more than
/// it needs.
template <class T, template <class...> class Tiles = std::vector>
class TiledGrid {
 public:
  TiledGrid(int rows, int cols)
      : regions_across_(((static_cast<std::size_t>(cols) + 1) >> region_bits) + 1),
        directory_((((static_cast<std::size_t>(rows) + 1) >> region_bits) + 1) * regions_across_),
        regions_(1),
        tiles_(1) {}

  const T& read(int row, int col) const {
    const Address a = address(row, col);
    return tiles_[regions_[directory_[a.region]][a.tile]][a.cell];
  }

  /// The cell to write to. The reference is valid until the next call of write().
  T& write(int row, int col) {
    const Address a = address(row, col);
    std::uint32_t& region = directory_[a.region];
    if (region == 0) {
      region = static_cast<std::uint32_t>(regions_.size());
      regions_.emplace_back();
    }
    std::uint32_t& tile = regions_[region][a.tile];
    if (tile == 0) {
      tile = static_cast<std::uint32_t>(tiles_.size());
      tiles_.emplace_back();
    }
    return tiles_[tile][a.cell];
  }

  /// Bytes held on the heap.
  std::size_t memory() const {
    return directory_.capacity() * sizeof(directory_[0]) +
           regions_.capacity() * sizeof(regions_[0]) + capacity(tiles_) * sizeof(tiles_[0]);
  }

  /// An upper bound of the memory() of such a grid after that many cells were written, including
  /// what a vector holds while it grows.
  static std::size_t max_memory(int rows, int cols, std::size_t written) {
    const TiledGrid empty(rows, cols);
    const auto cells = [](int side, unsigned bits) {
      return ((static_cast<std::size_t>(side) + 1) >> bits) + 1;
    };
    const std::size_t tiles =
        1 + std::min(written, cells(rows, tile_bits) * cells(cols, tile_bits));
    const std::size_t regions = 1 + std::min(written, empty.directory_.size());
    constexpr bool doubles = requires { empty.tiles_.capacity(); };
    return empty.memory() + 3 * regions * sizeof(empty.regions_[0]) +
           (doubles ? 3 * tiles : tiles + tiles / 16 + 1) * sizeof(empty.tiles_[0]);
  }

 private:
  template <class Container>
  static std::size_t capacity(const Container& tiles) {
    if constexpr (requires { tiles.capacity(); }) return tiles.capacity();
    constexpr std::size_t bookkeeping = 1;  // a pointer and the allocator's overhead, rounded up
    return tiles.size() + tiles.size() / 16 + bookkeeping;
  }

  static constexpr unsigned tile_bits = 3;
  static constexpr unsigned region_bits = 6;
  static constexpr std::size_t mask = 7;

  struct Address {
    std::size_t region;
    std::size_t tile;
    std::size_t cell;
  };

  Address address(int row, int col) const {
    // The border shifts coordinates by one; -1 wraps around, and adding 1 gives 0.
    const std::size_t r = static_cast<std::size_t>(row) + 1;
    const std::size_t c = static_cast<std::size_t>(col) + 1;
    return {(r >> region_bits) * regions_across_ + (c >> region_bits),
            ((r >> tile_bits) & mask) << tile_bits | ((c >> tile_bits) & mask),
            (r & mask) << tile_bits | (c & mask)};
  }

  std::size_t regions_across_;
  std::vector<std::uint32_t> directory_;
  std::vector<std::array<std::uint32_t, 64>> regions_;
  Tiles<std::array<T, 64>> tiles_;
};

}  // namespace tictactoe::rules
