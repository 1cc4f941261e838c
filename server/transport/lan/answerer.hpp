// Decides which discovery queries to answer, and how. No I/O.
#pragma once

#include <boost/asio/ip/udp.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "server/base/effects.hpp"
#include "server/base/token_bucket.hpp"
#include "server/limits/config.hpp"
#include "tictactoe/v1/discovery.pb.h"

namespace tictactoe::transport {

/// A datagram's source address can be forged. So that nobody can be flooded with answers, an answer
/// is never longer than its query, and the rate of answers is limited per address and in total. A
/// datagram that is not exactly a query is ignored.
class Answerer {
 public:
  /// Describes the server, with at most `rooms` rooms.
  using Describe = std::function<void(v1::ServerInfo& info, int rooms)>;

  /// `server_id` is that of the welcome, see server::Config. `instance` is random.
  Answerer(std::uint64_t server_id, Describe describe, server::DiscoveryLimits limits = {},
           std::uint64_t instance = 0);

  /// Returns the answer; empty if there is none. Clients at `source` can connect to `tcp_port`.
  std::string answer(std::string_view query, const boost::asio::ip::udp::endpoint& source,
                     std::uint16_t tcp_port, server::Time now);

  /// Remembered addresses. The total rate limits them to some thousands.
  std::size_t sources() const { return by_source_.size(); }

 private:
  bool pay(const boost::asio::ip::address& source, server::Time now);
  void forget_sources(server::Time now);

  std::uint64_t server_id_;
  std::uint64_t instance_;
  Describe describe_;
  server::DiscoveryLimits limits_;
  server::Rate rate_;
  server::Rate rate_of_source_;
  server::TokenBucket all_;
  std::unordered_map<std::string, server::TokenBucket> by_source_;  // by the address's bytes
};

}  // namespace tictactoe::transport
