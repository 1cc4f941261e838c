#include "server/base/origin.hpp"

#include <array>
#include <charconv>

namespace tictactoe::server {

namespace {

std::string dotted(std::uint64_t address) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) {
    text += std::to_string(address >> shift & 0xff) + (shift > 0 ? "." : "");
  }
  return text;
}

// The upper half of an IPv6 address, followed by zeros. At least one group after it is zero, so
// that "::" can end the text; zero groups before it are left out as well.
std::string with_colons(std::uint64_t half) {
  std::string text;
  for (int shift = 48; shift >= 0 && half << (48 - shift) != 0; shift -= 16) {
    std::array<char, 4> digits{};
    const auto end = std::to_chars(digits.begin(), digits.end(), half >> shift & 0xffff, 16).ptr;
    text.append(digits.begin(), end) += ":";
  }
  return text.empty() ? "::" : text + ":";
}

}  // namespace

std::string to_text(std::uint64_t address) {
  const bool is_ipv6 = address == 0 || address >> 32 != 0;
  return to_text(is_ipv6, address, is_ipv6 ? 64 : 32);
}

std::string to_text(bool is_ipv6, std::uint64_t bits, std::uint32_t prefix) {
  const std::string length = "/" + std::to_string(prefix);
  if (is_ipv6) return with_colons(bits) + length;
  return dotted(bits) + (prefix == 32 ? "" : length);
}

}  // namespace tictactoe::server
