// What the server costs, as the kernel counts it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace tictactoe::load {

/// Since the process began.
struct Usage {
  double user_seconds = 0;
  double system_seconds = 0;
  std::uint64_t resident_bytes = 0;
  std::uint64_t peak_bytes = 0;
  std::optional<std::uint64_t> syscalls;  // since they are counted
};

/// A running server on this machine, looked at from outside.
class ServerProcess {
 public:
  /// Counting system calls makes each a little dearer. It takes a kernel whose trace events are
  /// mounted and open to the caller (commonly root, at /sys/kernel/tracing).
  ServerProcess(pid_t pid, bool count_syscalls);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  /// Throws Failure if the process is gone.
  Usage usage() const;

 private:
  pid_t pid_;
  std::vector<int> counters_;  // one for each thread
};

/// CPU seconds that this process has used.
double own_cpu_seconds();

}  // namespace tictactoe::load
