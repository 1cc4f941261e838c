// Answers hellos: by token, by the password of an account, or as a new player.
#include <utility>

#include "server/core/host_passwords.hpp"
#include "server/core/name_rules.hpp"

namespace tictactoe::core {

// Tokens ------------------------------------------------------------------------------------------

// The token of somebody who has logged in is known by another hash. See logins.hpp.
void Host::find_token(const RequestContext& context, const v1::Hello& hello) {
  const Login* login = logins_.find(normalized_name(hello.name()));
  if (login == nullptr) return find_plain_token(context, hello);
  directory_->find_player(
      login_token_hash(hello.token(), *login), origin_of(context), context.now,
      when_answered<Directory::FoundPlayer>(
          context, [this, hello](const Peer* asking, const RequestContext& then,
                                 const Directory::FoundPlayer& found) {
            if (found.arrived) arrive(*found.arrived, then.now);
            if (asking == nullptr || is_elsewhere(then, found.elsewhere, found.is_unknown_now))
              return;
            const Player* known = players_.find(found.id);
            // The password of an account counts more than the token of another player.
            if (known == nullptr) {
              return hello.account_password().empty() ? find_plain_token(then, hello)
                                                      : greet(then, hello);
            }
            if (!refuse_hello(then)) resume(then, *known, hello, nullptr);
          }));
}

void Host::find_plain_token(const RequestContext& context, const v1::Hello& hello) {
  directory_->find_player(
      digest(hello.token()), origin_of(context), context.now,
      when_answered<Directory::FoundPlayer>(
          context, [this, hello](const Peer* asking, const RequestContext& then,
                                 const Directory::FoundPlayer& found) {
            if (found.arrived) arrive(*found.arrived, then.now);
            if (asking == nullptr || is_elsewhere(then, found.elsewhere, found.is_unknown_now))
              return;
            const Player* known = players_.find(found.id);
            // The name may have become that of an account.
            if (known == nullptr || logins_.find(known->name) != nullptr) return greet(then, hello);
            if (!refuse_hello(then)) resume(then, *known, hello, nullptr);
          }));
}

// Passwords ---------------------------------------------------------------------------------------

void Host::greet(const RequestContext& context, const v1::Hello& hello) {
  if (refuse_hello(context)) return;
  if (const auto refused = check_server_password(context, hello)) return refuse(context, *refused);
  const auto name = parse_player_name(hello.name(), config_.limits);
  if (!name) return refuse(context, name.error());
  const Login* login = logins_.find(*name);
  if (login == nullptr || hello.account_password().empty()) return register_player(context, *name);
  if (const auto refused = check_account(context, *login, hello)) refuse(context, *refused);
}

Refused Host::check_server_password(const RequestContext& context, const v1::Hello& hello) {
  if (config_.server_password_hash.empty()) return std::nullopt;
  if (hello.server_password().empty()) {
    return problem(v1::Error::CODE_SERVER_PASSWORD,
                   "This server needs a password (Hello.server_password).");
  }
  constexpr Secret secret{Secret::Of::server, 0};
  const Origin from = connections_.find(context.connection)->origin;
  if (auto refused = begin_attempt(secret, from, context.now)) return refused;
  const bool right = are_equal(digest(hello.server_password()), config_.server_password_hash);
  end_attempt(secret, from, right, context.now);
  if (right) return std::nullopt;
  return problem(v1::Error::CODE_SERVER_PASSWORD, "That is not the password of this server.");
}

Refused Host::check_account(const RequestContext& context, const Login& login,
                            const v1::Hello& hello) {
  const auto password = parse_password(hello.account_password(), config_.limits);
  if (!password) return password.error();
  return try_password(
      context, {Secret::Of::account, number_of(login.name)}, *password, login.key,
      [this, hello](const RequestContext& then, bool right) {
        if (right) return log_in(then, hello);
        refuse(then, problem(v1::Error::CODE_ACCOUNT_PASSWORD,
                             "That is not the password of the account \"" + hello.name() + "\"."));
      });
}

void Host::log_in(const RequestContext& context, const v1::Hello& hello) {
  const Login* login = logins_.find(normalized_name(hello.name()));
  if (login == nullptr) return greet(context, hello);  // it was removed meanwhile
  const Token token = tokens_();
  const std::string hash = login_token_hash(bytes_of(token), *login);
  directory_->log_in(
      login->name, hash, origin_of(context), context.now,
      when_answered<Directory::FoundPlayer>(
          context,
          [this, hello, token, hash, name = login->name](
              const Peer* asking, const RequestContext& then, const Directory::FoundPlayer& found) {
            if (found.arrived) arrive(*found.arrived, then.now);
            const bool is_unknown =
                found.is_unknown_now || (found.arrived && players_.find(found.id) == nullptr);
            if (found.elsewhere || is_unknown) {
              if (asking != nullptr) is_elsewhere(then, found.elsewhere, is_unknown);
              return;
            }
            if (release_if_evicted(found.id) && asking != nullptr) return log_in(then, hello);
            const Player* known = players_.find(found.id);
            if (known == nullptr) {
              return welcome_newcomer(asking, then, {found.id, name}, hash, {&token, false, {}});
            }
            directory_->renew_token(known->id, hash);
            players_.renew(*known, hash);
            record_player(*known, true);
            if (asking != nullptr) resume(then, *known, hello, &token);
          }));
}

}  // namespace tictactoe::core
