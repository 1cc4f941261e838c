// The keys of servers, stored in the user's state folder as ssh does it, so that a different server
// is noticed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/tls/fingerprint.hpp"

namespace tictactoe::client {

/// Limits of the file: servers, and bytes that are read. Beyond them new servers are not stored;
/// dropping one would mean trusting whatever is at its address.
inline constexpr std::size_t max_known_servers = 2'000;
inline constexpr std::size_t max_known_bytes = std::size_t{512} * 1024;

/// The result of KnownServers::check().
struct KnownServer {
  enum class State : std::uint8_t {
    unknown,  ///< no key is stored
    same,
    changed,  ///< another key is stored, at `place`
    damaged,  ///< its line, at `place`, has no key; or the file, `place`, can't be read
  };
  State state = State::unknown;
  std::string place;  ///< FILE:LINE, or FILE
};

/// Keys belong to addresses, as with ssh: what a server says about itself, even its id, proves
/// nothing until its key is known.
///
/// The file `known_servers` in a folder: a line for each server, its HOST:PORT, a space and its
/// fingerprint. Lines that begin with # and empty lines are left alone. A person may change it with
/// any editor. Several programs may change it at the same time.
class KnownServers {
 public:
  /// `folder` is empty if there is none.
  explicit KnownServers(const std::string& folder);

  /// Compares the key of the server at `address`, HOST:PORT, with the stored one.
  KnownServer check(std::string_view address, const tls::Fingerprint& fingerprint) const;
  /// Pins the key of an unknown server. Returns why it can't, in a few words; empty on success, and
  /// if another program has just pinned the same key.
  std::string add(std::string_view address, const tls::Fingerprint& fingerprint) const;

  /// Replaces the stored key of `address` with one that the person has named.
  std::string replace(std::string_view address, const tls::Fingerprint& fingerprint) const;

  const std::string& path() const { return path_; }

 private:
  /// `edit` changes the text of the file, or says why not.
  template <class Edit>
  std::string change(const Edit& edit) const;

  std::string path_;  // empty: nothing is kept
};

}  // namespace tictactoe::client
