// Where the first game of a new room begins, if not with an empty board.
#pragma once

#include <cstdint>
#include <vector>

#include "common/rules/game.hpp"
#include "server/limits/parse.hpp"

namespace tictactoe::server {

/// A position of a finished game, in which somebody can move.
struct StartPosition {
  rules::Game board;
  std::vector<std::uint32_t> move_ms;  ///< the time that each move took; 0 if it is not known
};

/// The position after the first `moves` moves of a game, or why a room can't begin with it.
/// O(moves).
Parsed<StartPosition> start_position(const v1::GameRecord& game, std::uint32_t moves,
                                     const Limits& limits);

/// The game that a LookUp of this request asks for: GetGame, or CreateRoom with a position.
std::uint64_t game_asked_for(const v1::ClientMessage& request);

}  // namespace tictactoe::server
