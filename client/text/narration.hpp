// What happens in a room, in plain sentences.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "client/model/lists.hpp"
#include "client/model/room.hpp"
#include "client/text/time.hpp"

namespace tictactoe::client {

/// "3 x 3", "15 x 15, 5 in a row", "15 x 15, exactly 5 in a row": `k` is left out where it is the
/// side of a square board.
std::string rules_text(std::uint32_t rows, std::uint32_t cols, std::uint32_t k, bool exact);
inline std::string rules_text(const Rules& rules) {
  return rules_text(rules.rows, rules.cols, rules.k, rules.exact);
}

/// A person's name. Roles are marked with parentheses, as in "AI (suggester)" and "alice (you)": a
/// name that has some is quoted, so that it does not look like one. This server refuses such names;
/// others may not.
std::string person_name(const std::string& name);

/// Name of who sits there, from which an AI can be told, or a word where there is none.
std::string name_of(const Occupant& occupant);

/// How things stand: whose turn it is, who won, or who is waited for; one line.
std::string status_text(const Room& room);

/// What one who enters a room wants to know: who one is (`me`), the room, the seats, and how to
/// move. Lines, each ended by a newline.
std::string arrival_text(const Room& room, const std::string& me);

/// Names of both seats' occupants in one line, who watches, and the score where there is one.
std::string seats_text(const Room& room);

/// "Score: X 2, O 1, draws 0"; empty before the first game has ended.
std::string score_text(const v1::Score& score);

/// What stands to be answered by the own seat, or by the other one; empty where nothing does.
std::string offers_text(const Room& room);

/// "alice (X): hello".
std::string chat_text(const ChatLine& line);

/// "X 4:32 · O 5:00", `since` after the room was told them; empty where there is no clock.
std::string clocks_text(const Room& room, milliseconds since);

/// What the clock of that side shows, `since` after the room was told it; nothing where there is
/// none.
std::optional<milliseconds> time_left(const Room& room, Mark side, milliseconds since);

/// What the clock that runs now had left when it was told; nothing where none runs.
std::optional<milliseconds> running_clock(const Room& room);

/// How a game ended: "alice (X) wins: row 1." or "Draw, as agreed."; `x` and `o` are the names.
std::string outcome_text(const Board& board, const Outcome& outcome, const std::string& x,
                         const std::string& o);

/// What an update changed. One line; empty where there is nothing to tell. `room` is the mirror
/// with the update applied, `seat_before` the own seat before it.
std::string update_text(const Room& room, const v1::RoomUpdate& update, Mark seat_before);

/// A refusal, with the server's sentence where it gave one.
std::string error_text(const v1::Error& error);

/// Why the server ends the connection; `server` is how the person named it.
std::string closing_text(const std::string& server, const v1::Error& error);

}  // namespace tictactoe::client
