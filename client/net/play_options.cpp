#include "client/net/play_options.hpp"

#include <random>

#include "client/storage/passwords.hpp"

namespace tictactoe::client {

Passwords passwords_for(const PlayOptions& options, const Address& server) {
  Passwords passwords;
  const std::string file = identity_name(server.host_and_port(), options.name);
  if (!options.guest) passwords = load_passwords(state_folder(), file);
  if (!options.passwords.server.empty()) passwords.server = options.passwords.server;
  if (!options.passwords.account.empty()) passwords.account = options.passwords.account;
  return passwords;
}

Protection protection_for(const PlayOptions& options) {
  return {options.tls, state_folder(), !options.guest, options.required_key};
}

void remember_passwords(const PlayOptions& options, const Address& server, IdentityKeeper& keeper) {
  if (options.guest || !options.remember_passwords) return;
  keeper.remember(state_folder(), identity_name(server.host_and_port(), options.name),
                  passwords_for(options, server));
}

IdentityKeeper identity_for(const PlayOptions& options, const Address& server) {
  if (options.guest) return {};
  IdentityKeeper keeper(state_folder(), server.host_and_port(), options.name);
  remember_passwords(options, server, keeper);
  return keeper;
}

Session::Options session_options(const PlayOptions& options, const Address& server,
                                 const std::string& token) {
  Session::Options session;
  session.name = options.name;
  session.server = server.host_and_port();
  session.software = options.software;
  session.guest = options.guest;
  session.local = options.local != nullptr;
  session.passwords = passwords_for(options, server);
  session.token = token;
  session.patience = options.patience.value_or(default_patience);
  session.seed = std::random_device{}();
  return session;
}

}  // namespace tictactoe::client
