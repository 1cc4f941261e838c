#include "client/words/narration.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "client/model/sanitized.hpp"

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
  if (room.my_seat != Mark::none) {
    return "Waiting for an opponent (" + open + "). " +
           std::string(choose(controls, "Type `ai`", "Press A")) + " to play against the computer.";
  }
  const std::string text =
      open.size() > 1 ? "Waiting for two players. " : "Waiting for a player (" + open + "). ";
  return text +
         (controls == Controls::lines ? "Type `join " + quoted(room.name) + "`" : "Press J") +
         " to play.";
}

// An offer, a question or an answer. `mine` is the text for the own ones.
std::string wish_text(const Room& room, Mark by, std::string_view mine, std::string_view theirs,
                      std::string_view how_to_answer) {
  if (room.both_seats) return {};
  if (by == room.my_seat && by != Mark::none) return std::string(mine);
  const std::string text =
      (by == Mark::none ? "Someone" : seat_and_name(room, by)) + std::string(theirs);
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
  if (room.i_want_rematch()) return rematch_text(room, room.my_seat, controls);
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
      room.i_want_rematch()
          ? "."
          : choose(controls, ": type `rematch` to begin it.", ": press R to begin it.");
  // A newcomer who was given the seat of an AI has not asked, so neither text says so.
  const std::string mine =
      by == Mark::none ? ""
                       : "The next game begins when " + seat_and_name(room, other(by)) + " agrees.";
  return wish_text(room, by, mine, " is ready for the next game", how);
}

std::string draw_offer_text(const Room& room, Mark by, Controls controls) {
  return wish_text(
      room, by, "You offered a draw.", " offers a draw",
      choose(controls, ": type `draw` to accept, or `decline`.", ": D accepts, N declines."));
}

std::string takeback_text(const Room& room, Mark by, Controls controls) {
  return wish_text(
      room, by, "You asked to take your last move back.",
      choose(controls, " asks to take the last move back", " asks to take back"),
      choose(controls, ": type `takeback` to allow it, or `decline`.", ": T allows, N declines."));
}

std::string declined_text(const Room& room, Mark by) {
  return wish_text(room, by, "You declined.", " declines", ".");
}

