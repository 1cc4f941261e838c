// Logins: names that need a password.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/base/secrets.hpp"

namespace tictactoe::server {

/// An account that the server's owner has created with `tictactoe-server account`.
struct Login {
  std::string name;
  PasswordKey key;
  /// Random bytes. A later account of the same name has another id; a new password does not change
  /// it. Identifies the player in records of private games.
  std::string id;
};

/// The hash under which the token of a logged-in player is kept. It covers the login's key, so the
/// token becomes void when the password changes or the login is removed, and a token obtained for
/// the name before there was a login does not match.
std::string login_token_hash(std::string_view token, const Login& login);

/// All logins of a server. A look-alike of a login's name belongs to the login: see name_rules.hpp.
class Logins {
 public:
  Logins() = default;
  /// If several look alike, the first one counts. Omits logins with unacceptable keys. Takes some
  /// microseconds per login: with many, create it off the event loop.
  explicit Logins(std::vector<Login> logins);
  Logins(Logins&&) noexcept = default;
  Logins& operator=(Logins&&) noexcept = default;
  /// The login of this name; null if there is none. O(length of the name).
  const Login* find(std::string_view name) const;
  std::size_t size() const { return logins_.size(); }

 private:
  std::deque<Login> logins_;                              // keeps addresses when moved
  std::unordered_map<std::string, const Login*> by_key_;  // by both keys of its name
};

}  // namespace tictactoe::server
