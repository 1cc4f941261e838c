// The identity of one player on one server, whatever the server's address is today.
//
// Identities belong to a server's key, so that the secret goes to nobody else. Without TLS they
// belong to the server's address.
#pragma once

#include <optional>
#include <string>

#include "client/storage/identity.hpp"
#include "common/tls/fingerprint.hpp"

namespace tictactoe::client {

class IdentityKeeper {
 public:
  /// Stores nothing: for guests.
  IdentityKeeper() = default;
  /// `address` is HOST:PORT; the folder is that of open_identity().
  IdentityKeeper(std::string folder, std::string address, std::string name)
      : folder_(std::move(folder)), address_(std::move(address)), name_(std::move(name)) {}

  /// The server was reached and proved to have this key; nothing without TLS. Returns the token for
  /// it, empty if there is none; nothing after the first call, and for guests.
  std::optional<std::string> reached(const std::optional<tls::Fingerprint>& key);
  /// Another server with the same players was reached, at `address` and with this key. The person
  /// may name it next time.
  void also_at(const std::string& address, const std::optional<tls::Fingerprint>& key) const;
  /// A line for people, see IdentityOpened.
  const std::string& note() const { return opened_.note; }
  /// Stores a token. Returns a line for people if that fails.
  std::string save(const std::string& token);

 private:
  std::string file_of(const std::string& address, const std::optional<tls::Fingerprint>& key) const;

  std::string folder_;
  std::string address_;  // empty: nothing is stored, or the identity is open
  std::string name_;
  IdentityOpened opened_;
};

}  // namespace tictactoe::client
