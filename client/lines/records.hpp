// The subcommands that ask a server: history, rooms, players, replay and export.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "client/model/decision.hpp"
#include "client/net/address.hpp"
#include "client/net/protection.hpp"
#include "client/storage/identity_keeper.hpp"

namespace tictactoe::client {

/// The server to ask, and the name of the client.
struct RecordsServer {
  Address address;
  std::string name;
  std::string software;
  std::string password;  ///< of the server; empty: none is needed
  Protection protection;
  /// Gets the keeper of a connection. See remember_passwords().
  std::function<void(IdentityKeeper&)> remember;
};

// Each writes errors to standard error and returns the program's exit status: 1 if the server or
// the file can't be read, or if there is no such game.

/// A table of the latest `limit` games, of `player` if that is not empty; or the same as JSON.
int show_history(const RecordsServer& server, const std::string& player, std::size_t limit,
                 bool json);
/// A table of the rooms, or the same as JSON.
int show_rooms(const RecordsServer& server, bool json);
/// The same of the connected players. The client that asks is left out.
int show_players(const RecordsServer& server, bool json);

/// How a game is shown: a move each `speed`; without one a move for each Enter at a terminal, and
/// all at once elsewhere.
struct ReplayOptions {
  std::optional<std::chrono::milliseconds> speed;
  bool plain = false;  ///< no colour
  Analyse analyse;     ///< tells where the game was decided; empty: nobody does
};
int replay_game(const RecordsServer& server, std::uint64_t id, const ReplayOptions& options);
/// All games of a file, one after the other.
int replay_file(const std::string& path, const ReplayOptions& options);

/// The game of that number, or the only one of a file; nothing if there is none, after saying why.
std::optional<v1::GameRecord> find_game(const RecordsServer& server, std::uint64_t id);
std::optional<v1::GameRecord> find_game(const std::string& path);

/// The game in the notation of common/record, on standard output.
int export_game(const RecordsServer& server, std::uint64_t id);

}  // namespace tictactoe::client
