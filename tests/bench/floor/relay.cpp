// The floor that servers are measured against: frames of the same sizes, moved in the same pattern,
// with no game, no protobuf and no library. What it costs is what the kernel takes for them.
//
//   tictactoe-relay [PORT]
//
// listens on 127.0.0.1, on any free port by default, and prints it. See frame.hpp for what it
// is told; tests/bench/load asks it for what a server would send. One thread, level-triggered
// epoll, one receive for what is there and one send for each frame; only where a send would block
// is the rest kept until the socket takes more.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "tests/bench/floor/frame.hpp"

namespace tictactoe::relay {
namespace {

struct Connection {
  int socket;
  std::uint32_t room = 0;  // from 1; 0: none
  std::string held;        // the beginning of a frame whose end has not come
  std::string unsent;
};

class Relay {
 public:
  explicit Relay(std::uint16_t port);
  std::uint16_t port() const;
  [[noreturn]] void run();

 private:
  void accept_all();
  void read(Connection& connection);
  void write(Connection& connection);
  std::size_t take_frames(Connection& connection, std::string_view bytes);
  void take(Connection& connection, std::string_view body);
  void send(Connection& connection, std::string_view bytes);
  void drop(Connection& connection);
  void watch(Connection* connection, int socket, std::uint32_t events, int operation) const;
  std::vector<Connection*>& members(const Connection& connection);
  static void make_frame(std::string& frame, std::string_view body, std::size_t size);

  int epoll_;
  int listener_;
  std::vector<std::vector<Connection*>> rooms_;
  std::array<char, 65536> bytes_;
  std::string answer_;  // reused
  std::string news_;
};

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

Relay::Relay(std::uint16_t port)
    : epoll_(epoll_create1(EPOLL_CLOEXEC)),
      listener_(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
  constexpr int on = 1;
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
      listen(listener_, SOMAXCONN) != 0) {
    fail("tictactoe-relay: can't listen");
  }
  watch(nullptr, listener_, EPOLLIN, EPOLL_CTL_ADD);
}

std::uint16_t Relay::port() const {
  sockaddr_in address{};
  socklen_t size = sizeof(address);
  getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

void Relay::run() {
  std::array<epoll_event, 256> events;
  for (;;) {
    const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), -1);
    if (count < 0 && errno != EINTR) fail("tictactoe-relay: can't use epoll");
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events[static_cast<std::size_t>(i)];
      auto* const connection = static_cast<Connection*>(event.data.ptr);
      if (connection == nullptr) {
        accept_all();
      } else if ((event.events & EPOLLOUT) != 0) {
        write(*connection);
      } else {
        read(*connection);
      }
    }
  }
}

void Relay::watch(Connection* connection, int socket, std::uint32_t events, int operation) const {
  epoll_event event{};
  event.events = events;
  event.data.ptr = connection;
  if (epoll_ctl(epoll_, operation, socket, &event) != 0) fail("tictactoe-relay: can't use epoll");
}

void Relay::accept_all() {
  for (;;) {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) {
      if (errno == EAGAIN || errno == ECONNABORTED) return;
      fail("tictactoe-relay: can't accept");
    }
    constexpr int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    watch(std::make_unique<Connection>(socket).release(), socket, EPOLLIN, EPOLL_CTL_ADD);
  }
}

void Relay::read(Connection& connection) {
  const ssize_t count = recv(connection.socket, bytes_.data(), bytes_.size(), 0);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) return drop(connection);
  const std::string_view bytes(bytes_.data(), static_cast<std::size_t>(count));
  if (connection.held.empty()) {
    connection.held.assign(bytes.substr(take_frames(connection, bytes)));
  } else {
    connection.held.append(bytes);
    connection.held.erase(0, take_frames(connection, connection.held));
  }
}

// How many of the bytes were whole frames.
std::size_t Relay::take_frames(Connection& connection, std::string_view bytes) {
  for (std::size_t begin = 0;;) {
    std::size_t size = 0;
    std::size_t at = begin;
    unsigned char byte = 0x80;
    for (unsigned shift = 0; at < bytes.size() && (byte & 0x80) != 0 && shift < 28; shift += 7) {
      byte = static_cast<unsigned char>(bytes[at++]);
      size |= static_cast<std::size_t>(byte & 0x7F) << shift;
    }
    if ((byte & 0x80) != 0 || bytes.size() - at < size) return begin;
    take(connection, bytes.substr(at, size));
    begin = at + size;
  }
}

void Relay::take(Connection& connection, std::string_view body) {
  Header header;
  if (!relay::read(body, header)) return;
  make_frame(answer_, body, header.answer);
  if (header.enters) {
    connection.room = header.room + 1;
    members(connection).push_back(&connection);
  }
  if (header.news == 0 || connection.room == 0) return send(connection, answer_);
  make_frame(news_, body, header.news);
  for (Connection* const member : members(connection)) {
    send(*member, member == &connection ? answer_ : news_);
  }
}

void Relay::make_frame(std::string& frame, std::string_view body, std::size_t size) {
  frame.clear();
  std::size_t rest = size;
  for (; rest >= 0x80; rest >>= 7) frame.push_back(static_cast<char>((rest & 0x7F) | 0x80));
  frame.push_back(static_cast<char>(rest));
  const std::size_t whole = frame.size() + size;
  frame.append(body.substr(0, size));
  frame.resize(whole);
}

// A lost connection is noticed when it is read.
void Relay::send(Connection& connection, std::string_view bytes) {
  if (connection.unsent.empty()) {
    const ssize_t sent = ::send(connection.socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent == static_cast<ssize_t>(bytes.size()) || (sent < 0 && errno != EAGAIN)) return;
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
    watch(&connection, connection.socket, EPOLLOUT, EPOLL_CTL_MOD);
  }
  connection.unsent.append(bytes);
}

void Relay::write(Connection& connection) {
  std::string& unsent = connection.unsent;
  const ssize_t sent = ::send(connection.socket, unsent.data(), unsent.size(), MSG_NOSIGNAL);
  if (sent < 0 && errno == EAGAIN) return;
  unsent.erase(0, sent < 0 ? std::string::npos : static_cast<std::size_t>(sent));
  if (unsent.empty()) watch(&connection, connection.socket, EPOLLIN, EPOLL_CTL_MOD);
}

void Relay::drop(Connection& connection) {
  if (connection.room > 0) std::erase(members(connection), &connection);
  close(connection.socket);
  std::default_delete<Connection>()(&connection);
}

// The members of the connection's room; none if it is in no room.
std::vector<Connection*>& Relay::members(const Connection& connection) {
  if (connection.room >= rooms_.size()) rooms_.resize(connection.room + 1);
  return rooms_[connection.room];
}

int main(int argc, char** argv) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  const int port = argc == 2 ? std::atoi(argv[1]) : 0;
  if (argc > 2 || port < 0 || port > 65535) {
    std::fputs("usage: tictactoe-relay [PORT]\n", stderr);
    return 2;
  }
  const auto relay = std::make_unique<Relay>(static_cast<std::uint16_t>(port));
  std::printf("tictactoe-relay listening on 127.0.0.1:%d\n", relay->port());
  std::fflush(stdout);
  relay->run();
}

}  // namespace
}  // namespace tictactoe::relay

int main(int argc, char** argv) {
  return tictactoe::relay::main(argc, argv);
}
