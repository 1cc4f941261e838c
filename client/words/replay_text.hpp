// Sentences about a finished game that is stepped through. The replay must be without a fault.
#pragma once

#include <string>

#include "client/model/replay.hpp"

namespace tictactoe::client {

/// Which game it is, who played what, and when. Lines, each ended by a newline.
std::string summary_text(const Replay& replay);
/// The last move that was played, of which there must be one. A line without a newline, as the
/// others.
std::string move_text(const Replay& replay);
/// "move 3 of 9".
std::string position_text(const Replay& replay);
/// How the game ended.
std::string outcome_text(const Replay& replay);

}  // namespace tictactoe::client
