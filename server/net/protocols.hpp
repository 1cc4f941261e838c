// One port, several protocols: what the first bytes of a connection decide.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "server/net/connection.hpp"

namespace tictactoe::net {

enum class Protocol : std::uint8_t {
  raw,   ///< frames of proto/README.md
  tls,   ///< a handshake record: 16 03
  http,  ///< a GET request, also for a WebSocket: GE
};

/// What a connection with these first bytes speaks; nothing if one more byte has to come. A raw
/// connection begins with the length of a hello and 08 or 12, which neither pair can be.
constexpr std::optional<Protocol> protocol_of(std::string_view bytes) {
  constexpr std::string_view tls = "\x16\x03";
  constexpr std::string_view http = "GE";
  if (bytes.empty()) return std::nullopt;
  if (bytes.front() != tls.front() && bytes.front() != http.front()) return Protocol::raw;
  if (bytes.size() == 1) return std::nullopt;
  const std::string_view two = bytes.substr(0, 2);
  if (two == tls) return Protocol::tls;
  return two == http ? Protocol::http : Protocol::raw;
}

/// Makes the transports of the other protocols for connections over a `Stream`.
template <class Stream>
class Protocols {
 public:
  virtual ~Protocols() = default;
  /// Makes the transport that takes over the stream of a connection, which has read these bytes;
  /// there may be more of them. Returns null, and leaves the stream alone, if there is no such
  /// protocol here: then the bytes are taken for frames. `protocol` is not raw.
  virtual std::shared_ptr<Connection> begin(Protocol protocol, Stream& stream,
                                            std::string_view bytes) = 0;
  /// The body of the frame that answers somebody who sends frames over a `Stream`, and after which
  /// the connection is closed. Empty: frames are welcome.
  virtual std::string_view refusal_of_frames() const { return {}; }
};

}  // namespace tictactoe::net
