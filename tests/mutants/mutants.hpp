// Chooses among the mutants that mutants.py writes into sources, which include this.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <type_traits>

namespace mutants {

inline constinit int chosen = 0;                    // TICTACTOE_MUTANT; 0 is none
inline constinit unsigned char* reached = nullptr;  // one byte each, in the file TICTACTOE_REACH

inline bool is_chosen(int mutant) noexcept {
  if (reached != nullptr) reached[mutant] = 1;
  return mutant == chosen;
}

/// Constant expressions keep the original.
constexpr bool on(int mutant) noexcept {
  return !std::is_constant_evaluated() && is_chosen(mutant);
}

/// Runs before the constructors of global objects. Processes share the file, which outlives them.
[[gnu::constructor(101)]] inline void start() noexcept {
  if (const char* const value = std::getenv("TICTACTOE_MUTANT")) chosen = std::atoi(value);
  const char* const path = std::getenv("TICTACTOE_REACH");
  const int file = path == nullptr || reached != nullptr ? -1 : ::open(path, O_RDWR | O_CLOEXEC);
  struct stat status{};
  if (file < 0 || ::fstat(file, &status) != 0) return;
  void* const bytes =
      ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (bytes != MAP_FAILED) reached = static_cast<unsigned char*>(bytes);
}

}  // namespace mutants
