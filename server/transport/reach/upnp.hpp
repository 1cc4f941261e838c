// What is asked of the program that speaks UPnP with a router, and what it answers. No I/O.
#pragma once

#include <boost/asio/ip/address_v4.hpp>
#include <boost/system/result.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tictactoe::transport {

/// The service of a router that forwards ports, found by a search that takes a second.
struct UpnpService {
  std::string url;   ///< empty: not found yet
  std::string type;  ///< as in urn:schemas-upnp-org:service:WANIPConnection:1
};

/// A request to forward a TCP port, or with a lifetime of 0 to stop that.
struct UpnpRequest {
  boost::asio::ip::address_v4 gateway;
  boost::asio::ip::address_v4 client;
  std::uint16_t internal_port = 0;
  std::uint16_t external_port = 0;
  std::chrono::seconds lifetime{};
  UpnpService service;
};

struct UpnpMapping {
  boost::asio::ip::address_v4 external;
  std::uint16_t external_port = 0;
  std::chrono::seconds lifetime{};
  UpnpService service;
};

/// A mapping, or a few words on why there is none.
using UpnpAnswer = boost::system::result<UpnpMapping, std::string>;

/// Carries out a request and calls `done` once with the answer, never within the call.
using UpnpCall = std::function<void(const UpnpRequest&, std::function<void(const UpnpAnswer&)>)>;

/// The arguments of `tictactoe-upnp`, which speaks UPnP in a process of its own.
std::vector<std::string> upnp_arguments(const UpnpRequest& request);

inline constexpr std::size_t max_upnp_line_bytes = 1024;
/// Reads the program's line: "open ADDRESS PORT SECONDS URL TYPE", "closed" or "failed WORDS". The
/// program has read what strangers wrote, so a line that does not fit the request is a failure, and
/// words have at most 100 printable ASCII characters.
UpnpAnswer read_upnp_line(std::string_view line, const UpnpRequest& request);

/// Whether a URL leads to this host: http://HOST or http://HOST:PORT, and a path. Routers that name
/// others would have this machine send requests to them.
bool leads_to(std::string_view url, std::string_view host);

}  // namespace tictactoe::transport
