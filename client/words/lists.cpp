#include "client/words/lists.hpp"

#include <algorithm>
#include <ranges>
#include <set>
#include <span>

#include "client/model/sanitized.hpp"
#include "client/words/completion.hpp"
#include "client/words/narration.hpp"
#include "client/words/prompts.hpp"
#include "client/words/time.hpp"
#include "client/words/typed.hpp"
#include "common/unicode/letters.hpp"

namespace tictactoe::client {
namespace {

std::string state_text(const ListedRoom& room) {
  std::string text = room.phase == Phase::waiting ? "waiting" : "over";
  if (room.phase == Phase::playing) text = "move " + std::to_string(std::uint64_t{room.ply} + 1);
  if (room.needs_password) text.append(", password");
  if (room.watchers > 0) text.append(", " + std::to_string(room.watchers) + " watching");
  return text;
}

// Lines below a table that leaves out `hidden` of its list.
std::string rest_text(std::size_t hidden, bool complete, const std::string& what) {
  std::string text = hidden > 0 ? "... and " + std::to_string(hidden) + " more.\n" : "";
  if (!complete) text.append("The server has more " + what + " than can be listed here.\n");
  return text;
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

std::string draw_table(const std::vector<Row>& lines) {
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

Row row_of(const ListedRoom& room, std::size_t max_name) {
  return {room.name, rules_text(room.rules), sanitized(seat_text(room.x), max_name),
          sanitized(seat_text(room.o), max_name), state_text(room)};
}

Row row_of(const ListedGame& game, std::size_t max_name) {
  return {std::to_string(game.id),
          date_text(game.ended_unix_ms),
          rules_text(game.rules),
          sanitized(name_of(game.x), max_name),
          sanitized(name_of(game.o), max_name),
          result_text(game)};
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
  std::vector<Row> lines{{"ROOM", "BOARD", "X", "O", "STATE"}};
  for (const ListedRoom& room : rooms) {
    if (lines.size() > max_table_rows) break;
    lines.push_back(row_of(room));
  }
  return draw_table(lines) + rest_text(rooms.size() + 1 - lines.size(), complete, "rooms");
}

std::string draw_game_table(const std::vector<ListedGame>& games) {
  if (games.empty()) return std::string(prompts::no_games) + "\n";
  std::vector<Row> lines{{"GAME", "ENDED", "BOARD", "X", "O", "RESULT"}};
  for (const ListedGame& game : games) lines.push_back(row_of(game));
  return draw_table(lines);
}

namespace {

// "ann, bob".
template <class Names>
std::string names_text(const Names& names) {
  std::string text;
  for (const std::string& name : names) {
    text.append(text.empty() ? "" : ", ").append(person_name(name));
  }
  return text;
}

std::string note_on(const Session& session, const ListedPlayer& player) {
  if (player.name == session.me()) return "you";
  return session.is_muted(player.name) ? "muted" : "";
}

}  // namespace

std::string draw_player_table(const std::vector<ListedPlayer>& players, const Session& session,
                              bool complete) {
  std::vector<Row> lines{{"PLAYER", "ROOM", ""}};
  for (const ListedPlayer& player : players) {
    if (lines.size() > max_table_rows) break;
    lines.push_back(
        {player.name, player.room.empty() ? "-" : player.room, note_on(session, player)});
  }
  return draw_table(lines) + rest_text(players.size() + 1 - lines.size(), complete, "players");
}

std::string members_text(const Members& members) {
  const auto seat = [](const Occupant& occupant) {
    return seat_text(occupant) + (occupant.away ? " (away)" : "");
  };
  std::string text = "X: " + seat(members.x) + "   O: " + seat(members.o) + "\n";
  if (members.watchers.empty()) return text + "Nobody is watching.\n";
  const std::size_t shown = std::min(members.watchers.size(), max_table_rows);
  text.append("Watching: ").append(names_text(std::span(members.watchers).first(shown)));
  if (members.watchers.size() > shown) {
    text.append(" and " + std::to_string(members.watchers.size() - shown) + " more");
  }
  return text + "\n";
}

std::string player_text(const ListedPlayer& player, const Session& session) {
  std::string text = player.name;
  if (player.name == session.me()) text.append(" (you)");
  if (session.is_muted(player.name)) text.append(" (muted)");
  return player.room.empty() ? text : text + ", in " + player.room;
}

std::string room_choice_text(const ListedRoom& room) {
  return (room.has_open_seat() ? "Join " : "Watch ") + quoted(room.name) + ": " +
         rules_text(room.rules);
}

std::string invitation_text(const InvitationCame& invitation) {
  return person_name(invitation.from) + " invites you to the room \"" + invitation.room.name +
         "\" (" + rules_text(invitation.room.rules) + ")";
}

std::string invitation_command(const InvitationCame& invitation) {
  const std::string& name = invitation.room.name;
  const bool quotes = name.find_first_of(" \"\\") != std::string::npos;
  return std::string(invitation.room.has_open_seat() ? "join " : "watch ") +
         (quotes ? quoted_word(name) : name);
}

namespace {

std::string muted_text(const Session& session) {
  if (session.muted().empty()) return "Nobody is muted.";
  return "Muted: " + names_text(std::views::values(session.muted())) + ".";
}

std::string mute_player(Session& session, const std::string& player) {
  const auto matches = [folded = unicode::folded(sanitized(player))](const std::string& name) {
    return unicode::folded(name) == folded;
  };
  if (matches(session.me())) return "You can't mute yourself.";
  const std::set<std::string> players = known_players(session);
  const auto known = std::ranges::find_if(players, matches);
  const std::string name = sanitized(known == players.end() ? player : *known);
  if (!session.mute(name)) return "You can't mute any more players: unmute one first.";
  if (known == players.end()) {
    return name + " is muted, but nobody with that name has been seen yet.";
  }
  return name + " is muted: you won't see their chat or invitations. They won't know.";
}

std::string unmute_player(Session& session, const std::string& player) {
  const std::string name = sanitized(player);
  if (!session.unmute(player)) return name + " is not muted. " + muted_text(session);
  return name + " is no longer muted.";
}

}  // namespace

std::string carry_out_mute(Session& session, const Mute& mute) {
  if (mute.player.empty()) return muted_text(session);
  return mute.on ? mute_player(session, mute.player) : unmute_player(session, mute.player);
}

}  // namespace tictactoe::client
