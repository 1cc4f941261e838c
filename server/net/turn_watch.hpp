// Reports turns that keep the loop from everything else for too long.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>

#include "server/net/shell.hpp"

namespace tictactoe::net {

/// Runs an io_context and measures each of its handlers, whatever it belongs to: sockets, TLS,
/// HTTP, timers, answers of threads. Measures CPU time of the thread, so that a busy machine does
/// not make it longer. Costs two system calls a handler: for tests, and for a server whose log has
/// the level "debug".
class TurnWatch final : public ShellObserver {
 public:
  /// The longest time that a turn should take.
  static constexpr std::chrono::milliseconds usual_limit{5};
  /// Is called on the thread that runs the loop, at the end of the turn, with the last event of the
  /// shell in it, or "other" if there was none: a handshake, for example.
  using Report = std::function<void(const char* event, std::chrono::microseconds took)>;

  TurnWatch(std::chrono::microseconds longest, Report report)
      : longest_(longest), report_(std::move(report)) {}

  /// In place of io.run().
  void run(boost::asio::io_context& io);
  void on_event(const char* name) override { event_ = name; }

 private:
  std::chrono::nanoseconds longest_;
  Report report_;
  const char* event_ = "";
};

}  // namespace tictactoe::net
