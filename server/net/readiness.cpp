#include "server/net/readiness.hpp"

#include <boost/asio/post.hpp>
#include <boost/assert.hpp>
#include <boost/system/system_error.hpp>
#include <cerrno>
#include <chrono>

namespace tictactoe::net {

namespace {

using Clock = std::chrono::steady_clock;

// After so long the events that are left wait for the next turn.
constexpr std::chrono::milliseconds longest_turn{2};

int open_epoll() {
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) throw boost::system::system_error(errno, boost::system::system_category());
  return epoll;
}

epoll_event all_events(ReadinessHandler& handler) {
  return {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data = {.ptr = &handler}};
}

}  // namespace

Readiness::Readiness(boost::asio::io_context& io) : epoll_(io, open_epoll()) {}

bool Readiness::watch(int socket, ReadinessHandler& handler) {
  epoll_event event = all_events(handler);
  if (::epoll_ctl(epoll_.native_handle(), EPOLL_CTL_ADD, socket, &event) != 0) return false;
  ++watched_;
  wait();
  return true;
}

void Readiness::report_again(int socket, ReadinessHandler& handler) {
  epoll_event event = all_events(handler);
  const int result = ::epoll_ctl(epoll_.native_handle(), EPOLL_CTL_MOD, socket, &event);
  BOOST_ASSERT_MSG(result == 0, "the socket is watched");
}

void Readiness::unwatch(int socket, const ReadinessHandler& handler) {
  if (::epoll_ctl(epoll_.native_handle(), EPOLL_CTL_DEL, socket, nullptr) != 0) return;
  for (epoll_event& event : unreported_) {
    if (event.data.ptr == &handler) event.data.ptr = nullptr;
  }
  if (--watched_ > 0) return;
  boost::system::error_code ignored;  // if it fails, the wait goes on without a socket to report
  epoll_.cancel(ignored);
}

void Readiness::wait() {
  if (is_waiting_ || watched_ == 0) return;
  is_waiting_ = true;
  if (!unreported_.empty()) {
    boost::asio::post(get_executor(), [this] {
      is_waiting_ = false;
      report();
      wait();
    });
    return;
  }
  epoll_.async_wait(decltype(epoll_)::wait_read, [this](const boost::system::error_code& error) {
    is_waiting_ = false;
    if (!error) report();
    wait();
  });
}

void Readiness::report() {
  if (unreported_.empty()) {
    const int count = ::epoll_wait(epoll_.native_handle(), events_.data(), batch, 0);
    unreported_ = std::span(events_).first(count > 0 ? static_cast<std::size_t>(count) : 0);
  }
  const auto end = Clock::now() + longest_turn;
  while (!unreported_.empty()) {
    const epoll_event event = unreported_.front();
    unreported_ = unreported_.subspan(1);
    if (event.data.ptr == nullptr) continue;
    static_cast<ReadinessHandler*>(event.data.ptr)->on_ready(event.events);
    if (Clock::now() >= end) return;  // the others have the next turn
  }
}

}  // namespace tictactoe::net
