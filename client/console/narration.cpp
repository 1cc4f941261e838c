#include "client/console/narration.hpp"

#include "client/console/shown.hpp"

namespace tictactoe::console {
namespace {

std::string quoted(const std::string& name) {
  return "\"" + name + "\"";
}

// "alice (X)".
std::string side(const Room& room, Mark mark) {
  return name_of(room.occupant(mark)) + " (" + mark_name(mark) + ")";
}

std::string line_text(const Board& board, const Line& line) {
  const std::string ends = cell_name(line.first) + "-" + cell_name(line.last);
  const std::size_t length = line.cells().size();
  switch (line.kind) {
    case Line::Kind::row: {
      const std::string row = "row " + std::to_string(line.first.row + 1);
      return length == board.cols() ? row : row + ", " + ends;
    }
    case Line::Kind::column: {
      const std::string column = "column " + column_name(line.first.col);
      return length == board.rows() ? column : column + ", " + ends;
    }
    case Line::Kind::diagonal:
    case Line::Kind::antidiagonal:
      break;
  }
  return "diagonal " + ends;
}

std::string outcome_text(const Room& room) {
  if (!room.outcome) return "The game is over.";
  const Mark winner = room.outcome->winner;
  if (winner == Mark::none) return "Draw.";
  std::string text = side(room, winner) + " wins";
  std::string_view before = ": ";
  for (const Line& line : room.outcome->lines) {
    text.append(before).append(line_text(room.board, line));
    before = " and ";
  }
  text.append(".");
  if (room.my_seat != Mark::none) text.append(room.my_seat == winner ? " You win!" : " You lose.");
  return text;
}

std::string waiting_text(const Room& room) {
  std::string open;
  for (const Mark seat : {Mark::x, Mark::o}) {
    if (room.occupant(seat).kind != Occupant::Kind::open) continue;
    open.append(open.empty() ? "" : " and ").append(mark_name(seat));
  }
  if (open.empty()) return "Waiting for the game to begin.";
  std::string text = "Waiting for somebody to take " + open + ".";
  return text.append(room.my_seat != Mark::none
                         ? " Type `ai` to play against the computer."
                         : " Type `join " + quoted(room.name) + "` to play.");
}

std::string rematch_hint(const Room& room) {
  if (room.my_seat == Mark::none) return {};
  if (room.occupant(other(room.my_seat)).kind == Occupant::Kind::open) {
    return " The next game begins when somebody takes " + mark_name(other(room.my_seat)) + ".";
  }
  if (room.i_want_rematch()) return " You have asked for a rematch.";
  return " Type `rematch` to play again.";
}

std::string seat_changed_text(const v1::SeatChanged& change, bool was_mine, bool is_mine) {
  const Occupant now = read_occupant(change.occupant());
  const Occupant before = read_occupant(change.previous());
  const std::string seat = mark_name(read_mark(change.seat()));
  std::string text;
  switch (now.kind) {
    case Occupant::Kind::open:
      text = before.kind == Occupant::Kind::ai
                 ? name_of(before) + " no longer plays " + seat + ": the seat is open."
                 : name_of(before) + " has left the seat " + seat + ".";
      break;
    case Occupant::Kind::person:
      text = name_of(now) + " takes the seat " + seat + ".";
      break;
    case Occupant::Kind::ai:
      text = name_of(now) + " plays " + seat + " now.";
      break;
  }
  if (was_mine && !is_mine) text.append(" You watch now.");
  return text;
}

std::string rematch_text(const Room& room, Mark seat) {
  if (seat == room.my_seat) return "You ask for a rematch.";
  const bool asks_me = room.my_seat != Mark::none && !room.i_want_rematch();
  return side(room, seat) + " wants a rematch" + (asks_me ? ": type `rematch` to agree." : ".");
}

std::string chat_text(const v1::ChatSaid& chat) {
  const Mark seat = read_mark(chat.seat());
  return shown(chat.from()) + (seat == Mark::none ? "" : " (" + mark_name(seat) + ")") + ": " +
         shown(chat.text(), max_shown_sentence);
}

std::string watchers_text(const v1::WatchersChanged& change) {
  return shown(change.name()) + (change.joined() ? " watches now (" : " no longer watches (") +
         std::to_string(change.watchers()) + " watching).";
}

}  // namespace

std::string rules_text(std::uint32_t rows, std::uint32_t cols, std::uint32_t k, bool exact) {
  std::string text = std::to_string(rows) + " x " + std::to_string(cols);
  // Everybody knows the classic; on any other board people would guess.
  if (rows == 3 && cols == 3 && k == 3 && !exact) return text;
  return text + ", " + (exact ? "exactly " : "") + std::to_string(k) + " in a row";
}

std::string name_of(const Occupant& occupant) {
  const std::string& name = occupant.name;
  if (occupant.kind != Occupant::Kind::ai) return name.empty() ? "nobody" : name;
  if (name.empty()) return "the computer";
  // Servers are free in how they name an AI; that it is one must be seen.
  return name.find("AI") != std::string::npos ? name : name + " (AI)";
}

std::string status_text(const Room& room) {
  switch (room.phase) {
    case Phase::waiting:
      return waiting_text(room);
    case Phase::finished:
      return outcome_text(room) + rematch_hint(room);
    case Phase::playing:
      break;
  }
  if (room.turn == Mark::none) return "The game goes on.";
  if (room.my_turn()) return "Your turn (" + mark_name(room.turn) + ").";
  return name_of(room.occupant(room.turn)) + "'s turn (" + mark_name(room.turn) + ").";
}

std::string seats_text(const Room& room) {
  std::string text;
  for (const Mark seat : {Mark::x, Mark::o}) {
    const Occupant& occupant = room.occupant(seat);
    text.append(text.empty() ? "" : "   ").append(mark_name(seat)).append(": ");
    text.append(occupant.kind == Occupant::Kind::open ? "open" : name_of(occupant));
    if (seat == room.my_seat) text.append(" (you)");
  }
  if (room.watchers > 0) text.append("   watching: ").append(std::to_string(room.watchers));
  return text;
}

std::string arrival_text(const Room& room, const std::string& me) {
  const Board& board = room.board;
  const std::string what =
      quoted(room.name) + " (" + rules_text(board.rows(), board.cols(), room.k, room.exact) + ").";
  std::string text = "You are " + me;
  if (room.my_seat == Mark::none) {
    text.append(" and watch the room " + what + "\n" + seats_text(room) + "\n");
  } else {
    text.append(" and play " + mark_name(room.my_seat) + " in the room " + what + "\n" +
                seats_text(room) +
                "\nTo move, type row and column (2 3) or the column's letter and the row (c2).\n");
  }
  return text + status_text(room) + "\n";
}

std::string update_text(const Room& room, const v1::RoomUpdate& update, Mark seat_before) {
  switch (update.change_case()) {
    case v1::RoomUpdate::kMovePlayed: {
      const v1::MovePlayed& move = update.move_played();
      const Mark mark = read_mark(move.mark());
      const std::string cell = cell_name({move.cell().row(), move.cell().col()});
      if (mark == room.my_seat) return "You play " + cell + ".";
      return name_of(room.occupant(mark)) + " plays " + cell +
             (move.cannot_lose() ? ", and cannot lose any more." : ".");
    }
    case v1::RoomUpdate::kSeatChanged: {
      const Mark seat = read_mark(update.seat_changed().seat());
      return seat_changed_text(update.seat_changed(), seat == seat_before, seat == room.my_seat);
    }
    case v1::RoomUpdate::kGameStarted: {
      const Mark starter = read_mark(update.game_started().starter());
      const std::string game = "Game " + std::to_string(room.game) + " begins";
      return starter == Mark::none ? game + "." : game + ": " + side(room, starter) + " starts.";
    }
    case v1::RoomUpdate::kRematchWanted:
      return rematch_text(room, read_mark(update.rematch_wanted().seat()));
    case v1::RoomUpdate::kChatSaid:
      return chat_text(update.chat_said());
    case v1::RoomUpdate::kWatchersChanged:
      return watchers_text(update.watchers_changed());
    case v1::RoomUpdate::CHANGE_NOT_SET:
      break;
  }
  return {};
}

bool changes_board(const Room& room, const v1::RoomUpdate& update) {
  return update.has_move_played() || update.has_game_started() ||
         (update.has_seat_changed() && room.phase == Phase::playing);
}

std::string error_text(const v1::Error& error) {
  if (!error.message().empty()) return shown(error.message(), max_shown_sentence);
  const std::string& name = v1::Error::Code_Name(error.code());
  return "the server gave no reason (" + (name.empty() ? std::to_string(error.code()) : name) +
         ").";
}

}  // namespace tictactoe::console
