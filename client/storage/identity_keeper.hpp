// The identity of one player on one server, whatever the server's address is today.
//
// Identities belong to a server's id (Welcome.server_id). The id is known only after the first
// welcome at an address, so the file `addresses` records which server was last found at which
// address: a line for each, with the address, a tab and the id in hexadecimal.
//
// Any server can claim any id. If keys of the server are known, it gets the identity at another
// address only if its key there is one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "client/session/credentials.hpp"
#include "client/storage/identity.hpp"
#include "common/tls/fingerprint.hpp"

namespace tictactoe::client {

/// Maximum number of addresses, the latest first.
inline constexpr std::size_t max_known_addresses = 64;

class IdentityKeeper {
 public:
  /// Stores nothing: for guests.
  IdentityKeeper() = default;
  /// `address` is HOST:PORT; the folder is that of open_identity().
  IdentityKeeper(std::string folder, std::string address, std::string name);

  /// The initial token; empty if none.
  std::string token() const { return opened_.identity ? opened_.identity->token() : std::string(); }
  /// A line for people, see IdentityOpened.
  const std::string& note() const { return opened_.note; }

  /// A server was reached and proved to have this key; nothing without TLS.
  void reached(std::optional<tls::Fingerprint> key) { key_ = key; }

  /// The first welcome says which server is at the address. Returns the token of this person's
  /// player there, if it differs from the one just welcomed. `resumed`: the server knew token().
  std::optional<std::string> server_known(std::uint64_t server, bool resumed);
  /// The server is also at `address`, HOST:PORT, according to a trusted server: one of several with
  /// the same id and players.
  void also_at(const std::string& address) const;
  /// Stores a token. Returns a line for people if that fails.
  std::string save(const std::string& token);

 private:
  std::optional<std::uint64_t> server_at_address() const;
  void keep_address(const std::string& address, std::uint64_t server) const;
  std::string file_of(std::uint64_t server) const;
  bool is_believed(std::uint64_t server) const;

  std::string folder_;
  std::string address_;
  std::string name_;
  std::optional<std::uint64_t> server_;  // whose identity is open; nothing if it is the address's
  std::optional<tls::Fingerprint> key_;
  IdentityOpened opened_;
};

}  // namespace tictactoe::client
