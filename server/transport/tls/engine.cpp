#include "server/transport/tls/engine.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <limits>
#include <new>

namespace tictactoe::transport {

namespace asio = boost::asio;

namespace {

// SSL_get_error() checks the queue, in which other code may have left errors. Clearing it takes as
// long as encrypting a few bytes.
void clear_errors() {
  if (ERR_peek_error() != 0) ERR_clear_error();
}

}  // namespace

/// The BIO that OpenSSL reads from and writes to.
struct TlsEngineBio {
  static TlsEngine& engine(BIO* bio) { return *static_cast<TlsEngine*>(BIO_get_data(bio)); }

  static int read(BIO* bio, char* space, std::size_t size, std::size_t* count) {
    BIO_clear_retry_flags(bio);
    std::string_view& input = engine(bio).input_;
    *count = std::min(size, input.size());
    if (*count == 0) {
      BIO_set_retry_read(bio);
      return 0;
    }
    input.copy(space, *count);
    input.remove_prefix(*count);
    return 1;
  }

  static int write(BIO* bio, const char* bytes, std::size_t size, std::size_t* count) {
    BIO_clear_retry_flags(bio);
    TlsEngine& self = engine(bio);
    TlsEngine::Error error;
    *count = self.send_(self.to_, {bytes, size}, error);
    if (!error) return 1;
    if (error == asio::error::would_block) {
      BIO_set_retry_write(bio);
    } else {
      self.send_error_ = error;
    }
    return 0;
  }

  // Records are sent at once, so there is nothing to flush.
  static long control(BIO* /*bio*/, int command, long /*number*/, void* /*pointer*/) {
    return command == BIO_CTRL_FLUSH ? 1 : 0;
  }

  static void on_message(int is_sent, int /*version*/, int kind, const void* bytes,
                         std::size_t size, SSL* /*tls*/, void* engine) {
    if (is_sent != 0 || kind != SSL3_RT_HANDSHAKE || size == 0) return;
    if (*static_cast<const unsigned char*>(bytes) == SSL3_MT_KEY_UPDATE) {
      ++static_cast<TlsEngine*>(engine)->key_updates_;
    }
  }

  static const BIO_METHOD* method() {
    static BIO_METHOD* const made = [] {
      BIO_METHOD* const method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "stream");
      if (method == nullptr) throw std::bad_alloc();
      BIO_meth_set_read_ex(method, read);
      BIO_meth_set_write_ex(method, write);
      BIO_meth_set_ctrl(method, control);
      return method;
    }();
    return made;
  }
};

TlsEngine::TlsEngine(SSL_CTX& context, Send send, void* to)
    : send_(send), to_(to), tls_(SSL_new(&context)) {
  BIO* const bio = BIO_new(TlsEngineBio::method());
  if (tls_ == nullptr || bio == nullptr) {
    SSL_free(tls_);
    BIO_free(bio);
    throw std::bad_alloc();
  }
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  SSL_set_bio(tls_, bio, bio);
  SSL_set_mode(tls_, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                         SSL_MODE_RELEASE_BUFFERS);
  SSL_set_msg_callback(tls_, TlsEngineBio::on_message);
  SSL_set_msg_callback_arg(tls_, this);
  SSL_set_accept_state(tls_);
}

TlsEngine::~TlsEngine() {
  SSL_free(tls_);
}

void TlsEngine::receive(std::string_view bytes) {
  input_ = input_.empty() ? bytes : std::string_view(kept_.append(bytes));
}

void TlsEngine::keep_input() {
  if (input_.empty()) return std::string().swap(kept_);
  kept_ = std::string(input_);
  input_ = kept_;
}

bool TlsEngine::has_input() const {
  return !input_.empty() || SSL_pending(tls_) > 0 || has_end_;
}

TlsEngine::Read TlsEngine::read(std::span<char> space) {
  Read result;
  while (result.count < space.size()) {
    clear_errors();
    std::size_t count = 0;
    const int returned =
        SSL_read_ex(tls_, space.data() + result.count, space.size() - result.count, &count);
    if (returned <= 0) {
      const Read end = result_of(returned);
      if (result.count == 0) return end;
      has_end_ = end.wants == Wants::nothing;
      return result;
    }
    result.count += count;
    // Saves a call that would find nothing.
    if (input_.empty() && SSL_pending(tls_) == 0) break;
  }
  return result;
}

TlsEngine::Read TlsEngine::result_of(int returned) const {
  switch (SSL_get_error(tls_, returned)) {
    case SSL_ERROR_WANT_READ:
      return {Wants::input, 0, {}};
    case SSL_ERROR_WANT_WRITE:
      return {Wants::space, 0, {}};
    case SSL_ERROR_ZERO_RETURN:
      return {Wants::nothing, 0, asio::error::eof};
    case SSL_ERROR_SSL:
      return {Wants::nothing, 0,
              Error(static_cast<int>(ERR_peek_error()), asio::error::get_ssl_category())};
    default:
      return {Wants::nothing, 0, send_error_ ? send_error_ : asio::error::connection_aborted};
  }
}

bool TlsEngine::is_ready() const {
  return SSL_is_init_finished(tls_) == 1;
}

std::size_t TlsEngine::write(std::string_view bytes, Error& error) {
  error = {};
  if (bytes.empty()) return 0;
  if (!is_ready()) {
    error = asio::error::would_block;
    return 0;
  }
  clear_errors();
  std::size_t count = 0;
  const int returned = SSL_write_ex(tls_, bytes.data(), bytes.size(), &count);
  if (returned > 0) return count;
  const Read result = result_of(returned);
  error = result.wants == Wants::nothing ? result.error : Error(asio::error::would_block);
  return 0;
}

void TlsEngine::end() {
  if (!is_ready()) return;
  clear_errors();
  SSL_shutdown(tls_);
}

}  // namespace tictactoe::transport
