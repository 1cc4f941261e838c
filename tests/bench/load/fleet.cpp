#include "tests/bench/load/fleet.hpp"

#include <netdb.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <system_error>
#include <utility>

#include "tests/bench/load/failure.hpp"
#include "tests/bench/load/segments.hpp"

namespace tictactoe::load {
namespace {

std::string named(const Connection& connection) {
  return "connection " + std::to_string(connection.index);
}

}  // namespace

Target resolve(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found)) {
    throw Failure("There is no host " + host + ": " + gai_strerror(error));
  }
  Target target;
  std::memcpy(&target.address, found->ai_addr, found->ai_addrlen);
  target.length = found->ai_addrlen;
  const bool is_ipv6 = host.find(':') != std::string::npos;
  target.transport.host = (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
  freeaddrinfo(found);
  return target;
}

Target resolve(const std::string& address, Transport transport) {
  const std::size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  std::uint16_t port = 0;
  const char* const end = address.data() + address.size();
  if (colon == std::string::npos ||
      std::from_chars(address.data() + colon + 1, end, port).ptr != end || port == 0) {
    throw Failure(address + " is not HOST:PORT.");
  }
  Target target = resolve(host, port);
  transport.host = std::move(target.transport.host);
  target.transport = std::move(transport);
  return target;
}

Fleet::Fleet(const std::vector<Target>& targets, std::size_t at_once, Protocol& protocol,
             Owner& owner)
    : targets_(targets), at_once_(at_once), protocol_(protocol), owner_(owner) {}

Connection& Fleet::open(std::size_t target) {
  Connection& connection =
      connections_.emplace_back(connections_.size(), targets_[target % targets_.size()]);
  connect_next();
  return connection;
}

void Fleet::connect_next() {
  if (begun_ == connections_.size() || begun_ - welcomed_ >= at_once_) return;
  connect(connections_[begun_++]);
}

void Fleet::connect(Connection& connection) {
  const Target& target = *connection.target;
  connection.opened = Clock::now();
  connection.peer = &crowd_.open_to(target.address, target.length, *this, connection.index);
  connection.peer->discard();  // the link finds its frames
}

void Fleet::move(Connection& connection, const std::string& address) {
  connection.peer->close();
  auto known = others_.find(address);
  if (known == others_.end()) {
    known = others_.emplace(address, resolve(address, targets_.front().transport)).first;
  }
  ++redirects_;
  if (std::exchange(connection.welcome, false)) --welcomed_;
  connection.has_said_hello = false;
  connection.target = &known->second;
  connection.link = Link(connection.target->transport);
  connect(connection);
}

void Fleet::connected(Peer& peer) {
  Connection& connection = connections_[peer.tag()];
  answers_.clear();
  connection.link.begin(answers_);
  if (!answers_.empty()) transmit(connection, answers_);
  if (connection.link.is_open()) say_hello(connection);
}

void Fleet::ended(Peer& peer) {
  const std::string name = named(connections_[peer.tag()]);
  if (peer.error() == 0) throw Failure("The server has closed " + name + ".");
  throw Failure(name + " was lost: " + std::system_category().message(peer.error()));
}

void Fleet::say_hello(Connection& connection) {
  connection.has_said_hello = true;
  protocol_.hello(connection.index, hello_);
  connection.last_request = std::max<std::uint64_t>(connection.last_request, 1);
  send(connection, hello_.request);
}

void Fleet::send(Connection& connection, std::span<const std::string_view> bodies) {
  bytes_.clear();
  for (const std::string_view body : bodies) connection.link.append(body, bytes_);
  transmit(connection, bytes_);
}

void Fleet::transmit(Connection& connection, std::string_view bytes) {
  connection.peer->send_bytes(bytes);
  // A request is small and few are under way: the kernel has room unless nobody reads them.
  if (connection.peer->unsent() > 0) {
    throw Failure("The server does not read what " + named(connection) + " sends.");
  }
  sent_bytes_ += bytes.size();
}

void Fleet::poll(std::chrono::milliseconds max_wait) {
  if (crowd_.poll(max_wait)) return;
  const auto before = std::exchange(now_, Clock::now());
  idle_ += now_ - before;
}

void Fleet::discarded(Peer& peer, std::string_view bytes) {
  Connection& connection = connections_[peer.tag()];
  now_ = Clock::now();
  while (!bytes.empty()) {
    bytes.remove_prefix(connection.link.receive(bytes));
    while (const auto body = next(connection)) {
      take(connection, *body);
      if (connection.peer != &peer) return;  // this connection goes on with another server
    }
    if (!connection.has_said_hello && connection.link.is_open()) say_hello(connection);
  }
}

// TLS numbers what is sent, so an answer of the transport goes out before anything else is sent.
std::optional<std::string_view> Fleet::next(Connection& connection) {
  answers_.clear();
  const auto body = connection.link.next(answers_);
  if (!answers_.empty()) transmit(connection, answers_);
  return body;
}

void Fleet::take(Connection& connection, std::string_view body) {
  if (connection.welcome) return owner_.received(connection, body, now_);
  if (const auto address = protocol_.redirection(body)) return move(connection, *address);
  if (!protocol_.is_welcome(connection.index, body)) {
    throw Failure("The hello of " + named(connection) +
                  " was not answered by a welcome: " + protocol_.text(body));
  }
  connection.welcome = true;
  ++welcomed_;
  greetings_.add(now_ - connection.opened);
  connect_next();
  owner_.welcomed(connection);
}

std::uint64_t Fleet::received_segments() const {
  std::uint64_t all = 0;
  for (const Connection& connection : connections_)
    all += data_segments_in(connection.peer->socket());
  return all;
}

}  // namespace tictactoe::load
