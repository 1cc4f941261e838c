// Writes domain values to messages: the reverse of parse.hpp.
#pragma once

#include <span>
#include <string>

#include "common/rules/game.hpp"
#include "common/rules/types.hpp"
#include "server/limits/config.hpp"
#include "server/limits/parse.hpp"
#include "server/people/directory.hpp"
#include "server/people/players.hpp"
#include "tictactoe/journal/v1/journal.pb.h"
#include "tictactoe/v1/server.pb.h"
#include "tictactoe/v1/types.pb.h"

namespace tictactoe::server {

/// "X" or "O".
inline std::string label(rules::Mark side) {
  return side == rules::Mark::x ? "X" : "O";
}

v1::Mark describe(rules::Mark mark);
void describe(rules::Cell cell, v1::Cell& out);
void describe(const rules::Rules& rules, v1::Rules& out);
void describe(const RoomOptions& options, v1::RoomOptions& out);
/// Requires a game that is over.
void describe_outcome(const rules::Game& game, v1::Outcome& out);
void describe(const Directory::LobbyServer& server, v1::ServerAddress& out);
/// As recorded in the journal.
void describe(const Player& player, journal::v1::Player& out);
/// All limits in the welcome.
void describe(const Config& config, v1::Limits& out);

}  // namespace tictactoe::server
