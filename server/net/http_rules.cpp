#include "server/net/http_rules.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <cctype>
#include <optional>

namespace tictactoe::net {

namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return lower;
}

bool is_port(std::string_view text) {
  constexpr std::size_t longest = 5;
  return text.size() <= longest &&
         std::ranges::all_of(text, [](char digit) { return digit >= '0' && digit <= '9'; });
}

/// The host without its port; nothing if it is not well formed.
std::optional<std::string_view> without_port(std::string_view host) {
  const std::size_t bracket = host.starts_with('[') ? host.find(']') : 0;
  if (bracket == std::string_view::npos) return std::nullopt;
  const std::size_t colon = host.find(':', bracket);
  if (colon == std::string_view::npos) return host;
  if (!is_port(host.substr(colon + 1))) return std::nullopt;
  return host.substr(0, colon);
}

bool is_address(std::string_view name) {
  boost::system::error_code error;
  if (name.starts_with('[')) {
    if (!name.ends_with(']')) return false;
    boost::asio::ip::make_address_v6(std::string(name.substr(1, name.size() - 2)), error);
  } else {
    boost::asio::ip::make_address_v4(std::string(name), error);
  }
  return !error;
}

}  // namespace

bool is_allowed_host(std::string_view host, const PublicNames& names) {
  const auto bare = without_port(host);
  if (!bare) return false;
  if (is_address(*bare)) return true;
  std::string name = lower_case(*bare);
  if (name.ends_with('.')) name.pop_back();
  return name == "localhost" || name.ends_with(".local") || std::ranges::count(names, name) > 0;
}

bool is_own_origin(std::string_view origin, std::string_view host) {
  if (origin.empty()) return true;
  const std::string from = lower_case(origin);
  const std::string own = lower_case(host);
  // A proxy in front of the server may speak TLS.
  return from == "http://" + own || from == "https://" + own;
}

// `connect-src 'self'` includes WebSockets in browsers of today.
std::string_view safety_fields() {
  return "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
         "img-src 'self'; font-src 'self'; manifest-src 'self'; connect-src 'self'; "
         "base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
         "X-Content-Type-Options: nosniff\r\n"
         "Referrer-Policy: no-referrer\r\n"
         "Cross-Origin-Opener-Policy: same-origin\r\n"
         "Cross-Origin-Resource-Policy: same-origin\r\n";
}

}  // namespace tictactoe::net
