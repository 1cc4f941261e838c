// Tokens and passwords. The server keeps only their hashes and keys.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace tictactoe::server {

/// 128 random bits that identify a player.
using Token = std::array<std::uint8_t, 16>;
/// Makes tokens: from the system's random device in a server, from a seeded generator in a test.
using TokenSource = std::function<Token()>;

inline std::string_view bytes_of(const Token& token) {
  return {reinterpret_cast<const char*>(token.data()), token.size()};
}

/// SHA-256 (FIPS 180-4): 32 bytes.
std::string digest(std::string_view bytes);

/// The first 8 bytes of the digest, as a number.
std::uint64_t number_of(std::string_view bytes);

/// Compares in a time that depends only on the sizes.
bool are_equal(std::string_view a, std::string_view b);

/// The cost of deriving a key with scrypt (RFC 7914): time proportional to N * r * p with N =
/// 2^log2_n, and 128 * N * r bytes of memory. The default takes 16 MiB and about 50 ms.
struct KeyCost {
  std::uint32_t log2_n = 14;
  std::uint32_t r = 8;
  std::uint32_t p = 1;
};

/// What the server keeps of a password: the key derived from it, with cost and salt.
struct PasswordKey {
  KeyCost cost;
  std::string salt;  ///< different for each password
  std::string key;   ///< key_bytes long
  /// Whether `derived` is this key. Takes constant time.
  bool opens_with(std::string_view derived) const { return are_equal(derived, key); }
};

inline constexpr std::size_t key_bytes = 32;

/// Whether the key can be derived within 64 MiB and about a second. True for every key that a
/// server writes, but a journal can contain anything.
bool is_acceptable(const PasswordKey& key);

/// A password, and the cost and salt for its key.
struct KeyRequest {
  std::string password;
  PasswordKey with;  ///< its `key` is not used
};

/// Derives the key, slowly: see KeyCost. Returns an empty string if memory is short. Thread-safe.
std::string derive_key(const KeyRequest& request);

}  // namespace tictactoe::server
