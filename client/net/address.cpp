#include "client/net/address.hpp"

#include <algorithm>
#include <boost/asio/ip/address_v6.hpp>
#include <cctype>
#include <optional>
#include <string>
#include <utility>

#include "client/model/room.hpp"

namespace tictactoe::client {
namespace {

struct Parts {
  std::string_view host;
  std::optional<std::string_view> port;
  bool is_ipv6 = false;  // as it is written
};

// Nothing if brackets don't match.
std::optional<Parts> split_address(std::string_view text) {
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view after = text.substr(close + 1);
    if (after.empty()) return Parts{text.substr(1, close - 1), {}, true};
    if (after.front() != ':') return std::nullopt;
    return Parts{text.substr(1, close - 1), after.substr(1), true};
  }
  // With more than one colon it is an IPv6 address, and none of them stands before a port.
  const auto colons = std::count(text.begin(), text.end(), ':');
  if (colons != 1) return Parts{text, {}, colons > 1};
  const std::size_t colon = text.find(':');
  return Parts{text.substr(0, colon), text.substr(colon + 1), false};
}

// The zone, as in fe80::1%eth0, is for the system to judge.
bool is_ipv6(std::string_view host) {
  boost::system::error_code error;
  boost::asio::ip::make_address_v6(std::string(host.substr(0, host.find('%'))), error);
  return !error;
}

// Bytes that are not ASCII belong to names of other scripts.
bool can_be_in_name(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte >= 0x80 || std::isalnum(byte) != 0 || letter == '-' || letter == '.' || letter == '_';
}

std::string fault_of_host(const Parts& parts) {
  if (parts.host.empty()) return "the host is missing: write HOST or HOST:PORT";
  if (parts.is_ipv6) {
    return is_ipv6(parts.host)
               ? ""
               : "that is not an IPv6 address: write HOST, HOST:PORT or [IPV6]:PORT";
  }
  if (parts.host.size() > max_host_bytes) return "the host name is too long";
  return std::ranges::all_of(parts.host, can_be_in_name)
             ? ""
             : "a host name can have only letters, digits, hyphens and dots: write HOST or "
               "HOST:PORT";
}

}  // namespace

AddressRead parse_address(std::string_view text) {
  if (text.find("//") != std::string_view::npos) {
    return {{}, "enter only HOST or HOST:PORT, without https:// or the like"};
  }
  const auto parts = split_address(text);
  if (!parts) return {{}, "an IPv6 address with a port is written [ADDRESS]:PORT"};
  if (std::string fault = fault_of_host(*parts); !fault.empty()) return {{}, std::move(fault)};
  Address address{std::string(parts->host), default_port, std::string(text)};
  if (parts->port) {
    const auto port = parse_number(*parts->port);
    if (!port || *port == 0 || *port > 65535) {
      return {{}, "the port must be a number from 1 to 65535"};
    }
    address.port = static_cast<std::uint16_t>(*port);
  }
  return {std::move(address), {}};
}

}  // namespace tictactoe::client
