#include "tests/bench/load/crowd.hpp"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <system_error>

#include "tests/bench/load/failure.hpp"

namespace tictactoe::load {
namespace {

[[noreturn]] void fail(const std::string& what, int error) {
  throw Failure(what + ": " + std::system_category().message(error));
}

template <class Value>
void set_option(int socket, int level, int name, const Value& value) {
  setsockopt(socket, level, name, &value, sizeof(value));
}

}  // namespace

// Peer --------------------------------------------------------------------------------------------

Peer::~Peer() {
  set_option(socket_, SOL_SOCKET, SO_LINGER, linger{1, 0});
  ::close(socket_);
}

std::uint64_t Peer::ask(v1::ClientMessage message) {
  message.set_request_id(++last_request_);
  send_body(message.SerializeAsString());
  return last_request_;
}

void Peer::send_body(std::string_view body) {
  std::string frame;
  wire::append_frame(frame, body);
  send_bytes(frame);
}

void Peer::send_bytes(std::string_view bytes) {
  if (closed_) return;
  if (is_connected_ && unsent_.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) return;  // reading shows the end
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
    if (bytes.empty()) return;
  }
  unsent_.append(bytes);
  if (is_connected_ && !std::exchange(waits_to_write_, true)) watch(EPOLL_CTL_MOD);
}

void Peer::write() {
  const ssize_t sent = ::send(socket_, unsent_.data(), unsent_.size(), MSG_NOSIGNAL);
  if (sent > 0) unsent_.erase(0, static_cast<std::size_t>(sent));
  if (sent < 0 && errno != EAGAIN) unsent_.clear();  // reading shows the end
  const bool waits = !unsent_.empty();
  if (std::exchange(waits_to_write_, waits) != waits) watch(EPOLL_CTL_MOD);
}

void Peer::stop_reading() {
  reads_ = false;
  if (is_connected_) watch(EPOLL_CTL_MOD);
}

void Peer::watch(int operation) {
  epoll_event event{};
  event.events = is_connected_ && reads_ ? EPOLLIN : 0U;
  if (!is_connected_ || waits_to_write_) event.events |= EPOLLOUT;
  event.data.ptr = this;
  if (epoll_ctl(crowd_.epoll_, operation, socket_, &event) != 0) fail("can't use epoll", errno);
}

void Peer::handle(std::uint32_t events) {
  if (!is_connected_) {
    int error = 0;
    socklen_t size = sizeof(error);
    getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0 || (events & EPOLLHUP) != 0) return end(error);
    is_connected_ = true;
    if (unsent_.empty()) {
      watch(EPOLL_CTL_MOD);
    } else {
      waits_to_write_ = true;
      write();
    }
    owner_.connected(*this);
    return;
  }
  // Without reads, errors and the end are told all the same.
  if (!reads_ && (events & (EPOLLERR | EPOLLHUP)) != 0) return end(0);
  if ((events & EPOLLOUT) != 0) write();
  if ((events & ~std::uint32_t{EPOLLOUT}) != 0) read();
}

void Peer::read() {
  std::array<char, 16384> rubbish;
  while (!closed_ && reads_) {
    const auto space = discards_ ? std::span<char>(rubbish) : reader_.prepare();
    const ssize_t count = recv(socket_, space.data(), space.size(), 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return end(count < 0 ? errno : 0);
    const auto bytes = static_cast<std::size_t>(count);
    crowd_.received_bytes_ += bytes;
    if (discards_) {
      owner_.discarded(*this, {space.data(), bytes});
    } else {
      const auto now = Clock::now();
      reader_.commit(bytes);
      wire::NextFrame next;
      while (!closed_ && !discards_ &&
             (next = reader_.next()).state == wire::NextFrame::State::frame) {
        owner_.received(*this, next.body, now);
      }
      if (next.state == wire::NextFrame::State::fault) {
        throw Failure("What the server sends is no frame.");
      }
    }
    if (bytes < space.size()) return;
  }
}

void Peer::close() {
  if (!std::exchange(closed_, true)) crowd_.closed_.push_back(this);
}

void Peer::end(int error) {
  if (closed_) return;
  error_ = error;
  close();
  owner_.ended(*this);
}

// Crowd -------------------------------------------------------------------------------------------

Crowd::Crowd(const sockaddr_in& server) : server_(server), epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  if (epoll_ < 0) fail("can't use epoll", errno);
}

