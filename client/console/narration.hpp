// What happens in a room, in plain sentences.
#pragma once

#include <cstdint>
#include <string>

#include "client/console/room.hpp"

namespace tictactoe::console {

/// "3 x 3", "15 x 15, 5 in a row", "15 x 15, exactly 5 in a row": `k` is left out where it is the
/// side of a square board.
std::string rules_text(std::uint32_t rows, std::uint32_t cols, std::uint32_t k, bool exact);

/// Name of who sits there, from which an AI can be told, or a word where there is none.
std::string name_of(const Occupant& occupant);

/// How things stand: whose turn it is, who won, or who is waited for; one line.
std::string status_text(const Room& room);

/// What one who enters a room wants to know: who one is (`me`), the room, the seats, how to move,
/// and how things stand. Lines, each ended by a newline.
std::string arrival_text(const Room& room, const std::string& me);

/// Names of both seats' occupants in one line.
std::string seats_text(const Room& room);

/// What an update changed. One line; empty where there is nothing to tell. `room` is the mirror
/// with the update applied, `seat_before` the own seat before it.
std::string update_text(const Room& room, const v1::RoomUpdate& update, Mark seat_before);

/// Whether the board, and how things stand, is worth showing again after this update.
bool changes_board(const Room& room, const v1::RoomUpdate& update);

/// A refusal, with the server's sentence where it gave one.
std::string error_text(const v1::Error& error);

}  // namespace tictactoe::console
