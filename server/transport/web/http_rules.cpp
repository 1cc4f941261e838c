#include "server/transport/web/http_rules.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <system_error>

namespace tictactoe::transport {

namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return lower;
}

// A decimal number from 1 to 65535, without leading zeros.
bool is_port(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = std::to_address(text.end());
  const auto [rest, error] = std::from_chars(std::to_address(text.begin()), end, port);
  return error == std::errc() && rest == end && !text.starts_with('0');
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Whether a Content-Security-Policy can contain this address. It has no syntax for IPv6.
bool is_host_source(std::string_view address) {
  const std::size_t colon = address.find(':');
  return colon != std::string_view::npos && colon > 0 && colon + 1 < address.size() &&
         is_port(address.substr(colon + 1)) &&
         std::ranges::all_of(address.substr(0, colon),
                             [](char c) { return is_letter_or_digit(c) || c == '.' || c == '-'; });
}

// As browsers write it, without the default port.
std::string origin_of(std::string_view scheme, std::string_view usual_port,
                      std::string_view address) {
  if (address.ends_with(usual_port)) address.remove_suffix(usual_port.size());
  return std::string(scheme) + "://" + std::string(address);
}

// In lower case.
bool is_local_name(std::string_view name) {
  constexpr std::string_view ending = ".local";
  if (!name.ends_with(ending)) return false;
  name.remove_suffix(ending.size());
  return !name.empty() && is_letter_or_digit(name.front()) && std::ranges::all_of(name, [](char c) {
    return is_letter_or_digit(c) || c == '-' || c == '.';
  });
}

bool is_address(std::string_view name) {
  boost::system::error_code error;
  if (name.starts_with('[')) {
    // A zone (fe80::1%eth0) has a meaning only on the machine that uses it, and may be any text.
    if (!name.ends_with(']') || name.find('%') != std::string_view::npos) return false;
    boost::asio::ip::make_address_v6(std::string(name.substr(1, name.size() - 2)), error);
  } else {
    boost::asio::ip::make_address_v4(std::string(name), error);
  }
  return !error;
}

}  // namespace

std::optional<HostParts> split_host(std::string_view host) {
  const std::size_t bracket = host.starts_with('[') ? host.find(']') : 0;
  if (bracket == std::string_view::npos) return std::nullopt;
  const std::size_t colon = host.find(':', bracket);
  if (colon == std::string_view::npos) return HostParts{host, {}};
  if (!is_port(host.substr(colon + 1))) return std::nullopt;
  return HostParts{host.substr(0, colon), host.substr(colon)};
}

bool is_allowed_host(std::string_view host, const PublicNames& names) {
  const auto parts = split_host(host);
  if (!parts || parts->name.empty()) return false;
  if (is_address(parts->name)) return true;
  std::string name = lower_case(parts->name);
  if (name.ends_with('.')) name.pop_back();
  return name == "localhost" || is_local_name(name) ||
         std::ranges::count(names, name, lower_case) > 0;
}

bool is_allowed_origin(std::string_view origin, std::string_view host,
                       const LobbyAddresses& lobby) {
  if (origin.empty()) return true;
  const std::string from = lower_case(origin);
  const std::string own = lower_case(host);
  // A proxy in front of the server may speak TLS.
  if (from == "http://" + own || from == "https://" + own) return true;
  return std::ranges::any_of(lobby, [&](const std::string& address) {
    const std::string server = lower_case(address);
    return from == origin_of("http", ":80", server) || from == origin_of("https", ":443", server);
  });
}

bool is_websocket_key(std::string_view text) {
  constexpr std::size_t length = 24;
  constexpr std::string_view padding = "==";
  // The last digit has two bits of the 16th byte and four zero bits.
  constexpr std::string_view last = "AQgw";
  if (text.size() != length || !text.ends_with(padding)) return false;
  text.remove_suffix(padding.size());
  return last.find(text.back()) != std::string_view::npos && std::ranges::all_of(text, [](char c) {
           return is_letter_or_digit(c) || c == '+' || c == '/';
         });
}

bool names_tag(std::string_view field, std::string_view tag) {
  if (field == "*") return true;
  while (true) {
    // Tags are separated by commas and blanks. A tag may contain commas, but no quotes.
    field.remove_prefix(std::min(field.find_first_not_of(", \t"), field.size()));
    if (field.starts_with("W/")) field.remove_prefix(2);
    if (!field.starts_with('"')) return false;
    const std::size_t end = field.find('"', 1);
    if (end == std::string_view::npos) return false;
    if (field.substr(0, end + 1) == tag) return true;
    field.remove_prefix(end + 1);
  }
}

// `connect-src 'self'` includes WebSockets in current browsers. In some, `ws:` with a port does not
// include `wss:`, and a proxy may encrypt what this server does not.
std::string safety_fields(const LobbyAddresses& lobby) {
  std::string fields =
      "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
      "img-src 'self'; font-src 'self'; manifest-src 'self'; connect-src 'self'";
  for (const std::string& server : lobby) {
    if (!is_host_source(server)) continue;
    fields.append(" ws://").append(server).append(" wss://").append(server);
  }
  return fields +
         "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
         "X-Content-Type-Options: nosniff\r\n"
         "Referrer-Policy: no-referrer\r\n"
         "Cross-Origin-Opener-Policy: same-origin\r\n"
         "Cross-Origin-Resource-Policy: same-origin\r\n";
}

}  // namespace tictactoe::transport
