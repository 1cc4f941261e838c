// Parses what a person types.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "client/model/room.hpp"
#include "tictactoe/v1/client.pb.h"

namespace tictactoe::client {

/// Longest line that is taken, in bytes.
inline constexpr std::size_t max_line_bytes = 4096;

/// A blank line, or one that begins with '#'.
struct NoCommand {};
/// A line that isn't understood: what is wrong, and what to type instead.
struct Mistake {
  std::string text;
};
/// Place a mark.
struct PlaceMark {
  Cell cell;
};
/// Show the board again, or the part around a cell.
struct ShowBoard {
  std::optional<Cell> around;
};
struct ShowHelp {};
struct Quit {};
/// Show how others join.
struct ShowInvitation {};
/// For scripts: continue once the game is over.
struct WaitForEnd {};

/// Mutes or unmutes a player. An empty name lists the muted players.
struct Mute {
  std::string player;
  bool on = true;
};

/// A request has no id yet.
using Command = std::variant<NoCommand, Mistake, PlaceMark, ShowBoard, ShowHelp, Quit, WaitForEnd,
                             ShowInvitation, Mute, v1::ClientMessage>;

/// Parses one line, without its newline. Does not look at the state of a game: the server decides
/// whether a request makes sense.
Command parse_command(std::string_view line);

/// Whether a command enters a room or adds an AI. A player who returns to a seat needs neither.
bool sets_up(const Command& command);

/// The names of all commands.
std::vector<std::string_view> command_names();

/// Every command with what it does; fits 80 x 24.
std::string help_text();

}  // namespace tictactoe::client
