#include "client/net/address.hpp"

#include <algorithm>
#include <optional>

#include "client/model/notation.hpp"

namespace tictactoe::client {
namespace {

struct Parts {
  std::string_view host;
  std::optional<std::string_view> port;
};

// Nothing if brackets don't match.
std::optional<Parts> split_address(std::string_view text) {
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view after = text.substr(close + 1);
    if (after.empty()) return Parts{text.substr(1, close - 1), {}};
    if (after.front() != ':') return std::nullopt;
    return Parts{text.substr(1, close - 1), after.substr(1)};
  }
  // With more than one colon it is an IPv6 address, and none of them stands before a port.
  if (std::count(text.begin(), text.end(), ':') != 1) return Parts{text, {}};
  const std::size_t colon = text.find(':');
  return Parts{text.substr(0, colon), text.substr(colon + 1)};
}

}  // namespace

AddressRead parse_address(std::string_view text) {
  const auto parts = split_address(text);
  if (!parts) return {{}, "an IPv6 address with a port is written [ADDRESS]:PORT"};
  if (parts->host.empty()) return {{}, "the host is missing: write HOST or HOST:PORT"};
  Address address{std::string(parts->host), default_port, std::string(text)};
  if (parts->port) {
    const auto port = parse_number(*parts->port);
    if (!port || *port == 0 || *port > 65535) {
      return {{}, "the port is a number from 1 to 65535"};
    }
    address.port = static_cast<std::uint16_t>(*port);
  }
  return {std::move(address), {}};
}

}  // namespace tictactoe::client
