// The floor that servers are measured against: frames of the same sizes, moved in the same pattern,
// with no game, no protobuf and no library. What it costs is what the kernel takes for them.
//
//   tictactoe-relay [--log FILE] [PORT]
//
// listens on 127.0.0.1, on any free port by default, and prints it. See frame.hpp for what it
// is told; tests/bench/load asks it for what a server would send. One thread, level-triggered
// epoll, one receive for what is there and one send for each frame; only if a send would block
// is the rest kept until the socket takes more.
//
// With a log, a request's frames are sent once the request is on the disk: what a journal costs
// at least. Requests that come while others are written share the next write, see log.hpp.
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
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tests/bench/floor/frame.hpp"
#include "tests/bench/floor/log.hpp"

namespace tictactoe::relay {
namespace {

struct Connection {
  int socket;
  std::uint32_t room = 0;  // from 1; 0: none
  std::string held;        // the beginning of a frame whose end has not come
  std::string unsent;
  std::size_t waiting = 0;  // frames for it that wait for the log; it stays until there are none
};

// What is sent once the log is on the disk.
struct Waiting {
  Connection* to;
  std::string frame;
};

class Relay {
 public:
  /// `log`: the path of its log, or null.
  Relay(std::uint16_t port, const char* log);
  std::uint16_t port() const;
  [[noreturn]] void run();

 private:
  void accept_all();
  void read(Connection& connection);
  void write(Connection& connection);
  std::size_t take_frames(Connection& connection, std::string_view bytes);
  void take(Connection& connection, std::string_view body);
  void announce(Connection& connection, std::string_view frame);
  void send_committed();
  void send(Connection& connection, std::string_view bytes);
  void drop(Connection& connection);
  static void end(Connection& connection);
  void watch(Connection* connection, int socket, std::uint32_t events, int operation) const;
  std::vector<Connection*>& members(const Connection& connection);
  static void make_frame(std::string& frame, std::string_view body, std::size_t size);

  int epoll_;
  int listener_;
  std::vector<std::vector<Connection*>> rooms_;
  std::array<char, 65536> bytes_;
  std::string answer_;  // reused
  std::string news_;
  std::optional<Log> log_;
  std::vector<Waiting> gathered_;    // for the next commit,
  std::vector<Waiting> committing_;  // and for the one that is under way
};

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

Relay::Relay(std::uint16_t port, const char* log)
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
  if (log == nullptr) return;
  log_.emplace(log);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = &*log_;
  if (epoll_ctl(epoll_, EPOLL_CTL_ADD, log_->event(), &event) != 0) {
    fail("tictactoe-relay: can't use epoll");
  }
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
      } else if (log_ && event.data.ptr == &*log_) {
        if (log_->take_event()) send_committed();
      } else if ((event.events & EPOLLOUT) != 0) {
        write(*connection);
      } else {
        read(*connection);
      }
    }
    if (log_ && log_->commit()) committing_.swap(gathered_);
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
  if (log_) log_->append(body);
  if (header.news == 0 || connection.room == 0) return announce(connection, answer_);
  make_frame(news_, body, header.news);
  for (Connection* const member : members(connection)) {
    announce(*member, member == &connection ? answer_ : news_);
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

void Relay::announce(Connection& connection, std::string_view frame) {
  if (!log_) return send(connection, frame);
  ++connection.waiting;
  gathered_.push_back({&connection, std::string(frame)});
}

void Relay::send_committed() {
  for (const Waiting& waiting : committing_) {
    Connection& connection = *waiting.to;
    --connection.waiting;
    if (connection.socket >= 0) {
      send(connection, waiting.frame);
    } else if (connection.waiting == 0) {
      end(connection);
    }
  }
  committing_.clear();
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
  close(std::exchange(connection.socket, -1));
  if (connection.waiting == 0) end(connection);
}

void Relay::end(Connection& connection) {
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
  const bool has_log = argc > 2 && std::strcmp(argv[1], "--log") == 0;
  const int numbers = argc - (has_log ? 3 : 1);
  const int port = numbers == 1 ? std::atoi(argv[argc - 1]) : 0;
  if (numbers > 1 || port < 0 || port > 65535) {
    std::fputs("usage: tictactoe-relay [--log FILE] [PORT]\n", stderr);
    return 2;
  }
  const auto relay =
      std::make_unique<Relay>(static_cast<std::uint16_t>(port), has_log ? argv[2] : nullptr);
  std::printf("tictactoe-relay listening on 127.0.0.1:%d\n", relay->port());
  std::fflush(stdout);
  relay->run();
}

}  // namespace
}  // namespace tictactoe::relay

int main(int argc, char** argv) {
  return tictactoe::relay::main(argc, argv);
}
