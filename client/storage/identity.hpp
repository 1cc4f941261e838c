// The identities of a player: secret tokens from servers, stored in the user's state folder so that
// a client that ended or crashed can return to its seat.
//
// One file for each server, player name and slot: `alice@` and the server's key in hexadecimal,
// with `.2` and so on appended for further clients that run at the same time. A file is locked
// (flock) while its client runs, so that two clients never share a player. Only the owner can use
// the folder (0700) and the files (0600). A file that others could have read or written is not
// trusted and is replaced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "client/session/credentials.hpp"

namespace tictactoe::client {

/// Maximum number of clients with one name and server on one machine. Further ones play without a
/// file.
inline constexpr int max_slots = 64;
/// Maximum number of files. The least recently used ones are removed.
inline constexpr std::size_t max_identities = 256;
/// Largest file that is read, in bytes.
inline constexpr std::size_t max_identity_bytes = 256;

/// The folder by the XDG base directory specification: $XDG_STATE_HOME/tictactoe, else
/// ~/.local/state/tictactoe. Empty if neither variable is set.
std::string state_folder();

/// The name of the file of a player's first slot. `server` is its key, or its address if it has
/// none.
std::string identity_name(std::string_view server, std::string_view name);

/// One file, locked while this lives. Moved, never copied.
class Identity {
 public:
  Identity(Identity&& other) noexcept;
  Identity& operator=(Identity&& other) noexcept;
  ~Identity();

  /// The stored token; empty if none.
  const std::string& token() const { return token_; }
  const std::string& path() const { return path_; }
  /// Stores `token` (of token_bytes) atomically: after a crash the file has either the old or the
  /// new one. Returns the fault in a few words; empty on success.
  std::string save(std::string_view token);

 private:
  friend struct IdentityOpened open_identity(const std::string&, const std::string&);
  Identity(std::string path, int file, std::string token)
      : path_(std::move(path)), file_(file), token_(std::move(token)) {}
  void close();

  std::string path_;
  int file_ = -1;  // open and locked
  std::string token_;
};

/// The result of open_identity(). Without an identity the client can play, but not return after it
/// ends; `note` tells people why, or what was wrong with a file that was replaced.
struct IdentityOpened {
  std::optional<Identity> identity;
  std::string note;
};

/// Takes the first slot that no running client uses, and creates the folder if necessary. `file` is
/// named by identity_name().
IdentityOpened open_identity(const std::string& folder, const std::string& file);

}  // namespace tictactoe::client
