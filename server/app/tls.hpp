// The server's key for TLS: where it comes from, and when it is read again.
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

/// Gives a server the key of the options: that of --tls-key, or its own in the data directory,
/// whose certificate is renewed in time: each day it is looked at. A server that keeps no journal
/// and has no directory for its key gets one that lasts as long as the process. All must outlive
/// it.
class Tls {
 public:
  Tls(boost::asio::io_context& io, transport::Server& server, const ServerOptions& options);

  /// Returns false, after a message, if there is no key. Called before the server listens.
  bool start();
  /// For people to compare with what clients show.
  void print_key() const;
  /// Reads the files of --tls-key and --tls-cert again, on any thread. Nothing without --tls-key.
  std::optional<transport::TlsIdentityRead> read_again() const;
  void use_again(const transport::TlsIdentity& identity);
  /// Does not look at the certificate any more.
  void stop();

  const tls::Fingerprint& fingerprint() const { return fingerprint_; }

 private:
  transport::TlsIdentityRead read() const;
  void use(const transport::TlsIdentity& identity);

  transport::Server& server_;
  const ServerOptions& options_;
  worker::Periodic renewal_;  // of a key of its own
  tls::Fingerprint fingerprint_{};
};

}  // namespace tictactoe::app
