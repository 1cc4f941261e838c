#include "client/net/servers_found.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "client/model/sanitized.hpp"
#include "client/session/session.hpp"
#include "common/wire/discovery.hpp"

namespace tictactoe::client {
namespace {

using boost::asio::ip::address;

// The lower, the likelier it is that the same server is there again tomorrow.
int rank(const address& address) {
  if (address.is_loopback()) return 0;
  if (address.is_v4()) return 1;
  return address.to_v6().is_link_local() ? 3 : 2;
}

Address address_of(const address& source, std::uint16_t port) {
  // By its usual name, so that the key stored for "localhost" is found.
  Address found{source.is_loopback() ? "localhost" : source.to_string(), port, {}};
  const bool brackets = found.host.find(':') != std::string::npos;
  found.text = (brackets ? "[" + found.host + "]" : found.host) + ":" + std::to_string(port);
  return found;
}

// Makes it fit to be kept and shown.
void clean(v1::ServerInfo& info) {
  info.DiscardUnknownFields();
  if (info.listed_size() > max_listed) {
    info.mutable_listed()->DeleteSubrange(max_listed, info.listed_size() - max_listed);
  }
  if (info.protocol_versions_size() > max_listed) {
    info.mutable_protocol_versions()->Truncate(max_listed);
  }
  info.set_name(sanitized(info.name()));
  info.set_software(sanitized(info.software()));
  for (v1::OpenRoom& room : *info.mutable_listed()) room.set_name(sanitized(room.name()));
}

bool is_answer(const v1::DiscoveryAnswer& answer) {
  return answer.magic() == wire::discovery_answer_magic &&
         answer.version() == wire::discovery_version && answer.server().port() > 0 &&
         answer.server().port() <= 0xffff;
}

}  // namespace

std::string ServersFound::ask(std::uint64_t nonce) {
  nonces_.push_back(nonce);
  if (nonces_.size() > open_queries) nonces_.pop_front();
  v1::DiscoveryQuery query;
  query.set_magic(wire::discovery_query_magic);
  query.set_version(wire::discovery_version);
  query.set_nonce(nonce);
  // Tag and length of the padding take three bytes.
  query.set_padding(std::string(wire::max_discovery_bytes - query.ByteSizeLong() - 3, '\0'));
  return query.SerializeAsString();
}

ServersFound::Entry* ServersFound::entry_for(const v1::DiscoveryAnswer& answer,
                                             const address& source) {
  const std::uint64_t id = answer.server_id();
  const std::uint64_t instance = answer.instance();
  const auto is_it = [&](const Entry& entry) {
    const bool is_at_its_place =
        entry.source == source && entry.server.address.port == answer.server().port();
    return entry.id == id && (entry.instance == instance || is_at_its_place);
  };
  const auto known = std::ranges::find_if(entries_, is_it);
  if (known != entries_.end()) {
    known->instance = instance;
    return &*known;
  }
  const auto of_this_address = std::ranges::count(entries_, source, &Entry::source);
  if (entries_.size() >= max_servers ||
      static_cast<std::size_t>(of_this_address) >= max_servers_per_address) {
    return nullptr;
  }
  entries_.push_back({id, instance, source, {}, {}, {}, {}});
  return &entries_.back();
}

bool ServersFound::received(std::string_view bytes, const boost::asio::ip::udp::endpoint& source,
                            Time now) {
  v1::DiscoveryAnswer answer;
  if (bytes.size() > wire::max_discovery_bytes ||
      !answer.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) || !is_answer(answer) ||
      std::ranges::find(nonces_, answer.nonce()) == nonces_.end()) {
    return false;
  }
  Entry* const entry = entry_for(answer, source.address());
  if (entry == nullptr) return false;
  entry->heard = now;
  const bool better =
      rank(source.address()) < rank(entry->source) || now - entry->source_heard > forget_after;
  if (source.address() == entry->source) {
    entry->source_heard = now;
    if (now - entry->taken < news_interval) return false;
  } else if (!better) {
    return false;
  }
  entry->source = source.address();
  entry->source_heard = now;
  entry->taken = now;

  v1::ServerInfo& info = *answer.mutable_server();
  clean(info);
  FoundServer server;
  server.address = address_of(source.address(), static_cast<std::uint16_t>(info.port()));
  server.compatible = std::ranges::find(info.protocol_versions(), protocol_version) !=
                      info.protocol_versions().end();
  server.info = std::move(info);
  const bool changed = server.address.text != entry->server.address.text ||
                       server.info.SerializeAsString() != entry->server.info.SerializeAsString();
  entry->server = std::move(server);
  return changed;
}

bool ServersFound::forget(Time now) {
  return std::erase_if(entries_,
                       [&](const Entry& entry) { return now - entry.heard > forget_after; }) > 0;
}

std::vector<FoundServer> ServersFound::servers() const {
  std::vector<FoundServer> servers;
  servers.reserve(entries_.size());
  for (const Entry& entry : entries_) servers.push_back(entry.server);
  std::ranges::sort(servers, {}, [](const FoundServer& server) {
    return std::tie(server.info.name(), server.address.text);
  });
  return servers;
}

}  // namespace tictactoe::client
