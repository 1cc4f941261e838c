// What Tab may complete in a typed line.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "client/session/session.hpp"
#include "client/terminal/line_editor.hpp"

namespace tictactoe::client {

/// Names that can be completed, as they are on the wire.
struct KnownWords {
  std::vector<std::string> rooms;
  std::vector<std::string> levels;  ///< of the AI
  std::vector<std::string> players;
  std::vector<std::string> muted;
};

/// The names of the players that the session has come across: in lists, rooms, chat and
/// invitations. The own name is left out.
std::set<std::string> known_players(const Session& session);

/// The names of the server's rooms and levels, and of the known players. Names that a terminal
/// can't print, or that are too long for a request, are left out.
KnownWords known_words(const Session& session);

/// Completes commands, their keywords, and the names of rooms, players and AI levels. `before` is
/// the text before the cursor.
Completion complete(std::string_view before, const KnownWords& known);

}  // namespace tictactoe::client
