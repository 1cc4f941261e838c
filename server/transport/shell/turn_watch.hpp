// Measures turns of the loop, and reports those that keep it from everything else for too long.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <utility>

#include "common/figures/durations.hpp"
#include "server/transport/shell/shell.hpp"

namespace tictactoe::transport {

/// Runs an io_context and measures its handlers in one or two ways:
///  - how long the events of the shell take by the clock, from the beginning of the first to the
///  end
///    of the handler. Costs two looks at the clock a handler;
///  - whether a handler, whatever it belongs to (sockets, TLS, HTTP, timers, answers of threads),
///    takes too much CPU time of the thread, so that a busy machine does not make it longer. Costs
///    two system calls a handler: for tests, and for a server whose log has the level "debug".
class TurnWatch final : public ShellObserver {
 public:
  /// The longest time that a turn should take.
  static constexpr std::chrono::milliseconds usual_limit{5};
  /// Is called on the thread that runs the loop, at the end of the turn, with the last event of the
  /// shell in it, or "other" if there was none: a handshake, for example.
  using Report = std::function<void(const char* event, std::chrono::microseconds took)>;

  /// Without a `report`, CPU time is not measured.
  explicit TurnWatch(std::chrono::microseconds longest = usual_limit, Report report = nullptr)
      : longest_(longest), report_(std::move(report)) {}

  /// In place of io.run().
  void run(boost::asio::io_context& io);
  void on_event(const char* name) override {
    if (event_ == nullptr) began_ = Clock::now();
    event_ = name;
  }
  /// How long the events of the shell have taken.
  const figures::Durations& turns() const { return turns_; }
  /// The same, and the CPU time of all handlers. With a `report` only.
  const figures::FineDurations& fine_turns() const { return fine_turns_; }
  const figures::FineDurations& handlers() const { return handlers_; }
  /// Called within a handler whose CPU time is not to be counted, as it belongs to the measuring.
  void leave_out() { left_out_ = report_ != nullptr; }

 private:
  using Clock = std::chrono::steady_clock;

  bool run_one(boost::asio::io_context& io);

  std::chrono::nanoseconds longest_;
  Report report_;
  const char* event_ = nullptr;  // the last one of this turn
  Clock::time_point began_;
  figures::Durations turns_;
  figures::FineDurations fine_turns_;
  figures::FineDurations handlers_;
  bool left_out_ = false;  // this handler
};

}  // namespace tictactoe::transport
