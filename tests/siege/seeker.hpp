// Asks a server for discovery answers over UDP.
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <string>

namespace tictactoe::siege {

/// A socket at an address of this machine that sends queries and counts answers. It never waits.
class Seeker {
 public:
  /// `from` is an IPv4 address in this machine's byte order. Throws load::Failure if there is no
  /// socket.
  Seeker(std::uint32_t from, const sockaddr_in& to);
  ~Seeker();
  Seeker(const Seeker&) = delete;
  Seeker& operator=(const Seeker&) = delete;

  /// Sends a query of the longest size. A query for which the system has no space is lost.
  void ask();
  /// Answers that have come since the last call.
  std::uint64_t answers();

 private:
  int socket_;
  std::string query_;
};

}  // namespace tictactoe::siege
