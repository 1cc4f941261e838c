// What proves who somebody is, and what is kept of it: never the secret itself.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace tictactoe::core {

/// 128 random bits that a player shows to be recognised.
using Token = std::array<std::uint8_t, 16>;
/// Where tokens come from: the system's random device in a server, a seeded generator in a test.
using TokenSource = std::function<Token()>;

/// SHA-256 (FIPS 180-4) of these bytes: 32 bytes.
std::string digest(std::string_view bytes);

/// What is kept of a room's password, salted so that equal passwords look different; empty for
/// none. Guards against a glance at the journal, not against guessing at leisure: passwords of
/// rooms are short-lived and shared.
std::string password_digest(std::string_view password, std::uint64_t salt);

}  // namespace tictactoe::core
