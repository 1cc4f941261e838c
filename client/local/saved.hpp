// The initial state of a local host.
#pragma once

#include <cstdint>
#include <string>

#include "client/local/start.hpp"
#include "server/limits/config.hpp"
#include "tictactoe/journal/v1/journal.pb.h"

namespace tictactoe::local {

struct Tokens {
  std::string first;   ///< of the person
  std::string second;  ///< of the second person
  std::uint64_t seed = 0;
};

/// Without limits on rates and silence: there are no strangers.
server::Config config_of(const Start& start);

/// The players and the room as a journal would hold them.
journal::v1::Saved saved_of(const Start& start, const Tokens& tokens);

}  // namespace tictactoe::local
