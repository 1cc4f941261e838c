// Counts all positions and games, to verify the rules against published numbers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/rules/types.hpp"

namespace tictactoe::rules {

struct Perft {
  /// By result, in the order of Mark: drawn, won by X (which starts), won by O.
  using ByResult = std::array<std::uint64_t, 3>;

  std::uint64_t positions = 0;           ///< including finished ones and the empty board
  std::uint64_t distinct_positions = 0;  ///< the same up to symmetry
  std::uint64_t games = 0;               ///< each order of moves counts
  ByResult end_positions{};
  ByResult ended_games{};
  std::vector<std::uint64_t> positions_by_ply;
  std::vector<std::uint64_t> games_by_length;
};

/// 64 bits can't count the games on larger boards.
inline constexpr int max_perft_cells = 20;

/// Walks all games ply by ply. Of the mirror images of a position (8 on boards with equal sides, 4
/// on others) only the smallest is kept, with the number of ways to all of them.
/// Requires valid rules of at most `max_perft_cells` cells. `progress(ply, distinct positions)` is
/// called after every ply, if given. Memory: 16 bytes for each move from the distinct positions
/// of one ply, 50 MB for 4x4.
Perft perft(const Rules& rules, const std::function<void(int, std::uint64_t)>& progress = {});

}  // namespace tictactoe::rules
