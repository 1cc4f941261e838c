// Chooses the server of a lobby to connect to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "client/model/time.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::client {

/// Maximum number of redirects followed in a row.
inline constexpr int max_redirects = 5;
/// After this time at a server the count of redirects starts again.
inline constexpr milliseconds redirects_forgotten_after{3'000};
/// Longest address of a server: the longest name of a host, brackets and a port.
inline constexpr std::size_t max_server_address_bytes = 264;
/// Maximum number of servers tried if the present one is lost, chosen at random.
inline constexpr std::size_t max_lobby_servers = 16;

/// Begins with the server that the person named. Only the owner of the session knows its address.
class ServerChoice {
 public:
  /// `named` is the address of the server that the person has named, if it is known, so that it is
  /// not tried twice. `seed` is for the order of the other servers, so that the clients of a server
  /// that is lost do not all go to the same one.
  explicit ServerChoice(std::string named, std::uint64_t seed);

  /// The server of the present connection, or of the next one. Null: the one that was named.
  const v1::ServerAddress* elsewhere() const { return at_ ? &*at_ : nullptr; }
  /// Whether any other server is known.
  bool has_others() const;
  /// Whether a redirect was ever followed or refused: a server has known the player.
  bool was_redirected() const { return was_redirected_; }

  /// Follows a redirect. Returns false and changes nothing after too many in a row.
  bool follow(const v1::ServerAddress& server, Time now);
  /// The redirected request is answered.
  void answered() { redirects_ = 0; }
  /// The present server has welcomed the client, and nothing is left to resend.
  void settled(Time now) { settled_ = now; }
  /// The present server has welcomed the client and named the servers of its lobby. If it is lost,
  /// it is tried first, and servers that only an earlier server named are tried last.
  void welcomed(const v1::Welcome& welcome);

  /// The next try is for the server that last welcomed the client; the others follow.
  void go_home();
  /// The next of the others. Null if each was tried since go_home().
  const v1::ServerAddress* another() const;
  /// The next try is for another(), which is not null.
  void go_to_another();
  /// The server of the present connection can't be trusted. If it is one of the others, it is not
  /// tried again until a server names it again; false if it is not.
  bool leave_out();

 private:
  bool is_home(const v1::ServerAddress& server) const;
  std::size_t index_of_another() const;

  std::string named_;
  std::optional<v1::ServerAddress> at_;
  std::optional<v1::ServerAddress> home_;
  std::vector<v1::ServerAddress> known_;  // home_ among them, if its address is known
  std::size_t next_ = 0;                  // of known_
  bool is_at_another_ = false;
  int redirects_ = 0;  // in a row
  bool was_redirected_ = false;
  std::optional<Time> settled_;
  std::mt19937 random_;
};

/// Whether this can be the address of a server.
inline bool is_server_address(const v1::ServerAddress& server) {
  return !server.address().empty() && server.address().size() <= max_server_address_bytes;
}

}  // namespace tictactoe::client
