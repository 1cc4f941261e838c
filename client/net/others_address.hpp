// How others reach a server.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "client/net/address.hpp"

namespace tictactoe::client {

/// How long the server's answer at an address is awaited.
inline constexpr std::chrono::seconds probe_time{2};

/// The server's addresses as another machine types them: HOST, or HOST:PORT if the port is not the
/// default one. For a server on this machine they are this machine's addresses on its networks, see
/// network::lan_addresses(). Sends nothing.
std::vector<std::string> addresses_for_others(const Address& server);

/// Calls `done` once from a handler: whether a server accepts connections at `endpoint` within
/// probe_time. Never after the result is gone. The connection is closed at once.
std::shared_ptr<void> probe(boost::asio::io_context& context,
                            const boost::asio::ip::tcp::endpoint& endpoint,
                            std::function<void(bool)> done);

/// Calls `done` once from a handler with addresses_for_others(), unless there are none. Of this
/// machine's addresses, leaves out those where no server listens: it may listen to this machine
/// alone. Never after the result is gone.
std::shared_ptr<void> find_addresses_for_others(
    boost::asio::io_context& context, const Address& server,
    std::function<void(const std::vector<std::string>&)> done);

}  // namespace tictactoe::client
