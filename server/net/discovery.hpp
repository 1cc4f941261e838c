// The sockets that those who look for a server ask.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "server/net/answerer.hpp"

namespace tictactoe::net {

/// Hears queries by broadcast, multicast or sent to this machine, and answers those that come over
/// an interface where the server listens for players. Several servers of one machine share the
/// port: each of them hears what is sent to all. Answers leave with a hop limit of 1: they reach
/// the links that this machine is attached to, and nobody beyond.
/// What can't be opened is logged as a warning; the server does without. One thread: that which
/// runs the io_context; must live until that has stopped running, or stop() was called.
class Discovery {
 public:
  /// `listening` are the endpoints where players are accepted.
  Discovery(boost::asio::io_context& io, Answerer answerer, std::uint16_t port,
            std::vector<boost::asio::ip::tcp::endpoint> listening,
            core::DiscoveryLimits limits = {});

  /// Answers nobody any more.
  void stop();

 private:
  using Udp = boost::asio::ip::udp;

  /// An address of this machine.
  struct Local {
    unsigned interface;
    boost::asio::ip::address address;
  };
  /// Where those who asked over an interface can play; `own` is what they are answered from,
  /// unspecified where any address will do.
  struct Place {
    boost::asio::ip::address own;
    std::uint16_t port;
  };

  void open(Udp::socket& socket, const Udp& protocol);
  /// Networks come and go: looks at them again every few seconds.
  void look_at_interfaces();
  void join(const Local& local);
  bool listens_at(const boost::asio::ip::address& local) const;
  std::optional<Place> place(unsigned interface, bool v4) const;
  void wait(Udp::socket& socket);
  bool answer_one(Udp::socket& socket);

  Answerer answerer_;
  std::uint16_t port_;
  std::vector<boost::asio::ip::tcp::endpoint> listening_;
  core::DiscoveryLimits limits_;
  Udp::socket v4_;
  Udp::socket v6_;
  boost::asio::steady_timer timer_;
  std::vector<Local> locals_;
  bool stopped_ = false;
};

}  // namespace tictactoe::net
