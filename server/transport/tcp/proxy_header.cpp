#include "server/transport/tcp/proxy_header.hpp"

#include <algorithm>
#include <cstdint>

namespace tictactoe::transport {

namespace asio = boost::asio;

namespace {

constexpr std::string_view signature("\r\n\r\n\0\r\nQUIT\n", 12);
constexpr std::string_view signature_of_version_1 = "PROXY ";
constexpr std::size_t fixed_bytes = 16;  // signature, version and command, family, length

constexpr unsigned version = 2;
enum Command : unsigned { local = 0, proxy = 1 };
enum Family : unsigned { unspecified = 0, inet = 1, inet6 = 2, local_socket = 3 };
constexpr unsigned stream = 1;

constexpr std::size_t inet_bytes = 12;  // two addresses and two ports
constexpr std::size_t inet6_bytes = 36;

unsigned byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

ProxyHeader fault(const char* clause) {
  ProxyHeader header;
  header.state = ProxyHeader::State::fault;
  header.fault = clause;
  return header;
}

template <class Address>
asio::ip::address address_from(std::string_view bytes) {
  typename Address::bytes_type raw;
  std::ranges::transform(bytes.substr(0, raw.size()), raw.begin(),
                         [](char byte) { return static_cast<unsigned char>(byte); });
  return Address(raw);
}

// `addresses`: what follows the fixed part.
ProxyHeader read_source(unsigned family, unsigned transport, std::string_view addresses) {
  ProxyHeader header;
  header.state = ProxyHeader::State::done;
  header.size = fixed_bytes + addresses.size();
  if (family == unspecified || family == local_socket) return header;
  if (family > local_socket) return fault("its address family is unknown");
  if (transport != stream) return fault("it is not about a TCP connection");
  if (addresses.size() < (family == inet ? inet_bytes : inet6_bytes)) {
    return fault("it is too short for its addresses");
  }
  header.source = family == inet ? address_from<asio::ip::address_v4>(addresses)
                                 : address_from<asio::ip::address_v6>(addresses);
  return header;
}

}  // namespace

ProxyHeader read_proxy_header(std::string_view bytes) {
  if (bytes.starts_with(signature_of_version_1)) {
    return fault("it has version 1; set the proxy to version 2, as with HAProxy's send-proxy-v2");
  }
  const std::size_t known = std::min(bytes.size(), signature.size());
  if (bytes.substr(0, known) != signature.substr(0, known)) {
    return fault("it does not begin as version 2 of the PROXY protocol does");
  }
  ProxyHeader header;
  header.size = fixed_bytes;
  if (bytes.size() < fixed_bytes) return header;
  const unsigned command = byte_at(bytes, 12) & 0xf;
  if (byte_at(bytes, 12) >> 4 != version || command > proxy) {
    return fault("its version or command is unknown");
  }
  header.size += byte_at(bytes, 14) << 8 | byte_at(bytes, 15);
  if (header.size > max_proxy_header_bytes) return fault("it is too long");
  if (bytes.size() < header.size) return header;
  const unsigned kind = byte_at(bytes, 13);
  const std::string_view addresses = bytes.substr(fixed_bytes, header.size - fixed_bytes);
  return command == local ? read_source(unspecified, stream, addresses)
                          : read_source(kind >> 4, kind & 0xf, addresses);
}

}  // namespace tictactoe::transport
