// Engines as AI players.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/ai/player.hpp"
#include "common/engines/process.hpp"

namespace tictactoe::engines {

/// Receives a sentence for the operator, with at most 40 characters of an answer that is not a
/// move. Characters other than printable ASCII are `?`. Called on the thread that chooses.
using Report = std::function<void(const std::string& sentence)>;

/// A player whose moves an engine chooses, in a process of its own, by the Gomocup protocol
/// (https://plastovicka.github.io/protocl2en.htm). The process begins with the first choice, stops
/// between choices and ends with the player. choose() waits for it: at most Limits::start until it
/// has loaded, then at most Limits::patience, and no longer than the budget's stop token allows.
/// With is_ready() a caller waits for the loading in short steps instead; the first choice after
/// these steps ignores the stop token, whose time was spent on loading. Engines ignore the budget
/// of nodes, except that with a single node the engine is not asked, as the caller has no time to
/// wait.
///
/// Each move is checked against the rules. If the engine gives none or an illegal one, its process
/// ends, and Choice::engine_fault says why, without the engine's words. The level strong then
/// chooses the move, within 20,000 nodes. After three such faults the engine is no longer asked. A
/// choice is never certified.
std::unique_ptr<ai::Player> make_engine_player(const Command& command, const Limits& limits,
                                               const rules::Game& so_far, Report report = {});

}  // namespace tictactoe::engines
