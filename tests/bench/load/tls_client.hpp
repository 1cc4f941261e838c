// The client's end of TLS over one connection, without its I/O.
#pragma once

#include <openssl/types.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tictactoe::load {

/// Everything that ends the connection throws Failure.
class TlsClient {
 public:
  /// `context` need not live on.
  explicit TlsClient(SSL_CTX& context);

  /// Takes the next step of the handshake, and appends what is to be sent to `out`.
  void shake_hands(std::string& out);
  bool is_ready() const;

  /// Bytes that have been received.
  void receive(std::string_view bytes);
  /// Fills `space` as far as possible; returns the number of bytes.
  std::size_t read(std::span<char> space);
  /// Appends records with these bytes to `out`.
  void write(std::string_view bytes, std::string& out);

 private:
  struct Free {
    void operator()(SSL* tls) const;
  };

  void drain(std::string& out);

  std::unique_ptr<SSL, Free> tls_;
};

}  // namespace tictactoe::load
