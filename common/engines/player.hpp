// Engines as AI players.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/ai/player.hpp"
#include "common/engines/process.hpp"

namespace tictactoe::engines {

/// Receives a sentence for the operator about each fault, with at most 60 characters of an answer
/// that is not a move, and 200 of the last line of standard error. Characters other than printable
/// ASCII are `?`. If a confined engine has ended, says what it may do. Called on the thread that
/// chooses.
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
/// Like other managers, it compares words without case, takes blanks in moves, skips lines before
/// the OK, and answers SUGGEST with PLAY.
///
/// Each move is checked against the rules. If the engine gives none or an illegal one, its process
/// ends, and Choice::engine_fault says why. It has no words of the engine except an ERROR or
/// UNKNOWN that it answered. The level strong then chooses the move, within 20,000 nodes. After
/// three such faults the engine is no longer asked. A choice is never certified.
std::unique_ptr<ai::Player> make_engine_player(const Command& command, const Limits& limits,
                                               const rules::Game& so_far, Report report = {});

}  // namespace tictactoe::engines
