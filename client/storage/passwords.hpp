// Stores the passwords of a server and of an account there, on request.
#pragma once

#include <string>

#include "client/session/credentials.hpp"

namespace tictactoe::client {

/// The passwords in the file `name`; empty if there are none. The folder is that of the identities,
/// and `name` is made by identity_name(), see identity.hpp.
Passwords load_passwords(const std::string& folder, const std::string& name);
/// Stores them in a file that only its owner can read, or removes the file if there are none.
/// Returns the fault in a few words; empty on success.
std::string save_passwords(const std::string& folder, const std::string& name,
                           const Passwords& passwords);

}  // namespace tictactoe::client