namespace {

std::string line_text(const Board& board, const Line& line) {
  const std::string ends = cell_name(line.first) + "-" + cell_name(line.last);
  const bool is_row = line.first.row == line.last.row;
  if (!is_row && line.first.col != line.last.col) return "diagonal " + ends;
  const std::string name = is_row ? "row " + std::to_string(line.first.row + 1)
                                  : "column " + column_name(line.first.col);
  const bool is_whole = line.cells().size() == (is_row ? board.cols() : board.rows());
  return is_whole ? name : name + ", " + ends;
}

// "alice" of "alice (X)"; "X" if it is not known who that was.
std::string player_of(const Occupant& occupant, Mark mark) {
  return occupant.kind == Occupant::Kind::open ? mark_name(mark) : name_of(occupant);
}

// Why the game ended, if its last move does not show it; `loser` is a name.
std::string reason_text(v1::Outcome::Reason reason, const std::string& loser) {
  switch (reason) {
    case v1::Outcome::REASON_RESIGNED:
      return ": " + loser + " resigned";
    case v1::Outcome::REASON_TIME:
      return ": " + loser + " ran out of time";
    case v1::Outcome::REASON_FORFEIT:
      return ": " + loser + " was away for too long";
    default:
      return {};
  }
}

// What becomes of the seat of an absent player.
std::string away_text(const Room& room, const Occupant& away) {
  const std::string left = duration_text(milliseconds(away.away_ms_left));
  if (!away.ai_level.empty()) {
    return name_of(away) + " is away: the AI (" + level_text(away.ai_level) +
           ") plays until they are back.";
  }
  const std::string text = name_of(away) + " is away.";
  if (away.away_ms_left == 0) return text;
  if (room.options.away() == v1::AWAY_AI) return text + " An AI takes over in " + left + ".";
  return text +
         (room.phase == Phase::playing ? " They lose the game if they are not back in "
                                       : " The seat is held for ") +
         left + ".";
}

std::string seat_changed_text(const Room& room, const v1::SeatChanged& change, Mark seat_before) {
  const Occupant now = read_occupant(change.occupant());
  const Occupant before = read_occupant(change.previous());
  const Mark mark = read_mark(change.seat());
  const std::string seat = mark_name(mark);
  const bool same_person =
      now.kind == Occupant::Kind::person && before.kind == now.kind && before.name == now.name;
  if (same_person && now.away) return away_text(room, now);
  if (same_person) return room.my_seat == mark ? "You are back." : name_of(now) + " is back.";
  std::string text;
  switch (now.kind) {
    case Occupant::Kind::open:
      text = before.kind == Occupant::Kind::ai
                 ? name_of(before) + " no longer plays " + seat + ": the seat is open."
                 : name_of(before) + " left seat " + seat + ".";
      break;
    case Occupant::Kind::person:
      if (room.my_seat == mark && seat_before == Mark::none) {
        return "You have the seat " + seat + " now.";
      }
      text = name_of(now) + " takes seat " + seat + ".";
      break;
    case Occupant::Kind::ai:
      text = name_of(now) + " plays " + seat + " now.";
      break;
  }
  if (seat_before == mark && room.my_seat != mark) text.append(" You are now watching.");
  return text;
}

std::string taken_back_text(const Room& room, const v1::TakenBack& taken) {
  const Mark by = read_mark(taken.by());
  const std::string what = by == Mark::none ? "The last moves were taken back."
                           : room.is_me(by) ? "You took your last move back."
                                            : seat_and_name(room, by) + " took the last move back.";
  return what + " Marks on the board: " + std::to_string(room.board.count()) + ".";
}

// Games between two people only.
std::string hint_used_text(const Room& room, const v1::HintUsed& used) {
  const Mark by = read_mark(used.by());
  if (by != Mark::none && by == room.my_seat) return "Everyone here can see that you used a hint.";
  return person_name(sanitized(used.name())) + " used a hint.";
}

std::string watchers_text(const v1::WatchersChanged& change) {
  if (change.waits_for_seat()) {
    return sanitized(change.name()) +
           (change.watchers() > 1 ? " is now watching, in line for" : " is now watching and gets") +
           " the AI's seat after this game.";
  }
  return sanitized(change.name()) +
         (change.joined() ? " is now watching (" : " stopped watching (") +
         std::to_string(change.watchers()) + " watching).";
}

std::string move_text(const Room& room, const v1::MovePlayed& move) {
  const Mark mark = read_mark(move.mark());
  const std::string cell = cell_name({move.cell().row(), move.cell().col()});
  const Occupant& who = room.occupant(mark);
  const bool stood_in_for = who.kind == Occupant::Kind::person && who.away;
  if (room.is_me(mark) && !stood_in_for) return "You play " + cell + ".";
  std::string text = stood_in_for ? "The AI plays " + cell + " for " + name_of(who)
                                  : name_of(who) + " plays " + cell;
  text += move.cannot_lose() ? " and can no longer lose." : ".";
  if (!move.engine_fault().empty()) {
    text += " " + sanitized(move.engine_fault(), max_shown_sentence);
  }
  return text;
}

std::string started_text(const Room& room, const v1::GameStarted& started) {
  const Mark starter = read_mark(started.starter());
  const std::string game = "Game " + std::to_string(room.game) + " begins";
  return starter == Mark::none ? game + "."
                               : game + ": " + seat_and_name(room, starter) + " starts.";
}

}  // namespace

std::string quoted(const std::string& name) {
  return "\"" + name + "\"";
}

std::string origin_text(const v1::GamePosition& from) {
  return "from game " + std::to_string(from.game()) + " after " + std::to_string(from.moves()) +
         (from.moves() == 1 ? " move" : " moves");
}

namespace {

struct LevelWords {
  std::string_view name;
  std::string_view meaning;
  std::string_view description;
};

// The weakest first: docs/engine.md has what was measured.
constexpr auto known_levels = std::to_array<LevelWords>({
    {"random", "", "any free cell"},
    {"1", "beginner", "overlooks a lot"},
    {"2", "novice", "overlooks some"},
    {"3", "casual", "overlooks little"},
    {"suggester", "", "falls for double threats"},
    {"4", "practised", "calculates a little"},
    {"5", "seasoned", "calculates some moves"},
    {"6", "advanced", "calculates well"},
    {"7", "expert", "calculates far"},
    {"8", "master", "calculates farthest"},
    {"strong", "", "plays like the hints"},
    {"perfect", "", "never loses"},
});

auto find_level(const std::string& level) {
  return std::ranges::find(known_levels, level, &LevelWords::name);
}

}  // namespace

std::string level_text(const std::string& level) {
  const auto* const known = find_level(level);
  if (known == known_levels.end() || known->meaning.empty()) return level;
  return level + ", " + std::string(known->meaning);
}

