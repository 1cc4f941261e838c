// A log that never blocks the server, however slowly it is read.
#pragma once

#include <spdlog/logger.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/logging/log_format.hpp"

namespace spdlog::details {
class thread_pool;
}

namespace tictactoe::app {

/// An asynchronous spdlog logger with its own thread, which formats and writes the lines. If its
/// queue is full, the oldest lines are dropped, and a line in their place says how many.
class AsyncLog {
 public:
  /// Writes a whole line, however long that takes. Called on the log's thread. If it blocks, it may
  /// return after the AsyncLog is destroyed.
  using Write = std::function<void(std::string_view line)>;

  /// Lines in the queue. About 400 bytes each, allocated at once.
  static constexpr std::size_t default_lines = 1'024;

  explicit AsyncLog(Write write, LogFormat format, std::size_t max_lines = default_lines);
  /// Like finish(), without waiting.
  ~AsyncLog();
  AsyncLog(const AsyncLog&) = delete;
  AsyncLog& operator=(const AsyncLog&) = delete;

  const std::shared_ptr<spdlog::logger>& logger() const { return logger_; }

  /// Waits until everything is written, for at most `patience`, and ends the thread. Returns false
  /// if time ran out; the thread then ends when its write returns. The logger is unusable
  /// afterwards.
  bool finish(std::chrono::milliseconds patience);

 private:
  std::shared_ptr<spdlog::details::thread_pool> pool_;
  std::shared_ptr<spdlog::logger> logger_;
};

/// Writes to standard error, blocking while that is blocked. Gives up on errors.
void write_to_standard_error(std::string_view text);

/// Like write_to_standard_error(), but gives up after `patience`. For messages outside the log.
void report_to_standard_error(const std::string& text,
                              std::chrono::milliseconds patience = std::chrono::seconds(2));

}  // namespace tictactoe::app
