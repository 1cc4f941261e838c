#include "server/transport/web/guest_address.hpp"

#include <algorithm>

#include "server/transport/web/http_rules.hpp"

namespace tictactoe::transport {

namespace {

namespace ip = boost::asio::ip;

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

std::vector<ip::tcp::endpoint> guest_endpoints(const std::vector<ip::tcp::endpoint>& listening,
                                               const std::vector<std::string>& own) {
  for (const ip::tcp::endpoint& endpoint : listening) {
    const ip::address address = endpoint.address();
    if (address.is_loopback()) continue;
    if (!address.is_unspecified()) return {endpoint};
    std::vector<ip::tcp::endpoint> all;
    for (const std::string& one : own) {
      const ip::address there = ip::make_address(one);
      // [::] accepts IPv4 as well.
      if (there.is_v4() || address.is_v6()) all.emplace_back(there, endpoint.port());
    }
    if (!all.empty()) return all;
  }
  return {};
}

std::string guest_address(const ip::tcp::endpoint& endpoint, std::string_view name,
                          bool is_encrypted) {
  std::string address(scheme(is_encrypted));
  address += name.empty() ? host_text(endpoint.address()) : name;
  return address.append(":").append(std::to_string(endpoint.port()));
}

std::string guest_link(std::string_view address, std::string_view room, std::string_view key) {
  std::string link(address);
  link += '/';
  const bool has_key = !key.empty() && address.starts_with("https://");
  if (has_key || !room.empty()) link += "#/";
  if (!room.empty()) link.append("join/").append(room);
  if (has_key) link.append("?key=").append(key);
  return link;
}

std::string without_key(std::string_view link) {
  return std::string(link.substr(0, link.find("?key=")));
}

std::optional<std::vector<std::string>> join_links(std::string_view query, std::string_view host,
                                                   const Invitations& invitations,
                                                   bool is_encrypted) {
  if (query.size() > max_query_bytes) return std::nullopt;
  std::string_view room;
  bool is_outside = false;
  const bool has_own_key = is_encrypted;
  while (!query.empty()) {
    const std::string_view part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), part.size() + 1));
    constexpr std::string_view room_is = "room=";
    if (part == "https") {
      is_encrypted = true;
    } else if (part == "outside") {
      is_outside = true;
    } else if (part.starts_with(room_is) && is_encoded(part.substr(room_is.size()))) {
      room = part.substr(room_is.size());
    } else {
      return std::nullopt;
    }
  }
  const auto parts = split_host(host);
  if (!parts) return std::nullopt;
  std::vector<std::string> links;
  if (is_outside || is_this_machine(parts->name)) {
    const bool has_key = !is_outside || invitations.outside_has_key;
    for (const std::string& address : is_outside ? invitations.outside : invitations.here) {
      links.push_back(guest_link(address, room, has_key ? invitations.key : ""));
    }
  }
  if (links.empty() && !is_outside) {
    links.push_back(guest_link(std::string(scheme(is_encrypted)).append(host), room,
                               has_own_key ? invitations.key : ""));
  }
  return links;
}

}  // namespace tictactoe::transport
