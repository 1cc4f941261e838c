// The bytes of one connection: TCP, and TLS over it.
#pragma once

#include <array>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "server/transport/tcp/readiness.hpp"
#include "server/transport/tls/engine.hpp"

namespace tictactoe::transport {

/// A connected socket over Readiness. Nothing here blocks: a call that would block fails with
/// asio::error::would_block, and one of the can_...() functions is called when it can be tried
/// again. A read costs one system call if its bytes have come alone. One thread.
///
/// With begin_tls() the bytes are those within TLS. An end without close_notify is an end, too:
/// messages are whole or discarded.
class Link : private ReadinessHandler {
 public:
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

 protected:
  using Error = boost::system::error_code;

  /// Owns a connected socket that does not block. `readiness` must outlive the open link.
  /// `network` is that of the peer, see server::Origin.
  Link(int socket, Readiness& readiness, std::uint64_t network)
      : ReadinessHandler(network), readiness_(readiness), socket_(socket) {}
  ~Link() override { close_socket(); }

  /// Begins to call the can_...() functions. Returns false if the system refuses.
  bool watch();
  /// There may be bytes, or the end.
  virtual void can_read() = 0;
  /// In place of can_read() during the handshake of TLS. Call fetch(), and later read().
  virtual void can_shake_hands() = 0;
  /// A write that would have blocked can be tried again.
  virtual void can_write() = 0;
  /// Keeps this object alive while it is called.
  virtual std::shared_ptr<void> owner() = 0;

  /// Reads what has arrived; eof after the peer's last byte. During the handshake of TLS, computes
  /// a part of it.
  std::size_t read(std::span<char> into, Error& error);
  /// Reports in a later turn of the event loop that there is more to read, if there is.
  void read_on();
  /// Writes some of these bytes. After would_block, the next call must begin with the same bytes.
  std::size_t write(std::string_view bytes, Error& error);
  /// Calls can_write() in a later turn of the event loop.
  void write_on();

  /// Starts TLS; `bytes` are the first ones of its handshake.
  void begin_tls(SSL_CTX& context, std::string_view bytes);
  bool has_tls() const { return tls_ != nullptr; }
  /// During the handshake nothing can be written.
  bool is_shaking_hands() const { return tls_ != nullptr && !tls_->is_ready(); }
  /// Receives bytes of the handshake. read() does the computing.
  void fetch(Error& error);
  /// Key updates of the peer since the last call.
  std::size_t take_key_updates() { return tls_ == nullptr ? 0 : tls_->take_key_updates(); }

  /// Ends writing.
  void shut();
  /// Closes the socket and calls nothing any more.
  void close_socket();
  bool has_socket() const { return socket_ >= 0; }
  std::uint64_t network() const { return ReadinessHandler::network(); }

 private:
  void on_ready(std::uint32_t events) override;
  std::size_t receive(std::span<char> into, Error& error);
  std::size_t send(std::string_view bytes, Error& error);
  static std::size_t send_for_tls(void* link, std::string_view bytes, Error& error);

  Readiness& readiness_;
  int socket_;
  bool may_read_ = false;  // without another event
  bool has_end_ = false;   // the peer has ended it, perhaps behind bytes
  bool waits_for_space_ = false;
  bool reads_with_space_ = false;  // TLS has to send something before it can go on reading
  std::unique_ptr<TlsEngine> tls_;
};

}  // namespace tictactoe::transport
