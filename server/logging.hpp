// The server's log: spdlog, formatted by the caller and written to standard error by another
// thread.
#pragma once

#include <memory>
#include <string>

#include "server/hosting/log_format.hpp"
#include "server/hosting/log_writer.hpp"

namespace tictactoe {

/// Sets spdlog's default logger up. Keep it until nothing logs any more; its destructor writes what
/// is queued. If standard error is blocked, lines are dropped and counted, and the destructor gives
/// up after two seconds.
class Logging {
 public:
  /// `level` as --log has it. "off" starts no thread.
  Logging(const std::string& level, hosting::LogFormat format);
  ~Logging();
  Logging(const Logging&) = delete;
  Logging& operator=(const Logging&) = delete;

  /// Writes a sentence for the person who started the server, whatever the level. Doesn't wait for
  /// standard error, or for at most two seconds if the log is off.
  void report(const std::string& sentence) const;

 private:
  hosting::LogFormat format_;
  std::shared_ptr<hosting::LogWriter> writer_;  // null if the log is off
};

/// Writes a sentence for the person who started the program to standard error, without the log, but
/// in its format: before there is a Logging, in the usual one. Does not wait if standard error is
/// blocked: that must not keep the server from ending.
void complain(const std::string& sentence);

}  // namespace tictactoe
