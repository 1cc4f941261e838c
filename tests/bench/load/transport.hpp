// How messages travel between the load generator and a server.
#pragma once

#include <openssl/types.h>

#include <cstdint>
#include <memory>
#include <string>

namespace tictactoe::load {

/// How the bodies of messages become bytes.
enum class Framing : std::uint8_t {
  raw,             ///< the raw protocol: a length before each
  websocket,       ///< binary messages of a WebSocket
  websocket_json,  ///< text messages of one
};

/// The same for all connections of a fleet.
struct Transport {
  Framing framing = Framing::raw;
  std::shared_ptr<SSL_CTX> tls;  ///< null: without TLS
  std::string host;              ///< with the port, as HTTP names the server
};

/// For clients. The server's key is not checked. Throws Failure if there can't be one.
std::shared_ptr<SSL_CTX> make_tls_context();

}  // namespace tictactoe::load
