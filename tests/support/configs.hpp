// Configurations that several tests use.
#pragma once

#include <cstdint>

#include "server/limits/config.hpp"

namespace tictactoe::test {

/// Requests have no limit.
inline server::Config without_rate() {
  server::Config config;
  config.limits.requests_per_second = 0;
  return config;
}

/// A player gets so many tokens at once and then one a second; an address gets no more than a
/// player.
inline server::Config with_few_tokens(std::uint32_t burst = 10) {
  server::Config config;
  config.limits.request_burst = burst;
  config.limits.requests_per_second = 1;
  config.limits.address_bursts = 1;
  return config;
}

}  // namespace tictactoe::test
