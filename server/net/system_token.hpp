// Secrets from the operating system.
#pragma once

#include <sys/random.h>

#include <cerrno>
#include <system_error>

#include "server/core/secrets.hpp"

namespace tictactoe::net {

/// 128 bits that nobody can guess. Throws std::system_error where the system has none to give.
inline core::Token system_token() {
  core::Token token;
  // So few bytes are never cut short once the system has started.
  if (getrandom(token.data(), token.size(), 0) != static_cast<ssize_t>(token.size())) {
    throw std::system_error(errno, std::generic_category(), "no random numbers");
  }
  return token;
}

}  // namespace tictactoe::net
