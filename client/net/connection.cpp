#include "client/net/connection.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <utility>

#include "client/model/sanitized.hpp"
#include "common/wire/peer_watch.hpp"

namespace tictactoe::client {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

// OpenSSL sees bytes that are no TLS.
bool is_other_protocol(const error_code& error) {
  if (error.category() != boost::asio::error::get_ssl_category()) return false;
  const int reason = ERR_GET_REASON(static_cast<unsigned long>(error.value()));
  return reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_PACKET_LENGTH_TOO_LONG;
}

// A server that ends need not say so first: frames are whole, or the session notices.
bool is_end(const error_code& error) {
  return error == boost::asio::error::eof || error == ssl::error::stream_truncated;
}

// The alert of a server with too many connections or handshakes.
bool is_too_busy(const error_code& error) {
  return error.category() == boost::asio::error::get_ssl_category() &&
         ERR_GET_REASON(static_cast<unsigned long>(error.value())) ==
             SSL_R_TLSV1_ALERT_INTERNAL_ERROR;
}

std::string reason(const error_code& error) {
  if (is_too_busy(error)) return "it has too many connections: try again later";
  return is_end(error) ? "it closed the connection" : error.message();
}

}  // namespace

// Shared with what is under way: a new attempt may begin while the handler of the last one runs.
struct TcpConnection::Tls {
  Tls(Tcp::socket& socket, std::string host)
      : context(ssl::context::tls_client), stream(socket, context) {
    SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
    // The key is compared with the known one; who has signed it does not matter.
    context.set_verify_mode(ssl::verify_none);
    error_code error;
    boost::asio::ip::make_address(host, error);
    const bool is_name = error && !host.empty();
    if (!is_name) return;
    SSL_ctrl(stream.native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
             host.data());
  }

  std::optional<tls::Fingerprint> key() {
    const X509* const certificate = SSL_get0_peer_certificate(stream.native_handle());
    return certificate == nullptr ? std::nullopt : tls::fingerprint_of(*certificate);
  }

  ssl::context context;
  ssl::stream<Tcp::socket&> stream;
};

std::shared_ptr<TcpConnection> TcpConnection::create(boost::asio::io_context& context,
                                                     Address address, Protection protection,
                                                     Lookup::Resolve resolve,
                                                     milliseconds timeout) {
  return std::shared_ptr<TcpConnection>(new TcpConnection(
      context, std::move(address), std::move(protection), std::move(resolve), timeout));
}

std::shared_ptr<TcpConnection> TcpConnection::refused(boost::asio::io_context& context,
                                                      std::string why) {
  auto connection = create(context, {}, no_protection());
  connection->refusal_ = std::move(why);
  return connection;
}

namespace {

std::shared_ptr<Connection> connect_elsewhere(boost::asio::io_context& context,
                                              const v1::ServerAddress& server,
                                              const Protection& protection) {
  const std::string named =
      "The server redirected you to " + sanitized(server.address()) + ". Nothing was sent there: ";
  AddressRead read = parse_address(server.address());
  if (!read.fault.empty()) {
    return TcpConnection::refused(context, named + read.fault + ".");
  }
  Protection pinned = protection;
  pinned.required_key.reset();
  if (protection.tls) {
    pinned.lobby_key = tls::fingerprint_from_bytes(server.key());
    if (!pinned.lobby_key) {
      return TcpConnection::refused(
          context,
          named + "its key is missing, so anyone on the network path could read what you send.");
    }
  }
  return TcpConnection::create(context, std::move(read.address), std::move(pinned));
}

}  // namespace

Connect connect_to(boost::asio::io_context& context, Address server, Protection protection) {
  return [&context, server = std::move(server),
          protection = std::move(protection)](const v1::ServerAddress* elsewhere) {
    return elsewhere == nullptr ? TcpConnection::create(context, server, protection)
                                : connect_elsewhere(context, *elsewhere, protection);
  };
}

TcpConnection::TcpConnection(boost::asio::io_context& context, Address address,
                             Protection protection, Lookup::Resolve resolve, milliseconds timeout)
    : context_(context),
      address_(std::move(address)),
      protection_(std::move(protection)),
      lookup_(context, std::move(resolve)),
      timeout_(timeout),
      socket_(context),
      timer_(context) {}

