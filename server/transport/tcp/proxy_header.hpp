// The header in which a proxy names the client of a connection. Does no I/O.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <optional>
#include <string_view>

namespace tictactoe::transport {

/// The result of read_proxy_header().
struct ProxyHeader {
  enum class State { done, need_more, fault };
  State state = State::need_more;
  /// Length of the header in bytes, as far as known: with State::need_more, more than given.
  std::size_t size = 0;
  /// With State::done: where the client connects from. Nothing if the connection is the proxy's own
  /// (LOCAL) or the proxy does not know an IP address; then the proxy's address counts.
  std::optional<boost::asio::ip::address> source;
  /// With State::fault: a clause for the log.
  const char* fault = "";
};

/// Maximum size of a header in bytes: the addresses and 500 bytes of extensions, which are ignored.
/// The specification requires no more.
inline constexpr std::size_t max_proxy_header_bytes = 536;

/// Reads a binary (version 2) PROXY protocol header off the front of `bytes`. Source:
/// https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt, section 2.2.
ProxyHeader read_proxy_header(std::string_view bytes);

}  // namespace tictactoe::transport
