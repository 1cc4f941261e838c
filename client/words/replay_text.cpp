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

namespace {

std::string result_text(Mark winner) {
  return winner == Mark::none ? "a draw" : "a win for " + mark_name(winner);
}

// How a game ended that best play would have ended otherwise: "X resigned a won position.". Empty
// if it ended as the position promised, or if that is not known.
std::string early_end_text(const Replay& replay, Mark promised) {
  const std::optional<Outcome>& outcome = replay.outcome();
  if (!outcome || outcome->winner == promised) return {};
  if (outcome->winner == Mark::none) {
    return "The game was drawn, although the position was won for " + mark_name(promised) + ".";
  }
  const std::string loser = mark_name(other(outcome->winner));
  const std::string position = promised == Mark::none ? "a drawn position." : "a won position.";
  switch (outcome->reason) {
    case v1::Outcome::REASON_RESIGNED:
      return loser + " resigned " + position;
    case v1::Outcome::REASON_TIME:
      return loser + " lost on time in " + position;
    case v1::Outcome::REASON_FORFEIT:
      return loser + " was away too long in " + position;
    default:
      return {};
  }
}

}  // namespace

std::string decision_text(const Replay& replay, const Decision& decision) {
  std::string end = early_end_text(replay, decision.result);
  if (!end.empty()) end.append(" ");
  if (decision.moves == 0 || decision.moves > replay.moves()) {
    return end + "No move changed the result: with best play it was " +
           result_text(decision.result) + " from the start.";
  }
  if (!decision.before) {
    return end + "From move " + std::to_string(decision.moves) + " on it was " +
           result_text(decision.result) +
           " with best play; earlier positions are too hard to solve.";
  }
  const std::size_t last = decision.moves - 1;
  const std::string number = std::to_string(decision.moves);
  return (end.empty() ? "Move " + number + " decided the game: "
                      : end + "Before that, in move " + number + ", ") +
         cell_name(replay.cell_at(last)) + " by " + mark_name(replay.side_at(last)) +
         " was the last mistake. With best play it turned " + result_text(*decision.before) +
         " into " + result_text(decision.result) + ".";
}

std::string outcome_text(const Replay& replay) {
  const std::optional<Outcome>& outcome = replay.outcome();
  const Room& room = replay.room();
  if (!outcome) return "The result is unknown.";
  return outcome_text(room.board, *outcome, room.x, room.o);
}

std::string position_text(const Replay& replay, bool decides) {
  return (decides ? "the last mistake: move " : "move ") + std::to_string(replay.played()) +
         " of " + std::to_string(replay.moves());
}

}  // namespace tictactoe::client
