#include "client/words/command.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "client/model/sanitized.hpp"
#include "client/session/requests.hpp"
#include "client/words/lists.hpp"
#include "client/words/typed.hpp"
#include "common/unicode/letters.hpp"
#include "common/wire/text.hpp"

namespace tictactoe::client {
namespace {

struct CommandEntry {
  std::string_view name;
  std::string_view usage;
  std::string_view purpose;
  Command (*parse)(const CommandEntry& entry, Arguments arguments, std::string_view rest);
};

Mistake misused(const CommandEntry& entry, std::string_view what) {
  return {std::string(what) + " Type: " + std::string(entry.usage)};
}

v1::Mark seat_of(const Word& word) {
  return seat_word(word).value_or(v1::MARK_NONE);
}

// For commands that name a room: `make` builds the request.
template <RoomWords::Allowed allowed, auto make>
Command parse_room(const CommandEntry& entry, Arguments words, std::string_view) {
  RoomWords room(allowed);
  if (const std::string fault = room.read(words); !fault.empty()) return misused(entry, fault);
  return make(room);
}

v1::ClientMessage create(const RoomWords& room) {
  v1::ClientMessage message;
  v1::CreateRoom& create = *message.mutable_create_room();
  create.set_name(room.name);
  create.set_password(room.password);
  create.set_seat(room.seat);
  if (room.rules) *create.mutable_rules() = *room.rules;
  if (room.options) *create.mutable_options() = *room.options;
  return message;
}

v1::ClientMessage join(const RoomWords& room) {
  return join_room(room.name, read_mark(room.seat), room.password);
}

v1::ClientMessage watch(const RoomWords& room) {
  return watch_room(room.name, room.password);
}

constexpr auto parse_create = parse_room<RoomWords::Allowed::all, create>;
constexpr auto parse_join = parse_room<RoomWords::Allowed::seat, join>;
constexpr auto parse_watch = parse_room<RoomWords::Allowed::password, watch>;

Command parse_ai(const CommandEntry& entry, Arguments words, std::string_view) {
  Mark seat = Mark::none;
  std::string level;
  if (!words.empty() && seat_of(words.front()) != v1::MARK_NONE) {
    seat = read_mark(seat_of(words.front()));
    words = words.subspan(1);
  }
  if (!words.empty()) {
    level = words.front().plain;
    words = words.subspan(1);
  }
  if (!words.empty())
    return misused(entry, "Unexpected argument: " + code(words.front().text) + ".");
  return add_ai(seat, level);
}

Command parse_noai(const CommandEntry& entry, Arguments words, std::string_view) {
  v1::ClientMessage message;
  v1::RemoveAi& remove = *message.mutable_remove_ai();
  if (!words.empty()) remove.set_seat(seat_of(words.front()));
  if (words.size() > 1 || (!words.empty() && remove.seat() == v1::MARK_NONE)) {
    return misused(entry, "The seat is x or o.");
  }
  return message;
}

Command parse_say(const CommandEntry& entry, Arguments, std::string_view rest) {
  if (rest.empty()) return misused(entry, "The message is missing.");
  v1::ClientMessage message;
  message.mutable_chat()->set_text(std::string(rest));
  return message;
}

// The name of a player, with or without quotes; nothing if it is not one word.
std::optional<std::string> player_name(Arguments words) {
  if (words.size() != 1 || words.front().text.empty()) return std::nullopt;
  return words.front().text;
}

Command parse_invite(const CommandEntry& entry, Arguments words, std::string_view) {
  if (words.empty()) return ShowInvitation{};
  const auto player = player_name(words);
  if (!player) return misused(entry, "Which player? `players` lists them.");
  return invite(*player);
}

template <bool on>
Command parse_mute(const CommandEntry& entry, Arguments words, std::string_view) {
  if (words.empty() && on) return Mute{};
  const auto player = player_name(words);
  if (!player) return misused(entry, "Which player?");
  return Mute{*player, on};
}

// ROW COL, or b3; nothing if it is neither.
std::optional<Cell> parse_place(Arguments words) {
  if (words.size() == 1) return parse_cell_name(words[0].plain);
  if (words.size() != 2) return std::nullopt;
  const auto row = parse_number(words[0].plain);
  const auto col = parse_number(words[1].plain);
  if (!row || !col || *row == 0 || *col == 0) return std::nullopt;
  return Cell{*row - 1, *col - 1};
}

Command parse_board(const CommandEntry& entry, Arguments words, std::string_view) {
  if (words.empty()) return ShowBoard{};
  if (const auto cell = parse_place(words)) return ShowBoard{cell};
  return misused(entry, "That is not a cell of the board.");
}

Command parse_history(const CommandEntry& entry, Arguments words, std::string_view) {
  if (words.size() > 1) return misused(entry, "Unexpected argument: " + code(words[1].text) + ".");
  v1::ClientMessage message;
  v1::ListGames& list = *message.mutable_list_games();
  if (!words.empty()) list.set_player(words.front().text);
  return message;
}

Command parse_replay(const CommandEntry& entry, Arguments words, std::string_view) {
  const auto id = words.size() == 1 ? parse_id(words.front().plain) : std::nullopt;
  if (!id) return misused(entry, "Which game? `history` shows the numbers.");
  v1::ClientMessage message;
  message.mutable_get_game()->set_id(*id);
  return message;
}

// For commands that take no arguments: `make` builds them.
template <auto make>
Command parse_bare(const CommandEntry& entry, Arguments words, std::string_view) {
  if (words.empty()) return make();
  return misused(entry, code(entry.name) + " takes no arguments.");
}

template <auto mutable_request>
Command request() {
  v1::ClientMessage message;
  (message.*mutable_request)();
  return message;
}

template <class Local>
Command local() {
  return Local{};
}

using M = v1::ClientMessage;
template <auto mutable_request>
constexpr auto ask = parse_bare<request<mutable_request>>;

constexpr std::string_view create_usage =
    "create NAME [SIZE] [exact] [x|o] [password PW] [unlisted] [open-seats] [hints]\n"
    "         [clock 5m+3s|30s/move] [away forfeit|hold|ai [2m]] [from GAME after N]";

// One without a purpose is explained by the entry before it.
constexpr std::array entries = {
    CommandEntry{"play", "play", "take an open seat, or create a room and wait",
                 ask<&M::mutable_play>},
    CommandEntry{"rooms", "rooms", "list the rooms", ask<&M::mutable_list_rooms>},
    CommandEntry{"create", create_usage, "create a room; 9x9: 9 in a row, 9x9x5: 5", parse_create},
    CommandEntry{"join", "join NAME [x|o] [password WORD]", "take a seat in a room", parse_join},
    CommandEntry{"watch", "watch NAME [password WORD]", "watch a game", parse_watch},
    CommandEntry{"ai", "ai [x|o] [LEVEL]", "add or change an AI, level 1 to 8; `noai`", parse_ai},
    CommandEntry{"noai", "noai [x|o]", "", parse_noai},
    CommandEntry{"hint", "hint", "ask for a good move", ask<&M::mutable_hint>},
    CommandEntry{"say", "say TEXT", "chat in the room or the lobby", parse_say},
    CommandEntry{"players", "players", "list the players; `members`: in your room",
                 ask<&M::mutable_list_players>},
    CommandEntry{"members", "members", "", ask<&M::mutable_list_members>},
    CommandEntry{"invite", "invite [NAME]", "how others join; invite or `mute` a player",
                 parse_invite},
    CommandEntry{"mute", "mute [NAME]", "", parse_mute<true>},
    CommandEntry{"unmute", "unmute NAME", "", parse_mute<false>},
    CommandEntry{"draw", "draw", "offer or accept a draw", ask<&M::mutable_offer_draw>},
    CommandEntry{"takeback", "takeback", "ask for or allow a takeback; `decline`",
                 ask<&M::mutable_ask_takeback>},
    CommandEntry{"decline", "decline", "", ask<&M::mutable_decline>},
    CommandEntry{"resign", "resign", "give up the game", ask<&M::mutable_resign>},
    CommandEntry{"rematch", "rematch", "play again once the game is over",
                 ask<&M::mutable_rematch>},
    CommandEntry{"leave", "leave", "leave the room", ask<&M::mutable_leave_room>},
    CommandEntry{"board", "board [ROW COL | b3]", "show the board (around a cell)", parse_board},
    CommandEntry{"history", "history [PLAYER]", "finished games; `replay NUMBER` shows one",
                 parse_history},
    CommandEntry{"replay", "replay NUMBER", "", parse_replay},
    CommandEntry{"wait", "wait", "in scripts: wait until the game is over",
                 parse_bare<local<WaitForEnd>>},
    CommandEntry{"help", "help", "", parse_bare<local<ShowHelp>>},
    CommandEntry{"quit", "quit", "leave and exit; `help` shows this", parse_bare<local<Quit>>},
};

// A line whose first word is no command: a move, or a mistake. A move has no names, so all of it is
// read as it looks, blanks too.
Command parse_move(std::string_view text, const Words& words) {
  const auto plain = split(unicode::in_ascii(text));
  if (plain) {
    if (const auto cell = parse_place(*plain)) return PlaceMark{*cell};
  }
  const std::string unknown = "Unknown command " + code(words.front().text);
  const std::string foreign = foreign_letter_text(words.front().text);
  if (!foreign.empty()) {
    return Mistake{unknown + ": " + foreign + ", or type `help` for the list."};
  }
  // No command has a digit in its name.
  if (words.front().plain.find_first_of("0123456789") != std::string::npos) {
    return Mistake{
        "A move is a row and a column, both counted from 1. Type: ROW COL, such as 2 3, or c2"};
  }
  return Mistake{unknown + ". Type `help` for the list."};
}

}  // namespace

Command parse_command(std::string_view line) {
  if (line.size() > max_line_bytes) {
    return Mistake{"Line ignored: it is longer than " + std::to_string(max_line_bytes) +
                   " bytes. Type a shorter one."};
  }
  std::string blanked(trimmed(line));
  std::replace(blanked.begin(), blanked.end(), '\t', ' ');
  if (blanked.empty() || blanked.front() == '#') return NoCommand{};
  if (const std::string fault = wire::fault_text(blanked); !fault.empty()) {
    const bool is_escape = fault.ends_with("U+001B");
    return Mistake{"Line ignored: it " + fault + (is_escape ? " (an arrow key?)" : "") +
                   ". Type it again."};
  }
  const std::string_view text = blanked;
  const std::size_t name_end = std::min(text.find(' '), text.size());
  const std::string name = keyword(text.substr(0, name_end));
  const std::string_view rest = trimmed(text.substr(name_end));
  const auto* const entry =
      std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.name == name; });
  // Chat is taken as it is typed, whatever quotes are in it.
  if (entry != entries.end() && entry->name == "say") return entry->parse(*entry, {}, rest);
  const auto words = split(text);
  if (!words) return Mistake{"The closing quote is missing. Put \" at both ends of the name."};
  if (entry == entries.end()) return parse_move(text, *words);
  return entry->parse(*entry, Arguments(*words).subspan(1), rest);
}

bool sets_up(const Command& command) {
  const auto* const request = std::get_if<v1::ClientMessage>(&command);
  return request && (request->has_create_room() || request->has_join_room() ||
                     request->has_watch_room() || request->has_play() || request->has_add_ai());
}

std::vector<std::string_view> command_names() {
  std::vector<std::string_view> names;
  names.reserve(entries.size());
  for (const CommandEntry& entry : entries) names.push_back(entry.name);
  return names;
}

std::string help_text() {
  constexpr std::size_t usage_width = 31;
  std::string text =
      "To move, type row and column (2 3) or the column's letter and the row (c2).\n";
  for (const CommandEntry& entry : entries) {
    if (entry.purpose.empty()) continue;
    std::string line = "  " + std::string(entry.usage);
    // A usage too long for its column has the purpose on the next line.
    if (line.size() > usage_width + 2) {
      text.append(line).append("\n");
      line.clear();
    }
    line = padded(line, usage_width + 4);
    text.append(line).append(entry.purpose).append("\n");
  }
  return text.append("Put a NAME with spaces in quotes: join \"the den\" x\n");
}

}  // namespace tictactoe::client
