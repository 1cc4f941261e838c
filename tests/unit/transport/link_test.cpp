// A connection while signals interrupt its system calls. On an edge-triggered socket a call that
// counts as "would block" by mistake waits for an event that never comes.
#include "server/transport/tcp/link.hpp"

#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace tictactoe::transport::link_tests {
namespace {

/// While there is one, each second call of the functions below is interrupted, the first one as
/// well.
class SignalStorm {
 public:
  SignalStorm() { storm_ = this; }
  ~SignalStorm() { storm_ = nullptr; }
  SignalStorm(const SignalStorm&) = delete;
  SignalStorm& operator=(const SignalStorm&) = delete;

  enum Call : std::uint8_t { recv, send, epoll_wait, calls };
  static bool interrupts(Call call) {
    if (storm_ == nullptr) return false;
    bool& next = storm_->next_[call];
    next = !next;
    if (next) errno = EINTR;
    return next;
  }

 private:
  static thread_local SignalStorm* storm_;
  std::array<bool, calls> next_{};
};
thread_local SignalStorm* SignalStorm::storm_ = nullptr;

}  // namespace

// The linker lets this program call these in place of the system's functions: see CMakeLists.txt.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
extern "C" {
ssize_t __real_recv(int socket, void* space, std::size_t size, int flags);
ssize_t __real_send(int socket, const void* bytes, std::size_t size, int flags);
int __real_epoll_wait(int epoll, epoll_event* events, int max, int timeout);

ssize_t __wrap_recv(int socket, void* space, std::size_t size, int flags) {
  return SignalStorm::interrupts(SignalStorm::recv) ? -1 : __real_recv(socket, space, size, flags);
}
ssize_t __wrap_send(int socket, const void* bytes, std::size_t size, int flags) {
  return SignalStorm::interrupts(SignalStorm::send) ? -1 : __real_send(socket, bytes, size, flags);
}
int __wrap_epoll_wait(int epoll, epoll_event* events, int max, int timeout) {
  return SignalStorm::interrupts(SignalStorm::epoll_wait)
             ? -1
             : __real_epoll_wait(epoll, events, max, timeout);
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)

namespace {

/// Notes what it is called for.
class NotingLink final : public Link, public std::enable_shared_from_this<NotingLink> {
 public:
  NotingLink(int socket, Readiness& readiness) : Link(socket, readiness, 1) {}

  using Link::close_socket;
  using Link::Error;
  using Link::watch;
  using Link::write;
  std::string received;
  int spaces = 0;

 private:
  void can_read() override {
    std::array<char, 100> space{};
    for (Error error; !error;) received.append(space.data(), read(space, error));
  }
  void can_shake_hands() override { ADD_FAILURE() << "without TLS"; }
  void can_write() override { ++spaces; }
  std::shared_ptr<void> owner() override { return shared_from_this(); }
};

struct LinkTest : testing::Test {
  LinkTest() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()), 0);
    link = std::make_shared<NotingLink>(ends[0], readiness);
    peer = ends[1];
  }
  ~LinkTest() override {
    link->close_socket();
    ::close(peer);
  }
  void say(std::string_view text) const {
    ASSERT_EQ(::write(peer, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  template <class Condition>
  void run_until(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!condition() && io.run_one_until(end) > 0) {
    }
    EXPECT_TRUE(condition());
  }

  boost::asio::io_context io{1};
  Readiness readiness{io};
  std::shared_ptr<NotingLink> link;
  int peer = -1;
};

TEST_F(LinkTest, reads_all_that_has_come_while_signals_interrupt_it) {
  const SignalStorm storm;
  say("first");
  ASSERT_TRUE(link->watch());
  run_until([&] { return link->received == "first"; });
  say(std::string(1'000, 'x'));
  run_until([&] { return link->received.size() == 1'005; });
  ::shutdown(peer, SHUT_WR);
}

TEST_F(LinkTest, writes_while_signals_interrupt_it_and_waits_only_if_there_is_no_space) {
  const SignalStorm storm;
  ASSERT_TRUE(link->watch());
  NotingLink::Error error;
  const std::string much(100'000, 'x');
  std::size_t written = 0;
  while (!error) written += link->write(much, error);
  EXPECT_EQ(error, boost::asio::error::would_block);
  EXPECT_GE(written, 1u);
  std::string all(written, ' ');
  for (std::size_t got = 0; got < written;) {
    const ssize_t count = ::read(peer, all.data(), all.size());
    ASSERT_GT(count, 0);
    got += static_cast<std::size_t>(count);
  }
  run_until([&] { return link->spaces == 1; });
}

}  // namespace
}  // namespace tictactoe::transport::link_tests
