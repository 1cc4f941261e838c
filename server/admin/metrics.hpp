// The server's figures as metrics for Prometheus.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "common/figures/durations.hpp"

namespace tictactoe::admin {

/// What the server has, and has done since its start, as a plain value. The code that wires a
/// server fills it in.
struct Figures {
  std::string version;
  std::chrono::seconds uptime{0};
  std::uint64_t connections = 0;
  std::uint64_t players = 0;        ///< with a connection
  std::uint64_t known_players = 0;  ///< with and without
  std::uint64_t rooms = 0;
  std::uint64_t rooms_with_open_seat = 0;  ///< that everybody may enter
  struct Journal {
    std::uint64_t waiting = 0;
    std::uint64_t waiting_bytes = 0;
    std::uint64_t failures = 0;
    figures::Durations commits;
  };
  std::optional<Journal> journal;  ///< nothing: the server keeps no records
  figures::Durations turns;        ///< of the event loop
  std::uint64_t ai_thoughts = 0;   ///< that wait
  std::uint64_t ai_bytes = 0;      ///< of AI players
};

/// The text exposition format of Prometheus, version 0.0.4. O(metrics).
std::string to_prometheus(const Figures& figures);

}  // namespace tictactoe::admin
