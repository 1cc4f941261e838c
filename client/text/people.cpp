#include "client/text/people.hpp"

#include <algorithm>
#include <ranges>
#include <set>
#include <span>

#include "client/model/sanitized.hpp"
#include "client/text/completion.hpp"
#include "client/text/narration.hpp"
#include "client/text/tables.hpp"
#include "client/text/words.hpp"
#include "common/unicode/letters.hpp"

namespace tictactoe::client {
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

std::string watching_text(const Session& session) {
  std::string text = std::to_string(session.room()->watchers) + " watching";
  if (!session.members() || session.members()->watchers.empty()) return text;
  return text + ": " + names_text(session.members()->watchers);
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
  const auto matches = [folded = unicode::folded(sanitized(player))](const std::string& name) {
    return unicode::folded(name) == folded;
  };
  if (matches(session.me())) return "You can't mute yourself.";
  const std::set<std::string> players = known_players(session);
  const auto known = std::ranges::find_if(players, matches);
  const std::string name = sanitized(known == players.end() ? player : *known);
  if (!session.mute(name)) return "You can't mute any more players: unmute one first.";
  if (known == players.end()) {
    return name + " is muted, although no player with that name has been seen here yet.";
  }
  return name + " is muted: you see neither their chat nor their invitations. They do not notice.";
}

std::string unmute(Session& session, const std::string& player) {
  const std::string name = sanitized(player);
  if (!session.unmute(player)) return name + " is not muted. " + muted_text(session);
  return name + " is no longer muted.";
}

std::string muted_text(const Session& session) {
  if (session.muted().empty()) return "Nobody is muted.";
  return "Muted: " + names_text(std::views::values(session.muted())) + ".";
}

}  // namespace tictactoe::client
