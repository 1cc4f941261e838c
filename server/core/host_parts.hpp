// What the functions of a Host pass to each other.
#pragma once

#include <memory>
#include <string>

#include "common/rules/types.hpp"
#include "server/core/directory.hpp"
#include "server/core/effects.hpp"
#include "server/core/room_settings.hpp"
#include "server/core/secrets.hpp"
#include "server/core/start_position.hpp"
#include "server/core/time.hpp"

namespace tictactoe::core {

/// How a player is welcomed.
struct Welcoming {
  const Token* token = nullptr;  ///< a new one, or null
  bool resumed = false;
  std::string name_note = {};  // NOLINT(readability-redundant-member-init)
};

struct NewRoom {
  RoomSettings settings;
  rules::Mark seat = rules::Mark::none;
  std::shared_ptr<const StartPosition> position = nullptr;  ///< null: an empty board
};

/// The name and the password that a client knows of a room.
struct RoomCredentials {
  std::string name;
  std::string password;
};

/// What those are told who are in a room that another server goes on with.
struct Farewell {
  Body redirect;
  Body stopping;  ///< to clients that follow no redirects
};

/// Rooms go to that server, and new ones begin there.
struct Giving {
  Directory::Server to;
  Time until;
};

}  // namespace tictactoe::core
