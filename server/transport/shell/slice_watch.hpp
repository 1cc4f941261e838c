// Measures slices of the event loop, and reports those that block it for too long.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <utility>

#include "common/figures/durations.hpp"
#include "server/transport/shell/surroundings.hpp"

namespace tictactoe::transport {

/// Runs an io_context and measures its handlers in one or two ways:
/// - the wall-clock time of the events of the shell, from the beginning of the first to the end of
///   the handler. Costs two clock readings per handler;
/// - whether any handler (of sockets, TLS, HTTP, timers, answers of threads) takes too much CPU
///   time of the thread, which does not depend on how busy the machine is. Costs two system calls
///   per handler: for tests, and for a server with the log level "debug".
class SliceWatch final : public ShellObserver {
 public:
  /// The maximum time that a slice should take.
  static constexpr std::chrono::milliseconds usual_limit{5};
  /// Called on the thread of the loop at the end of a long slice, with its last event of the shell,
  /// or "other" if there was none: a handshake, for example.
  using Report = std::function<void(const char* event, std::chrono::microseconds took)>;

  /// CPU time is measured only with a `report`.
  explicit SliceWatch(std::chrono::microseconds limit = usual_limit, Report report = nullptr)
      : limit_(limit), report_(std::move(report)) {}

  /// Replaces io.run().
  void run(boost::asio::io_context& io);
  void on_event(const char* name) override {
    if (event_ == nullptr) began_ = Clock::now();
    event_ = name;
  }
  /// How long the events of the shell took.
  const figures::Durations& slices() const { return slices_; }
  /// The same in finer steps, and the CPU time of all handlers. Only with a `report`.
  const figures::FineDurations& fine_slices() const { return fine_slices_; }
  const figures::FineDurations& handlers() const { return handlers_; }
  /// Excludes the current handler from the CPU times, as it belongs to the measurement.
  void leave_out() { left_out_ = report_ != nullptr; }

 private:
  using Clock = std::chrono::steady_clock;

  bool run_one(boost::asio::io_context& io);

  std::chrono::nanoseconds limit_;
  Report report_;
  const char* event_ = nullptr;  // the last one of this slice
  Clock::time_point began_;
  figures::Durations slices_;
  figures::FineDurations fine_slices_;
  figures::FineDurations handlers_;
  bool left_out_ = false;  // the current handler is excluded
};

}  // namespace tictactoe::transport
