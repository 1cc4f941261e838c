// How others reach a server.
#pragma once

#include <string>

#include "client/net/address.hpp"

namespace tictactoe::client {

/// The server's address as another machine types it: HOST, or HOST:PORT if the port is not the
/// default one. For a server on this machine it is this machine's address on its network; empty if
/// it has none. Sends nothing.
std::string address_for_others(const Address& server);

}  // namespace tictactoe::client
