// Where the server listens, and how others reach it.
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

/// Raises the limit on file descriptors, usually 1,024, because every connection needs one. Warns
/// if the system allows too few.
void raise_descriptor_limit(const ServerOptions& options);

/// Accepts connections on the sockets passed by a service manager or, without any, on those of the
/// options. Returns the endpoints; none, after a message, on failure.
Endpoints listen(transport::Server& server, const ServerOptions& options);

/// Has the page show `guests` (see transport::guest_endpoints()), and prints its address for
/// phones.
void invite_guests(transport::Server& server, const ServerOptions& options,
                   const Endpoints& guests);

/// Prints the command with which others join, including the key, so that they need not trust
/// whatever answers. If nobody else can reach the server, the command is for this machine.
void print_join_lines(const Tls& tls, const Endpoints& listening, const Endpoints& guests);

}  // namespace tictactoe::app
