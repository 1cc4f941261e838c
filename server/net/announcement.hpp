// Announces the server to other programs by DNS-SD.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace tictactoe::net {

/// The system's Avahi daemon announces a service `_tictactoe._tcp` while this object lives.
class Announcement {
 public:
  Announcement() = default;
  Announcement(const Announcement&) = delete;
  Announcement& operator=(const Announcement&) = delete;
  virtual ~Announcement() = default;
};

/// Starts the announcement on a thread of its own. If no daemon runs, it waits for one. Errors are
/// logged as warnings. Returns null in a build without Avahi (TICTACTOE_AVAHI in CMake).
std::unique_ptr<Announcement> announce(const std::string& name, std::uint16_t port);

}  // namespace tictactoe::net
