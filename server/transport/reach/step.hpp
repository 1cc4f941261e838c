// One attempt to be reached from outside, for people.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace tictactoe::transport {

/// The answer of a router that others can't reach.
inline constexpr std::string_view no_public_address = "the router has no public address";

struct Step {
  std::string what;    ///< "PCP to 192.168.1.1"
  std::string answer;  ///< "203.0.113.7:7654 for 60 min", or why not
  bool worked = false;
  bool has_no_address = false;  ///< see no_public_address
  std::chrono::milliseconds took{};
};

}  // namespace tictactoe::transport
