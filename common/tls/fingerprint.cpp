#include "common/tls/fingerprint.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <algorithm>
#include <span>

namespace tictactoe::tls {

namespace {

constexpr std::string_view scheme = "SHA256:";
// Of 32 bytes, with one character of padding.
constexpr std::size_t base64_size = 44;

}  // namespace

std::optional<Fingerprint> fingerprint_of(const X509& certificate) {
  unsigned char* der = nullptr;
  const int size = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(&certificate), &der);
  if (size <= 0) return std::nullopt;
  Fingerprint fingerprint{};
  const int done = EVP_Digest(der, static_cast<std::size_t>(size), fingerprint.data(), nullptr,
                              EVP_sha256(), nullptr);
  OPENSSL_free(der);
  if (done != 1) return std::nullopt;
  return fingerprint;
}

std::string to_text(const Fingerprint& fingerprint) {
  std::array<unsigned char, base64_size + 1> text{};  // with the zero that ends it
  EVP_EncodeBlock(text.data(), fingerprint.data(), static_cast<int>(fingerprint.size()));
  std::string result(scheme);
  for (const unsigned char letter : std::span(text).first(base64_size - 1)) {
    result.push_back(static_cast<char>(letter));
  }
  return result;
}

std::optional<Fingerprint> fingerprint_from_text(std::string_view text) {
  if (!text.starts_with(scheme)) return std::nullopt;
  text.remove_prefix(scheme.size());
  if (text.size() != base64_size - 1) return std::nullopt;
  std::array<unsigned char, base64_size> padded{};
  std::ranges::copy(text, padded.begin());
  padded.back() = '=';
  std::array<unsigned char, base64_size / 4 * 3> bytes{};
  if (EVP_DecodeBlock(bytes.data(), padded.data(), base64_size) < 0) return std::nullopt;
  Fingerprint fingerprint{};
  std::copy_n(bytes.begin(), fingerprint.size(), fingerprint.begin());
  // One fingerprint has one text: the bits behind its last byte are zero.
  if (to_text(fingerprint).substr(scheme.size()) != text) return std::nullopt;
  return fingerprint;
}

std::string to_bytes(const Fingerprint& fingerprint) {
  return {fingerprint.begin(), fingerprint.end()};
}

std::optional<Fingerprint> fingerprint_from_bytes(std::string_view bytes) {
  Fingerprint fingerprint{};
  if (bytes.size() != fingerprint.size()) return std::nullopt;
  std::ranges::copy(bytes, fingerprint.begin());
  return fingerprint;
}

}  // namespace tictactoe::tls
