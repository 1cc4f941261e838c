#include "client/text/standing.hpp"

#include <string_view>

#include "client/text/narration.hpp"

namespace tictactoe::client {
namespace {

using Tone = Standing::Tone;

// The end of a sentence that says what to do.
std::string_view choose(Controls controls, std::string_view lines, std::string_view keys) {
  return controls == Controls::lines ? lines : keys;
}

Standing verdict(const Room& room) {
  if (!room.outcome) return {"The game is over."};
  std::string text = outcome_text(room);
  const Mark winner = room.outcome->winner;
  const Mark mine = room.played.mine;
  if (winner == Mark::none || mine == Mark::none || room.both_seats) return {text};
  if (winner == mine) return {"You win! " + text, Tone::good};
  return {"You lose. " + text, Tone::bad};
}

std::string waiting_text(const Room& room, Controls controls) {
  std::string open;
  for (const Mark seat : {Mark::x, Mark::o}) {
    if (room.occupant(seat).kind != Occupant::Kind::open) continue;
    open.append(open.empty() ? "" : " and ").append(mark_name(seat));
  }
  if (open.empty()) return "Waiting for the game to begin.";
  std::string text = "Waiting for somebody to take " + open + ". ";
  if (room.my_seat != Mark::none) {
    return text.append(choose(controls, "Type `ai`", "Press A")) + " to play against the computer.";
  }
  return text.append(controls == Controls::lines ? "Type `join " + quoted(room.name) + "`"
                                                 : "Press J") +
         " to play.";
}

// An offer, a question or an answer. `mine` is the text for the own ones.
std::string wish_text(const Room& room, Mark by, std::string_view mine, std::string_view theirs,
                      std::string_view how_to_answer) {
  if (room.both_seats) return {};
  if (by == room.my_seat && by != Mark::none) return std::string(mine);
  const std::string text =
      (by == Mark::none ? "Somebody" : seat_and_name(room, by)) + std::string(theirs);
  return text + (room.my_seat == Mark::none ? "." : std::string(how_to_answer));
}

}  // namespace

Standing standing_of(const Room& room, Controls controls) {
  switch (room.phase) {
    case Phase::waiting:
      return {waiting_text(room, controls)};
    case Phase::finished:
      return verdict(room);
    case Phase::playing:
      break;
  }
  if (room.turn == Mark::none) return {"The game is in progress."};
  const std::string mark = mark_name(room.turn);
  if (room.is_me(room.turn)) return {"Your turn: place your " + mark + ".", Tone::good};
  return {name_of(room.occupant(room.turn)) + "'s turn (" + mark + ")."};
}

std::string next_game_text(const Room& room, Controls controls) {
  if (room.phase != Phase::finished || room.my_seat == Mark::none) return {};
  const Mark opponent = other(room.my_seat);
  if (room.occupant(opponent).kind == Occupant::Kind::open) {
    return "The next game begins when someone takes " + mark_name(opponent) + ".";
  }
  if (room.i_want_rematch()) return "You have asked for a rematch.";
  const bool asked = opponent == Mark::x ? room.x_wants_rematch : room.o_wants_rematch;
  if (asked && !room.both_seats) return rematch_text(room, opponent, controls);
  return std::string(choose(controls, "Type `rematch` to play again.",
                            "Press R to play again, or L to leave the room."));
}

std::string status_text(const Room& room) {
  const std::string text = standing_of(room, Controls::lines).text;
  const std::string next = next_game_text(room, Controls::lines);
  return next.empty() ? text : text + " " + next;
}

std::string offers_text(const Room& room, Controls controls) {
  if (room.draw_offered_by != Mark::none) {
    return draw_offer_text(room, room.draw_offered_by, controls);
  }
  if (room.takeback_asked_by == Mark::none) return {};
  return takeback_text(room, room.takeback_asked_by, controls);
}

std::string rematch_text(const Room& room, Mark by, Controls controls) {
  const std::string_view how =
      room.i_want_rematch() ? "."
                            : choose(controls, ": type `rematch` to agree.", ": press R to agree.");
  return wish_text(room, by, "You ask for a rematch.", " wants a rematch", how);
}

std::string draw_offer_text(const Room& room, Mark by, Controls controls) {
  return wish_text(room, by, "You offer a draw.", " offers a draw",
                   choose(controls, ": type `draw` to accept, or `decline`.",
                          ": press D to accept, or N to decline."));
}

std::string takeback_text(const Room& room, Mark by, Controls controls) {
  return wish_text(room, by, "You ask to take your last move back.",
                   " asks to take the last move back",
                   choose(controls, ": type `takeback` to allow it, or `decline`.",
                          ": press T to allow it, or N to decline."));
}

std::string declined_text(const Room& room, Mark by) {
  return wish_text(room, by, "You decline.", " declines", ".");
}

}  // namespace tictactoe::client
