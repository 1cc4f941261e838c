// The list of finished games as a table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "client/model/lists.hpp"

namespace tictactoe::client {

/// What a list shows of a game, beside its number.
struct GameRow {
  std::string ended;
  std::string board;
  std::string x;
  std::string o;
  std::string result;
};
GameRow row_of(const ListedGame& game);

/// The games in this order; each line ended by a newline.
std::string draw_game_table(const std::vector<ListedGame>& games);

/// "2026-05-17 20:15" in the time zone of the user; empty for 0, and for what is no time of these
/// millennia.
std::string date_text(std::uint64_t unix_ms);

}  // namespace tictactoe::client
