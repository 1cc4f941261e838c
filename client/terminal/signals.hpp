// Signals for a program at a terminal.
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>

namespace tictactoe::client {

/// Time limit for handling Ctrl-C, and for ending after a hang-up, because a write to a terminal or
/// pipe without a reader can block forever.
inline constexpr std::chrono::milliseconds signal_patience{3'000};

enum class SignalEvent : std::uint8_t {
  interrupt,  ///< SIGINT: Ctrl-C
  hang_up,    ///< SIGHUP or SIGTERM: the terminal is closed, or the system wants the end
  stop,       ///< SIGTSTP: Ctrl-Z; the receiver restores the terminal and calls stop_program()
  go_on,      ///< SIGCONT: the program was stopped, and the terminal may have another mode
  resize,     ///< SIGWINCH
};

/// Reports signals as events of an io_context, which it keeps running. Waits for them in a thread
/// of its own: if the context's thread does not handle an event within signal_patience, this thread
/// restores the terminal and ends the process with status 0, which only drops the connection.
/// Ignores SIGPIPE, so that a write reports a missing reader.
class Signals {
 public:
  using OnSignal = std::function<void(SignalEvent)>;

  /// `context` must outlive this. `on_signal` is called in the thread that runs it. Without
  /// `raw_mode`, Ctrl-Z keeps its default action.
  Signals(boost::asio::io_context& context, bool raw_mode, OnSignal on_signal);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

 private:
  void wait();
  void report(SignalEvent event);
  void expect_end();

  boost::asio::io_context& context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  OnSignal on_signal_;
  std::atomic<int> unhandled_ = 0;  // interrupts

  // Only for the thread.
  boost::asio::io_context own_context_{1};
  boost::asio::signal_set signals_{own_context_};
  boost::asio::steady_timer patience_{own_context_};
  bool must_end_ = false;

  std::thread thread_;  // last: starts when all else is there
};

}  // namespace tictactoe::client
