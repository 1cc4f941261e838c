// The list of finished games as a table.
#pragma once

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

}  // namespace tictactoe::client
