// What the server costs, as the kernel counts it.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace tictactoe::load {

/// Since the process began.
struct Usage {
  double user_seconds = 0;
  double system_seconds = 0;
  std::uint64_t resident_bytes = 0;
  std::uint64_t peak_bytes = 0;
};

/// A running server on this machine, looked at from outside.
class ServerProcess {
 public:
  /// Throws Failure if there is none.
  explicit ServerProcess(pid_t pid);

  /// Throws Failure if the process is gone.
  Usage usage() const;

 private:
  pid_t pid_;
};

/// CPU seconds that this process has used.
double own_cpu_seconds();

}  // namespace tictactoe::load
