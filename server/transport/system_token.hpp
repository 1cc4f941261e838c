// Random numbers from the operating system.
#pragma once

#include <sys/random.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <system_error>

#include "server/base/secrets.hpp"

namespace tictactoe::transport {

/// Fills `bytes`, at most 256. Throws std::system_error if the system has none to give.
inline void fill_randomly(std::span<std::byte> bytes) {
  // The system delivers up to 256 bytes whole once it has started.
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::system_error(errno, std::generic_category(), "no random numbers");
  }
}

/// 128 bits that nobody can guess.
inline server::Token system_token() {
  server::Token token;
  fill_randomly(std::as_writable_bytes(std::span(token)));
  return token;
}

/// 64 bits that nobody can guess.
inline std::uint64_t system_seed() {
  std::uint64_t seed = 0;
  fill_randomly(std::as_writable_bytes(std::span(&seed, 1)));
  return seed;
}

}  // namespace tictactoe::transport
