// The subcommands that ask a server: history, replay and export.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "client/player/play_options.hpp"

namespace tictactoe::client {

// Each writes errors to standard error and returns the program's exit status: 1 if
// PlayOptions::server or the file can't be read, or if there is no such game.

/// A table of the latest `limit` games, of `player` if that is not empty; or the same as JSON.
int show_history(const PlayOptions& play, const std::string& player, std::size_t limit, bool json);

/// Enter shows the next move at a terminal; elsewhere all moves follow at once.
int replay_game(const PlayOptions& play, std::uint64_t id);
/// All games of a file, one after the other.
int replay_file(const std::string& path);

/// The game with that number, or the only one in a file. Prints why if there is none.
std::optional<v1::GameRecord> find_game(const PlayOptions& play, std::uint64_t id);
std::optional<v1::GameRecord> find_game(const std::string& path);

/// The game in the notation of common/record, on standard output.
int export_game(const PlayOptions& play, std::uint64_t id);

}  // namespace tictactoe::client
