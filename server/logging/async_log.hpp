// A log that never delays the server, however slowly it is read.
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

/// An asynchronous logger of spdlog with a thread of its own, which formats and writes the lines.
/// If its queue is full, the oldest lines are dropped; a line in their place says how many.
class AsyncLog {
 public:
  /// Writes a whole line, however long that takes. Called on the log's thread, and possibly after
  /// the AsyncLog is destroyed, if it was blocked then.
  using Write = std::function<void(std::string_view line)>;

  /// About 400 bytes each, allocated at once.
  static constexpr std::size_t default_lines = 1'024;

  explicit AsyncLog(Write write, LogFormat format, std::size_t max_lines = default_lines);
  /// As finish(), without patience.
  ~AsyncLog();
  AsyncLog(const AsyncLog&) = delete;
  AsyncLog& operator=(const AsyncLog&) = delete;

  const std::shared_ptr<spdlog::logger>& logger() const { return logger_; }

  /// Waits until everything is written, for at most `patience`, and ends the thread. Returns false
  /// if the time did not suffice: then the thread ends when its write returns. The logger must not
  /// be used any more.
  bool finish(std::chrono::milliseconds patience);

 private:
  std::shared_ptr<spdlog::details::thread_pool> pool_;
  std::shared_ptr<spdlog::logger> logger_;
};

/// Writes to standard error. Waits for as long as that is blocked, and gives up on errors, which
/// can't be reported.
void write_to_standard_error(std::string_view text);

/// Like write_to_standard_error(), but gives up after `patience`. For messages outside the log.
void report_to_standard_error(const std::string& text,
                              std::chrono::milliseconds patience = std::chrono::seconds(2));

}  // namespace tictactoe::app
