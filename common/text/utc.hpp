// The time of day, and times as text, in UTC.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <string>

namespace tictactoe::text {

/// Unix time in milliseconds, by the system's clock.
inline std::uint64_t system_unix_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

/// A Unix time by a format of strftime(3), as in "2026-05-17 20:15". At most 63 characters.
inline std::string utc(std::uint64_t unix_seconds, const char* format) {
  const auto seconds = static_cast<std::time_t>(unix_seconds);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

/// With milliseconds, as in "2026-05-17T20:15:09.250Z".
inline std::string utc(std::uint64_t unix_ms) {
  const std::string thousandths = std::to_string(1'000 + unix_ms % 1'000);
  return utc(unix_ms / 1'000, "%Y-%m-%dT%H:%M:%S.") + thousandths.substr(1) + "Z";
}

}  // namespace tictactoe::text
