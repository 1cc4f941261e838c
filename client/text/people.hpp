// Sentences and tables about people: lists of them, invitations, and who is muted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "client/model/lists.hpp"
#include "client/session/session.hpp"

namespace tictactoe::client {

/// Connected players as a table; each line ended by a newline. It marks who is muted, and the
/// session's own player. `complete` is false if the server has more.
std::string draw_player_table(const std::vector<ListedPlayer>& players, const Session& session,
                              bool complete);

/// "X: ann   O: bob (away)", and a line with the watchers if there are some.
std::string members_text(const Members& members);

/// "ann (you), in den", for a list of players in one column.
std::string player_text(const ListedPlayer& player, const Session& session);
/// How many people watch the room that the session is in, and who, as far as it is known.
std::string watching_text(const Session& session);
/// An item of a menu: "Join "den": 3 x 3", or Watch if no seat is open.
std::string room_choice_text(const ListedRoom& room);

/// "ann invites you to the room "den" (5 x 5, 4 in a row)".
std::string invitation_text(const InvitationCame& invitation);
/// What to type to follow it.
std::string invitation_command(const InvitationCame& invitation);

/// Mutes a player, or not any more, and tells of it.
std::string mute(Session& session, const std::string& player);
std::string unmute(Session& session, const std::string& player);
/// Who is muted.
std::string muted_text(const Session& session);

}  // namespace tictactoe::client
