#include "client/text/game_table.hpp"

#include "client/model/sanitized.hpp"
#include "client/text/narration.hpp"
#include "client/text/prompts.hpp"
#include "client/text/time.hpp"

namespace tictactoe::client {
namespace {

std::string result_text(const ListedGame& game) {
  std::string text = game.winner == Mark::none ? "draw" : mark_name(game.winner) + " wins";
  switch (game.reason) {
    case v1::Outcome::REASON_RESIGNED:
      return text.append(", resigned");
    case v1::Outcome::REASON_AGREED:
      return text.append(", agreed");
    case v1::Outcome::REASON_TIME:
      return text.append(", on time");
    case v1::Outcome::REASON_FORFEIT:
      return text.append(", forfeit");
    case v1::Outcome::REASON_MOVE_LIMIT:
      return text.append(", move limit");
    default:
      return text;
  }
}

}  // namespace

GameRow row_of(const ListedGame& game, std::size_t most_of_name) {
  return {date_text(game.ended_unix_ms), rules_text(game.rules),
          sanitized(name_of(game.x), most_of_name), sanitized(name_of(game.o), most_of_name),
          result_text(game)};
}

std::string draw_game_table(const std::vector<ListedGame>& games) {
  if (games.empty()) return std::string(prompts::no_games) + "\n";
  std::vector<std::vector<std::string>> lines{{"GAME", "ENDED", "BOARD", "X", "O", "RESULT"}};
  for (const ListedGame& game : games) {
    const GameRow row = row_of(game);
    lines.push_back({std::to_string(game.id), row.ended, row.board, row.x, row.o, row.result});
  }
  return draw_table(lines);
}

}  // namespace tictactoe::client
