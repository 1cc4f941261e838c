// How a person wants to play, for both front ends.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "client/net/address.hpp"
#include "client/player/local_game.hpp"
#include "client/session/credentials.hpp"
#include "common/tls/fingerprint.hpp"

namespace tictactoe::client {

/// How long a client tries to reach a lost server by default, for a person and for a script.
inline constexpr std::chrono::seconds default_patience{600};
inline constexpr std::chrono::seconds default_script_patience{60};

struct PlayOptions {
  Address server;
  std::string name;
  std::string software;
  std::vector<std::string> commands;  ///< lines that run before those of a person or a script
  bool fail = false;                  ///< ends at the first refused line
  bool exit_result = false;           ///< the exit status says how the last game ended
  bool hosting = false;               ///< the server stops with this program
  bool guest = false;                 ///< stores nothing on disk, and says goodbye
  std::optional<std::chrono::seconds> patience;
  Passwords passwords;
  /// Asks a person for the password of the account that has the name.
  bool asks_account = true;
  /// Encrypts, and compares the server's key with the known one.
  bool tls = true;
  std::optional<tls::Fingerprint> required_key;
  /// Plays in this process instead of on a server.
  StartLocalGame local;
};

}  // namespace tictactoe::client
