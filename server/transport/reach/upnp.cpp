#include "server/transport/reach/upnp.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <iterator>
#include <optional>
#include <sstream>

#include "server/transport/reach/step.hpp"

namespace tictactoe::transport {

namespace {

namespace ip = boost::asio::ip;

constexpr std::chrono::seconds max_upnp_lifetime{3600};

bool is_printable(char letter) {
  return letter > ' ' && letter < '\x7f';
}

std::optional<std::uint32_t> parse_number(const std::string& text) {
  std::uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

UpnpAnswer failure(std::string_view words) {
  constexpr std::size_t max_words = 100;
  std::string text(words.substr(0, max_words));
  std::ranges::replace_if(
      text, [](char letter) { return letter != ' ' && !is_printable(letter); }, '?');
  return text.empty() ? "failed" : text;
}

}  // namespace

std::vector<std::string> upnp_arguments(const UpnpRequest& request) {
  std::vector<std::string> words{request.gateway.to_string(), request.client.to_string(),
                                 std::to_string(request.internal_port),
                                 std::to_string(request.external_port),
                                 std::to_string(request.lifetime.count())};
  if (request.service.url.empty()) return words;
  words.push_back(request.service.url);
  words.push_back(request.service.type);
  return words;
}

bool leads_to(std::string_view url, std::string_view host) {
  constexpr std::string_view scheme = "http://";
  if (!url.starts_with(scheme) || !std::ranges::all_of(url, is_printable)) return false;
  url.remove_prefix(scheme.size());
  const std::string_view place = url.substr(0, url.find('/'));
  if (!place.starts_with(host)) return false;
  std::string_view port = place.substr(host.size());
  if (port.empty()) return true;
  if (port.front() != ':') return false;
  port.remove_prefix(1);
  return !port.empty() && port.size() <= 5 &&
         std::ranges::all_of(port, [](char digit) { return digit >= '0' && digit <= '9'; });
}

UpnpAnswer read_upnp_line(std::string_view line, const UpnpRequest& request) {
  if (line.size() > max_upnp_line_bytes) return failure("the answer is too long");
  constexpr std::string_view failed = "failed ";
  if (line.starts_with(failed)) return failure(line.substr(failed.size()));
  std::istringstream stream{std::string(line)};
  const std::vector<std::string> words{std::istream_iterator<std::string>(stream),
                                       std::istream_iterator<std::string>()};
  if (words.size() == 1 && words[0] == "closed" && request.lifetime.count() == 0) {
    return UpnpMapping{};
  }
  if (words.size() != 6 || words[0] != "open" || request.lifetime.count() == 0) {
    return failure("the answer is invalid");
  }
  boost::system::error_code error;
  UpnpMapping mapping;
  mapping.external = ip::make_address_v4(words[1], error);
  const auto port = parse_number(words[2]);
  const auto lifetime = parse_number(words[3]);
  mapping.service = {words[4], words[5]};
  if (error || !port || *port == 0 || *port > 0xffff || !lifetime ||
      !leads_to(words[4], request.gateway.to_string()) ||
      !std::ranges::all_of(words[5], is_printable)) {
    return failure("the answer is invalid");
  }
  if (mapping.external.is_unspecified() || mapping.external.is_loopback() ||
      mapping.external.is_multicast()) {
    return failure(no_public_address);
  }
  mapping.external_port = static_cast<std::uint16_t>(*port);
  // Some routers have only mappings without an end, which is 0.
  const std::chrono::seconds named(*lifetime);
  mapping.lifetime = named.count() == 0 ? max_upnp_lifetime : std::min(named, max_upnp_lifetime);
  return mapping;
}

}  // namespace tictactoe::transport
