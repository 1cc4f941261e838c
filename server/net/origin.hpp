// Groups connections by the network that they come from.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstdint>

namespace tictactoe::net {

/// The same for all connections from one IPv4 address or one IPv6 /64 network, which is the least
/// that a provider gives to a customer.
inline std::uint64_t origin_of(const boost::asio::ip::address& address) {
  if (address.is_v4()) return address.to_v4().to_uint();
  const auto bytes = address.to_v6().to_bytes();
  if (address.to_v6().is_v4_mapped()) {
    return boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, address.to_v6()).to_uint();
  }
  std::uint64_t network = 0;
  for (std::size_t i = 0; i < 8; ++i) network = network << 8 | bytes[i];
  return network;
}

}  // namespace tictactoe::net
