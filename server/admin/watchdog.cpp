#include <utility>

#include "server/admin/service_manager.hpp"

namespace tictactoe::admin {

namespace {

// One of them may be left out because of a slow commit, and one may come late.
constexpr int feeds_in_timeout = 4;

}  // namespace

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
