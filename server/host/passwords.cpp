#include "server/host/passwords.hpp"

#include <chrono>
#include <string>

namespace tictactoe::server {

namespace {

constexpr Secret any_name{Secret::Of::name, 0};

Problem too_many_attempts(Secret::Of of, std::chrono::milliseconds wait) {
  return {v1::Error::CODE_RATE_LIMITED,
          std::string("Too many wrong ") +
              (of == Secret::Of::name ? "names and passwords of rooms" : "passwords") +
              " were sent from your address: try again in " +
              std::to_string(std::chrono::ceil<std::chrono::seconds>(wait).count()) + " s.",
          wait};
}

}  // namespace

// A room counts twice: on its own, and with all rooms together.
Refused Passwords::begin_attempt(Secret secret, Origin from, Time now) {
  auto wait = attempts_.begin(secret, from, now);
  if (Attempts* all = attempts_at_all(secret.of); all != nullptr && !wait) {
    wait = all->begin({secret.of, 0}, from, now);
    if (wait) attempts_.withdrawn(secret, from);
  }
  if (!wait) return std::nullopt;
  return too_many_attempts(secret.of, *wait);
}

Refused Passwords::begin_key_attempt(Secret secret, Origin from, Time now) {
  if (auto refused = no_place(from)) return refused;
  return begin_attempt(secret, from, now);
}

void Passwords::end_attempt(Secret secret, Origin from, std::optional<bool> right, Time now) {
  Attempts* all = attempts_at_all(secret.of);
  if (right == false) {
    attempts_.failed(secret, from, now);
    if (all != nullptr) all->failed({secret.of, 0}, from, now);
    return;
  }
  right ? attempts_.succeeded(secret, from) : attempts_.withdrawn(secret, from);
  // Attempts at other rooms still count.
  if (all != nullptr) all->withdrawn({secret.of, 0}, from);
}

Attempts* Passwords::attempts_at_all(Secret::Of of) {
  if (of == Secret::Of::room) return &room_attempts_;
  return of == Secret::Of::name ? &name_attempts_ : nullptr;
}

Refused Passwords::begin_name(Origin from, Time now) {
  if (!config_.limits.limits_addresses()) return std::nullopt;
  const auto wait = name_attempts_.begin(any_name, from, now);
  if (!wait) return std::nullopt;
  return too_many_attempts(Secret::Of::name, *wait);
}

void Passwords::end_name(Origin from) {
  if (config_.limits.limits_addresses()) name_attempts_.withdrawn(any_name, from);
}

Refused Passwords::count_name(bool is_right, Origin from, Time now) {
  if (auto refused = begin_name(from, now)) return refused;
  if (is_right || !config_.limits.limits_addresses()) {
    end_name(from);
  } else {
    name_attempts_.failed(any_name, from, now);
  }
  return std::nullopt;
}

PasswordKey Passwords::fresh_key() {
  return {config_.key_cost, std::string(bytes_of(tokens_())), {}};
}

PasswordKey Passwords::unused_key() const {
  return {config_.key_cost, std::string(Token{}.size(), '\0'), {}};
}

}  // namespace tictactoe::server
