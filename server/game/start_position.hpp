// The position in which the first game of a room begins, if not on an empty board.
#pragma once

#include <cstdint>
#include <vector>

#include "common/rules/game.hpp"
#include "server/limits/parse.hpp"

namespace tictactoe::server {

/// A position of a finished game in which a move is possible.
struct StartPosition {
  rules::Game board;
  std::vector<std::uint32_t> move_ms;  ///< the time of each move; 0 if unknown
};

/// The position after `moves` moves of a game, or why a room can't begin with it. O(moves).
Parsed<StartPosition> start_position(const v1::GameRecord& game, std::uint32_t moves,
                                     const Limits& limits);

/// The game that a request refers to: a GetGame, or a CreateRoom with a position.
std::uint64_t game_asked_for(const v1::ClientMessage& request);

}  // namespace tictactoe::server
