// The server's log.
#pragma once

#include <memory>
#include <string>

#include "server/logging/async_log.hpp"

namespace tictactoe::app {

/// Makes spdlog's default logger write to standard error. Keep it until nothing logs any more. Its
/// destructor writes what is queued, but gives up after two seconds.
class Logging {
 public:
  /// `level` is a value of --log. "off" starts no thread.
  Logging(const std::string& level, LogFormat format);
  ~Logging();
  Logging(const Logging&) = delete;
  Logging& operator=(const Logging&) = delete;

 private:
  std::unique_ptr<AsyncLog> log_;  // null if the log is off
};

/// Writes a sentence for the person who started the program to standard error, bypassing the log
/// but in its format; before there is a Logging, in the usual one. Blocks for at most two seconds,
/// so that a blocked standard error can't keep the server from ending.
void complain(const std::string& sentence);

}  // namespace tictactoe::app
