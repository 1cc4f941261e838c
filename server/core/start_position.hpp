// Where the first game of a new room begins, if not with an empty board.
#pragma once

#include <cstdint>
#include <vector>

#include "common/rules/game.hpp"
#include "server/core/parse.hpp"

namespace tictactoe::core {

/// A position of a finished game, in which somebody can move.
struct StartPosition {
  rules::Game board;
  std::vector<std::uint32_t> move_ms;  ///< the time that each move took; 0 if it is not known
};

/// The position after the first `moves` moves of a game, or why a room can't begin with it. The
/// game may have no others: see keep_first_moves(). O(moves).
Parsed<StartPosition> start_position(const v1::GameRecord& game, std::uint32_t moves,
                                     const Limits& limits);

/// The game that a LookUp of this request asks for: GetGame, or CreateRoom with a position.
std::uint64_t game_asked_for(const v1::ClientMessage& request);
/// If the game is for a new room, removes the moves with which the room does not begin, so that the
/// event loop does not have to read them. Uses no state, so that any thread may call it.
void keep_first_moves(const v1::ClientMessage& request, v1::GameRecord& game);

}  // namespace tictactoe::core
