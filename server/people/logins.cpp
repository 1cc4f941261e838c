#include "server/people/logins.hpp"

#include <utility>

#include "server/limits/name_rules.hpp"

namespace tictactoe::server {

std::string login_token_hash(std::string_view token, const Login& login) {
  return digest(std::string(token) + login.key.salt + login.key.key);
}

Logins::Logins(std::vector<Login> logins) {
  for (Login& login : logins) {
    if (!is_acceptable(login.key) || find(login.name) != nullptr) continue;
    const Login& kept = logins_.emplace_back(std::move(login));
    for (std::string& key : look_alike_keys(kept.name)) by_key_.emplace(std::move(key), &kept);
  }
}

const Login* Logins::find(std::string_view name) const {
  if (logins_.empty()) return nullptr;
  for (const std::string& key : look_alike_keys(name)) {
    if (const auto found = by_key_.find(key); found != by_key_.end()) return found->second;
  }
  return nullptr;
}

}  // namespace tictactoe::server
