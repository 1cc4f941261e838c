// How long a host takes for a request, for tests of costs that must not grow with what others do.
#pragma once

#include <algorithm>
#include <ctime>
#include <limits>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test {

/// Seconds of processor time that this request takes: the least of many tries, so that other
/// programs on the machine hardly matter.
inline double seconds_of(HostDriver& driver, core::ConnectionId who,
                         const v1::ClientMessage& request) {
  constexpr int tries = 50;
  constexpr int requests = 4;
  std::clock_t least = std::numeric_limits<std::clock_t>::max();
  for (int i = 0; i < tries; ++i) {
    const std::clock_t begin = std::clock();
    for (int j = 0; j < requests; ++j) driver.ask(who, request);
    least = std::min(least, std::clock() - begin);
    driver.take(who);
  }
  return static_cast<double>(least) / CLOCKS_PER_SEC / requests;
}

}  // namespace tictactoe::test
