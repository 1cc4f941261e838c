// Between the bodies of messages and the bytes of one connection, without I/O.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/wire/frame.hpp"
#include "tests/bench/load/tls_client.hpp"
#include "tests/bench/load/transport.hpp"
#include "tests/bench/load/websocket_client.hpp"

namespace tictactoe::load {

/// Over plain TCP it is a FrameReader, and nothing more. Whatever a server should not send throws
/// Failure.
class Link {
 public:
  /// `transport` need not live on.
  explicit Link(const Transport& transport);

  /// Once connected. Appends the first bytes for the server to `out`.
  void begin(std::string& out);
  /// Whether bodies can be sent.
  bool is_open() const;
  /// Appends the bytes that send this body to `out`.
  void append(std::string_view body, std::string& out);

  /// Takes bytes that have come, at least one; returns how many. Ends bodies that next() has
  /// returned. Call next() before the rest.
  std::size_t receive(std::string_view bytes);
  /// The body of the next message that has come. Appends what has to be sent before the next body,
  /// such as the answer to a ping, to `out`.
  std::optional<std::string_view> next(std::string& out);

 private:
  std::optional<std::string_view> next_inside(std::string& out);
  std::span<char> prepare() { return websocket_ ? websocket_->prepare() : frames_.prepare(); }
  void commit(std::size_t count);
  bool decrypt();
  void send(std::string_view bytes, std::string& out);

  std::unique_ptr<TlsClient> tls_;
  std::unique_ptr<WebSocketClient> websocket_;
  std::string plain_;  // reused
  wire::FrameReader frames_{std::size_t{4} << 20};
};

}  // namespace tictactoe::load
