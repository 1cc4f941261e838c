#include "server/transport/lan/answerer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "common/wire/discovery.hpp"

namespace tictactoe::transport {
namespace {

using boost::asio::ip::address;

// Clients use ports assigned by the system. A service on a lower port might answer an answer.
constexpr std::uint16_t first_client_port = 1024;

bool may_be_answered(const boost::asio::ip::udp::endpoint& source) {
  const address& from = source.address();
  return source.port() >= first_client_port && !from.is_unspecified() && !from.is_multicast() &&
         !(from.is_v4() && from.to_v4() == boost::asio::ip::address_v4::broadcast());
}

bool is_query(const v1::DiscoveryQuery& query) {
  return query.magic() == wire::discovery_query_magic && query.version() == wire::discovery_version;
}

// Without the scope of an IPv6 address: as text, that would cost a look-up of the interface.
std::string key_of(const address& source) {
  if (source.is_v4()) {
    const auto bytes = source.to_v4().to_bytes();
    return {bytes.begin(), bytes.end()};
  }
  const auto bytes = source.to_v6().to_bytes();
  return {bytes.begin(), bytes.end()};
}

}  // namespace

Answerer::Answerer(std::uint64_t server_id, Describe describe, server::DiscoveryLimits limits,
                   std::uint64_t instance)
    : server_id_(server_id),
      instance_(instance),
      describe_(std::move(describe)),
      limits_(limits),
      rate_{double(limits.per_second), double(limits.burst)},
      rate_of_source_{double(limits.per_source_per_second), double(limits.per_source_burst)},
      all_(rate_, {}) {}

std::string Answerer::answer(std::string_view query, const boost::asio::ip::udp::endpoint& source,
                             std::uint16_t tcp_port, server::Time now) {
  v1::DiscoveryQuery asked;
  if (query.size() > wire::max_discovery_bytes || !may_be_answered(source) ||
      !asked.ParseFromArray(query.data(), static_cast<int>(query.size())) || !is_query(asked) ||
      !pay(source.address(), now)) {
    return {};
  }
  v1::DiscoveryAnswer answer;
  answer.set_magic(wire::discovery_answer_magic);
  answer.set_version(wire::discovery_version);
  answer.set_nonce(asked.nonce());
  answer.set_server_id(server_id_);
  answer.set_instance(instance_);
  v1::ServerInfo& info = *answer.mutable_server();
  describe_(info, limits_.rooms);
  info.set_port(tcp_port);
  while (answer.ByteSizeLong() > query.size() && info.listed_size() > 0) {
    info.mutable_listed()->RemoveLast();
  }
  return answer.ByteSizeLong() > query.size() ? std::string() : answer.SerializeAsString();
}

bool Answerer::pay(const address& source, server::Time now) {
  // More sources than can have sent queries in the time in which a bucket refills.
  const std::size_t max_sources = std::size_t{4} * limits_.burst;
  if (by_source_.size() >= max_sources) forget_sources(now);
  if (!all_.has(rate_, 1, now)) return false;
  server::TokenBucket& bucket =
      by_source_.try_emplace(key_of(source), rate_of_source_, now).first->second;
  return bucket.take(rate_of_source_, 1, now) && all_.take(rate_, 1, now);
}

// A source with a full bucket is like a new one.
void Answerer::forget_sources(server::Time now) {
  std::erase_if(by_source_,
                [&](const auto& source) { return source.second.is_full(rate_of_source_, now); });
}

}  // namespace tictactoe::transport
