// Any text as a file of games: refused with a sentence, or read; and what is read and legal can be
// written and read again as the same.
#include <string>

#include "common/record/notation.hpp"
#include "server/app/import.hpp"
#include "tests/fuzz/input.hpp"

FUZZ_TARGET(notation, data, size) {
  using namespace tictactoe;
  const auto games = record::parse_games(fuzz::Input(data, size).rest());
  if (!games) {
    fuzz::require(!games.error().sentence.empty(), "refused without a word");
    return;
  }
  for (const v1::GameRecord& game : *games) {
    v1::GameRecord checked = game;
    if (app::check_import(checked)) continue;
    const std::string text = record::write_game(game);
    const auto again = record::parse_games(text);
    fuzz::require(again && again->size() == 1, "written, and can't be read");
    fuzz::require(again->front().SerializeAsString() == game.SerializeAsString(),
                  "written otherwise than read");
  }
}
