// Constants that both sides of discovery share: addresses, port and lengths.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tictactoe::wire {

/// UDP. By default the same number as the server's TCP port.
inline constexpr std::uint16_t discovery_port = 7654;
/// With local scope (RFC 2365).
inline constexpr const char* discovery_group_v4 = "239.255.76.54";
/// Transient, with link scope (RFC 4291).
inline constexpr const char* discovery_group_v6 = "ff12::7654";

/// The longest datagram, and the length of our queries. It is never fragmented, because IPv6
/// requires links to carry 1,280 bytes.
inline constexpr std::size_t max_discovery_bytes = 1200;

inline constexpr std::uint32_t discovery_query_magic = 0x3f545454;
inline constexpr std::uint32_t discovery_answer_magic = 0x21545454;
inline constexpr std::uint32_t discovery_version = 1;

}  // namespace tictactoe::wire
