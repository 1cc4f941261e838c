#include "client/words/replay_text.hpp"

#include "client/words/narration.hpp"
#include "client/words/time.hpp"

namespace tictactoe::client {

std::string summary_text(const Replay& replay) {
  const Room& room = replay.room();
  const v1::GameRecord& game = replay.game();
  std::string text = game.id() == 0 ? "" : "Game " + std::to_string(game.id()) + ": ";
  text.append(name_of(room.x) + " (X) and " + name_of(room.o) + " (O)");
  if (!room.name.empty()) text.append(" in the room \"" + room.name + "\"");
  text.append(", " + rules_text(room.board.rows(), room.board.cols(), room.k, room.exact));
  if (game.has_from()) text.append(", " + origin_text(game.from()));
  if (const std::string time = time_control_text(game.time()); !time.empty()) {
    text.append("; " + time);
  }
  const std::string ended = date_text(game.ended_unix_ms());
  return text + (ended.empty() ? "" : ".\nEnded " + ended) + ".\n";
}

std::string move_text(const Replay& replay) {
  const std::size_t last = replay.played() - 1;
  const Mark mark = replay.side_at(last);
  const v1::GameRecord& game = replay.game();
  std::string text = std::to_string(replay.played()) + ". " +
                     name_of(replay.room().occupant(mark)) + " (" + mark_name(mark) + ") plays " +
                     cell_name(replay.cell_at(last));
  if (game.move_ms_size() == game.moves_size()) {
    const std::uint32_t time = game.move_ms(static_cast<int>(last));
    text.append(" after " + duration_text(milliseconds(time)));
  }
  return text.append(".");
}

std::string outcome_text(const Replay& replay) {
  const std::optional<Outcome>& outcome = replay.outcome();
  const Room& room = replay.room();
  if (!outcome) return "The result is unknown.";
  return outcome_text(room.board, *outcome, room.x, room.o);
}

std::string position_text(const Replay& replay) {
  return "move " + std::to_string(replay.played()) + " of " + std::to_string(replay.moves());
}

}  // namespace tictactoe::client