Crowd::~Crowd() {
  peers_.clear();
  ::close(epoll_);
}

int Crowd::new_socket(int family) {
  const int socket = ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
  if (socket < 0) fail("can't open a socket", errno);
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  return socket;
}

Peer& Crowd::add(int socket, const sockaddr* server, socklen_t length, PeerOwner& owner,
                 std::size_t tag) {
  auto made = std::make_unique<Peer>(*this, owner, socket, tag);
  // Without a free port it is as if the server had refused: such a socket reports an end at once.
  if (connect(socket, server, length) != 0 && errno != EINPROGRESS && errno != EADDRNOTAVAIL) {
    fail("can't connect", errno);
  }
  made->watch(EPOLL_CTL_ADD);
  Peer& peer = *made;
  peers_.emplace(&peer, std::move(made));
  return peer;
}

Peer& Crowd::open(std::uint32_t from, PeerOwner& owner, std::size_t tag, int receive_buffer) {
  const int socket = new_socket(AF_INET);
  // The port is chosen when it connects, so that each address has all ports for each server.
  set_option(socket, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1);
  if (receive_buffer > 0) set_option(socket, SOL_SOCKET, SO_RCVBUF, receive_buffer);
  sockaddr_in source{};
  source.sin_family = AF_INET;
  source.sin_addr.s_addr = htonl(from);
  if (bind(socket, reinterpret_cast<const sockaddr*>(&source), sizeof(source)) != 0) {
    fail("can't use that address", errno);
  }
  return add(socket, reinterpret_cast<const sockaddr*>(&server_), sizeof(server_), owner, tag);
}

Peer& Crowd::open_to(const sockaddr_storage& server, socklen_t length, PeerOwner& owner,
                     std::size_t tag) {
  return add(new_socket(server.ss_family), reinterpret_cast<const sockaddr*>(&server), length,
             owner, tag);
}

bool Crowd::poll(std::chrono::nanoseconds max_wait) {
  std::array<epoll_event, 256> events;
  const timespec wait{static_cast<time_t>(max_wait.count() / 1'000'000'000),
                      static_cast<long>(max_wait.count() % 1'000'000'000)};
  const int count = epoll_pwait2(epoll_, events.data(), static_cast<int>(events.size()),
                                 max_wait.count() < 0 ? nullptr : &wait, nullptr);
  if (count < 0 && errno != EINTR) fail("can't use epoll", errno);
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    auto& peer = *static_cast<Peer*>(event.data.ptr);
    if (!peer.closed_) peer.handle(event.events);
  }
  sweep();
  return count > 0;
}

void Crowd::sweep() {
  if (closed_.empty()) return;
  for (Peer* const peer : closed_) peers_.erase(peer);
  closed_.clear();
}

void Crowd::close_all(const PeerOwner& owner) {
  for (const auto& [peer, kept] : peers_) {
    if (&peer->owner_ == &owner) peer->close();
  }
  sweep();
}

sockaddr_in server_at(const std::string& address, std::uint16_t port) {
  sockaddr_in server{};
  server.sin_family = AF_INET;
  server.sin_port = htons(port);
  if (inet_pton(AF_INET, address.c_str(), &server.sin_addr) != 1) {
    throw Failure("\"" + address + "\" is no IPv4 address.");
  }
  return server;
}

void parse(std::string_view body, v1::ServerMessage& out) {
  if (!out.ParseFromArray(body.data(), static_cast<int>(body.size()))) {
    throw Failure("What the server sends is no message.");
  }
}

}  // namespace tictactoe::load
