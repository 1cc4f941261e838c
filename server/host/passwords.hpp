// Attempts at the passwords of the server, of accounts and of rooms.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/host/replies.hpp"
#include "server/limits/attempts.hpp"
#include "server/people/key_queue.hpp"

namespace tictactoe::server {

/// Limits attempts per secret, address and network, and has keys derived off the event loop.
class Passwords {
 public:
  /// Both must outlive it.
  Passwords(Tables& tables, Replies& replies) : tables_(tables), replies_(replies) {}

  /// Derives the key of a password, and calls `next(const RequestContext&, const
  /// std::optional<std::string>& key)` like Replies::when_answered(). There is no key if it got no
  /// place or no memory.
  template <class Next>
  Refused ask_key(const RequestContext& context, const std::string& password, PasswordKey with,
                  Next next) {
    const Origin from = context.peer->origin;
    if (auto refused = no_place(from)) return refused;
    auto then = replies_.when_answered<std::optional<std::string>>(context, std::move(next));
    keys_.ask(
        from, std::make_shared<KeyRequest>(password, std::move(with)),
        [then = std::move(then)](const std::string* key, Time now) {
          then(key == nullptr ? std::nullopt : std::optional(*key), now);
        },
        context.now, effects_);
    return std::nullopt;
  }
  /// Why ask_key() would refuse this now.
  Refused no_place(Origin from) const {
    return keys_.has_place(from) ? std::nullopt : Refused(too_many_passwords());
  }
  /// Calls `next(const RequestContext&, bool is_right)` after an attempt at this secret, unless the
  /// connection has closed. Refuses it if too many have failed. A wrong password takes equally
  /// long.
  template <class Next>
  Refused try_password(const RequestContext& context, Secret secret, const std::string& password,
                       const PasswordKey& with, Next next) {
    const Origin from = context.peer->origin;
    if (auto refused = begin_key_attempt(secret, from, context.now)) return refused;
    return ask_key(context, password, with,
                   [this, secret, from, with, next = std::move(next)](
                       const RequestContext& then, const std::optional<std::string>& key) {
                     const bool right = key && with.opens_with(*key);
                     end_attempt(secret, from, key ? std::optional(right) : std::nullopt, then.now);
                     if (then.peer == nullptr) return;
                     if (!key) return replies_.refuse(then, too_many_passwords());
                     next(then, right);
                   });
  }
  /// The answer to a DeriveKey.
  void key_derived(std::uint64_t id, const std::string& key, Time now) {
    keys_.derived(id, key, now, effects_);
  }

  /// Begins an attempt, which must end_attempt().
  Refused begin_attempt(Secret secret, Origin from, Time now);
  /// Begins an attempt at a password whose key would have to be derived.
  Refused begin_key_attempt(Secret secret, Origin from, Time now);
  /// Ends an attempt. `right` is empty if the password was not tried.
  void end_attempt(Secret secret, Origin from, std::optional<bool> right, Time now);
  /// Begins a request for a room that this server doesn't know, which must end_name(). Refuses it
  /// if the client has asked for too many that don't exist.
  Refused begin_name(Origin from, Time now);
  void end_name(Origin from);
  /// Counts a request for an unlisted room as an attempt. `is_right`: the client can enter it.
  Refused count_name(bool is_right, Origin from, Time now);

  /// A new salt, without a key.
  PasswordKey fresh_key();
  /// A key that no password opens, used for rooms that do not exist.
  PasswordKey unused_key() const;

 private:
  Attempts* attempts_at_all(Secret::Of of);

  Tables& tables_;  // for the references below
  const Config& config_ = tables_.config;
  TokenSource& tokens_ = tables_.tokens;
  Effects& effects_ = tables_.effects;
  Replies& replies_;
  KeyQueue keys_{config_.limits};
  Attempts attempts_{config_.limits.attempts};            // at each secret
  Attempts room_attempts_{config_.limits.room_attempts};  // at all listed rooms together
  Attempts name_attempts_{config_.limits.name_attempts};  // at all unlisted names together
};

}  // namespace tictactoe::server
