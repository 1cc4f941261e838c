// One port, several protocols: what the first bytes of a connection decide.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/net/connection.hpp"

namespace tictactoe::net {

enum class Protocol : std::uint8_t {
  raw,   ///< frames of proto/README.md
  tls,   ///< a handshake record: 16 03
  http,  ///< a request, also for a WebSocket: two capital letters of its method
};

/// What a connection with these first bytes speaks; nothing if one more byte has to come. A raw
/// connection begins with the length of a hello and 08 or 12, which no other pair can be.
constexpr std::optional<Protocol> protocol_of(std::string_view bytes) {
  constexpr std::string_view tls = "\x16\x03";
  constexpr auto is_capital = [](char letter) { return letter >= 'A' && letter <= 'Z'; };
  if (bytes.empty()) return std::nullopt;
  if (bytes.front() != tls.front() && !is_capital(bytes.front())) return Protocol::raw;
  if (bytes.size() == 1) return std::nullopt;
  if (bytes.substr(0, 2) == tls) return Protocol::tls;
  return is_capital(bytes[0]) && is_capital(bytes[1]) ? Protocol::http : Protocol::raw;
}

/// What comes of the first bytes of a connection. If there is neither, they are taken for frames.
struct Beginning {
  std::shared_ptr<Connection> next;  ///< the transport that has taken over the stream
  std::string refusal;               ///< what the peer gets before its connection is closed
};

/// Makes the transports of the other protocols for connections over a `Stream`.
template <class Stream>
class Protocols {
 public:
  virtual ~Protocols() = default;
  /// `connection` has read these bytes; there may be more of them. Leaves the stream alone unless
  /// another transport takes it over.
  virtual Beginning begin(Protocol protocol, const Connection& connection, Stream& stream,
                          std::string_view bytes) = 0;
  /// What tells a peer that has begun with these bytes that there are too many connections. Empty:
  /// the Error that waits for it does.
  virtual std::string refusal_if_full(Protocol /*protocol*/, std::string_view /*bytes*/) const {
    return {};
  }
};

}  // namespace tictactoe::net
