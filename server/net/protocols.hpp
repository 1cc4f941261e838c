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

/// The protocol of a connection whose first bytes these are; nothing if the decision needs one more
/// byte. A raw connection begins with the length of a hello, followed by 08 or 12. Neither of the
/// other protocols begins with such a pair.
constexpr std::optional<Protocol> protocol_of(std::string_view bytes) {
  constexpr std::string_view tls = "\x16\x03";
  constexpr auto is_capital = [](char letter) { return letter >= 'A' && letter <= 'Z'; };
  if (bytes.empty()) return std::nullopt;
  if (bytes.front() != tls.front() && !is_capital(bytes.front())) return Protocol::raw;
  if (bytes.size() == 1) return std::nullopt;
  if (bytes.substr(0, 2) == tls) return Protocol::tls;
  return is_capital(bytes[0]) && is_capital(bytes[1]) ? Protocol::http : Protocol::raw;
}

/// The result of looking at the first bytes of a connection. If both members are empty, the bytes
/// are the beginning of frames.
struct Beginning {
  std::shared_ptr<Connection> next;  ///< the transport that has taken over the stream
  std::string refusal;               ///< bytes for the peer, whose connection is then closed
};

/// Creates the transports of TLS and HTTP for connections over a `Stream`.
template <class Stream>
class Protocols {
 public:
  virtual ~Protocols() = default;
  /// `bytes` are the first ones that `connection` has read from `stream`. Does not use the stream
  /// unless another transport takes it over.
  virtual Beginning begin(Protocol protocol, const Connection& connection, Stream& stream,
                          std::string_view bytes) = 0;
  /// Tells a peer whose first bytes these are that there are too many connections. Empty if the
  /// queued Error is the answer.
  virtual std::string refusal_if_full(Protocol /*protocol*/, std::string_view /*bytes*/) const {
    return {};
  }
};

}  // namespace tictactoe::net
