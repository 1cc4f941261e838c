// The origins of connections, by IP address.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <cstdint>

#include "server/base/origin.hpp"

namespace tictactoe::transport {

/// Undoes the mapping of IPv4 into IPv6: a socket that listens on "::" reports IPv4 peers like
/// this.
inline boost::asio::ip::address without_mapping(const boost::asio::ip::address& address) {
  namespace ip = boost::asio::ip;
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
  return ip::make_address_v4(ip::v4_mapped, address.to_v6());
}

/// Whether the peer is this machine.
inline bool stays_on_this_machine(const boost::asio::ip::address& peer) {
  return without_mapping(peer).is_loopback();
}

/// The origin of an address. A mapped IPv4 address counts as IPv4.
inline server::Origin origin_of(const boost::asio::ip::address& address) {
  const boost::asio::ip::address plain = without_mapping(address);
  if (plain.is_v4()) {
    constexpr std::uint64_t host_bits = 0xff;
    const std::uint64_t number = plain.to_v4().to_uint();
    return {number, number & ~host_bits};
  }
  constexpr std::uint64_t subnet_bits = 0xffff;
  const auto bytes = plain.to_v6().to_bytes();
  std::uint64_t prefix = 0;
  for (std::size_t i = 0; i < 8; ++i) prefix = prefix << 8 | bytes[i];
  return {prefix, prefix & ~subnet_bits};
}

}  // namespace tictactoe::transport
