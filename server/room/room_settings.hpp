// What a room is created with. Never changes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "common/rules/types.hpp"
#include "server/base/origin.hpp"
#include "server/base/secrets.hpp"
#include "server/limits/parse.hpp"
#include "server/people/players.hpp"

namespace tictactoe::server {

struct RoomSettings {
  std::string name;
  rules::Rules rules;
  RoomOptions options;
  std::shared_ptr<const PasswordKey> password;  ///< null: everybody may enter
  std::uint64_t serial = 0;                     ///< the room's number on this server; never reused
  std::uint64_t seed = 0;                       ///< for the random choices of the room's AIs
  PlayerId creator = 0;
  std::uint64_t revision = 0;  ///< the first update has the next higher one
  /// The origin of the creator, who is charged for the room.
  std::optional<Origin> origin = {};  // NOLINT(readability-redundant-member-init)

  bool needs_password() const { return password != nullptr; }
  /// Whether others may see this room.
  bool is_listed() const { return !options.unlisted; }
  /// Whether Play may enter it, and others may see who is in it.
  bool is_public() const { return is_listed() && !needs_password(); }
};

}  // namespace tictactoe::server
