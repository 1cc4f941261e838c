// What a service manager such as systemd is told, and the sockets that it passes on.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tictactoe::admin {

/// The server accepts connections. `status` is a line for the owner. Does nothing if the process
/// was not started by a service manager; the same holds for the other functions.
void tell_ready(const std::string& status);
/// The server begins to end.
void tell_stopping();
/// The server works.
void feed_watchdog();

/// How long the service manager waits for feed_watchdog() before it restarts the server; zero: it
/// does not watch.
std::chrono::microseconds watchdog_timeout();

/// Listening sockets that the service manager has opened. The caller owns the descriptors. Later
/// calls return none.
std::vector<int> take_passed_sockets();

/// Calls `feed` four times in each `timeout` if `is_alive` says so. As it does that on the event
/// loop, a loop that does not turn feeds nothing. Keeps the io_context running until stop().
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

/// Whether the thread that writes the journal makes progress, from what is seen of it now and then.
/// A commit that fails is progress: the disk may be full, and a restart would not help. A commit
/// that does not return is none. One that is under way is noticed only if it takes from one look
/// to the next.
class JournalPulse {
 public:
  /// `waiting`: records that are not durable. `tries`: commits that have succeeded or failed.
  bool has_advanced(std::uint64_t waiting, std::uint64_t tries) {
    const bool advanced = waiting == 0 || tries != tries_;
    tries_ = tries;
    return advanced;
  }

 private:
  std::uint64_t tries_ = 0;
};

}  // namespace tictactoe::admin
