// Checks whether a server is the intended one, by its key.
#pragma once

#include <optional>
#include <string>

#include "client/net/address.hpp"
#include "common/tls/fingerprint.hpp"

namespace tictactoe::client {

/// How the connections to a server are protected.
struct Protection {
  bool tls = true;  ///< false: everybody on the network path can read everything
  /// The folder of the known servers; empty: none are known or stored.
  std::string folder;
  bool keeps = true;                             ///< new servers are stored
  std::optional<tls::Fingerprint> required_key;  ///< named by the person
  /// Named by another server of the lobby, over a trusted connection.
  std::optional<tls::Fingerprint> lobby_key = std::nullopt;
};

/// Plain TCP.
inline Protection no_protection() {
  return {false, {}, false, {}};
}

/// The decision about a server's key.
struct Verdict {
  bool accepted = true;
  std::string refusal;  ///< sentences that say why not, and what to do; empty if accepted
  std::string note;     ///< a line for people; may be empty
};

/// Compares the key that the server at `address` has proven to have with the one that is known. The
/// key of a new server is accepted and stored, with a note unless the person or the lobby has named
/// it. A key that the person has named also replaces the stored one. A key that the lobby names
/// doesn't, so that no server can make the client forget the keys of others.
Verdict judge(const Protection& protection, const Address& address, const tls::Fingerprint& key);

/// What is wrong with a server that does not speak TLS, in a few words.
std::string no_tls_there();

}  // namespace tictactoe::client
