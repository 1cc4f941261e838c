// What a player is known by on a server.
#pragma once

#include <cstddef>
#include <string>

namespace tictactoe::client {

/// Length of a token in bytes.
inline constexpr std::size_t token_bytes = 16;

struct Passwords {
  std::string server;
  std::string account;
  bool empty() const { return server.empty() && account.empty(); }
};

/// Which password a server asks for.
enum class Asks : unsigned char { nothing, server_password, account_password };

}  // namespace tictactoe::client
