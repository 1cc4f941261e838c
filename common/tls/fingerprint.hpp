// By which people and programs know a server's key.
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

/// Of the key in that certificate. Nothing if it can't be encoded.
std::optional<Fingerprint> fingerprint_of(const X509& certificate);

/// "SHA256:" and the bytes in base64 without padding, as ssh prints it: 50 characters.
std::string to_text(const Fingerprint& fingerprint);
/// Reads what to_text() writes, and nothing else.
std::optional<Fingerprint> fingerprint_from_text(std::string_view text);

/// The bytes as they are in messages.
std::string to_bytes(const Fingerprint& fingerprint);
/// Nothing unless there are 32 bytes.
std::optional<Fingerprint> fingerprint_from_bytes(std::string_view bytes);

}  // namespace tictactoe::tls
