#include "server/transport/reach/port_control.hpp"

#include <algorithm>

namespace tictactoe::transport {

namespace {

namespace ip = boost::asio::ip;

constexpr std::uint8_t pcp_version = 2;
constexpr std::uint8_t nat_pmp_version = 0;
constexpr std::uint8_t tcp_of_pcp = 6;  // IANA's number of the protocol
constexpr std::uint8_t answer_bit = 0x80;
constexpr std::size_t pcp_header_bytes = 24;
constexpr std::size_t pcp_map_bytes = 60;
constexpr std::size_t nat_pmp_header_bytes = 8;
constexpr std::size_t nat_pmp_address_bytes = 12;
constexpr std::size_t nat_pmp_map_bytes = 16;

enum PcpCode : std::uint8_t { pcp_announce = 0, pcp_map = 1 };
enum NatPmpCode : std::uint8_t { nat_pmp_address = 0, nat_pmp_map_tcp = 2 };

// Big-endian numbers, one after the other.
class Writer {
 public:
  Writer& byte(unsigned value) {
    bytes_ += static_cast<char>(value);
    return *this;
  }
  Writer& word(unsigned value) { return byte(value >> 8 & 0xff).byte(value & 0xff); }
  Writer& number(std::uint32_t value) { return word(value >> 16).word(value & 0xffff); }
  Writer& lifetime(std::chrono::seconds value) {
    return number(static_cast<std::uint32_t>(value.count()));
  }
  // IPv4 as IPv4-mapped. An address that is not known is all zeros of the family.
  Writer& address(const ip::address& value) {
    const ip::address_v6 wide =
        value.is_v4() ? ip::make_address_v6(ip::v4_mapped, value.to_v4()) : value.to_v6();
    for (const std::uint8_t one : wide.to_bytes()) byte(one);
    return *this;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// The caller has compared the length.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  std::uint8_t byte() {
    const auto first = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return first;
  }
  std::uint16_t word() {
    const unsigned high = byte();
    return static_cast<std::uint16_t>(high << 8 | byte());
  }
  std::uint32_t number() {
    const std::uint32_t high = word();
    return high << 16 | word();
  }
  void skip(std::size_t count) { rest_.remove_prefix(count); }
  ip::address address() {
    ip::address_v6::bytes_type bytes;
    std::ranges::generate(bytes, [this] { return byte(); });
    const ip::address_v6 wide(bytes);
    if (wide.is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, wide);
    return wide;
  }

