// Ranges of IP addresses, as people write them.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <string>
#include <vector>

namespace tictactoe::net {

/// An IPv4 address inside an IPv6 one is that IPv4 address.
inline boost::asio::ip::address without_mapping(const boost::asio::ip::address& address) {
  namespace ip = boost::asio::ip;
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
  return ip::make_address_v4(ip::v4_mapped, address.to_v6());
}

class Networks {
 public:
  /// `text` is an address, or a range in CIDR notation such as 10.0.0.0/8 or fd00::/8. False, and
  /// nothing is added, if it is neither.
  bool add(const std::string& text);
  bool contains(const boost::asio::ip::address& address) const;
  bool empty() const { return v4_.empty() && v6_.empty(); }

 private:
  std::vector<boost::asio::ip::network_v4> v4_;
  std::vector<boost::asio::ip::network_v6> v6_;
};

}  // namespace tictactoe::net
