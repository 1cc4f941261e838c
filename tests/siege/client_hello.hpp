// The beginning of a TLS handshake.
#pragma once

#include <openssl/ssl.h>

#include <array>
#include <memory>
#include <string>

namespace tictactoe::siege {

/// The first bytes of a client that speaks TLS.
inline std::string client_hello() {
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_client_method()),
                                                                  SSL_CTX_free);
  const std::unique_ptr<SSL, decltype(&SSL_free)> tls(SSL_new(context.get()), SSL_free);
  SSL_set_bio(tls.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_connect(tls.get());
  std::array<char, 4096> bytes{};
  const int count = BIO_read(SSL_get_wbio(tls.get()), bytes.data(), bytes.size());
  return {bytes.data(), static_cast<std::size_t>(count)};
}

}  // namespace tictactoe::siege
