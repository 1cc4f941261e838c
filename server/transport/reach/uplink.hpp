// The routers through which this host reaches the internet.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace tictactoe::transport {

/// The default route over IPv4 in the text of /proc/net/route: the gateway with the lowest metric.
std::optional<boost::asio::ip::address_v4> default_gateway_v4(std::string_view routes);

/// A router on a link of this host. Its address is often link-local, so the interface belongs to
/// it.
struct GatewayV6 {
  boost::asio::ip::address_v6 address;
  std::string interface;
};
/// The same for IPv6 in the text of /proc/net/ipv6_route.
std::optional<GatewayV6> default_gateway_v6(std::string_view routes);

/// The address of an interface, in the text of /proc/net/if_inet6, by which others on the internet
/// reach this host: global, and neither temporary nor deprecated, so that it lasts.
std::optional<boost::asio::ip::address_v6> lasting_address(std::string_view addresses,
                                                           std::string_view interface);

/// A router, and the address by which it knows this host.
struct Uplink {
  boost::asio::ip::address gateway;
  boost::asio::ip::address client;
  friend bool operator==(const Uplink&, const Uplink&) = default;
};
/// Nothing without a default route. Without a lasting address there is no IPv6 uplink. Reads /proc;
/// sends nothing.
std::optional<Uplink> uplink_v4();
std::optional<Uplink> uplink_v6();

/// Whether others on the internet can reach this address directly: it is not private, not shared by
/// a provider's customers (RFC 6598), and not of a single link.
bool is_public(const boost::asio::ip::address& address);
/// Whether a provider shares this address among customers (100.64.0.0/10).
bool is_shared_by_provider(const boost::asio::ip::address& address);

}  // namespace tictactoe::transport
