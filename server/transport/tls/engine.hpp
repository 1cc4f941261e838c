// TLS of one connection, without its I/O.
#pragma once

#include <openssl/types.h>

#include <boost/system/error_code.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tictactoe::transport {

/// The server's side. Takes records that have been received, gives the bytes in them, and sends
/// records of its own at once. The handshake is part of reading. Between records it keeps no
/// buffers.
class TlsEngine {
 public:
  using Error = boost::system::error_code;
  /// Sends what it can; would_block if that is nothing. `to` is that of the constructor.
  using Send = std::size_t (*)(void* to, std::string_view bytes, Error& error);

  enum class Wants : std::uint8_t {
    nothing,
    input,  ///< more bytes from the peer
    space,  ///< that the peer takes what is sent
  };
  struct Read {
    Wants wants = Wants::nothing;  ///< before there can be a result
    std::size_t count = 0;
    Error error;  ///< eof after the peer's last byte
  };

  /// `context` need not live on.
  TlsEngine(SSL_CTX& context, Send send, void* to);
  ~TlsEngine();
  TlsEngine(const TlsEngine&) = delete;
  TlsEngine& operator=(const TlsEngine&) = delete;

  /// Bytes that have been received, after those before. They must stay until keep_input().
  void receive(std::string_view bytes);
  /// Copies those that read() has not taken.
  void keep_input();
  /// Whether read() may have a result without more input.
  bool has_input() const;

  /// Fills `space` as far as possible.
  Read read(std::span<char> space);
  /// Key updates of the peer since the last call.
  std::size_t take_key_updates() { return std::exchange(key_updates_, 0); }
  /// Whether the handshake is over. Nothing can be written before.
  bool is_ready() const;
  /// Sends some of these bytes. If that would block, the next call has the same bytes, and may have
  /// more behind them.
  std::size_t write(std::string_view bytes, Error& error);
  /// Tells the peer that nothing more comes (close_notify), if it can be sent at once.
  void end();

 private:
  friend struct TlsEngineBio;

  Read result_of(int returned) const;

  Send send_;
  void* to_;
  SSL* tls_;
  std::string kept_;        // input that was copied
  std::string_view input_;  // not taken yet
  Error send_error_;        // other than would_block
  std::size_t key_updates_ = 0;
  bool has_end_ = false;  // read() has returned what came before it
};

}  // namespace tictactoe::transport
