// Restoring players and rooms from the journal, and adopting those of other servers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/host/banning.hpp"
#include "tictactoe/journal/v1/journal.pb.h"

namespace tictactoe::server {

/// What Host::restore() or Host::adopt() refused, and why. These numbers are not used again.
struct RestoreReport {
  enum class Kind : std::uint8_t { player, room };
  struct Refused {
    Kind kind = Kind::player;
    std::uint64_t id = 0;  ///< the player's id, or the room's serial
    std::string why;       ///< a sentence for the server's owner
  };
  std::vector<Refused> refused;
};

/// Adds what is valid, and records the rest as gone, so that its numbers are not used again.
class Restoring {
 public:
  /// All must outlive it.
  Restoring(Tables& tables, People& people, Banning& banning)
      : tables_(tables), people_(people), banning_(banning) {}

  /// See Host::restore().
  RestoreReport restore(const journal::v1::Saved& saved, Time now);
  /// See Host::adopt().
  RestoreReport adopt(const journal::v1::Saved& saved, Time now);
  /// Adopts and records a player. No effect if the player is here already.
  void adopt(const journal::v1::Player& player, Time now);

 private:
  RestoreReport add(const journal::v1::Saved& saved, Time now);
  /// Returns the reason for a refusal; empty on success.
  std::string add(const journal::v1::Player& player, Time now);
  std::string add(const journal::v1::SavedRoom& saved, Time now);
  void record_refused(const RestoreReport::Refused& refused, std::uint64_t revision);

  Tables& tables_;  // for the references below
  const Config& config_ = tables_.config;
  Effects& effects_ = tables_.effects;
  Players& players_ = tables_.players;
  const Logins& logins_ = tables_.logins;
  RoomTable& rooms_ = tables_.rooms;
  Directory& directory_ = *tables_.directory;
  People& people_;
  Banning& banning_;
};

}  // namespace tictactoe::server
