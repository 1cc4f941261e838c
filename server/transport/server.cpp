#include "server/transport/server.hpp"

#include <spdlog/spdlog.h>

#include <boost/asio/post.hpp>
#include <utility>

#include "common/wire/frame.hpp"
#include "server/transport/socket_connection.hpp"
#include "server/transport/system_token.hpp"
#include "server/transport/tcp/peer_origin.hpp"
#include "server/transport/tls/identity.hpp"

namespace tictactoe::transport {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

// Pings per WebSocket within the silence timeout, and the parts in which each round is sent.
constexpr int pings_in_silence = 3;
constexpr int ping_parts = 10;

// The addresses of the servers of a lobby, present and past.
constexpr std::ptrdiff_t max_addresses = 64;

}  // namespace

Server::Server(asio::io_context& io, server::Config config, std::uint64_t seed, Thinking thinking,
               const server::Host::ChooseDirectory& choose)
    : io_(io),
      timer_(io),
      thinker_(io, config.ai, thinking.threads, thinking.time, std::move(thinking.make_player),
               [this](server::ThoughtId id, const server::ThoughtResult& result) {
                 shell_.thought(id, result);
               }),
      keys_(io, {.what = "checking a password"}),
      gate_limits_{config.limits.hello_timeout, config.limits.pending_connections},
      sockets_(std::make_unique<SocketContext>(io, shell_)),
      ping_interval_(config.limits.silence_timeout / pings_in_silence),
      ping_timer_(io),
      shell_(std::move(config), seed, system_token, *this, choose) {
  sockets_->on_http = [this] { begin_pings(); };
}

Server::~Server() = default;

void Server::use_tls(const TlsIdentity& identity) {
  if (sockets_->tls == nullptr) sockets_->tls = std::make_unique<TlsContext>(io_);
  sockets_->tls->context = identity.context;
  sockets_->web.invitations.key = tls::to_text(identity.fingerprint);
  sockets_->tls->handshakes.set_at_once(handshakes_at_once(identity));
}

void Server::require_tls() {
  v1::ServerMessage message;
  v1::Error& error = *message.mutable_error();
  error.set_code(v1::Error::CODE_TLS_REQUIRED);
  error.set_closing(true);
  error.set_message(
      "This server accepts only encrypted connections: leave out --no-tls, or use a program that "
      "speaks TLS.");
  wire::append_frame(sockets_->tls->refusal_of_raw, message.SerializeAsString());
}

void Server::allow_plain_http() {
  sockets_->allows_plain_http = true;
}

void Server::allow_names(PublicNames names) {
  sockets_->web.names = std::move(names);
}

void Server::invite_to(std::vector<std::string> addresses) {
  sockets_->web.invitations.here = std::move(addresses);
}

void Server::invite_from_outside(std::vector<std::string> addresses) {
  sockets_->web.invitations.outside = std::move(addresses);
}

void Server::set_servers(std::vector<server::Directory::LobbyServer> servers) {
  // A page whose server is lost has an address that has left the lobby.
  LobbyAddresses& known = sockets_->web.lobby;
  for (const server::Directory::LobbyServer& server : servers) {
    std::erase(known, server.address);
    known.push_back(server.address);
  }
  if (std::ssize(known) > max_addresses) known.erase(known.begin(), known.end() - max_addresses);
  sockets_->web.safety = safety_fields(sockets_->web.lobby);
  shell_.set_servers(std::move(servers));
}

void Server::trust_proxies(Networks proxies) {
  sockets_->web.invitations.outside_has_key = false;
  gate_ = std::make_unique<ProxyGate>(io_, std::move(proxies), gate_limits_,
                                      [this](TcpSocket socket, const asio::ip::address& peer) {
                                        admit(std::move(socket), peer, true);
                                      });
}

std::unique_ptr<Listener> Server::make_listener() {
  return std::make_unique<Listener>(io_, [this](TcpSocket socket, const asio::ip::address& peer) {
    accepted(std::move(socket), peer);
  });
}

Listening Server::listen_on(int socket) {
  auto listener = make_listener();
  auto bound = listener->listen_on(socket);
  if (bound) listeners_.push_back(std::move(listener));
  return bound;
}

Listening Server::listen(const std::string& address, std::uint16_t port) {
  auto listener = make_listener();
  auto bound = listener->listen(address, port);
  if (bound) listeners_.push_back(std::move(listener));
  return bound;
}

void Server::accepted(TcpSocket socket, const asio::ip::address& peer) {
  if (gate_ != nullptr && gate_->trusts(peer)) return gate_->admit(std::move(socket), peer);
  admit(std::move(socket), peer, false);
}

void Server::admit(TcpSocket socket, const asio::ip::address& peer, bool comes_through_proxy) {
  const server::Origin origin = origin_of(peer);
  error_code ignored;  // Linux has releasing sockets
  const auto session =
      std::make_shared<SocketConnection>(*sockets_, socket.release(ignored), origin.network);
  if (comes_through_proxy || stays_on_this_machine(peer)) session->allow_clear_text();
  shell_.connected(session, origin);
  if (!session->is_open()) {
    refused_.note(now(), [&](std::uint64_t times) {
      spdlog::warn("{} connections were refused, the last from {}: there are too many", times,
                   peer.to_string());
    });
  }
  session->begin();
}

void Server::begin_pings() {
  if (!std::exchange(pings_are_sent_, true)) send_pings();
}

void Server::send_pings() {
  if (ping_interval_.count() == 0 || shell_.is_stopping()) return;
  ping_timer_.expires_after(ping_interval_ / ping_parts);
  ping_timer_.async_wait([this](const error_code& cancelled) {
    if (cancelled) return;
    sockets_->web.open.ping_some(ping_parts);
    send_pings();
  });
}

void Server::derive(const server::DeriveKey& derive) {
  keys_.give([request = derive.request] { return server::derive_key(*request); },
             [this, id = derive.id](const std::string& key) { shell_.key_derived(id, key); });
}

server::Time Server::now() {
  return std::chrono::steady_clock::now();
}

void Server::set_timer(server::Time at) {
  timer_.expires_at(at);
  timer_.async_wait([this](const error_code& cancelled) {
    if (!cancelled) shell_.timer_expired();
  });
}

void Server::ask_for_slice() {
  asio::post(io_, [this] { shell_.run_slice(); });
}

void Server::cut_off() {
  accept_nobody();
  shell_.cut_off();
}

void Server::accept_nobody() {
  for (const auto& listener : listeners_) listener->close();
  if (gate_ != nullptr) gate_->close();
}

void Server::stopped() {
  ping_timer_.cancel();
  accept_nobody();
  if (when_stopped_) when_stopped_();
}

}  // namespace tictactoe::transport
