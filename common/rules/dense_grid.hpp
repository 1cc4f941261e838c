// A grid that allocates all its cells, for small boards.
#pragma once

#include <cstddef>
#include <vector>

namespace tictactoe::rules {

/// The interface of TiledGrid over one array: faster, but with sizeof(T) bytes for each cell.
template <class T>
class DenseGrid {
 public:
  DenseGrid(int rows, int cols)
      : stride_(static_cast<std::size_t>(cols) + 2),
        cells_((static_cast<std::size_t>(rows) + 2) * stride_) {}

  const T& read(int row, int col) const { return cells_[index(row, col)]; }
  T& write(int row, int col) { return cells_[index(row, col)]; }
  std::size_t memory() const { return cells_.capacity() * sizeof(T); }

 private:
  /// The border shifts coordinates by one; -1 wraps around, and adding 1 gives 0.
  std::size_t index(int row, int col) const {
    return (static_cast<std::size_t>(row) + 1) * stride_ + static_cast<std::size_t>(col) + 1;
  }

  std::size_t stride_;
  std::vector<T> cells_;
};

}  // namespace tictactoe::rules
