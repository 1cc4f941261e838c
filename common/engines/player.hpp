// Engines as AI players.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/ai/player.hpp"
#include "common/engines/process.hpp"

namespace tictactoe::engines {

/// Takes a sentence for the operator, with at most 40 characters of an answer that is no move: only
/// printable ASCII, others are `?`. Called by the thread that chooses.
using Report = std::function<void(const std::string& sentence)>;

/// A player whose moves an engine chooses, in a process of its own, by the Gomocup protocol
/// (https://plastovicka.github.io/protocl2en.htm). The process begins with the first choice, stops
/// between choices and ends with the player. choose() waits for it: at most Limits::start until it
/// has loaded, then at most Limits::patience, and no longer than the budget's stop token allows.
/// With is_ready() a caller waits for the loading in short steps instead. The stop token does not
/// concern the first choice after such steps: the time that it stands for went into the loading.
/// The budget of nodes does not concern the engine, except that with a single node it is not asked:
/// then the caller has no time to wait for anything.
///
/// Each move is checked by the rules. If the engine gives none, or one that is not legal, its
/// process ends, and Choice::engine_fault says why, without the engine's words; the move is then
/// that of the level strong, within 20,000 nodes. After three such faults the engine is not asked
/// any more. A choice is never certified.
std::unique_ptr<ai::Player> make_engine_player(const Command& command, const Limits& limits,
                                               const rules::Game& so_far, Report report = {});

}  // namespace tictactoe::engines
