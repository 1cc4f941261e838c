// The byte stream of one connection: TCP, and TLS over it.
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

/// A connected socket over Readiness. Nothing blocks: a call that would block fails with
/// asio::error::would_block, and one of the can_...() functions is called when it can be repeated.
/// A read costs one system call if its bytes arrived alone. One thread.
///
/// After begin_tls() the bytes are those inside TLS. An end without close_notify is a normal end,
/// because messages are either whole or discarded.
class Link : private ReadinessHandler {
 public:
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

 protected:
  using Error = boost::system::error_code;

  /// Owns a connected non-blocking socket. `readiness` must outlive the open link. `network` is
  /// that of the peer, see server::Origin.
  Link(int socket, Readiness& readiness, std::uint64_t network)
      : ReadinessHandler(network), readiness_(readiness), socket_(socket) {}
  ~Link() override { close_socket(); }

  /// Begins to call the can_...() functions. Returns false if the system refuses.
  bool watch();
  /// There may be bytes to read, or the end.
  virtual void can_read() = 0;
  /// Called instead of can_read() during the TLS handshake. Call fetch(), and read() later.
  virtual void can_shake_hands() = 0;
  /// A write that would have blocked can be repeated.
  virtual void can_write() = 0;
  /// Keeps this object alive during a call.
  virtual std::shared_ptr<void> owner() = 0;

  /// Reads what has arrived; eof after the last byte. Computes a part of a TLS handshake.
  std::size_t read(std::span<char> into, Error& error);
  /// Reports in a later slice of the event loop that there is more to read, if there is.
  void read_on();
  /// Writes some of these bytes. After would_block, the next call must begin with the same bytes.
  std::size_t write(std::string_view bytes, Error& error);
  /// Calls can_write() in a later slice of the event loop.
  void write_on();

  /// Starts TLS. `bytes` are the first bytes of the handshake.
  void begin_tls(SSL_CTX& context, std::string_view bytes);
  bool has_tls() const { return tls_ != nullptr; }
  /// During the handshake nothing can be written.
  bool is_shaking_hands() const { return tls_ != nullptr && !tls_->is_ready(); }
  /// Receives bytes of the handshake. read() computes.
  void fetch(Error& error);
  /// Key updates of the peer since the last call.
  std::size_t take_key_updates() { return tls_ == nullptr ? 0 : tls_->take_key_updates(); }

  /// Shuts the sending side.
  void shut();
  /// Closes the socket. No further calls follow.
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
  bool may_read_ = false;  // without waiting for another event
  bool has_end_ = false;   // the peer has ended it; bytes may remain
  bool waits_for_space_ = false;
  bool reads_with_space_ = false;  // TLS must send before it can read on
  std::unique_ptr<TlsEngine> tls_;
};

}  // namespace tictactoe::transport
