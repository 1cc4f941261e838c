// The TLS key and certificate of a server.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <boost/system/result.hpp>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "common/tls/fingerprint.hpp"

namespace tictactoe::transport {

/// A key and certificate, ready for handshakes. TLS 1.2 and 1.3 with ephemeral keys. No
/// renegotiation, compression or session resumption, so a connection costs no memory after its end.
struct TlsIdentity {
  /// Connections made with it may outlive it.
  std::shared_ptr<boost::asio::ssl::context> context;
  tls::Fingerprint fingerprint{};
  /// A sentence about what browsers will complain about; empty if nothing.
  std::string warning;
};

/// How many handshakes with this key may be computed in one slice of the event loop: about a
/// millisecond's worth. One takes 0.3 ms with a P-256 key, and more than a millisecond with RSA.
std::size_t handshakes_at_once(const TlsIdentity& identity);

/// The identity, or a sentence that says what is wrong.
using TlsIdentityRead = boost::system::result<TlsIdentity, std::string>;

/// The file with the server's own key, in its data directory.
inline constexpr const char* tls_file_name = "tls.pem";

/// Reads PEM files: the certificate with the chain to its issuer, and the key, without a
/// passphrase. Refuses pipes: a server reads its files more than once. Problems with dates are only
/// warnings.
TlsIdentityRead read_tls_identity(const std::filesystem::path& certificate,
                                  const std::filesystem::path& key);

/// The server's own identity, from tls_file_name in this directory. If there is none, creates a
/// P-256 key and a self-signed certificate, readable only by the owner. The certificate is valid
/// for 824 days, because some browsers reject more than 825. With less than a year left, it is
/// signed again with the same key; if that fails, there is a warning. The file is created and
/// replaced atomically, and servers that start at the same time use the same one. A symbolic link
/// is followed; one to nothing is refused, because the key may be on a disk that is not mounted. A
/// file that others can read is refused, because they may have the key.
TlsIdentityRead own_tls_identity(const std::filesystem::path& folder);

/// Returns why own_tls_identity() can't use the file in this directory, in a few words; empty if it
/// can, or if there is no file yet.
std::string fault_of_own_tls_identity(const std::filesystem::path& folder);

/// An identity that is not stored.
TlsIdentityRead temporary_tls_identity();

}  // namespace tictactoe::transport
