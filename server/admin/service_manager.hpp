// Notifies systemd, and takes the sockets that it passes on.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tictactoe::admin {

// These functions have no effect in a process that systemd did not start.

/// Reports that the server accepts connections. `status` is a line for the owner.
void tell_ready(const std::string& status);
/// Reports that the server begins to stop.
void tell_stopping();
/// Reports that the server works.
void feed_watchdog();

/// How long systemd waits for feed_watchdog() before it restarts the server; zero if it never does.
std::chrono::microseconds watchdog_timeout();

/// Returns the listening sockets that systemd passed. The caller owns them. Later calls return
/// none.
std::vector<int> take_passed_sockets();

/// Calls `feed` four times per `timeout`, on the event loop, while `is_alive` returns true. A loop
/// that hangs feeds nothing. Keeps the io_context running until stop().
class Watchdog {
 public:
  /// A `timeout` of zero does nothing.
  Watchdog(boost::asio::io_context& io, std::chrono::microseconds timeout,
           std::function<bool()> is_alive, std::function<void()> feed);
  void start();
  void stop();

 private:
  boost::asio::steady_timer timer_;
  std::chrono::microseconds interval_;
  std::function<bool()> is_alive_;
  std::function<void()> feed_;
  bool stopped_ = false;
};

/// Checks whether the thread that writes the journal makes progress. A failed commit is progress:
/// the disk may be full, and a restart would not help. A commit that does not return is not. It is
/// noticed once it has lasted from one call to the next.
class JournalPulse {
 public:
  /// Returns whether there was progress since the last call. `waiting`: records that are not
  /// durable. `tries`: commits that have succeeded or failed.
  bool advance(std::uint64_t waiting, std::uint64_t tries) {
    const bool advanced = waiting == 0 || tries != tries_;
    tries_ = tries;
    return advanced;
  }

 private:
  std::uint64_t tries_ = 0;
};

}  // namespace tictactoe::admin
