// How a game without a server begins.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "client/model/room.hpp"
#include "tictactoe/v1/types.pb.h"

namespace tictactoe::local {

struct Start {
  std::string name;    ///< the person's
  std::string second;  ///< the second person's; empty: an AI plays
  std::string level;   ///< the AI's
  client::Mark seat = client::Mark::x;
  v1::Rules rules;
  client::Mark starter = client::Mark::x;
  /// Moves that are played already, as in GameRecord.
  std::vector<std::uint32_t> moves;
  /// How long the AI waits before it plays.
  std::chrono::milliseconds ai_delay{600};
};

/// The levels of AI, the usual one first.
std::vector<std::string> levels();

/// Begins after so many moves of that game, with its rules. Returns why that can't be, as a
/// sentence; empty if it can. fault_of() still has to be asked.
std::string play_on(Start& start, const v1::GameRecord& game, std::size_t moves);

/// Why no game can begin so, as a sentence; empty if one can.
std::string fault_of(const Start& start);

}  // namespace tictactoe::local
