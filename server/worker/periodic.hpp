// Repeats work off the event loop.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "server/worker/worker.hpp"

namespace tictactoe::worker {

/// Runs a job on its own thread, first a period after start(), then a period after each end. For
/// files and databases, which may hang. Call all functions on the thread of the io_context.
class Periodic {
 public:
  using Clock = std::chrono::steady_clock;
  /// Called on the thread. The function it returns is called on the loop.
  using Job = std::function<std::function<void()>()>;

  /// `what` as in Worker::Settings.
  Periodic(boost::asio::io_context& io, std::string what, Clock::duration period, Job job)
      : period_(period), job_(std::move(job)), timer_(io), worker_(io, {.what = std::move(what)}) {}

  void start() {
    if (worker_.is_stopped()) return;
    timer_.expires_after(period_);
    timer_.async_wait([this](const boost::system::error_code& cancelled) {
      if (cancelled) return;
      worker_.give([this] { return job_(); },
                   [this](const std::function<void()>& finish) {
                     finish();
                     start();
                   });
    });
  }
  /// Stops for good. A running job continues to its end, but nothing more is called.
  void stop() {
    timer_.cancel();
    worker_.stop();
  }

 private:
  const Clock::duration period_;
  const Job job_;
  boost::asio::steady_timer timer_;
  Worker worker_;
};

}  // namespace tictactoe::worker
