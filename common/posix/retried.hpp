// System calls that a signal has interrupted.
#pragma once

#include <cerrno>

namespace tictactoe::posix {

/// Repeats `call` while a signal interrupts it (EINTR). Returns the last result.
template <class Call>
auto retried(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace tictactoe::posix
