// How requests with a password go on when its key was derived.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/core/host_answers.hpp"

namespace tictactoe::core {

template <class Next>
Refused Host::ask_key(const RequestContext& context, const std::string& password, PasswordKey with,
                      Next next) {
  const Origin from = connections_.find(context.connection)->origin;
  if (!keys_.has_place(from)) return too_many_passwords();
  auto then = when_answered<std::optional<std::string>>(context, std::move(next));
  keys_.ask(
      from, std::make_shared<KeyRequest>(password, std::move(with)),
      [then = std::move(then)](const std::string* key, Time now) {
        then(key == nullptr ? std::nullopt : std::optional(*key), now);
      },
      context.now, effects_);
  return std::nullopt;
}

template <class Next>
Refused Host::try_password(const RequestContext& context, Secret secret,
                           const std::string& password, const PasswordKey& with, Next next) {
  const Origin from = connections_.find(context.connection)->origin;
  if (auto refused = begin_key_attempt(secret, from, context.now)) return refused;
  return ask_key(
      context, password, with,
      [this, secret, from, with, next = std::move(next)](
          const Peer* asking, const RequestContext& then, const std::optional<std::string>& key) {
        const bool right = key && with.opens_with(*key);
        end_attempt(secret, from, key ? std::optional(right) : std::nullopt, then.now);
        if (asking == nullptr) return;
        if (!key) return refuse(then, too_many_passwords());
        next(then, right);
      });
}

}  // namespace tictactoe::core
