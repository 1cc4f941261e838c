// Which datagrams of those who look for a server are answered, and how. Without any I/O.
#pragma once

#include <boost/asio/ip/udp.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "server/core/config.hpp"
#include "server/core/effects.hpp"
#include "server/core/token_bucket.hpp"
#include "tictactoe/v1/discovery.pb.h"

namespace tictactoe::net {

/// Anybody on the link can send a datagram, in anybody's name. So that nobody can be flooded with
/// answers, none is longer than its query, and their number is limited, by address and in all.
/// Whatever is not a query, byte for byte, is ignored, and costs no more than being parsed.
class Answerer {
 public:
  /// Writes what there is to tell, with so many rooms at the most.
  using Describe = std::function<void(v1::ServerInfo& info, int rooms)>;

  /// `server_id` is the same as in the welcome, see core::Config.
  Answerer(std::uint64_t server_id, Describe describe, core::DiscoveryLimits limits = {});

  /// The answer's bytes; empty where there is none. `tcp_port` is where the server listens for
  /// those who come from there.
  std::string answer(std::string_view query, const boost::asio::ip::udp::endpoint& source,
                     std::uint16_t tcp_port, core::Time now);

  /// Addresses that are remembered: a few hundred at the most, as all together are limited.
  std::size_t sources() const { return by_source_.size(); }

 private:
  bool pay(const boost::asio::ip::address& source, core::Time now);
  void forget_sources(core::Time now);

  std::uint64_t server_id_;
  Describe describe_;
  core::DiscoveryLimits limits_;
  core::TokenBucket all_;
  std::unordered_map<std::string, core::TokenBucket> by_source_;  // by the address's bytes
};

}  // namespace tictactoe::net
