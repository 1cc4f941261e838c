// Whether others on the internet reach this server, and what helps if they don't. No I/O.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "server/transport/reach/step.hpp"

namespace tictactoe::transport {

/// What is known of the ways from outside.
struct Reachability {
  /// A port that a router forwards. Its address may be private: see is_public().
  struct Opening {
    std::string by;  ///< "PCP", "NAT-PMP" or "UPnP"
    boost::asio::ip::tcp::endpoint outside;
    std::chrono::steady_clock::time_point until;  ///< unless it is renewed
    friend bool operator==(const Opening& a, const Opening& b) {
      return a.by == b.by && a.outside == b.outside;
    }
  };
  /// Every router was asked, and has answered or was given up.
  bool is_settled = false;
  std::uint16_t port = 0;                            ///< where the server listens
  std::optional<boost::asio::ip::address> gateway;   ///< over IPv4
  std::optional<boost::asio::ip::address> client;    ///< this machine's address there
  std::optional<boost::asio::ip::address> own_ipv6;  ///< by which others could reach it
  std::vector<Opening> openings;                     ///< IPv4 first
  std::vector<Step> steps;
};

/// Where others on the internet reach the server: the openings with a public address.
std::vector<boost::asio::ip::tcp::endpoint> reachable_at(const Reachability& reach);

/// Why guests without IPv6 can't reach the server, in a sentence; empty if they can.
std::string what_is_wrong(const Reachability& reach);

/// What helps against what_is_wrong(): a line each, the best one first.
std::vector<std::string> what_helps(const Reachability& reach);

}  // namespace tictactoe::transport
