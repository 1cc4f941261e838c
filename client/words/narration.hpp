// A room in sentences: its standing, changes and outcome; and what else both front ends say in the
// same words, such as rules, levels, clocks and refusals. A function that takes Controls names the
// commands or keys of that front end. The others name commands of the line mode, if any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/model/lists.hpp"
#include "client/model/room.hpp"
#include "client/words/time.hpp"

namespace tictactoe::client {

/// What instructions name: lines to type, or keys of the full screen.
enum class Controls : std::uint8_t { lines, keys };

/// Whose turn it is, who won or who is missing, and how good that is for the player.
struct Standing {
  enum class Tone : std::uint8_t { neutral, good, bad };
  std::string text;
  Tone tone = Tone::neutral;
};
Standing standing_of(const Room& room, Controls controls);

/// How to start the next game; empty during a game and for watchers.
std::string next_game_text(const Room& room, Controls controls);

/// Standing and next game in one line, with the commands of the line mode.
std::string status_text(const Room& room);

/// An offer or question that waits for an answer; empty if there is none.
std::string offers_text(const Room& room, Controls controls);

// Offers and answers of the player on the seat `by`. Empty if one person has both seats, because
// the other side then agrees at once.
std::string rematch_text(const Room& room, Mark by, Controls controls);
std::string draw_offer_text(const Room& room, Mark by, Controls controls);
std::string takeback_text(const Room& room, Mark by, Controls controls);
std::string declined_text(const Room& room, Mark by);

/// The name of an AI's level for people: "3, casual" for `3`; other names unchanged.
std::string level_text(const std::string& level);
/// A level for a numbered menu, and how it plays: "casual (3): overlooks little".
std::string level_choice_text(const std::string& level);
/// An entry of a menu; `ai` names an AI and its seat.
std::string change_level_text(const std::string& ai);
/// Sorts the levels that a server offers by strength, the weakest first. Its engines come last, in
/// their order.
void sort_levels(std::vector<std::string>& levels);

/// "3 x 3", "15 x 15, 5 in a row", "15 x 15, exactly 5 in a row": `k` is left out if it is the side
/// of a square board.
std::string rules_text(std::uint32_t rows, std::uint32_t cols, std::uint32_t k, bool exact);
/// "from game 12 after 7 moves", as the `create` command has it.
std::string origin_text(const v1::GamePosition& from);
inline std::string rules_text(const v1::Rules& rules) {
  return rules_text(rules.rows(), rules.cols(), rules.k(), rules.exact());
}

/// "den", in quotes: the name of a room in a sentence.
std::string quoted(const std::string& name);

/// A person's name. Roles are marked with parentheses, as in "AI (suggester)" and "alice (you)": a
/// name that has parentheses is quoted, so that it does not look like a role. This project's server
/// refuses such names; others may not.
std::string person_name(const std::string& name);

/// Name of the occupant, which shows whether it is an AI; "nobody" for an open seat.
std::string name_of(const Occupant& occupant);
/// Like name_of(), but "open" for an open seat.
std::string seat_text(const Occupant& occupant);

/// "alice (X)".
std::string seat_and_name(const Room& room, Mark mark);

/// The notes behind the name of the player on a seat: " (you)", " (away)", or nothing.
std::string occupant_notes(const Room& room, Mark seat);

/// For a watcher with Room::waits_for_seat. Others may have come before.
std::string waiting_for_seat_text(const Room& room);

/// Shown on entering a room: the player's name (`me`), the room, the seats, and how to move. Lines,
/// each ended by a newline.
std::string arrival_text(const Room& room, const std::string& me);

/// Names of both seats' occupants in one line, who watches, and the score if there is one.
std::string seats_text(const Room& room);

/// "Score: X 2, O 1, draws 0"; empty before the first game has ended.
std::string score_text(const v1::Score& score);

/// "alice (X): hello".
std::string chat_text(const ChatLine& line);

/// "X 4:32 · O 5:00", `since` after the server sent them; empty if there is no clock.
std::string clocks_text(const Room& room, milliseconds since);

/// The time on that side's clock, `since` after the server sent it; nothing if there is no clock.
std::optional<milliseconds> time_left(const Room& room, Mark side, milliseconds since);

/// When the running clock is at zero, counted from the server's message; nothing if none runs.
std::optional<milliseconds> running_clock(const Room& room);

/// How a game ended: "alice (X) wins: row 1." or "Draw by agreement."; without a name if `x` or
/// `o`, who played it, is an open seat.
std::string outcome_text(const Board& board, const Outcome& outcome, const Occupant& x,
                         const Occupant& o);
/// The outcome of the game in a room, which must have one.
std::string outcome_text(const Room& room);

/// What an update changed, in one line; empty if nothing needs saying. `room` has the update
/// applied; `seat_before` is the player's seat before it.
std::string update_text(const Room& room, const v1::RoomUpdate& update, Mark seat_before,
                        Controls controls);

/// A refusal, with the server's sentence if it gave one.
std::string error_text(const v1::Error& error);

/// Why the server closes the connection; `server` is how the person named it.
std::string closing_text(const std::string& server, const v1::Error& error);

}  // namespace tictactoe::client
