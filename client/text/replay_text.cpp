#include "client/text/replay_text.hpp"

#include "client/text/narration.hpp"
#include "client/text/time.hpp"

namespace tictactoe::client {

std::string summary_text(const Replay& replay) {
  const Room& room = replay.room();
  const v1::GameRecord& game = replay.game();
  std::string text = game.id() == 0 ? "" : "Game " + std::to_string(game.id()) + ": ";
  text.append(name_of(room.x) + " (X) and " + name_of(room.o) + " (O)");
  if (!room.name.empty()) text.append(" in the room \"" + room.name + "\"");
  text.append(", " + rules_text(room.board.rows(), room.board.cols(), room.k, room.exact));
  if (const std::string time = time_control_text(game.time()); !time.empty()) {
    text.append("; " + time);
  }
  const std::string ended = date_text(game.ended_unix_ms());
  return text + (ended.empty() ? "" : "\nEnded " + ended) + ".\n";
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

std::string decision_text(const Replay& replay, const Decision& decision) {
  const auto result = [&](Mark winner) {
    return winner == Mark::none ? std::string("a draw") : "a win for " + mark_name(winner);
  };
  if (decision.moves == 0 || decision.moves > replay.moves()) {
    return "No move changed the result: with best play it was " + result(decision.result) +
           " from the start.";
  }
  if (!decision.before) {
    return "From move " + std::to_string(decision.moves) + " on it was " + result(decision.result) +
           " with best play; what was before is too hard to work out.";
  }
  const std::size_t last = decision.moves - 1;
  return "Move " + std::to_string(decision.moves) + " decided: " + cell_name(replay.cell_at(last)) +
         " by " + mark_name(replay.side_at(last)) +
         " was the last mistake. Before it, best play led to " + result(*decision.before) +
         ", after it to " + result(decision.result) + ".";
}

std::string outcome_text(const Replay& replay) {
  const std::optional<Outcome>& outcome = replay.outcome();
  const Room& room = replay.room();
  if (!outcome) return "How it ended is not known.";
  return outcome_text(room.board, *outcome, room.x, room.o);
}

std::string position_text(const Replay& replay, bool decides) {
  return (decides ? "the last mistake: move " : "move ") + std::to_string(replay.played()) +
         " of " + std::to_string(replay.moves());
}

}  // namespace tictactoe::client
