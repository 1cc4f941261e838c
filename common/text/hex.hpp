// Bytes as hexadecimal digits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tictactoe::text {

inline constexpr std::string_view hex_digits = "0123456789abcdef";

/// Two lower-case digits for each byte.
inline std::string to_hex(std::string_view bytes) {
  std::string digits;
  digits.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    digits += hex_digits[static_cast<unsigned char>(byte) >> 4U];
    digits += hex_digits[static_cast<unsigned char>(byte) & 15U];
  }
  return digits;
}

/// Reads what to_hex() writes, and nothing else.
inline std::optional<std::string> from_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const std::size_t high = hex_digits.find(digits[i]);
    const std::size_t low = hex_digits.find(digits[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    bytes.push_back(static_cast<char>(high << 4U | low));
  }
  return bytes;
}

}  // namespace tictactoe::text
