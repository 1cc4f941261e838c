// Telling other programs of this server by DNS-SD, beside answering our own clients.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace tictactoe::net {

/// A service `_tictactoe._tcp` that the system's Avahi daemon announces for as long as this lives.
class Announcement {
 public:
  Announcement() = default;
  Announcement(const Announcement&) = delete;
  Announcement& operator=(const Announcement&) = delete;
  virtual ~Announcement() = default;
};

/// Begins to announce. It has a thread of its own; where no daemon runs it waits for one, and
/// faults are logged as warnings. Null in a build without Avahi (CMake's TICTACTOE_AVAHI).
std::unique_ptr<Announcement> announce(const std::string& name, std::uint16_t port);

}  // namespace tictactoe::net
