// What both sides of discovery agree on beside the messages: where datagrams go, how long they are.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tictactoe::wire {

/// UDP. The same number as that of the server's TCP port, unless told otherwise.
inline constexpr std::uint16_t discovery_port = 7654;
/// Of the local scope (RFC 2365).
inline constexpr const char* discovery_group_v4 = "239.255.76.54";
/// Transient, of the link (RFC 4291).
inline constexpr const char* discovery_group_v6 = "ff12::7654";

/// The longest datagram, and the length of our queries: fits every link unfragmented, as IPv6 wants
/// 1,280 bytes of each.
inline constexpr std::size_t max_discovery_bytes = 1200;

inline constexpr std::uint32_t discovery_query_magic = 0x3f545454;
inline constexpr std::uint32_t discovery_answer_magic = 0x21545454;
inline constexpr std::uint32_t discovery_version = 1;

}  // namespace tictactoe::wire
