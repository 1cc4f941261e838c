// The UDP sockets that answer discovery queries.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "server/transport/lan/answerer.hpp"

namespace tictactoe::transport {

/// Receives queries by broadcast, multicast and unicast, and answers those that arrive over an
/// interface where the server listens for players. Several servers of one machine share the port,
/// and each receives the broadcasts. Answers have a hop limit of 1, so they do not leave the local
/// links. A socket that can't be opened is logged as a warning, and the server runs without it. One
/// thread, that of the io_context. Must live until that has stopped running or stop() was called.
class Discovery {
 public:
  /// `listening` are the endpoints where players are accepted.
  Discovery(boost::asio::io_context& io, Answerer answerer, std::uint16_t port,
            std::vector<boost::asio::ip::tcp::endpoint> listening,
            server::DiscoveryLimits limits = {});

  /// Stops answering.
  void stop();

 private:
  using Udp = boost::asio::ip::udp;

  /// An address of this machine.
  struct Local {
    unsigned interface;
    boost::asio::ip::address address;
  };
  /// Where clients that asked over an interface can play. Answers are sent from `own`; if
  /// unspecified, from any address.
  struct Place {
    boost::asio::ip::address own;
    std::uint16_t port;
  };

  void open(Udp::socket& socket, const Udp& protocol);
  /// Repeated every few seconds, because networks come and go.
  void look_at_interfaces();
  void join(const Local& local);
  bool listens_at(const boost::asio::ip::address& local) const;
  std::optional<Place> place(unsigned interface, bool v4) const;
  void wait(Udp::socket& socket);
  bool answer_one(Udp::socket& socket);

  Answerer answerer_;
  std::uint16_t port_;
  std::vector<boost::asio::ip::tcp::endpoint> listening_;
  server::DiscoveryLimits limits_;
  Udp::socket v4_;
  Udp::socket v6_;
  boost::asio::steady_timer timer_;
  std::vector<Local> locals_;
  bool stopped_ = false;
};

}  // namespace tictactoe::transport
