// TLS of one connection, without I/O.
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

/// The server's side of a TLS connection. Takes received records, returns the bytes inside them,
/// and sends records at once. The handshake is part of reading. Keeps no buffers between records.
class TlsEngine {
 public:
  using Error = boost::system::error_code;
  /// Sends what it can; would_block if that is nothing. `to` is the constructor's argument.
  using Send = std::size_t (*)(void* to, std::string_view bytes, Error& error);

  enum class Wants : std::uint8_t {
    nothing,
    input,  ///< more bytes from the peer
    space,  ///< that the peer reads what is sent
  };
  struct Read {
    Wants wants = Wants::nothing;  ///< what is needed for a result
    std::size_t count = 0;
    Error error;  ///< eof after the peer's last byte
  };

  /// `context` may be destroyed before the engine.
  TlsEngine(SSL_CTX& context, Send send, void* to);
  ~TlsEngine();
  TlsEngine(const TlsEngine&) = delete;
  TlsEngine& operator=(const TlsEngine&) = delete;

  /// Passes received bytes in. They must stay valid until keep_input().
  void receive(std::string_view bytes);
  /// Copies the bytes that read() has not consumed.
  void keep_input();
  /// Whether read() may return something without more input.
  bool has_input() const;

  /// Fills `space` as far as possible.
  Read read(std::span<char> space);
  /// Key updates of the peer since the last call.
  std::size_t take_key_updates() { return std::exchange(key_updates_, 0); }
  /// Whether the handshake is over. Nothing can be written before that.
  bool is_ready() const;
  /// Sends some of these bytes. If that would block, the next call must begin with the same bytes.
  std::size_t write(std::string_view bytes, Error& error);
  /// Tells the peer that nothing more will be sent (close_notify), if that is possible at once.
  void end();

 private:
  friend struct TlsEngineBio;

  Read result_of(int returned) const;

  Send send_;
  void* to_;
  SSL* tls_;
  std::string kept_;        // input that was copied
  std::string_view input_;  // not consumed yet
  Error send_error_;        // other than would_block
  std::size_t key_updates_ = 0;
  bool has_end_ = false;  // read() has returned everything before it
};

}  // namespace tictactoe::transport
