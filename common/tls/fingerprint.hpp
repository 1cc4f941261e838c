// Fingerprints, by which people and programs recognise the key of a server.
#pragma once

#include <openssl/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tictactoe::tls {

/// The SHA-256 of a public key in DER (SubjectPublicKeyInfo, RFC 5280). A new certificate for the
/// same key has the same one.
using Fingerprint = std::array<std::uint8_t, 32>;

/// The fingerprint of a certificate's key. Nothing if the key can't be encoded.
std::optional<Fingerprint> fingerprint_of(const X509& certificate);

/// "SHA256:" and the bytes in base64 without padding, as ssh prints it: 50 characters.
std::string to_text(const Fingerprint& fingerprint);
/// Reads what to_text() writes, and nothing else.
std::optional<Fingerprint> fingerprint_from_text(std::string_view text);

/// The fingerprint as bytes, as in messages.
std::string to_bytes(const Fingerprint& fingerprint);
/// Reads what to_bytes() writes. Nothing unless there are 32 bytes.
std::optional<Fingerprint> fingerprint_from_bytes(std::string_view bytes);

}  // namespace tictactoe::tls
