// The saved form of a room: what the journal keeps of it.
#pragma once

#include <cstdint>
#include <optional>

#include "server/room/room_state.hpp"

namespace tictactoe::server {

/// Milliseconds since 1970, in UTC.
std::uint64_t unix_ms(Time time, const Config& config);

void write_origin(const Origin& origin, journal::v1::Origin& out);
Origin read_origin(const journal::v1::Origin& origin);

/// Writes everything except moves and chat.
void write_room(const RoomState& room, std::uint64_t revision, Time now, journal::v1::Room& out);
/// When the hold of a saved seat ends; nothing if its player was present.
std::optional<Time> read_hold(const journal::v1::Seat& seat, const Config& config, Time now);
/// Writes a move without the time left. `ply` counts from 1.
void write_move(const RoomState& room, std::size_t ply, journal::v1::Move& out);
/// Like write_move(), for the last move, with the time left of `side`, which made it.
void write_last_move(const RoomState& room, rules::Mark side, Time now, journal::v1::Move& out);
/// Writes the record of a game. Requires a game that is over.
void write_finished_game(const RoomState& room, Time now, v1::GameRecord& out);
/// Writes who may read a private game.
void write_readers(const Seats& seats, journal::v1::Readers& out);

/// The settings of a saved room, with a revision that no client has seen. Nothing if invalid.
std::optional<RoomSettings> read_settings(const journal::v1::Room& room);

}  // namespace tictactoe::server
