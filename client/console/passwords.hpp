// The passwords of a server and of an account there, and where they are kept if the person wants
// that.
#pragma once

#include <string>

#include "client/console/address.hpp"

namespace tictactoe::console {

struct Passwords {
  std::string server;
  std::string account;
  bool empty() const { return server.empty() && account.empty(); }
};

/// Which password a server asks for.
enum class Asks : unsigned char { nothing, server_password, account_password };

/// The passwords that were kept for a player of that name; empty if there are none. The folder is
/// that of the identities, see identity.hpp.
Passwords load_passwords(const std::string& folder, const Address& server, const std::string& name);
/// Keeps them in a file that only its owner can read, or removes it if there are none. Why it
/// can't, in a few words; empty where all is well.
std::string save_passwords(const std::string& folder, const Address& server,
                           const std::string& name, const Passwords& passwords);

}  // namespace tictactoe::console
