// The figures of a host: counters since its start, and its present state.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tictactoe/v1/server.pb.h"

namespace tictactoe::server {

/// Counters since the start. Never reset.
struct Counts {
  std::uint64_t moves = 0;
  /// Games that have ended, by v1::Outcome::Reason.
  std::array<std::uint64_t, v1::Outcome::Reason_ARRAYSIZE> games{};
  /// Refused requests, by v1::Error::Code.
  std::array<std::uint64_t, v1::Error::Code_ARRAYSIZE> refusals{};
  /// Connections that the host closed with an error, by v1::Error::Code.
  std::array<std::uint64_t, v1::Error::Code_ARRAYSIZE> expulsions{};
  std::uint64_t connections = 0;

  void note_refusal(v1::Error::Code code) { ++refusals.at(static_cast<std::size_t>(code)); }
};

/// The present state, as Tables::population() fills it in.
struct Population {
  std::size_t connections = 0;
  std::size_t players = 0;        ///< with a connection
  std::size_t known_players = 0;  ///< with and without
  /// By v1::Phase.
  std::array<std::size_t, v1::Phase_ARRAYSIZE> rooms{};
};

}  // namespace tictactoe::server
