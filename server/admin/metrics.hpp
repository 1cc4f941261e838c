// The server's figures as Prometheus metrics.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/figures/durations.hpp"

namespace tictactoe::admin {

/// Counts by label, such as the code of an error, in display order.
using ByLabel = std::vector<std::pair<std::string, std::uint64_t>>;

/// The figures of a server, a plain value that server/app/operation.cpp fills in.
struct Figures {
  std::string version;
  std::chrono::seconds uptime{0};
  ByLabel connections;                     ///< open, by transport
  std::uint64_t lingering = 0;             ///< closing connections
  std::uint64_t accepted = 0;              ///< connections since the start
  ByLabel expelled;                        ///< connections closed with an error, by its code
  ByLabel ended;                           ///< other connections, by how they ended
  ByLabel refused;                         ///< requests, by the code of the error
  bool is_ready = true;                    ///< as /readyz says
  std::uint64_t unread_bytes = 0;          ///< for peers that are behind
  std::uint64_t players = 0;               ///< with a connection
  std::uint64_t known_players = 0;         ///< with and without
  ByLabel rooms;                           ///< by phase
  std::uint64_t rooms_with_open_seat = 0;  ///< public ones
  std::uint64_t moves = 0;
  ByLabel games;  ///< that have ended, by reason
  struct CommitFigures {
    std::uint64_t waiting = 0;
    std::uint64_t waiting_bytes = 0;
    std::uint64_t failures = 0;
    figures::Durations commits;
  };
  std::optional<CommitFigures> journal;  ///< nothing if the server keeps no records
  figures::Durations slices;             ///< of the event loop
  /// `slices` in finer steps, for benchmarks; nothing if not measured.
  struct FineSlices {
    figures::FineDurations by_clock;
    figures::FineDurations cpu;  ///< of all handlers of the loop
  };
  std::optional<FineSlices> fine_slices;
  std::uint64_t ai_thoughts = 0;  ///< waiting
  std::uint64_t ai_bytes = 0;     ///< of AI players
};

/// The text exposition format of Prometheus, version 0.0.4. O(metrics).
std::string to_prometheus(const Figures& figures);

}  // namespace tictactoe::admin
