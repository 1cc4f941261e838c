#include "tests/bench/load/tls_client.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include "tests/bench/load/failure.hpp"
#include "tests/bench/load/transport.hpp"

namespace tictactoe::load {
namespace {

[[noreturn]] void fail() {
  const char* const reason = ERR_reason_error_string(ERR_peek_error());
  throw Failure(std::string("TLS with the server fails: ") +
                (reason == nullptr ? "it has ended" : reason) + ".");
}

}  // namespace

std::shared_ptr<SSL_CTX> make_tls_context() {
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  if (context == nullptr) fail();
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_NONE, nullptr);
  return context;
}

void TlsClient::Free::operator()(SSL* tls) const {
  SSL_free(tls);
}

TlsClient::TlsClient(SSL_CTX& context) : tls_(SSL_new(&context)) {
  BIO* const input = BIO_new(BIO_s_mem());
  BIO* const output = BIO_new(BIO_s_mem());
  if (tls_ == nullptr || input == nullptr || output == nullptr) fail();
  SSL_set_bio(tls_.get(), input, output);
  SSL_set_connect_state(tls_.get());
}

void TlsClient::shake_hands(std::string& out) {
  ERR_clear_error();
  const int done = SSL_do_handshake(tls_.get());
  if (done != 1 && SSL_get_error(tls_.get(), done) != SSL_ERROR_WANT_READ) fail();
  drain(out);
}

bool TlsClient::is_ready() const {
  return SSL_is_init_finished(tls_.get()) == 1;
}

void TlsClient::receive(std::string_view bytes) {
  const int size = static_cast<int>(bytes.size());
  if (BIO_write(SSL_get_rbio(tls_.get()), bytes.data(), size) != size) fail();
}

std::size_t TlsClient::read(std::span<char> space) {
  ERR_clear_error();
  std::size_t count = 0;
  const int done = SSL_read_ex(tls_.get(), space.data(), space.size(), &count);
  if (done == 1) return count;
  if (SSL_get_error(tls_.get(), done) != SSL_ERROR_WANT_READ) fail();
  return 0;
}

void TlsClient::write(std::string_view bytes, std::string& out) {
  ERR_clear_error();
  std::size_t count = 0;
  // Memory takes everything.
  if (SSL_write_ex(tls_.get(), bytes.data(), bytes.size(), &count) != 1) fail();
  drain(out);
}

void TlsClient::drain(std::string& out) {
  BIO* const output = SSL_get_wbio(tls_.get());
  const std::size_t before = out.size();
  out.resize(before + BIO_ctrl_pending(output));
  const int size = static_cast<int>(out.size() - before);
  if (size > 0 && BIO_read(output, out.data() + before, size) != size) fail();
}

}  // namespace tictactoe::load
