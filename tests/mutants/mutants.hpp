// Chooses among the mutants that mutants.py writes into sources, which include this.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <type_traits>
#include <utility>

namespace mutants {

/// TICTACTOE_MUTANT is the chosen one. The file TICTACTOE_REACH has a byte for each, which
/// becomes 1. It is opened each time, because some programs close all files.
inline bool is_chosen(int mutant) noexcept {
  static const char* const value = std::getenv("TICTACTOE_MUTANT");
  static const int chosen = value == nullptr ? 0 : std::atoi(value);
  static const char* const path = std::getenv("TICTACTOE_REACH");
  static bool noted[1 << 16];
  if (path != nullptr && !std::exchange(noted[mutant], true)) {
    const int file = ::open(path, O_WRONLY | O_CLOEXEC);
    static_cast<void>(::pwrite(file, "\1", 1, mutant) + ::close(file));
  }
  return mutant == chosen;
}

/// Constant expressions keep the original.
constexpr bool on(int mutant) noexcept {
  return !std::is_constant_evaluated() && is_chosen(mutant);
}

}  // namespace mutants
