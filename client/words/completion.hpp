// What Tab may complete in a typed line.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "client/session/session.hpp"
#include "client/terminal/line_editor.hpp"

namespace tictactoe::client {

/// The names of the players that the session has come across: in lists, rooms, chat and
/// invitations. The own name is left out.
std::set<std::string> known_players(const Session& session);

/// The names of the server's rooms and AI levels, and of the known players. Names that a terminal
/// can't print, or that are too long for a request, are left out.
std::vector<std::string> known_names(const Session& session);

/// Completes a command or, after it, one of `names`. `before` is the text before the cursor.
Completion complete(std::string_view before, const std::vector<std::string>& names);

}  // namespace tictactoe::client
