#include "server/transport/tcp/readiness.hpp"

#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>
#include <cerrno>
#include <chrono>
#include <utility>

#include "common/posix/retried.hpp"

namespace tictactoe::transport {

namespace {

using Clock = std::chrono::steady_clock;

// Time limit per slice. The remaining sockets wait for the next one.
constexpr std::chrono::microseconds max_slice{500};

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

void Readiness::report_again(ReadinessHandler& handler, std::uint32_t events) {
  queue(handler, events);
  if (!is_reporting_) report_later();
}

void Readiness::unwatch(int socket, ReadinessHandler& handler) {
  if (::epoll_ctl(epoll_.native_handle(), EPOLL_CTL_DEL, socket, nullptr) != 0) return;
  for (std::size_t i = next_; i < fetched_; ++i) {
    if (events_[i].data.ptr == &handler) events_[i].data.ptr = nullptr;
  }
  if (std::exchange(handler.waiting_events_, 0) != 0) handler.hook_.unlink();
  if (--watched_ > 0) return;
  boost::system::error_code ignored;  // if it fails, the wait ends without a socket to report
  epoll_.cancel(ignored);
}

void Readiness::wait() {
  if (!unreported_.empty()) return report_later();
  if (watched_ == 0 || std::exchange(is_waiting_, true)) return;
  epoll_.async_wait(decltype(epoll_)::wait_read, [this](const boost::system::error_code& error) {
    is_waiting_ = false;
    if (!error) report();
    wait();
  });
}

void Readiness::report_later() {
  if (std::exchange(is_posted_, true)) return;
  boost::asio::post(epoll_.get_executor(), [this] {
    is_posted_ = false;
    report();
    wait();
  });
}

void Readiness::report() {
  const auto end = Clock::now() + max_slice;
  is_reporting_ = true;
  fetch();
  bool in_time = true;
  // While nobody waits, reports them in the order of the system, without further bookkeeping.
  while (in_time && unreported_.empty() && next_ < fetched_) {
    const epoll_event event = events_[next_++];
    if (event.data.ptr == nullptr) continue;
    static_cast<ReadinessHandler*>(event.data.ptr)->on_ready(event.events);
    in_time = Clock::now() < end;
  }
  queue_fetched();
  while (in_time && !unreported_.empty()) {
    report_next();
    in_time = Clock::now() < end;
  }
  is_reporting_ = false;
}

void Readiness::fetch() {
  const int count = posix::retried(
      [&] { return ::epoll_wait(epoll_.native_handle(), events_.data(), batch, 0); });
  next_ = 0;
  fetched_ = count > 0 ? static_cast<std::size_t>(count) : 0;
}

// The others are reported in a later slice.
void Readiness::queue_fetched() {
  for (; next_ < fetched_; ++next_) {
    const epoll_event event = events_[next_];
    if (event.data.ptr == nullptr) continue;
    queue(*static_cast<ReadinessHandler*>(event.data.ptr), event.events);
  }
}

void Readiness::queue(ReadinessHandler& handler, std::uint32_t events) {
  if (handler.waiting_events_ == 0) unreported_[handler.network_].push_back(handler);
  handler.waiting_events_ |= events;
}

void Readiness::report_next() {
  auto network = unreported_.upper_bound(last_network_);
  if (network == unreported_.end()) network = unreported_.begin();
  last_network_ = network->first;
  Handlers& handlers = network->second;
  // All of them may have been unwatched.
  ReadinessHandler* handler = nullptr;
  if (!handlers.empty()) {
    handler = &handlers.front();
    handlers.pop_front();
  }
  if (handlers.empty()) unreported_.erase(network);
  if (handler != nullptr) handler->on_ready(std::exchange(handler->waiting_events_, 0));
}

}  // namespace tictactoe::transport
