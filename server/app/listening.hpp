// Where the server listens, and how others reach it.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/app/options.hpp"
#include "server/app/tls.hpp"
#include "server/transport/server.hpp"

namespace tictactoe::app {

using Endpoints = std::vector<boost::asio::ip::tcp::endpoint>;

/// "192.0.2.1:7654", "[::1]:7654", and of several "192.0.2.1:7654, [::1]:7654".
std::string to_text(const boost::asio::ip::tcp::endpoint& endpoint);
std::string to_text(const Endpoints& endpoints);

/// Raises the limit on file descriptors, usually 1,024, because every connection needs one. Warns
/// if the system allows too few.
void raise_descriptor_limit(const ServerOptions& options);

/// Accepts connections on the sockets passed by a service manager or, without any, on those of the
/// options. Adds the endpoints to `listening`. Returns the exit status, after a message, on
/// failure.
std::optional<int> listen(transport::Server& server, const ServerOptions& options,
                          Endpoints& listening);

/// Tells people and the page how others join: by links with the server's key, so that they need not
/// trust whatever answers, and by commands. All references must outlive it.
class Guests {
 public:
  Guests(transport::Server& server, const Tls& tls, const ServerOptions& options,
         const Endpoints& listening);

  /// Prints the links for browsers on the networks of this machine, with their QR codes, and the
  /// commands. If nobody else can reach the server, the command is for this machine.
  void print() const;
  /// Prints the links at which guests elsewhere join, unless they were printed before. Each place
  /// is HOST:PORT.
  void come_from_outside(const std::vector<std::string>& places);
  /// Those of come_from_outside(), with the present key.
  std::vector<std::string> outside_links() const;

 private:
  std::string link(const std::string& address) const;
  std::string outside_link(const std::string& address) const;
  bool shows_codes() const;

  transport::Server& server_;
  const Tls& tls_;
  const ServerOptions& options_;
  Endpoints guests_;
  std::uint16_t port_;
  std::vector<std::string> addresses_;  // as from transport::guest_address()
  std::vector<std::string> outside_;    // likewise
};

}  // namespace tictactoe::app
