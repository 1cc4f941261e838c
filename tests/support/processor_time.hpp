// How much processor time an action takes, for tests of costs that must not grow with what others
// do.
#pragma once

#include <algorithm>
#include <ctime>
#include <limits>

namespace tictactoe::test {

/// Seconds of processor time that the action takes: the least of 50 tries of 4, so that other
/// programs on the machine hardly matter.
template <class Action>
double seconds_of(Action&& action) {
  std::clock_t least = std::numeric_limits<std::clock_t>::max();
  for (int i = 0; i < 50; ++i) {
    const std::clock_t begin = std::clock();
    for (int j = 0; j < 4; ++j) action();
    least = std::min(least, std::clock() - begin);
  }
  return static_cast<double>(least) / CLOCKS_PER_SEC / 4;
}

}  // namespace tictactoe::test
