// Ranges of IP addresses in the usual notation.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <string>
#include <vector>

namespace tictactoe::transport {

/// A set of address ranges. An IPv6 range, even ::/0, contains no IPv4 address.
class Networks {
 public:
  /// `text` is an address, or a range in CIDR notation such as 10.0.0.0/8 or fd00::/8. A range of
  /// mapped IPv4 addresses (::ffff:0:0/96) stands for those IPv4 addresses. Returns false, and adds
  /// nothing, if `text` is neither.
  bool add(const std::string& text);
  bool contains(const boost::asio::ip::address& address) const;
  bool empty() const { return v4_.empty() && v6_.empty(); }

 private:
  std::vector<boost::asio::ip::network_v4> v4_;
  std::vector<boost::asio::ip::network_v6> v6_;
};

}  // namespace tictactoe::transport
