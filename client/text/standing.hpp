// How things stand in a room: whose turn it is, who won, who is awaited, and what waits for an
// answer. Sentences that say what to do name the commands or the keys of the front end.
#pragma once

#include <cstdint>
#include <string>

#include "client/model/room.hpp"
#include "client/text/controls.hpp"

namespace tictactoe::client {

/// Whose turn it is, who won, or who is awaited; and how good that is for the player.
struct Standing {
  enum class Tone : std::uint8_t { neutral, good, bad };
  std::string text;
  Tone tone = Tone::neutral;
};
Standing standing_of(const Room& room, Controls controls);

/// How the next game comes about; empty during a game and for watchers.
std::string next_game_text(const Room& room, Controls controls);

/// Both in one line, with the commands of the line front end.
std::string status_text(const Room& room);

/// An offer or question that waits for an answer; empty if there is none.
std::string offers_text(const Room& room, Controls controls);

// Offers and answers of the player on the seat `by`. Empty if one person has both seats, because
// the other side then agrees at once.
std::string rematch_text(const Room& room, Mark by, Controls controls);
std::string draw_offer_text(const Room& room, Mark by, Controls controls);
std::string takeback_text(const Room& room, Mark by, Controls controls);
std::string declined_text(const Room& room, Mark by);

}  // namespace tictactoe::client
