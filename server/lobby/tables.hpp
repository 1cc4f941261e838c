// The tables that several classes of the host use.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>

#include "server/base/deadlines.hpp"
#include "server/base/effects.hpp"
#include "server/base/secrets.hpp"
#include "server/limits/config.hpp"
#include "server/limits/ledger.hpp"
#include "server/lobby/availability.hpp"
#include "server/lobby/lobby_feed.hpp"
#include "server/lobby/room_table.hpp"
#include "server/people/connections.hpp"
#include "server/people/directory.hpp"
#include "server/people/logins.hpp"
#include "server/people/look_ups.hpp"
#include "server/people/notices.hpp"
#include "server/people/players.hpp"

namespace tictactoe::server {

/// Replaces or wraps the directory of a standalone server.
using ChooseDirectory = std::function<std::unique_ptr<Directory>(std::unique_ptr<Directory> local)>;

/// The tables shared by the classes of the host. Each class takes references to the members it
/// uses, so the tables must outlive it. Whatever only one class uses is a member of that class.
struct Tables {
  Tables(Config config, std::uint64_t seed, TokenSource tokens, const ChooseDirectory& choose);
  Tables(const Tables&) = delete;  // its members refer to each other
  Tables& operator=(const Tables&) = delete;

  Population population() const;  ///< O(rooms)

  Config config;
  std::mt19937_64 random;
  TokenSource tokens;
  Effects effects;
  Deadlines deadlines;
  Ledger ledger;
  Availability availability;
  Connections connections;
  Players players;
  Logins logins;
  LobbyFeed feed;
  Notices notices;
  RoomTable rooms;
  LookUps look_ups;
  std::unique_ptr<Directory> directory;
};

}  // namespace tictactoe::server
