// How others reach a server.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/net/address.hpp"
#include "client/net/invitation.hpp"
#include "client/net/protection.hpp"

namespace tictactoe::client {

/// How long to wait for a server's answer at an address.
inline constexpr std::chrono::seconds probe_time{2};

/// The server's addresses as another machine types them: HOST, or HOST:PORT if the port is not the
/// default one. For a server on this machine they are this machine's addresses on its networks, see
/// network::lan_addresses(). Sends nothing.
std::vector<std::string> addresses_for_others(const Address& server);

/// Calls `done` once, from a handler, with whether a server accepts a connection at `endpoint`
/// within probe_time; then closes the connection. Releasing the result cancels the probe.
std::shared_ptr<void> probe(boost::asio::io_context& context,
                            const boost::asio::ip::tcp::endpoint& endpoint,
                            std::function<void(bool)> done);

/// Calls `done` once, from a handler, with addresses_for_others(). Leaves out addresses of this
/// machine where no server listens, since the server may accept only local connections. Releasing
/// the result cancels the search.
std::shared_ptr<void> find_addresses_for_others(
    boost::asio::io_context& context, const Address& server,
    std::function<void(const std::vector<std::string>&)> done);

/// Finds out how others join `server`, whose key is `key`: at find_addresses_for_others(), and by
/// the links that it gives to players in other networks. Calls `done` once, from a handler.
/// Releasing the result cancels the search.
std::shared_ptr<void> find_invitation(boost::asio::io_context& context, const Address& server,
                                      const Protection& protection,
                                      const std::optional<tls::Fingerprint>& key,
                                      std::function<void(const Invitation&)> done);

}  // namespace tictactoe::client
