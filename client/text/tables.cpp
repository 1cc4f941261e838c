#include "client/text/tables.hpp"

#include <algorithm>

#include "client/model/sanitized.hpp"
#include "client/text/narration.hpp"
#include "client/text/prompts.hpp"
#include "client/text/time.hpp"
#include "common/unicode/letters.hpp"

namespace tictactoe::client {
namespace {

std::string state_text(const ListedRoom& room) {
  switch (room.phase) {
    case Phase::waiting:
      return "waiting";
    case Phase::playing:
      return "move " + std::to_string(std::uint64_t{room.ply} + 1);
    case Phase::finished:
      break;
  }
  return "over";
}

std::vector<std::string> table_line(const ListedRoom& room) {
  const RoomRow row = row_of(room);
  const std::string lock = room.needs_password ? ", password" : "";
  const std::string watchers =
      room.watchers > 0 ? ", " + std::to_string(room.watchers) + " watching" : "";
  return {room.name, row.board, row.x, row.o, row.state + lock + watchers};
}

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

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(unicode::columns_of(text));
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t taken = width_of(text);
  if (taken < width) text.append(width - taken, ' ');
  return text;
}

std::string draw_table(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < widths.size(); ++i)
      widths[i] = std::max(widths[i], width_of(line[i]));
  }
  std::string table;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < widths.size(); ++i) table.append(padded(line[i], widths[i] + 2));
    table.erase(table.find_last_not_of(' ') + 1);
    table.push_back('\n');
  }
  return table;
}

RoomRow row_of(const ListedRoom& room, std::size_t most_of_name) {
  return {rules_text(room.rules), sanitized(seat_text(room.x), most_of_name),
          sanitized(seat_text(room.o), most_of_name), state_text(room)};
}

std::string no_rooms_text(Controls controls) {
  return controls == Controls::lines ? "No rooms yet: `play` or `create NAME` opens one."
                                     : "No rooms yet. P opens one and waits there.";
}

std::string with_open_seat_text(std::size_t rooms) {
  return std::to_string(rooms) + " with an open seat";
}

std::string draw_room_table(std::vector<ListedRoom> rooms, bool complete) {
  if (rooms.empty()) return no_rooms_text(Controls::lines).append("\n");
  sort_rooms(rooms);
  std::vector<std::vector<std::string>> lines{{"ROOM", "BOARD", "X", "O", "STATE"}};
  for (const ListedRoom& room : rooms) {
    if (lines.size() > max_table_rows) break;
    lines.push_back(table_line(room));
  }
  std::string table = draw_table(lines);
  const std::size_t hidden = rooms.size() + 1 - lines.size();
  if (hidden > 0) table.append("... and " + std::to_string(hidden) + " more.\n");
  if (!complete) table.append("The server has more rooms than can be listed here.\n");
  return table;
}

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
