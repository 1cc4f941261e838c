// System calls that a signal has interrupted.
#pragma once

#include <cerrno>

namespace tictactoe::net {

/// Calls again as long as a signal interrupts it (EINTR). Returns what the last call returns.
template <class Call>
auto retried(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace tictactoe::net