void TcpConnection::open(OnOpened on_opened) {
  on_opened_ = std::move(on_opened);
  if (!refusal_.empty()) {
    boost::asio::post(context_,
                      [self = shared_from_this()] { self->opened({self->refusal_, true, {}}); });
    return;
  }
  lookup_.start(address_.host, address_.port, [self = shared_from_this()](LookupResult found) {
    if (!found.fault.empty()) return self->opened({found.fault, false, {}});
    self->untried_ = std::move(found.endpoints);
    std::reverse(self->untried_.begin(), self->untried_.end());
    self->try_next();
  });
}

void TcpConnection::opened(const Opened& opened) {
  if (!closed_) std::exchange(on_opened_, {})(opened);
}

void TcpConnection::try_next() {
  if (closed_) return;
  if (untried_.empty()) return opened({last_fault_, false, {}});
  const Tcp::endpoint endpoint = untried_.back();
  untried_.pop_back();
  tls_.reset();
  socket_ = Tcp::socket(context_);
  limit_time();
  socket_.async_connect(endpoint, [self = shared_from_this()](const error_code& error) {
    self->on_connected(error);
  });
}

void TcpConnection::limit_time() {
  const unsigned attempt = ++attempt_;
  timer_.expires_after(timeout_);
  timer_.async_wait([self = shared_from_this(), attempt](const error_code& error) {
    // The attempt may have ended while this handler was queued.
    if (error || attempt != self->attempt_) return;
    // The handler of the attempt, not this one, goes on: it sees that it was cancelled.
    error_code ignored;
    self->socket_.close(ignored);
  });
}

bool TcpConnection::has_failed(const error_code& error) {
  ++attempt_;
  timer_.cancel();
  if (!error && socket_.is_open()) return false;
  const bool timed_out = !error || !socket_.is_open();
  last_fault_ = timed_out ? "no answer" : reason(error);
  return true;
}

void TcpConnection::on_connected(const error_code& error) {
  if (has_failed(error)) return try_next();
  // If the peer can't be watched, play goes on all the same.
  static_cast<void>(wire::watch_peer(socket_.native_handle()));
  if (!protection_.tls) return opened({{}, false, {}});
  shake_hands();
}

void TcpConnection::shake_hands() {
  if (closed_) return;
  tls_ = std::make_shared<Tls>(socket_, address_.host);
  limit_time();
  tls_->stream.async_handshake(ssl::stream_base::client,
                               [self = shared_from_this(), tls = tls_](const error_code& error) {
                                 self->on_handshake(error);
                               });
}

void TcpConnection::on_handshake(const error_code& error) {
  if (is_other_protocol(error)) {
    ++attempt_;
    timer_.cancel();
    // It may also be full, and say so at once. Nothing was sent, so trying again does no harm.
    return opened({no_tls_there(), false, {}});
  }
  if (has_failed(error)) return try_next();
  const auto key = tls_->key();
  if (!key) return opened({"The server " + address_.text + " has no key.", true, {}});
  Verdict verdict = judge(protection_, address_, *key);
  opened({std::move(verdict.refusal), !verdict.accepted, std::move(verdict.note), key});
}

template <class Use>
void TcpConnection::with_stream(const Use& use) {
  if (tls_) {
    use(tls_->stream);
  } else {
    use(socket_);
  }
}

void TcpConnection::read(std::span<char> space, OnRead on_read) {
  auto handler = [self = shared_from_this(), on_read = std::move(on_read)](const error_code& error,
                                                                           std::size_t count) {
    if (!self->closed_) on_read(count, error ? reason(error) : std::string());
  };
  with_stream([&](auto& stream) {
    stream.async_read_some(boost::asio::buffer(space.data(), space.size()), std::move(handler));
  });
}

void TcpConnection::write(std::string_view bytes) {
  waiting_.append(bytes);
  if (writing_.empty()) write_next();
}

void TcpConnection::write_next() {
  if (waiting_.empty() || closed_) return;
  writing_ = std::exchange(waiting_, {});
  with_stream([this](auto& stream) {
    boost::asio::async_write(stream, boost::asio::buffer(writing_),
                             [self = shared_from_this()](const error_code& error, std::size_t) {
                               self->writing_.clear();
                               // A read reports the fault after the bytes that came before it.
                               if (!error) self->write_next();
                             });
  });
}

void TcpConnection::close() {
  closed_ = true;
  // The callback may own this connection's owner.
  const OnOpened released = std::exchange(on_opened_, {});
  error_code ignored;
  lookup_.give_up();
  timer_.cancel();
  socket_.close(ignored);
}

}  // namespace tictactoe::client
