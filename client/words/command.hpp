// What a person types, understood.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "client/model/notation.hpp"
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
/// A mark to be set.
struct PlaceMark {
  Cell cell;
};
/// The board once more, or the part of it round a cell.
struct ShowBoard {
  std::optional<Cell> around;
};
struct ShowHelp {};
struct Quit {};
/// Only scripts need it: go on when the game is over.
struct WaitForEnd {};

/// A player whose chat and invitations are not to be shown, or shown again; with an empty name: who
/// they are.
struct Mute {
  std::string player;
  bool on = true;
};

/// A request has no id yet.
using Command = std::variant<NoCommand, Mistake, PlaceMark, ShowBoard, ShowHelp, Quit, WaitForEnd,
                             Mute, v1::ClientMessage>;

/// Understands one line, without its newline. Never looks at the state of a game: whether a request
/// makes sense now is for the server to say.
Command parse_command(std::string_view line);

/// Whether a command brings a player to a room, or an AI to the room. A player who comes back to a
/// seat needs neither.
bool sets_up(const Command& command);

/// The names of all commands.
std::vector<std::string_view> command_names();

/// Every command with what it does; fits 80 x 24.
std::string help_text();

}  // namespace tictactoe::client
