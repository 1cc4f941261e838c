// Secrets that identify players and open rooms. The server keeps only their hashes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace tictactoe::core {

/// 128 random bits that identify a player.
using Token = std::array<std::uint8_t, 16>;
/// The source of tokens: the system's random device in a server, a seeded generator in a test.
using TokenSource = std::function<Token()>;

/// SHA-256 (FIPS 180-4) of these bytes: 32 bytes.
std::string digest(std::string_view bytes);

/// The salted hash of a room's password; empty for none. It hides the password from a reader of the
/// journal, but does not withstand systematic guessing: passwords of rooms are short-lived and
/// shared.
std::string password_digest(std::string_view password, std::uint64_t salt);

}  // namespace tictactoe::core
