// Lists as text: rooms, finished games and people, with invitations and muted players.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "client/model/lists.hpp"
#include "client/session/session.hpp"
#include "client/words/command.hpp"
#include "client/words/narration.hpp"

namespace tictactoe::client {

/// Maximum number of rows of a table of rooms or games. A last line counts the others.
inline constexpr std::size_t max_table_rows = 200;
/// Longest name that a table shows whole, in code points, so that a line stays within 80 columns.
inline constexpr std::size_t max_table_name = 16;

/// Columns of a terminal that a sanitized text takes.
std::size_t width_of(std::string_view text);

/// `text` with spaces after it up to `width` columns.
std::string padded(std::string text, std::size_t width);

/// The cells of a row of a table.
using Row = std::vector<std::string>;

/// Cells in columns as wide as their widest, two blanks between them; each line ended by a newline
/// and never by blanks. All lines have as many cells as the first.
std::string draw_table(const std::vector<Row>& lines);

/// Room, board, X, O, state. `max_name` limits the names of people, in code points.
Row row_of(const ListedRoom& room, std::size_t max_name = max_table_name);
/// Number, end, board, X, O, result.
Row row_of(const ListedGame& game, std::size_t max_name = max_table_name);

/// What an empty list says.
std::string no_rooms_text(Controls controls);

/// "2 with an open seat".
std::string with_open_seat_text(std::size_t rooms);

/// The table, sorted; each line ended by a newline. `complete` is false if the server has more.
std::string draw_room_table(std::vector<ListedRoom> rooms, bool complete);

/// The games in this order; each line ended by a newline.
std::string draw_game_table(const std::vector<ListedGame>& games);

/// Connected players as a table; each line ended by a newline. Marks muted players and the
/// session's own. `complete` is false if the server has more.
std::string draw_player_table(const std::vector<ListedPlayer>& players, const Session& session,
                              bool complete);

/// "X: ann   O: bob (away)", and a line with the watchers if there are some.
std::string members_text(const Members& members);

/// "ann (you), in den", for a list of players in one column.
std::string player_text(const ListedPlayer& player, const Session& session);
/// An item of a menu: "Join "den": 3 x 3", or Watch if no seat is open.
std::string room_choice_text(const ListedRoom& room);

/// "ann invites you to the room "den" (5 x 5, 4 in a row)".
std::string invitation_text(const InvitationCame& invitation);
/// The command that accepts it.
std::string invitation_command(const InvitationCame& invitation);

/// Mutes or unmutes a player, or does nothing if none is named. Returns a sentence about it, or
/// about who is muted.
std::string carry_out_mute(Session& session, const Mute& mute);

}  // namespace tictactoe::client
