// The servers on this network, from the datagrams that they answer with. Without I/O.
#pragma once

#include <boost/asio/ip/udp.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "client/model/time.hpp"
#include "client/net/address.hpp"
#include "tictactoe/v1/discovery.pb.h"

namespace tictactoe::client {

/// Maximum number of servers, in total and per address, so that one machine can't crowd out others
/// without forging addresses.
inline constexpr std::size_t max_servers = 64;
inline constexpr std::size_t max_servers_per_address = 8;
/// A server that has not answered for this long is dropped: it has missed two queries.
inline constexpr milliseconds forget_after{2500};
/// At most one update per server in this time, so that a server can't keep the client busy.
inline constexpr milliseconds news_interval{100};
/// Maximum number of open rooms, and of versions, kept per server.
inline constexpr int max_listed = 32;
/// The number of latest queries that can still be answered.
inline constexpr std::size_t open_queries = 4;

/// A server that was found. What it says can't be trusted, but it can be shown: its texts are
/// sanitized, and its lists are short.
struct FoundServer {
  Address address;  ///< to connect to; its text is fit for --server
  v1::ServerInfo info;
  bool compatible = false;  ///< speaks the protocol that this client speaks
};

/// The servers found so far. A server that answers over several addresses counts once: it is
/// identified by its id and its instance, since servers restored from one backup share the id. It
/// is listed with the address that is likeliest to last (loopback, IPv4, IPv6, link-local IPv6). A
/// call costs O(servers).
class ServersFound {
 public:
  /// The bytes of the next query; `nonce` is drawn at random by the caller.
  std::string ask(std::uint64_t nonce);
  /// Takes a datagram. Returns whether the list changed. Ignores answers to other queries.
  bool received(std::string_view bytes, const boost::asio::ip::udp::endpoint& source, Time now);
  /// Drops servers that were silent for forget_after. Returns whether there were any.
  bool forget(Time now);

  /// Sorted by name, then by address.
  std::vector<FoundServer> servers() const;

 private:
  struct Entry {
    std::uint64_t id = 0;
    std::uint64_t instance = 0;  // changes when the server starts again
    boost::asio::ip::address source;
    Time heard;         // at any address
    Time source_heard;  // at this one
    Time taken;         // when `server` was last replaced
    FoundServer server;
  };

  Entry* entry_for(const v1::DiscoveryAnswer& answer, const boost::asio::ip::address& source);

  std::deque<std::uint64_t> nonces_;  // of open queries, the latest last
  std::vector<Entry> entries_;
};

}  // namespace tictactoe::client
