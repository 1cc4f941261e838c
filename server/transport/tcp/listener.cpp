#include "server/transport/tcp/listener.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/ip/v6_only.hpp>
#include <cerrno>
#include <chrono>
#include <optional>
#include <utility>

#include "common/posix/retried.hpp"
#include "common/wire/peer_watch.hpp"

namespace tictactoe::transport {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

// Opens, binds and listens: on "::" for both families, otherwise for the family of the address.
template <class Acceptor>
error_code open(Acceptor& acceptor, const tcp::endpoint& endpoint) {
  error_code error;
  acceptor.close(error);
  acceptor.open(endpoint.protocol(), error);
  if (!error && endpoint.address().is_v6()) {
    acceptor.set_option(asio::ip::v6_only(!endpoint.address().is_unspecified()), error);
  }
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  return error;
}

int option_of(int socket, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  return ::getsockopt(socket, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

// Nothing if it is not a listening TCP socket.
std::optional<tcp> protocol_of_listening(int socket) {
  if (option_of(socket, SO_PROTOCOL) != IPPROTO_TCP || option_of(socket, SO_ACCEPTCONN) != 1) {
    return std::nullopt;
  }
  return option_of(socket, SO_DOMAIN) == AF_INET6 ? tcp::v6() : tcp::v4();
}

}  // namespace

Listener::Listener(asio::io_context& io, Accept accept)
    : acceptor_(io), pause_(io), accept_(std::move(accept)) {
  open_reserve();
}

Listener::~Listener() {
  if (reserve_ >= 0) ::close(reserve_);
}

Listening Listener::listen(const std::string& address, std::uint16_t port) {
  error_code error;
  const asio::ip::address parsed = asio::ip::make_address(address, error);
  if (error) return NotListening{"\"" + address + "\" is not an IP address.", false};
  error = open(acceptor_, {parsed, port});
  if (parsed.is_v6() && parsed.is_unspecified() &&
      (error == asio::error::address_family_not_supported ||
       error == boost::system::errc::address_not_available)) {
    error = open(acceptor_, {asio::ip::address_v4::any(), port});
  }
  if (error) {
    const std::string place = address + " port " + std::to_string(port);
    return NotListening{"Can't listen on " + place + ": " + error.message() + ".",
                        error != asio::error::access_denied};
  }
  return begin();
}

Listening Listener::listen_on(int socket) {
  const auto protocol = protocol_of_listening(socket);
  error_code error;
  if (protocol) acceptor_.assign(*protocol, socket, error);
  if (!protocol || error) {
    ::close(socket);
    return NotListening{"Can't accept connections on socket " + std::to_string(socket) +
                            ", which was passed to the server: " +
                            (protocol ? error.message() : "it is not a listening TCP socket") + ".",
                        false};
  }
  return begin();
}

tcp::endpoint Listener::begin() {
  error_code ignored;  // an acceptor that listens has an address
  // Blocking, it would wait for a peer that left before it was accepted.
  acceptor_.non_blocking(true, ignored);
  const tcp::endpoint bound = acceptor_.local_endpoint(ignored);
  accept();
  return bound;
}

void Listener::accept() {
  acceptor_.async_accept([this](const error_code& error, TcpSocket socket) {
    if (closed_ || error == asio::error::operation_aborted) return;
    if (!error) {
      admit(std::move(socket));
      accept_others();
    }
    // A peer may have ended the server.
    if (closed_) return;
    // A peer that left before it was accepted is no reason to wait. A lack of descriptors or memory
    // is, or else this would spin.
    if (!error || error == asio::error::connection_aborted) return accept();
    const bool out_of_descriptors = error == asio::error::no_descriptors ||
                                    error == boost::system::errc::too_many_files_open_in_system;
    if (out_of_descriptors && turn_away()) return await_next();
    spdlog::warn("can't accept: {}; trying again in a second", error.message());
    pause_.expires_after(std::chrono::seconds(1));
    pause_.async_wait([this](const error_code& cancelled) {
      if (!cancelled && !closed_) accept();
    });
  });
}

// Accepts others that have connected already. The next accept() finds an error again.
void Listener::accept_others() {
  for (int left = accepts_at_once - 1; left > 0 && !closed_; --left) {
    error_code error;
    TcpSocket socket = acceptor_.accept(error);
    if (error) return;
    admit(std::move(socket));
  }
}

void Listener::open_reserve() {
  if (reserve_ < 0) reserve_ = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}

bool Listener::turn_away() {
  open_reserve();
  if (reserve_ < 0) return false;
  ::close(std::exchange(reserve_, -1));
  const int peer = posix::retried(
      [&] { return ::accept4(acceptor_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC); });
  const bool is_possible = peer >= 0 || errno == EAGAIN || errno == ECONNABORTED;
  if (peer >= 0) {
    ::close(peer);
    turned_away_.note(std::chrono::steady_clock::now(), [](std::uint64_t times) {
      spdlog::warn("no file descriptors are left: {} connections were closed at once", times);
    });
  }
  open_reserve();
  return is_possible;
}

// Without a descriptor, accepting fails even if nobody wants to connect.
void Listener::await_next() {
  acceptor_.async_wait(tcp::acceptor::wait_read, [this](const error_code& error) {
    if (!error && !closed_) accept();
  });
}

void Listener::admit(TcpSocket socket) {
  error_code error;
  const tcp::endpoint peer = socket.remote_endpoint(error);
  // A client whose machine has disappeared must not keep a seat for hours.
  if (!error) error = wire::watch_peer(socket.native_handle());
  if (!error) socket.non_blocking(true, error);
  if (!error) accept_(std::move(socket), peer.address());  // otherwise the peer has left
}

void Listener::close() {
  closed_ = true;
  error_code ignored;  // it is given up either way
  acceptor_.close(ignored);
  pause_.cancel();
}

}  // namespace tictactoe::transport
