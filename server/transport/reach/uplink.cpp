#include "server/transport/reach/uplink.hpp"

#include <net/if.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <sstream>
#include <vector>

#include "common/posix/file.hpp"

namespace tictactoe::transport {

namespace {

namespace ip = boost::asio::ip;

// Of the kernel's <linux/route.h> and <linux/if_addr.h>.
constexpr std::uint32_t route_is_up = 0x1;
constexpr std::uint32_t route_has_gateway = 0x2;
constexpr std::uint32_t route_rejects = 0x200;
constexpr std::uint32_t address_is_temporary = 0x01;
constexpr std::uint32_t address_is_deprecated = 0x20;
constexpr std::uint32_t address_is_tentative = 0x40;

constexpr std::size_t max_proc_bytes = std::size_t{64} << 10;  // hundreds of routes

std::string text_of(const char* path) {
  return posix::read_file(path, max_proc_bytes).value_or("");
}

std::optional<std::uint32_t> hex(std::string_view text) {
  std::uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number, 16);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

std::optional<std::uint32_t> decimal(std::string_view text) {
  std::uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

std::optional<ip::address_v6> v6_of_hex(std::string_view text) {
  ip::address_v6::bytes_type bytes{};
  if (text.size() != 2 * bytes.size()) return std::nullopt;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = hex(text.substr(2 * i, 2));
    if (!byte) return std::nullopt;
    bytes.at(i) = static_cast<std::uint8_t>(*byte);
  }
  return ip::address_v6(bytes);
}

std::vector<std::vector<std::string>> table_of(std::string_view text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    rows.emplace_back(std::istream_iterator<std::string>(words),
                      std::istream_iterator<std::string>());
  }
  return rows;
}

bool is_default(std::uint32_t flags) {
  return (flags & route_is_up) != 0 && (flags & route_has_gateway) != 0 &&
         (flags & route_rejects) == 0;
}

bool is_in(const ip::address_v4& address, std::uint32_t network, int bits) {
  return address.to_uint() >> (32 - bits) == network >> (32 - bits);
}

}  // namespace

std::optional<ip::address_v4> default_gateway_v4(std::string_view routes) {
  std::optional<ip::address_v4> best;
  std::uint32_t best_metric = 0;
  // Iface Destination Gateway Flags RefCnt Use Metric Mask ...
  for (const auto& row : table_of(routes)) {
    if (row.size() < 8) continue;
    const auto gateway = hex(row[2]);
    const auto flags = hex(row[3]);
    const auto metric = decimal(row[6]);
    if (hex(row[1]) != 0U || hex(row[7]) != 0U || !gateway || !flags || !metric) continue;
    if (!is_default(*flags) || (best && *metric >= best_metric)) continue;
    // In the byte order of the network, read as a number of this machine.
    ip::address_v4::bytes_type bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes.at(i) = static_cast<std::uint8_t>(*gateway >> 8 * i);
    }
    best = ip::address_v4(bytes);
    best_metric = *metric;
  }
  return best;
}

std::optional<GatewayV6> default_gateway_v6(std::string_view routes) {
  std::optional<GatewayV6> best;
  std::uint32_t best_metric = 0;
  // Destination Prefix Source Prefix Gateway Metric References Use Flags Iface
  for (const auto& row : table_of(routes)) {
    if (row.size() < 10) continue;
    const auto destination = v6_of_hex(row[0]);
    const auto gateway = v6_of_hex(row[4]);
    const auto metric = hex(row[5]);
    const auto flags = hex(row[8]);
    if (!destination || !destination->is_unspecified() || hex(row[1]) != 0U) continue;
    if (!gateway || !metric || !flags || !is_default(*flags)) continue;
    if (best && *metric >= best_metric) continue;
    best = GatewayV6{*gateway, row[9]};
    best_metric = *metric;
  }
  return best;
}

std::optional<ip::address_v6> lasting_address(std::string_view addresses,
                                              std::string_view interface) {
  // Address Interface Prefix Scope Flags Iface
  for (const auto& row : table_of(addresses)) {
    if (row.size() < 6 || row[5] != interface) continue;
    const auto address = v6_of_hex(row[0]);
    const auto flags = hex(row[4]);
    constexpr std::uint32_t passing =
        address_is_temporary | address_is_deprecated | address_is_tentative;
    if (address && flags && (*flags & passing) == 0 && is_public(*address)) return address;
  }
  return std::nullopt;
}

std::optional<Uplink> uplink_v4() {
  const auto gateway = default_gateway_v4(text_of("/proc/net/route"));
  if (!gateway) return std::nullopt;
  // Connecting a UDP socket only looks up the route.
  boost::asio::io_context unused;
  ip::udp::socket socket(unused);
  boost::system::error_code error;
  socket.connect({*gateway, 9}, error);
  const auto own = error ? ip::udp::endpoint() : socket.local_endpoint(error);
  if (error) return std::nullopt;
  return Uplink{*gateway, own.address()};
}

std::optional<Uplink> uplink_v6() {
  auto gateway = default_gateway_v6(text_of("/proc/net/ipv6_route"));
  if (!gateway) return std::nullopt;
  const auto own = lasting_address(text_of("/proc/net/if_inet6"), gateway->interface);
  if (!own) return std::nullopt;
  if (gateway->address.is_link_local()) {
    gateway->address.scope_id(::if_nametoindex(gateway->interface.c_str()));
  }
  return Uplink{gateway->address, *own};
}

bool is_public(const ip::address& address) {
  if (address.is_unspecified() || address.is_loopback() || address.is_multicast()) return false;
  if (address.is_v6()) {
    return (address.to_v6().to_bytes()[0] & 0xe0) == 0x20;  // 2000::/3
  }
  const ip::address_v4 v4 = address.to_v4();
  return !is_shared_by_provider(address) && !is_in(v4, 0x0a000000, 8) &&
         !is_in(v4, 0xac100000, 12) && !is_in(v4, 0xc0a80000, 16) && !is_in(v4, 0xa9fe0000, 16) &&
         !is_in(v4, 0xc0000000, 24) && !is_in(v4, 0, 8) && v4.to_uint() < 0xe0000000;
}

bool is_shared_by_provider(const ip::address& address) {
  return address.is_v4() && is_in(address.to_v4(), 0x64400000, 10);
}

}  // namespace tictactoe::transport
