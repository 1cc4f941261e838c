// The accounts: names that need a password.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/base/secrets.hpp"

namespace tictactoe::server {

/// What the owner of a server has set with `tictactoe-server account`.
struct Login {
  std::string name;
  PasswordKey key;
  /// Random bytes, unique also among later accounts of the same name. A new password does not
  /// change it. It identifies the player in records of private games.
  std::string id;
};

/// The token of a player who has logged in is known by its hash together with the login's key. So
/// it is void as soon as the login has another password or is gone, and a token that somebody got
/// for the name before there was a login is not one of these.
std::string login_token_hash(std::string_view token, const Login& login);

/// All logins of a server. A name is that of a login if it looks like it: see name_rules.hpp.
class Logins {
 public:
  Logins() = default;
  /// The first of several that look alike counts. Those whose keys are not acceptable are left out.
  /// It takes some microseconds a login: for many, make it beside the event loop.
  explicit Logins(std::vector<Login> logins);
  Logins(Logins&&) noexcept = default;
  Logins& operator=(Logins&&) noexcept = default;
  /// Null if there is none with that name. O(length of the name).
  const Login* find(std::string_view name) const;
  std::size_t size() const { return logins_.size(); }

 private:
  std::deque<Login> logins_;  // stay at their addresses when this is moved
  std::unordered_map<std::string, const Login*> by_key_;  // by both keys of its name
};

}  // namespace tictactoe::server
