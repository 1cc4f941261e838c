// Invitations to a server as text: makes those that are shown, and reads those that people paste.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/net/address.hpp"
#include "common/tls/fingerprint.hpp"

namespace tictactoe::client {

/// How others join a server. All fields are empty if that is unknown.
struct Invitation {
  /// At one of the server's addresses.
  struct Way {
    std::string command_in_short;  ///< "tictactoe 192.0.2.7"
    std::string command;           ///< with the key
    std::string link;              ///< with the key: for browsers, and for this program as well
    bool is_from_anywhere = false;
    friend bool operator==(const Way&, const Way&) = default;
  };
  std::vector<Way> ways;  ///< those on this network first
  std::string in_short;   ///< all commands: "tictactoe 192.0.2.7 or 198.51.100.7"
  std::string key;        ///< empty without TLS
  friend bool operator==(const Invitation&, const Invitation&) = default;
};
/// Finds out how others join the server of a session. Calls `done` once, later, in the thread of
/// the front end. Releasing the result cancels the search.
using FindInvitation =
    std::function<std::shared_ptr<void>(std::function<void(const Invitation&)> done)>;

/// Each address is HOST, or HOST:PORT if the port is not the default one. `outside` are the links
/// that the server gives to players on other networks. They are shown as they are; links that can't
/// be read are left out.
Invitation invitation_to(const std::vector<std::string>& addresses,
                         const std::optional<tls::Fingerprint>& key,
                         const std::vector<std::string>& outside = {});

/// The link to a server, as from invitation_to(), that leads to one of its rooms.
std::string room_link(std::string_view link, std::string_view room);

/// The link without its key, for a QR code: a phone's browser ignores the key, and a shorter code
/// is easier to scan.
std::string without_key(std::string_view link);

/// The contents of an invitation. If it can't be read, `fault` says why.
struct Invited {
  Address address;
  std::optional<tls::Fingerprint> key;
  std::string room;  ///< empty: none
  std::string fault;
};
/// Reads everything that programs and pages print for others: an address, a link to a server or one
/// of its rooms, with or without its key, or a command such as "tictactoe HOST:PORT --server-key
/// KEY". The port of a link without one is that of its scheme.
Invited read_invitation(std::string_view text);

/// Whether this is more than an address.
bool is_invitation(std::string_view text);

}  // namespace tictactoe::client
