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

/// Fills `bytes`, at most 256. Throws std::system_error on failure.
inline void fill_randomly(std::span<std::byte> bytes) {
  // Once the system's generator is seeded, up to 256 bytes are never delivered in part.
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::system_error(errno, std::generic_category(), "no random numbers");
  }
}

/// 128 unguessable bits.
inline server::Token system_token() {
  server::Token token;
  fill_randomly(std::as_writable_bytes(std::span(token)));
  return token;
}

/// 64 unguessable bits.
inline std::uint64_t system_seed() {
  std::uint64_t seed = 0;
  fill_randomly(std::as_writable_bytes(std::span(&seed, 1)));
  return seed;
}

}  // namespace tictactoe::transport
