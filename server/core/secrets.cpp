#include "server/core/secrets.hpp"

#include <openssl/sha.h>

namespace tictactoe::core {

std::string digest(std::string_view bytes) {
  std::string hash(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
         reinterpret_cast<unsigned char*>(hash.data()));
  return hash;
}

std::string password_digest(std::string_view password, std::uint64_t salt) {
  if (password.empty()) return {};
  return digest(std::to_string(salt) + "\n" + std::string(password));
}

}  // namespace tictactoe::core
