#include "client/session/server_choice.hpp"

#include <algorithm>
#include <utility>

namespace tictactoe::client {

ServerChoice::ServerChoice(std::string named, std::uint64_t seed)
    : named_(std::move(named)), random_(static_cast<std::mt19937::result_type>(seed)) {}

bool ServerChoice::follow(const v1::ServerAddress& server, Time now) {
  was_redirected_ = true;
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
    if (!is_server_address(server) || known.size() >= max_lobby_servers) return;
    if (std::none_of(known.begin(), known.end(), is_it)) known.push_back(server);
  };
  std::vector<v1::ServerAddress> named(welcome.servers().begin(), welcome.servers().end());
  std::shuffle(named.begin(), named.end(), random_);
  std::for_each(named.begin(), named.end(), add);
  // One that is missing may be back before the next loss.
  std::for_each(known_.begin(), known_.end(), add);
  known_ = std::move(known);
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

bool ServerChoice::is_home(const v1::ServerAddress& server) const {
  return server.address() == (home_ ? home_->address() : named_);
}

bool ServerChoice::has_others() const {
  return std::any_of(known_.begin(), known_.end(),
                     [this](const auto& server) { return !is_home(server); });
}

std::size_t ServerChoice::index_of_another() const {
  std::size_t index = next_;
  while (index < known_.size() && is_home(known_[index])) ++index;
  return index;
}

const v1::ServerAddress* ServerChoice::another() const {
  const std::size_t index = index_of_another();
  return index < known_.size() ? &known_[index] : nullptr;
}

void ServerChoice::go_to_another() {
  next_ = index_of_another();
  at_ = known_[next_++];
  is_at_another_ = true;
  redirects_ = 0;
}

bool ServerChoice::leave_out() {
  if (!is_at_another_) return false;
  known_.erase(known_.begin() + static_cast<std::ptrdiff_t>(--next_));
  is_at_another_ = false;
  return true;
}

}  // namespace tictactoe::client
