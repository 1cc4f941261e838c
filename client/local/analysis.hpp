// Finds the move that decided a finished game.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "client/model/decision.hpp"

namespace tictactoe::local {

/// Nothing if the game breaks the rules or can't be solved within a few seconds and 20 MB. If
/// `stop` is requested, returns early with nothing or an incomplete result.
std::optional<client::Decision> decision_of(const v1::GameRecord& game,
                                            const std::stop_token& stop);

/// See client::Analyse.
std::shared_ptr<void> analyse(const v1::GameRecord& game,
                              std::function<void(std::optional<client::Decision>)> done);

}  // namespace tictactoe::local
