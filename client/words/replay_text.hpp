// Sentences about a finished game that is stepped through. The replay must be without a fault.
#pragma once

#include <string>

#include "client/model/decision.hpp"
#include "client/model/replay.hpp"

namespace tictactoe::client {

/// Which game it is, who played what, and when. Lines, each ended by a newline.
std::string summary_text(const Replay& replay);
/// The last move that was played, of which there must be one. A line without a newline, as the
/// others.
std::string move_text(const Replay& replay);
/// "move 3 of 9", with a note if that move `decides` the game.
std::string position_text(const Replay& replay, bool decides);
/// How the game ended.
std::string outcome_text(const Replay& replay);
/// The move that decided the game. `decision` belongs to this game.
std::string decision_text(const Replay& replay, const Decision& decision);

}  // namespace tictactoe::client
