// What the host of a game without a server begins with.
#pragma once

#include <cstdint>
#include <string>

#include "client/local/start.hpp"
#include "server/core/config.hpp"
#include "tictactoe/journal/v1/journal.pb.h"

namespace tictactoe::local {

/// Secrets and chance.
struct Tokens {
  std::string first;
  std::string second;
  std::uint64_t seed = 0;
};

/// There are no strangers, so that nobody has to be slowed down or cut off.
core::Config config_of(const Start& start);

/// The players and the room, as the journal of a server would have them.
journal::v1::Saved saved_of(const Start& start, const Tokens& tokens);

}  // namespace tictactoe::local
