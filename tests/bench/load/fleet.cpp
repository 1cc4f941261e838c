#include "tests/bench/load/fleet.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>
#include <utility>

#include "tests/bench/load/failure.hpp"
#include "tests/bench/load/segments.hpp"

namespace tictactoe::load {
namespace {

[[noreturn]] void fail(const std::string& what, int error) {
  throw Failure(what + ": " + std::system_category().message(error));
}

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
    : targets_(targets),
      at_once_(at_once),
      protocol_(protocol),
      owner_(owner),
      epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  if (epoll_ < 0) fail("can't use epoll", errno);
}

Fleet::~Fleet() {
  close_all();
  close(epoll_);
}

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
  connection.socket =
      socket(target.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
  if (connection.socket < 0) fail("can't open a socket", errno);
  constexpr int on = 1;
  setsockopt(connection.socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  const auto* address = reinterpret_cast<const sockaddr*>(&target.address);
  if (::connect(connection.socket, address, target.length) != 0 && errno != EINPROGRESS) {
    fail("can't connect", errno);
  }
  watch(connection, EPOLLOUT, EPOLL_CTL_ADD);
}

void Fleet::move(Connection& connection, const std::string& address) {
  close(connection.socket);
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

void Fleet::watch(Connection& connection, std::uint32_t events, int operation) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = &connection;
  if (epoll_ctl(epoll_, operation, connection.socket, &event) != 0) fail("can't use epoll", errno);
}

void Fleet::begin(Connection& connection) {
  int error = 0;
  socklen_t size = sizeof(error);
  getsockopt(connection.socket, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) fail("can't connect", error);
  watch(connection, EPOLLIN, EPOLL_CTL_MOD);
  answers_.clear();
  connection.link.begin(answers_);
  if (!answers_.empty()) transmit(connection, answers_);
  if (connection.link.is_open()) say_hello(connection);
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
  const ssize_t sent = ::send(connection.socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN) fail(named(connection) + " can't send", errno);
  // A request is small and few are under way: the kernel has room unless nobody reads them.
  if (sent != static_cast<ssize_t>(bytes.size())) {
    throw Failure("The server does not read what " + named(connection) + " sends.");
  }
  sent_bytes_ += bytes.size();
}

void Fleet::poll(std::chrono::milliseconds max_wait) {
  std::array<epoll_event, 256> events;
  const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()),
                               static_cast<int>(max_wait.count()));
  if (count < 0 && errno != EINTR) fail("can't use epoll", errno);
  if (count <= 0) {
    const auto before = std::exchange(now_, Clock::now());
    idle_ += now_ - before;
  }
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    auto& connection = *static_cast<Connection*>(event.data.ptr);
    if ((event.events & EPOLLOUT) != 0) {
      begin(connection);
    } else {
      read(connection);
    }
  }
}

void Fleet::read(Connection& connection) {
  for (;;) {
    const std::span<char> space = connection.link.prepare(shared_);
    const ssize_t count = recv(connection.socket, space.data(), space.size(), 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) fail(named(connection) + " was lost", errno);
    if (count == 0) throw Failure("The server has closed " + named(connection) + ".");
    now_ = Clock::now();
    received_bytes_ += static_cast<std::size_t>(count);
    connection.link.commit(space.first(static_cast<std::size_t>(count)));
    const std::uint64_t moves = redirects_;
    while (const auto body = next(connection)) {
      take(connection, *body);
      if (redirects_ != moves) return;  // this connection goes on with another server
    }
    if (!connection.has_said_hello && connection.link.is_open()) say_hello(connection);
    if (static_cast<std::size_t>(count) < space.size()) return;
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
  for (const Connection& connection : connections_) all += data_segments_in(connection.socket);
  return all;
}

void Fleet::close_all() {
  for (Connection& connection : connections_) {
    if (connection.socket >= 0) close(std::exchange(connection.socket, -1));
  }
}

}  // namespace tictactoe::load
