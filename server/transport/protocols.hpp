// Several protocols on one port, told apart by the first bytes of a connection.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tictactoe::transport {

enum class Protocol : std::uint8_t {
  raw,   ///< frames of proto/README.md
  tls,   ///< a handshake record: 16 03
  http,  ///< a request, possibly for a WebSocket: two capital letters of its method
};

/// The protocol of a connection with these first bytes; nothing if one more byte is needed. A raw
/// connection begins with the length of a hello, followed by 08 or 12. Neither of the other
/// protocols begins with such a pair.
constexpr std::optional<Protocol> protocol_of(std::string_view bytes) {
  constexpr std::string_view tls = "\x16\x03";
  constexpr auto is_capital = [](char letter) { return letter >= 'A' && letter <= 'Z'; };
  if (bytes.empty()) return std::nullopt;
  if (bytes.front() != tls.front() && !is_capital(bytes.front())) return Protocol::raw;
  if (bytes.size() == 1) return std::nullopt;
  if (bytes.substr(0, 2) == tls) return Protocol::tls;
  return is_capital(bytes[0]) && is_capital(bytes[1]) ? Protocol::http : Protocol::raw;
}

}  // namespace tictactoe::transport
