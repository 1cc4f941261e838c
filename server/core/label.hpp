// How sentences for people name a side.
#pragma once

#include <string>

#include "common/rules/types.hpp"

namespace tictactoe::core {

/// "X" or "O".
inline std::string label(rules::Mark side) {
  return side == rules::Mark::x ? "X" : "O";
}

}  // namespace tictactoe::core