std::string level_choice_text(const std::string& level) {
  const auto* const known = find_level(level);
  if (known == known_levels.end()) return level + ": an engine of this server";
  const std::string name =
      known->meaning.empty() ? level : std::string(known->meaning) + " (" + level + ")";
  return name + ": " + std::string(known->description);
}

std::string change_level_text(const std::string& ai) {
  return "Change the level of " + ai;
}

void sort_levels(std::vector<std::string>& levels) {
  // An insertion sort: clang refuses the stable_sort() of libstdc++ 12.
  for (auto next = levels.begin(); next != levels.end(); ++next) {
    const auto place =
        std::ranges::upper_bound(levels.begin(), next, find_level(*next), {}, find_level);
    std::rotate(place, next, std::next(next));
  }
}

std::string rules_text(std::uint32_t rows, std::uint32_t cols, std::uint32_t k, bool exact) {
  std::string text = std::to_string(rows) + " x " + std::to_string(cols);
  // Everybody knows the classic; on any other board people would guess.
  if (rows == 3 && cols == 3 && k == 3 && !exact) return text;
  return text + ", " + (exact ? "exactly " : "") + std::to_string(k) + " in a row";
}

std::string person_name(const std::string& name) {
  return name.find_first_of("()") == std::string::npos ? name : "\"" + name + "\"";
}

std::string seat_text(const Occupant& occupant) {
  return occupant.kind == Occupant::Kind::open ? "open" : name_of(occupant);
}

std::string name_of(const Occupant& occupant) {
  const std::string& name = occupant.name;
  if (occupant.kind != Occupant::Kind::ai) return name.empty() ? "nobody" : person_name(name);
  if (name.empty()) return "the computer";
  // Servers may give an AI any name, but the person must see that it is one.
  return name.find("AI") != std::string::npos ? name : name + " (AI)";
}

std::string seat_and_name(const Room& room, Mark mark) {
  return name_of(room.occupant(mark)) + " (" + mark_name(mark) + ")";
}

std::string occupant_notes(const Room& room, Mark seat) {
  const Occupant& occupant = room.occupant(seat);
  if (occupant.kind == Occupant::Kind::open) return {};
  std::string text = room.is_me(seat) ? " (you)" : "";
  if (occupant.away) text.append(occupant.ai_level.empty() ? " (away)" : " (away, an AI plays)");
  return text;
}

std::string waiting_for_seat_text(const Room& room) {
  return room.watchers > 1 ? "You are in line for the AI's seat: whoever came first gets it when "
                             "this game is over."
                           : "You get the AI's seat when this game is over.";
}

std::string seats_text(const Room& room) {
  std::string text;
  for (const Mark seat : {Mark::x, Mark::o}) {
    text.append(text.empty() ? "" : "   ").append(mark_name(seat)).append(": ");
    text.append(seat_text(room.occupant(seat))).append(occupant_notes(room, seat));
  }
  if (room.watchers > 0) text.append("   watching: ").append(std::to_string(room.watchers));
  const std::string score = score_text(room.score);
  return score.empty() ? text : text + "   " + score;
}

std::string score_text(const v1::Score& score) {
  if (score.x() == 0 && score.o() == 0 && score.draws() == 0) return {};
  return "Score: X " + std::to_string(score.x()) + ", O " + std::to_string(score.o()) + ", draws " +
         std::to_string(score.draws());
}

std::string chat_text(const ChatLine& line) {
  const std::string seat = line.seat == Mark::none ? "" : " (" + mark_name(line.seat) + ")";
  return person_name(line.from) + seat + ": " + line.text;
}

std::optional<milliseconds> running_clock(const Room& room) {
  const bool playing = room.phase == Phase::playing && room.turn != Mark::none;
  // The computer uses no time.
  if (!room.clocks || !playing || room.occupant(room.turn).kind == Occupant::Kind::ai) return {};
  const milliseconds left(room.turn == Mark::x ? room.clocks->x_ms() : room.clocks->o_ms());
  return left + milliseconds(room.clocks->starts_in_ms());
}

std::optional<milliseconds> time_left(const Room& room, Mark side, milliseconds since) {
  if (!room.clocks) return {};
  const milliseconds sent(side == Mark::x ? room.clocks->x_ms() : room.clocks->o_ms());
  const auto end = running_clock(room);
  return room.turn == side && end ? std::min(*end - since, sent) : sent;
}

std::string clocks_text(const Room& room, milliseconds since) {
  if (!room.clocks) return {};
  const auto left = [&](Mark side) {
    return mark_name(side) + " " + clock_text(*time_left(room, side, since));
  };
  return left(Mark::x) + " \xC2\xB7 " + left(Mark::o);
}

