#include "server/net/guest_address.hpp"

#include <ifaddrs.h>
#include <net/if.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <cstring>

#include "server/net/http_rules.hpp"

namespace tictactoe::net {

namespace {

namespace ip = boost::asio::ip;

// The address from which packets to other networks leave. Connecting a UDP socket sends nothing.
std::optional<ip::address> address_of_default_route() {
  constexpr std::string_view anywhere = "192.0.2.1";  // RFC 5737
  boost::asio::io_context io;
  ip::udp::socket socket(io);
  boost::system::error_code error;
  socket.connect({ip::make_address_v4(anywhere), ip::port_type{9}}, error);
  if (error) return std::nullopt;
  const auto own = socket.local_endpoint(error);
  if (error || own.address().is_loopback() || own.address().is_unspecified()) return std::nullopt;
  return own.address();
}

std::optional<ip::address> first_address() {
  std::optional<ip::address> found;
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return found;
  for (const ifaddrs* entry = first; entry != nullptr && !found; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != AF_INET) continue;
    if ((entry->ifa_flags & IFF_UP) == 0 || (entry->ifa_flags & IFF_LOOPBACK) != 0) continue;
    sockaddr_in address{};
    std::memcpy(&address, entry->ifa_addr, sizeof(address));
    found = ip::address_v4(ntohl(address.sin_addr.s_addr));
  }
  freeifaddrs(first);
  return found;
}

std::string host_text(const ip::address& address) {
  return address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
}

std::string_view scheme(bool is_encrypted) {
  return is_encrypted ? "https://" : "http://";
}

bool is_this_machine(std::string_view name) {
  return name == "localhost" || name.starts_with("127.") || name == "[::1]";
}

// What encodeURIComponent() leaves.
bool is_encoded(std::string_view name) {
  for (const char c : name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool is_digit = c >= '0' && c <= '9';
    constexpr std::string_view others = "-_.!~*'()%";
    if (!is_letter && !is_digit && others.find(c) == std::string_view::npos) return false;
  }
  return !name.empty();
}

}  // namespace

std::optional<ip::tcp::endpoint> guest_endpoint(const std::vector<ip::tcp::endpoint>& listening) {
  for (const ip::tcp::endpoint& endpoint : listening) {
    const ip::address address = endpoint.address();
    if (address.is_loopback()) continue;
    if (!address.is_unspecified()) return endpoint;
    auto own = address_of_default_route();
    if (!own) own = first_address();
    if (own) return ip::tcp::endpoint(*own, endpoint.port());
  }
  return std::nullopt;
}

std::string guest_address(const ip::tcp::endpoint& endpoint, std::string_view name,
                          bool is_encrypted) {
  std::string address(scheme(is_encrypted));
  address += name.empty() ? host_text(endpoint.address()) : name;
  return address.append(":").append(std::to_string(endpoint.port()));
}

std::optional<std::string> join_address(std::string_view query, std::string_view host,
                                        std::string_view guests, bool is_encrypted) {
  if (query.size() > longest_query) return std::nullopt;
  std::string_view room;
  while (!query.empty()) {
    const std::string_view part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), part.size() + 1));
    constexpr std::string_view room_is = "room=";
    if (part == "https") {
      is_encrypted = true;
    } else if (part.starts_with(room_is) && is_encoded(part.substr(room_is.size()))) {
      room = part.substr(room_is.size());
    } else {
      return std::nullopt;
    }
  }
  const auto parts = split_host(host);
  if (!parts) return std::nullopt;
  std::string address;
  if (is_this_machine(parts->name) && !guests.empty()) {
    address = guests;
  } else {
    address.append(scheme(is_encrypted)).append(host);
  }
  address += '/';
  if (!room.empty()) address.append("#/join/").append(room);
  return address;
}

}  // namespace tictactoe::net
