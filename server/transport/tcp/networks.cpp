#include "server/transport/tcp/networks.hpp"

#include <algorithm>

#include "server/transport/tcp/peer_origin.hpp"

namespace tictactoe::transport {

namespace ip = boost::asio::ip;

bool Networks::add(const std::string& text) {
  boost::system::error_code error;
  if (text.find('/') == std::string::npos) {
    const ip::address address = ip::make_address(text, error);
    return !error && add(text + (address.is_v4() ? "/32" : "/128"));
  }
  const ip::network_v4 v4 = ip::make_network_v4(text, error);
  if (!error) {
    v4_.push_back(v4.canonical());
    return true;
  }
  const ip::network_v6 v6 = ip::make_network_v6(text, error);
  if (error) return false;
  constexpr unsigned short mapped_bits = 96;
  if (!v6.address().is_v4_mapped()) {
    v6_.push_back(v6.canonical());
  } else if (v6.prefix_length() >= mapped_bits) {
    const auto prefix = static_cast<unsigned short>(v6.prefix_length() - mapped_bits);
    v4_.push_back(
        ip::network_v4(ip::make_address_v4(ip::v4_mapped, v6.address()), prefix).canonical());
  } else {
    return false;
  }
  return true;
}

bool Networks::contains(const ip::address& address) const {
  const ip::address plain = without_mapping(address);
  const auto holds = [](const auto& network, const auto& single) {
    return std::decay_t<decltype(network)>(single, network.prefix_length()).canonical() == network;
  };
  if (plain.is_v4()) {
    return std::ranges::any_of(v4_, [&](const auto& v4) { return holds(v4, plain.to_v4()); });
  }
  return std::ranges::any_of(v6_, [&](const auto& v6) { return holds(v6, plain.to_v6()); });
}

}  // namespace tictactoe::transport