 private:
  std::string_view rest_;
};

PortResult result_of_pcp(std::uint8_t code) {
  switch (const auto result = PortResult{code}) {
    case PortResult::success:
    case PortResult::unsupported_version:
    case PortResult::not_authorized:
    case PortResult::network_failure:
    case PortResult::no_resources:
    case PortResult::user_exceeded_quota:
    case PortResult::cannot_provide_external:
    case PortResult::address_mismatch:
      return result;
    default:
      return PortResult::other;
  }
}

PortResult result_of_nat_pmp(std::uint16_t code) {
  switch (code) {
    case 0:
      return PortResult::success;
    case 1:
      return PortResult::unsupported_version;
    case 2:
      return PortResult::not_authorized;
    case 3:
      return PortResult::network_failure;
    case 4:
      return PortResult::no_resources;
    default:
      return PortResult::other;
  }
}

std::optional<PortAnswer> parse_pcp(std::string_view datagram) {
  if (datagram.size() < pcp_header_bytes || datagram.size() % 4 != 0) return std::nullopt;
  Reader reader(datagram);
  reader.skip(1);
  const std::uint8_t code = reader.byte();
  reader.skip(1);
  PortAnswer answer;
  answer.result = result_of_pcp(reader.byte());
  answer.lifetime = std::chrono::seconds(reader.number());
  answer.epoch = reader.number();
  reader.skip(pcp_header_bytes - 12);
  if (code == (answer_bit | pcp_announce)) {
    answer.kind = PortAnswer::Kind::announce;
    return answer;
  }
  if (code != (answer_bit | pcp_map) || datagram.size() < pcp_map_bytes) return std::nullopt;
  answer.kind = PortAnswer::Kind::map;
  std::ranges::generate(answer.nonce, [&reader] { return reader.byte(); });
  if (reader.byte() != tcp_of_pcp) return std::nullopt;
  reader.skip(3);
  answer.internal_port = reader.word();
  answer.external_port = reader.word();
  answer.external = reader.address();
  return answer;
}

std::optional<PortAnswer> parse_nat_pmp(std::string_view datagram) {
  Reader reader(datagram);
  reader.skip(1);
  const std::uint8_t code = reader.byte();
  PortAnswer answer;
  answer.protocol = PortProtocol::nat_pmp;
  answer.result = result_of_nat_pmp(reader.word());
  answer.epoch = reader.number();
  if (answer.result == PortResult::unsupported_version) return answer;
  const bool is_refusal = answer.result != PortResult::success;
  if (code == (answer_bit | nat_pmp_address)) {
    answer.kind = PortAnswer::Kind::address;
    if (datagram.size() < nat_pmp_address_bytes)
      return is_refusal ? std::optional(answer) : std::nullopt;
    answer.external = ip::address_v4(reader.number());
    return answer;
  }
  if (code != (answer_bit | nat_pmp_map_tcp) || datagram.size() < nat_pmp_map_bytes) {
    return std::nullopt;
  }
  answer.kind = PortAnswer::Kind::map;
  answer.internal_port = reader.word();
  answer.external_port = reader.word();
  answer.lifetime = std::chrono::seconds(reader.number());
  return answer;
}

}  // namespace

std::string encode_pcp_map(const MapRequest& request) {
  Writer writer;
  writer.byte(pcp_version).byte(pcp_map).word(0).lifetime(request.lifetime);
  writer.address(request.client);
  for (const std::uint8_t one : request.nonce) writer.byte(one);
  writer.byte(tcp_of_pcp).byte(0).word(0);
  writer.word(request.internal_port).word(request.external_port);
  const bool is_known = request.external.is_v4() == request.client.is_v4();
  const ip::address any =
      request.client.is_v4() ? ip::address(ip::address_v4()) : ip::address(ip::address_v6());
  return writer.address(is_known ? request.external : any).take();
}

std::string encode_pcp_announce(const ip::address& client) {
  return Writer().byte(pcp_version).byte(pcp_announce).word(0).number(0).address(client).take();
}

std::string encode_nat_pmp_map(const MapRequest& request) {
  return Writer()
      .byte(nat_pmp_version)
      .byte(nat_pmp_map_tcp)
      .word(0)
      .word(request.internal_port)
      .word(request.external_port)
      .lifetime(request.lifetime)
      .take();
}

std::string encode_nat_pmp_address() {
  return Writer().byte(nat_pmp_version).byte(nat_pmp_address).take();
}

std::optional<PortAnswer> parse_port_answer(std::string_view datagram) {
  if (datagram.size() < nat_pmp_header_bytes || datagram.size() > max_port_control_bytes) {
    return std::nullopt;
  }
  const auto version = static_cast<std::uint8_t>(datagram[0]);
  if ((static_cast<std::uint8_t>(datagram[1]) & answer_bit) == 0) return std::nullopt;
  if (version == nat_pmp_version) return parse_nat_pmp(datagram);
  if (version == pcp_version) return parse_pcp(datagram);
  // A router says so with the version that it does speak (RFC 6887, 9).
  PortAnswer answer;
  answer.result = result_of_pcp(static_cast<std::uint8_t>(datagram[3]));
  return answer.result == PortResult::unsupported_version ? std::optional(answer) : std::nullopt;
}

}  // namespace tictactoe::transport
