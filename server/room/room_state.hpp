// The game and the people of a room.
#pragma once

#include <string_view>
#include <vector>

#include "server/game/room_game.hpp"
#include "server/game/room_thinking.hpp"
#include "server/game/seats.hpp"
#include "server/limits/config.hpp"
#include "server/room/room_settings.hpp"

namespace tictactoe::server {

/// The state that the classes of a room share. They change it; everybody else may read it, see
/// Room::state().
struct RoomState {
  /// `config` must outlive it.
  RoomState(RoomSettings settings, const Config& config);
  RoomState(const RoomState&) = delete;
  RoomState& operator=(const RoomState&) = delete;

  const RoomSettings settings;
  const Config& config;
  RoomGame game;
  RoomThinking thinking;
  Seats seats;
  std::vector<PlayerId> admitted;  ///< invited players who have not come; the latest

  /// Loads the game and the seats. Returns false if they are invalid; this is unusable then.
  bool load(const journal::v1::SavedRoom& saved, const FindPlayer& find_player);

  v1::Phase phase() const {
    if (game.is_over()) return v1::PHASE_FINISHED;
    return seats.has_open_seat() ? v1::PHASE_WAITING : v1::PHASE_PLAYING;
  }
  /// True if both seats are taken and the game is not over.
  bool is_running() const { return phase() == v1::PHASE_PLAYING; }
  /// The side to move; `none` unless the game is running.
  rules::Mark to_move() const { return is_running() ? game.board().to_move() : rules::Mark::none; }
  /// Whether the next player to sit down starts a new game instead of continuing one.
  bool is_between_games() const { return game.ply() == 0 || game.is_over(); }
  /// Whether the move names a position of this game in which the player made exactly this move.
  bool has_played(const v1::Move& move, const Player& player) const;

  /// The seat of an AI that yields to a person who wants `wanted`; `none` if there is none. See
  /// v1::RoomOptions.open_ai_seats.
  rules::Mark yielding_seat(rules::Mark wanted) const;
  /// Whether a person who joins gets a seat at once.
  bool has_seat_for_newcomer() const {
    return seats.has_open_seat() ||
           (is_between_games() && yielding_seat(rules::Mark::none) != rules::Mark::none);
  }
  /// Whether a person who joins gets a seat, now or after this game. Clients call the room open.
  bool has_seat_in_time() const {
    return seats.has_open_seat() || yielding_seat(rules::Mark::none) != rules::Mark::none;
  }
  /// Whether this player may enter once without the password.
  bool admits(const Player& player) const;
  /// Why `player` may not decide about AIs, rematches and invitations here.
  Refused not_allowed(const Player* player) const;
  /// The level of this name if this game offers it, see server::parse_ai_level().
  Parsed<AiLevel> parse_ai_level(std::string_view name) const;
};

}  // namespace tictactoe::server
