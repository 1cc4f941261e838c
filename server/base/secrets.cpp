#include "server/base/secrets.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

namespace tictactoe::server {

namespace {

constexpr std::uint64_t max_memory = std::uint64_t{64} * 1024 * 1024;

std::uint64_t memory_of(const KeyCost& cost) {
  return (std::uint64_t{128} << cost.log2_n) * cost.r;
}

}  // namespace

std::string digest(std::string_view bytes) {
  std::string hash(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
         reinterpret_cast<unsigned char*>(hash.data()));
  return hash;
}

std::uint64_t number_of(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : digest(bytes).substr(0, sizeof number)) {
    number = number << 8 | static_cast<unsigned char>(byte);
  }
  return number;
}

bool are_equal(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

bool is_acceptable(const PasswordKey& key) {
  constexpr std::uint32_t max = 20;
  constexpr std::size_t max_salt_bytes = 64;
  const KeyCost& cost = key.cost;
  if (key.key.size() != key_bytes || key.salt.size() > max_salt_bytes) return false;
  return cost.log2_n >= 1 && cost.log2_n <= max && cost.r >= 1 && cost.r <= max && cost.p >= 1 &&
         cost.p <= max && memory_of(cost) <= max_memory;
}

std::string derive_key(const KeyRequest& request) {
  const PasswordKey& with = request.with;
  std::string key(key_bytes, '\0');
  // OpenSSL counts slightly more than scrypt's own memory.
  const std::uint64_t memory = 2 * max_memory;
  const int done =
      EVP_PBE_scrypt(request.password.data(), request.password.size(),
                     reinterpret_cast<const unsigned char*>(with.salt.data()), with.salt.size(),
                     std::uint64_t{1} << with.cost.log2_n, with.cost.r, with.cost.p, memory,
                     reinterpret_cast<unsigned char*>(key.data()), key.size());
  return done == 1 ? key : std::string();
}

}  // namespace tictactoe::server
