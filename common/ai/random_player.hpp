// The weakest level: plays any free cell with equal probability.
#pragma once

#include <cstdint>
#include <memory>

#include "common/ai/player.hpp"

namespace tictactoe::ai {

/// O(plies) a ply and a choice.
std::unique_ptr<Player> make_random_player(const rules::Game& so_far, std::uint64_t seed);

}  // namespace tictactoe::ai
