// The start of a game without a server.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "client/model/room.hpp"
#include "tictactoe/v1/types.pb.h"

namespace tictactoe::local {

struct Start {
  std::string name;    ///< of the person
  std::string second;  ///< of the second person; empty: an AI plays
  std::string level;   ///< of the AI
  client::Mark seat = client::Mark::x;
  v1::Rules rules;
  client::Mark starter = client::Mark::x;
  /// Cells of the moves played so far, as in GameRecord.
  std::vector<std::uint32_t> moves;
  /// How long the AI waits before it plays.
  std::chrono::milliseconds ai_delay{600};
};

/// The AI levels, the weakest first.
std::vector<std::string> levels();
std::string default_level();

/// Starts after the first `moves` moves of that game, with its rules. Returns an empty string, or a
/// sentence that says why this is impossible. Check fault_of() as well.
std::string play_on(Start& start, const v1::GameRecord& game, std::size_t moves);

/// A sentence that says why a game can't start like this; empty if it can.
std::string fault_of(const Start& start);

}  // namespace tictactoe::local
