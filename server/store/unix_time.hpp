// The time of day.
#pragma once

#include <chrono>
#include <cstdint>

namespace tictactoe::store {

/// Unix time in milliseconds, by the system's clock.
inline std::uint64_t system_unix_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

}  // namespace tictactoe::store
