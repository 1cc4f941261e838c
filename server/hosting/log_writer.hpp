// Writes log lines on a thread of its own, so that a slow reader of the log never delays the
// server.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace tictactoe::hosting {

/// A bounded queue of log lines and the thread that writes them. If the queue is full, new lines
/// are dropped and counted; the count is written as a line of its own once there is space again, as
/// `report` words it.
/// All functions may be called from any thread.
class LogWriter {
 public:
  /// Writes the whole text, however long that takes. Called on the writer's thread only, and
  /// possibly after the LogWriter was destroyed, if it was blocked then.
  using Write = std::function<void(std::string_view)>;

  /// The line, with its end, that says how many lines were dropped. Called as `write`.
  using Report = std::function<std::string(std::uint64_t dropped)>;

  static constexpr std::size_t default_queue_bytes = std::size_t{256} * 1024;

  explicit LogWriter(
      Write write, std::size_t queue_bytes = default_queue_bytes,
      Report report = [](std::uint64_t dropped) { return dropped_lines(dropped) + "\n"; });
  /// As finish(), but waits for nothing.
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  /// A sentence for that many lines.
  static std::string dropped_lines(std::uint64_t dropped);

  /// Queues a line, which includes its line end. Never waits for `write`.
  void push(std::string_view line);

  /// Waits until everything is written, for at most `patience`, and ends the thread. Returns false
  /// if the time did not suffice: the rest is given up, and the thread ends when its write returns.
  /// Lines pushed afterwards are dropped.
  bool finish(std::chrono::milliseconds patience);

 private:
  struct State;
  static void run(State& state);

  std::shared_ptr<State> state_;  // shared with the thread, which may outlive this object
};

/// Writes to standard error. Gives up on errors: they cannot be reported. Waits for as long as
/// standard error is blocked.
void write_to_standard_error(std::string_view text);

/// The same, but gives up after `patience`: for what is said without a LogWriter.
void report_to_standard_error(std::string_view text,
                              std::chrono::milliseconds patience = std::chrono::seconds(2));

}  // namespace tictactoe::hosting
