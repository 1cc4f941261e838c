// The key and the certificate by which a server is known over TLS.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <boost/system/result.hpp>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "common/tls/fingerprint.hpp"

namespace tictactoe::transport {

/// Ready for handshakes. TLS 1.2 and 1.3 with ephemeral keys; no renegotiation, no compression, and
/// no sessions that are kept or resumed, so that a connection costs no memory after its end.
struct TlsIdentity {
  /// Connections that were made with it may outlive it.
  std::shared_ptr<boost::asio::ssl::context> context;
  tls::Fingerprint fingerprint{};
  /// A sentence about what browsers will complain about; empty if there is nothing.
  std::string warning;
};

/// How many handshakes with that key may be computed in one turn of the event loop: they take about
/// a millisecond together, of which one with a P-256 key takes 0.3 and one with RSA more than all.
std::size_t handshakes_at_once(const TlsIdentity& identity);

/// Otherwise a sentence that says what is wrong.
using TlsIdentityRead = boost::system::result<TlsIdentity, std::string>;

/// The file with the server's own key, in its data directory.
inline constexpr const char* tls_file_name = "tls.pem";

/// Reads PEM files: the certificate with those that lead to its issuer, and the key, which has no
/// passphrase. Dates only give a warning.
TlsIdentityRead read_tls_identity(const std::filesystem::path& certificate,
                                  const std::filesystem::path& key);

/// The server's own identity, in tls_file_name of that directory. It is created if it is not there:
/// a P-256 key and a self-signed certificate, readable only by the owner. The certificate is valid
/// for 824 days, as some browsers take none that is valid for longer than 825. One that has less
/// than a year left is signed again with the same key; if that fails, there is a warning. The file
/// appears and changes whole or not at all; servers that start at the same time use the same one. A
/// file that others can read is refused, because they may have the key.
TlsIdentityRead own_tls_identity(const std::filesystem::path& folder);

/// One that is kept nowhere.
TlsIdentityRead temporary_tls_identity();

}  // namespace tictactoe::transport
