// People who come to watch in the middle of a game, when all there is to know of it is sent to
// them.
#pragma once

#include "tests/bench/load/gathering.hpp"
#include "tests/bench/load/report.hpp"

namespace tictactoe::load {

/// One after the other comes into the first room, where nobody may do anything meanwhile, and is
/// held to know the whole game. Adds to the report how long that takes and how much is sent.
void add_late_comers(Report& report, Gathering& gathering, Protocol& protocol, std::size_t count);

}  // namespace tictactoe::load
