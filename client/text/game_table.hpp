// The list of finished games as a table.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "client/model/lists.hpp"
#include "client/text/table.hpp"

namespace tictactoe::client {

/// What a list shows of a game, besides its number.
struct GameRow {
  std::string ended;
  std::string board;
  std::string x;
  std::string o;
  std::string result;
};
/// Names of people have at most so many characters.
GameRow row_of(const ListedGame& game, std::size_t most_of_name = max_table_name);

/// The games in this order; each line ended by a newline.
std::string draw_game_table(const std::vector<ListedGame>& games);

}  // namespace tictactoe::client
