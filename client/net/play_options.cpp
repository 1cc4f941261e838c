#include "client/net/play_options.hpp"

#include <random>

namespace tictactoe::client {

Protection protection_for(const PlayOptions& options) {
  return {options.tls, state_folder(), !options.guest, options.required_key};
}

IdentityKeeper identity_for(const PlayOptions& options, const Address& server) {
  if (options.guest) return {};
  return {state_folder(), server.host_and_port(), options.name};
}

Session::Options session_options(const PlayOptions& options, const Address& server,
                                 const std::string& token) {
  Session::Options session;
  session.name = options.name;
  session.server = server.host_and_port();
  session.software = options.software;
  session.guest = options.guest;
  session.local = options.local != nullptr;
  session.passwords = options.passwords;
  session.token = token;
  session.patience = options.patience.value_or(default_patience);
  session.seed = std::random_device{}();
  return session;
}

}  // namespace tictactoe::client
