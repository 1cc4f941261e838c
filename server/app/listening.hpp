// Where the server listens, and how others come in.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <string>
#include <vector>

#include "server/app/options.hpp"
#include "server/app/tls.hpp"
#include "server/transport/server.hpp"

namespace tictactoe::app {

using Endpoints = std::vector<boost::asio::ip::tcp::endpoint>;

/// "192.0.2.1:7654, [::1]:7654".
std::string to_text(const Endpoints& endpoints);

/// Accepts connections on the sockets that a service manager has passed, or else on those of the
/// options. Returns the endpoints; none, after a message, if that is not possible.
Endpoints listen(transport::Server& server, const ServerOptions& options);

/// Lets the page show others the way to `guests`, see transport::guest_endpoints(), and prints it
/// for guests with a phone.
void invite_guests(transport::Server& server, const ServerOptions& options,
                   const Endpoints& guests);

/// Prints the command for others, with the key, so that they need not trust whatever answers. If
/// nobody else reaches the server, the command is for this machine, and says so.
void print_join_lines(const Tls& tls, const Endpoints& listening, const Endpoints& guests);

}  // namespace tictactoe::app
