// How others reach a server.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "client/net/address.hpp"

namespace tictactoe::client {

/// How long the server's answer at an address is awaited.
inline constexpr std::chrono::seconds probe_time{2};

/// The server's address as another machine types it: HOST, or HOST:PORT if the port is not the
/// default one. For a server on this machine it is this machine's address on its network, see
/// network::lan_addresses(), the first of several; empty if it has none. Sends nothing.
std::string address_for_others(const Address& server);

/// Calls `done` once from a handler if a server accepts connections at `endpoint` within
/// probe_time; never after the result is gone. The connection is closed at once.
std::shared_ptr<void> probe(boost::asio::io_context& context,
                            const boost::asio::ip::tcp::endpoint& endpoint,
                            std::function<void()> done);

/// Calls `done` once from a handler with address_for_others(), unless there is none. If that is
/// not the address by which this program reaches the server, only if a server listens there, which
/// may listen to this machine alone. Never after the result is gone.
std::shared_ptr<void> find_address_for_others(boost::asio::io_context& context,
                                              const Address& server,
                                              std::function<void(const std::string&)> done);

}  // namespace tictactoe::client
