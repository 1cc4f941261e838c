// The datagrams with which a host asks its router for an open port: PCP (RFC 6887) and NAT-PMP
// (RFC 6886). No I/O.
#pragma once

#include <array>
#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tictactoe::transport {

/// The UDP port of routers for both protocols.
inline constexpr std::uint16_t port_control_port = 5351;
/// No valid datagram is longer (RFC 6887, 7).
inline constexpr std::size_t max_port_control_bytes = 1100;

/// Which of the two protocols a router speaks.
enum class PortProtocol : bool { pcp, nat_pmp };

/// Ties an answer to its request. 96 random bits, the same for all requests about one mapping.
using MappingNonce = std::array<std::uint8_t, 12>;

/// A request to forward a TCP port, or with a lifetime of 0 to stop that.
struct MapRequest {
  boost::asio::ip::address client;  ///< this host's own address, from which the request is sent
  MappingNonce nonce{};
  std::uint16_t internal_port = 0;
  std::uint16_t external_port = 0;    ///< a suggestion; 0: any
  boost::asio::ip::address external;  ///< a suggestion; unspecified: any
  std::chrono::seconds lifetime{};
};

/// 60 bytes.
std::string encode_pcp_map(const MapRequest& request);
/// Asks for the router's epoch. 24 bytes.
std::string encode_pcp_announce(const boost::asio::ip::address& client);
/// 12 bytes. NAT-PMP has no nonce and no addresses.
std::string encode_nat_pmp_map(const MapRequest& request);
/// Asks for the router's external address and its epoch. 2 bytes.
std::string encode_nat_pmp_address();

/// Result codes that have a meaning here. Those of NAT-PMP with another number are in brackets.
enum class PortResult : std::uint16_t {
  success = 0,
  unsupported_version = 1,
  not_authorized = 2,
  network_failure = 7,  // [3]
  no_resources = 8,     // [4]
  user_exceeded_quota = 10,
  cannot_provide_external = 11,
  address_mismatch = 12,
  other = 0xffff,
};

struct PortAnswer {
  enum class Kind : std::uint8_t { map, address, announce, other_version };
  Kind kind = Kind::other_version;
  PortProtocol protocol = PortProtocol::pcp;
  PortResult result = PortResult::other;
  std::uint32_t epoch = 0;  ///< seconds since the router lost its mappings
  /// Of a mapping, or how long a refusal holds.
  std::chrono::seconds lifetime{};
  MappingNonce nonce{};
  std::uint16_t internal_port = 0;
  std::uint16_t external_port = 0;
  /// Of kind map in PCP and of kind address; IPv4-mapped addresses are IPv4 here.
  boost::asio::ip::address external;
};

/// Nothing unless this is a complete answer of one of the protocols, about TCP.
std::optional<PortAnswer> parse_port_answer(std::string_view datagram);

}  // namespace tictactoe::transport
