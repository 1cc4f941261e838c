#include "server/admin/service_manager.hpp"

#include <systemd/sd-daemon.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace tictactoe::admin {

namespace {

// The watchdog survives one slow commit and one late feed.
constexpr int feeds_in_timeout = 4;

// A failure can't be reported: that would need the service manager.
void tell(const std::string& lines) {
  static_cast<void>(::sd_notify(0, lines.c_str()));
}

}  // namespace

void tell_ready(const std::string& status) {
  tell("READY=1\nSTATUS=" + status);
}

void tell_stopping() {
  tell("STOPPING=1");
}

void feed_watchdog() {
  tell("WATCHDOG=1");
}

std::chrono::microseconds watchdog_timeout() {
  std::uint64_t timeout = 0;
  if (::sd_watchdog_enabled(0, &timeout) <= 0) return {};
  return std::chrono::microseconds(timeout);
}

std::vector<int> take_passed_sockets() {
  const int count = ::sd_listen_fds(1);
  std::vector<int> sockets(static_cast<std::size_t>(std::max(0, count)));
  std::iota(sockets.begin(), sockets.end(), SD_LISTEN_FDS_START);
  return sockets;
}

Watchdog::Watchdog(boost::asio::io_context& io, std::chrono::microseconds timeout,
                   std::function<bool()> is_alive, std::function<void()> feed)
    : timer_(io),
      interval_(timeout / feeds_in_timeout),
      is_alive_(std::move(is_alive)),
      feed_(std::move(feed)) {}

void Watchdog::start() {
  if (interval_.count() == 0 || stopped_) return;
  if (is_alive_()) feed_();
  timer_.expires_after(interval_);
  timer_.async_wait([this](const boost::system::error_code& cancelled) {
    if (!cancelled) start();
  });
}

void Watchdog::stop() {
  stopped_ = true;
  timer_.cancel();
}

}  // namespace tictactoe::admin
