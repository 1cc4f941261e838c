// Ranges of IP addresses, as people write them.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <string>
#include <vector>

namespace tictactoe::transport {

/// Ranges of addresses. Those of IPv6, also ::/0, contain no IPv4 address.
class Networks {
 public:
  /// `text` is an address, or a range in CIDR notation such as 10.0.0.0/8 or fd00::/8. A range of
  /// mapped IPv4 addresses (::ffff:0:0/96) means these. Returns false, and adds nothing, if `text`
  /// is neither.
  bool add(const std::string& text);
  bool contains(const boost::asio::ip::address& address) const;
  bool empty() const { return v4_.empty() && v6_.empty(); }

 private:
  std::vector<boost::asio::ip::network_v4> v4_;
  std::vector<boost::asio::ip::network_v6> v6_;
};

}  // namespace tictactoe::transport
