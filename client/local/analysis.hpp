// Works out where a finished game was decided.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "client/model/decision.hpp"

namespace tictactoe::local {

/// Nothing if the game is not one by the rules, or too large to be solved within some seconds and
/// 20 MB. Ends early, with nothing or with less, when `stop` is requested.
std::optional<client::Decision> decision_of(const v1::GameRecord& game,
                                            const std::stop_token& stop);

/// See client::Analyse.
std::shared_ptr<void> analyse(const v1::GameRecord& game,
                              std::function<void(std::optional<client::Decision>)> done);

}  // namespace tictactoe::local
