#include "client/session/server_choice.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tictactoe::client {

ServerChoice::ServerChoice(std::uint64_t seed)
    : random_(static_cast<std::mt19937::result_type>(seed)) {}

bool ServerChoice::follow(const v1::ServerAddress& server, Time now) {
  const auto settled = std::exchange(settled_, {});
  if (settled && now - *settled >= redirects_forgotten_after) redirects_ = 0;
  if (redirects_ >= max_redirects) return false;
  ++redirects_;
  at_ = server;
  is_at_another_ = false;
  return true;
}

void ServerChoice::welcomed(const v1::Welcome& welcome) {
  home_ = at_;
  std::vector<v1::ServerAddress> known;
  const auto add = [&](const v1::ServerAddress& server) {
    const auto is_it = [&](const auto& other) { return other.address() == server.address(); };
    const bool is_home = home_ && is_it(*home_);
    if (is_home || !is_server_address(server) || known.size() >= max_other_servers) return;
    if (std::none_of(known.begin(), known.end(), is_it)) known.push_back(server);
  };
  std::vector<v1::ServerAddress> named(welcome.servers().begin(), welcome.servers().end());
  std::shuffle(named.begin(), named.end(), random_);
  std::for_each(named.begin(), named.end(), add);
  // One that is missing may be back before the next loss.
  std::for_each(others_.begin(), others_.end(), add);
  others_ = std::move(known);
  next_ = 0;
  is_at_another_ = false;
}

void ServerChoice::go_home() {
  at_ = home_;
  next_ = 0;
  is_at_another_ = false;
  redirects_ = 0;
  settled_.reset();
}

const v1::ServerAddress* ServerChoice::another() const {
  return next_ < others_.size() ? &others_[next_] : nullptr;
}

void ServerChoice::go_to_another() {
  at_ = others_[next_++];
  is_at_another_ = true;
  redirects_ = 0;
}

bool ServerChoice::leave_out() {
  if (!is_at_another_) return false;
  others_.erase(others_.begin() + static_cast<std::ptrdiff_t>(--next_));
  is_at_another_ = false;
  return true;
}

}  // namespace tictactoe::client
