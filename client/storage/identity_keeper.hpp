// The identity of one player on one server.
//
// An identity is filed under the server's key, so its secret is sent to no other server. Without
// TLS it is filed under the server's address.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

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
  /// Also files the identity under another server of the lobby, which the player may connect to
  /// directly next time. Until this is destroyed no other client takes that file. Ignored after
  /// 16 servers.
  void also_at(const std::string& address, const std::optional<tls::Fingerprint>& key);
  /// A line for people, see IdentityOpened.
  const std::string& note() const { return opened_.note; }
  /// Stores a token. Returns a line for people if that fails.
  std::string save(std::string_view token);

 private:
  std::string file_of(const std::string& address, const std::optional<tls::Fingerprint>& key) const;

  std::string folder_;
  std::string address_;  // empty: nothing is stored, or the identity is open
  std::string name_;
  std::string file_;  // of opened_
  IdentityOpened opened_;
  static constexpr std::size_t max_elsewhere = 16;
  std::map<std::string, Identity> elsewhere_;  // by file
};

}  // namespace tictactoe::client