std::string outcome_text(const Board& board, const Outcome& outcome, const Occupant& x,
                         const Occupant& o) {
  if (outcome.winner == Mark::none) {
    if (outcome.reason == v1::Outcome::REASON_MOVE_LIMIT)
      return "Draw: the game reached the move limit.";
    return outcome.reason == v1::Outcome::REASON_AGREED ? "Draw by agreement." : "Draw.";
  }
  const bool x_wins = outcome.winner == Mark::x;
  const Occupant& winner = x_wins ? x : o;
  const std::string mark = mark_name(outcome.winner);
  std::string text =
      winner.kind == Occupant::Kind::open ? mark : name_of(winner) + " (" + mark + ")";
  text.append(" wins");
  std::string_view before = ": ";
  for (const Line& line : outcome.lines) {
    text.append(before).append(line_text(board, line));
    before = " and ";
  }
  const Mark loser = other(outcome.winner);
  return text.append(reason_text(outcome.reason, player_of(x_wins ? o : x, loser))).append(".");
}

std::string outcome_text(const Room& room) {
  return outcome_text(room.board, *room.outcome, room.played.x, room.played.o);
}

std::string arrival_text(const Room& room, const std::string& me) {
  const Board& board = room.board;
  std::string what =
      quoted(room.name) + " (" + rules_text(board.rows(), board.cols(), room.k, room.exact);
  if (const std::string time = time_control_text(room.options.time()); !time.empty()) {
    what.append("; ").append(time);
  }
  if (room.options.has_from() && room.game == 1) {
    what.append("; ").append(origin_text(room.options.from()));
  }
  what.append(").");
  std::string text = "You are " + me;
  if (room.my_seat == Mark::none) {
    text.append(", watching the room " + what + "\n" + seats_text(room) + "\n");
    if (room.waits_for_seat) text.append(waiting_for_seat_text(room)).append("\n");
  } else {
    text.append(", playing " + mark_name(room.my_seat) + " in the room " + what + "\n" +
                seats_text(room) +
                "\nTo move, type row and column (2 3) or the column's letter and the row (c2).\n");
  }
  return text;
}

std::string update_text(const Room& room, const v1::RoomUpdate& update, Mark seat_before,
                        Controls controls) {
  switch (update.change_case()) {
    case v1::RoomUpdate::kMovePlayed:
      return move_text(room, update.move_played());
    case v1::RoomUpdate::kSeatChanged:
      return seat_changed_text(room, update.seat_changed(), seat_before);
    case v1::RoomUpdate::kGameStarted:
      return started_text(room, update.game_started());
    case v1::RoomUpdate::kRematchWanted:
      return rematch_text(room, read_mark(update.rematch_wanted().seat()), controls);
    case v1::RoomUpdate::kDrawOffered:
      return draw_offer_text(room, read_mark(update.draw_offered().by()), controls);
    case v1::RoomUpdate::kTakebackAsked:
      return takeback_text(room, read_mark(update.takeback_asked().by()), controls);
    case v1::RoomUpdate::kDeclined:
      return declined_text(room, read_mark(update.declined().by()));
    case v1::RoomUpdate::kTakenBack:
      return taken_back_text(room, update.taken_back());
    case v1::RoomUpdate::kChatSaid:
      return chat_text(read_chat(update.chat_said()));
    case v1::RoomUpdate::kHintUsed:
      return hint_used_text(room, update.hint_used());
    case v1::RoomUpdate::kEngineNote:
      return sanitized(update.engine_note().text(), max_shown_sentence);
    case v1::RoomUpdate::kWatchersChanged:
      return watchers_text(update.watchers_changed());
    case v1::RoomUpdate::kGameEnded:  // how it ended is how things stand now
    case v1::RoomUpdate::CHANGE_NOT_SET:
      break;
  }
  return {};
}

std::string error_text(const v1::Error& error) {
  if (!error.message().empty()) return sanitized(error.message(), max_shown_sentence);
  const std::string& name = v1::Error::Code_Name(error.code());
  return "The server gave no reason (" + (name.empty() ? std::to_string(error.code()) : name) +
         ").";
}

std::string closing_text(const std::string& server, const v1::Error& error) {
  switch (error.code()) {
    case v1::Error::CODE_SERVER_STOPPING:
      return "The server " + server + " is stopping: " + error_text(error);
    case v1::Error::CODE_SERVER_FULL:
      return "The server " + server + " is full: " + error_text(error);
    default:
      return "The server " + server + " closed the connection: " + error_text(error);
  }
}

}  // namespace tictactoe::client
