// The server's TLS key: where it comes from, and when it is reloaded.
#pragma once

#include <boost/asio/io_context.hpp>
#include <optional>
#include <string>

#include "common/tls/fingerprint.hpp"
#include "server/app/options.hpp"
#include "server/transport/server.hpp"
#include "server/transport/tls/identity.hpp"
#include "server/worker/periodic.hpp"

namespace tictactoe::app {

/// Gives a server the key of --tls-key, or its own from the data directory, whose certificate is
/// checked daily and renewed in time. A server without a journal and without a directory for its
/// key gets a key for the lifetime of the process. All references must outlive it.
class Tls {
 public:
  Tls(boost::asio::io_context& io, transport::Server& server, const ServerOptions& options);

  /// Returns false, after a message, if there is no key. Call it before the server listens.
  bool start();
  /// Prints the key, for people to compare with what clients show.
  void print_key() const;
  /// Reads the files of --tls-key and --tls-cert again. Thread-safe. Nothing without --tls-key.
  std::optional<transport::TlsIdentityRead> read_again() const;
  void use_again(const transport::TlsIdentity& identity);
  /// Stops checking the certificate.
  void stop();

  const tls::Fingerprint& fingerprint() const { return fingerprint_; }

 private:
  transport::TlsIdentityRead read() const;
  void use(const transport::TlsIdentity& identity);

  transport::Server& server_;
  const ServerOptions& options_;
  worker::Periodic renewal_;  // only for the server's own key
  tls::Fingerprint fingerprint_{};
};

}  // namespace tictactoe::app
