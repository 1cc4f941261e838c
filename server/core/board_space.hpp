// The memory that the boards of rooms may take.
#pragma once

#include <cstddef>
#include <optional>

#include "server/core/config.hpp"
#include "server/core/origin.hpp"
#include "server/core/request_context.hpp"
#include "server/core/room_table.hpp"

namespace tictactoe::core {

/// At least the bytes that a game by these rules can come to take, with its history.
std::size_t most_board_bytes(const rules::Rules& rules);

/// Why somebody from `creator` can't create a room with such a board; nothing if they can. Memory
/// is reserved for the whole life of a room, so that no move is ever refused for it. Boards of up
/// to Limits::small_board_bytes are always possible: the number of rooms limits them. O(rooms) for
/// larger ones.
Refused no_board_space(const rules::Rules& rules, const std::optional<Origin>& creator,
                       const RoomTable& rooms, const Limits& limits);

}  // namespace tictactoe::core
