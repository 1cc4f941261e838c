#include "client/text/people.hpp"

#include "client/model/sanitized.hpp"
#include "client/text/game_table.hpp"
#include "client/text/narration.hpp"
#include "client/text/room_table.hpp"
#include "client/text/table.hpp"
#include "client/text/words.hpp"

namespace tictactoe::client {
namespace {

std::string seat_text(const Occupant& occupant) {
  if (occupant.kind == Occupant::Kind::open) return "open";
  return name_of(occupant) + (occupant.away ? " (away)" : "");
}

std::string note_on(const Session& session, const ListedPlayer& player) {
  if (player.name == session.me()) return "you";
  return session.muted().contains(player.name) ? "muted" : "";
}

}  // namespace

std::string draw_player_table(const std::vector<ListedPlayer>& players, const Session& session,
                              bool complete) {
  std::vector<std::vector<std::string>> lines{{"PLAYER", "ROOM", ""}};
  for (const ListedPlayer& player : players) {
    if (lines.size() > max_table_rows) break;
    lines.push_back(
        {player.name, player.room.empty() ? "-" : player.room, note_on(session, player)});
  }
  std::string table = draw_table(lines);
  const std::size_t hidden = players.size() + 1 - lines.size();
  if (hidden > 0) table.append("... and " + std::to_string(hidden) + " more.\n");
  if (!complete) table.append("The server has more players than can be listed here.\n");
  return table;
}

std::string members_text(const Members& members) {
  std::string text = "X: " + seat_text(members.x) + "   O: " + seat_text(members.o) + "\n";
  if (members.watchers.empty()) return text + "Nobody watches.\n";
  text.append("Watching: ");
  std::string_view before;
  for (std::size_t i = 0; i < members.watchers.size() && i < max_table_rows; ++i) {
    text.append(before).append(person_name(members.watchers[i]));
    before = ", ";
  }
  if (members.watchers.size() > max_table_rows) {
    text.append(" and " + std::to_string(members.watchers.size() - max_table_rows) + " more");
  }
  return text + "\n";
}

std::string player_text(const ListedPlayer& player, const Session& session) {
  std::string text = player.name;
  if (player.name == session.me()) text.append(" (you)");
  if (session.muted().contains(player.name)) text.append(" (muted)");
  return player.room.empty() ? text : text + ", in " + player.room;
}

std::string watching_text(const Session& session) {
  std::string text = std::to_string(session.room()->watchers) + " watching";
  if (!session.members()) return text;
  std::string_view before = ": ";
  for (const std::string& name : session.members()->watchers) {
    text.append(before).append(person_name(name));
    before = ", ";
  }
  return text;
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

std::string mute(Session& session, const std::string& player) {
  const std::string name = sanitized(player);
  if (name == session.me()) return "You can't mute yourself.";
  if (!session.mute(player)) return "You have muted as many players as you can: unmute one first.";
  return name + " is muted: you see neither their chat nor their invitations. They are not told.";
}

std::string unmute(Session& session, const std::string& player) {
  const std::string name = sanitized(player);
  if (!session.unmute(player)) return name + " is not muted. " + muted_text(session);
  return name + " is no longer muted.";
}

std::string muted_text(const Session& session) {
  if (session.muted().empty()) return "Nobody is muted.";
  std::string text = "Muted: ";
  std::string_view before;
  for (const std::string& name : session.muted()) {
    text.append(before).append(person_name(name));
    before = ", ";
  }
  return text + ".";
}

}  // namespace tictactoe::client
