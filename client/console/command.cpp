#include "client/console/command.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "client/console/shown.hpp"
#include "common/wire/text.hpp"

namespace tictactoe::console {
namespace {

struct Word {
  std::string text;
  bool quoted = false;  // a quoted word is a name, never a keyword
};
using Words = std::vector<Word>;
// What stands after the command's name.
using Arguments = std::span<const Word>;

struct CommandEntry {
  std::string_view name;
  std::string_view usage;
  std::string_view purpose;
  Command (*parse)(const CommandEntry& entry, Arguments arguments, std::string_view rest);
};

bool is_blank(char character) {
  return character == ' ' || character == '\t';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

// Takes a quoted word's text from behind its opening quote; false where it is never closed.
bool take_quoted(std::string_view& rest, std::string& text) {
  while (!rest.empty() && rest.front() != '"') {
    if (rest.front() == '\\' && rest.size() > 1) rest.remove_prefix(1);
    text.push_back(rest.front());
    rest.remove_prefix(1);
  }
  if (rest.empty()) return false;
  rest.remove_prefix(1);
  return true;
}

std::optional<Words> split(std::string_view rest) {
  Words words;
  for (rest = trimmed(rest); !rest.empty(); rest = trimmed(rest)) {
    Word& word = words.emplace_back();
    if (rest.front() == '"') {
      word.quoted = true;
      rest.remove_prefix(1);
      if (!take_quoted(rest, word.text)) return std::nullopt;
    } else {
      const auto end = std::find_if(rest.begin(), rest.end(), is_blank);
      word.text.assign(rest.begin(), end);
      rest.remove_prefix(word.text.size());
    }
  }
  return words;
}

std::string code(std::string_view text) {
  return "`" + shown(text) + "`";
}

Mistake misused(const CommandEntry& entry, std::string_view what) {
  return {std::string(what) + " Type: " + std::string(entry.usage)};
}

bool is_keyword(const Word& word, std::string_view keyword) {
  return !word.quoted && lower(word.text) == keyword;
}

v1::Mark seat_of(const Word& word) {
  if (is_keyword(word, "x")) return v1::MARK_X;
  return is_keyword(word, "o") ? v1::MARK_O : v1::MARK_NONE;
}

std::optional<v1::Rules> parse_size(std::string_view text) {
  std::vector<std::uint32_t> numbers;
  for (std::string_view rest = text; numbers.size() <= 3;) {
    const std::size_t at = rest.find_first_of("xX");
    const auto number = parse_number(rest.substr(0, at));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    if (at == std::string_view::npos) break;
    rest.remove_prefix(at + 1);
  }
  if (numbers.size() > 3) return std::nullopt;
  if (numbers.size() == 1) numbers.push_back(numbers[0]);
  if (numbers.size() == 2) numbers.push_back(std::min(numbers[0], numbers[1]));
  v1::Rules rules;
  rules.set_rows(numbers[0]);
  rules.set_cols(numbers[1]);
  rules.set_k(numbers[2]);
  return rules;
}

// The words that may follow a room's name, for the commands that allow them.
struct RoomOptions {
  bool size_allowed = false;
  bool seat_allowed = false;
  std::optional<v1::Rules> rules;
  bool exact = false;
  v1::Mark seat = v1::MARK_NONE;
  std::string password;
};

// Takes one option off the front of `words`; false where it is none.
bool take_room_option(RoomOptions& options, Arguments& words) {
  const Word& word = words.front();
  if (is_keyword(word, "password") && words.size() > 1) {
    options.password = words[1].text;
    words = words.subspan(2);
    return true;
  }
  if (options.seat_allowed && seat_of(word) != v1::MARK_NONE) {
    options.seat = seat_of(word);
  } else if (options.size_allowed && is_keyword(word, "exact")) {
    options.exact = true;
  } else if (options.size_allowed && !options.rules && !word.quoted && parse_size(word.text)) {
    options.rules = parse_size(word.text);
  } else {
    return false;
  }
  words = words.subspan(1);
  return true;
}

// Reads NAME and what follows it; a mistake, or nothing where all is well.
std::optional<Mistake> read_room(const CommandEntry& entry, Arguments words, std::string& name,
                                 RoomOptions& options) {
  if (words.empty()) return misused(entry, "The room's name is missing.");
  name = words.front().text;
  for (Arguments rest = words.subspan(1); !rest.empty();) {
    if (take_room_option(options, rest)) continue;
    if (is_keyword(rest.front(), "password")) {
      return misused(entry, "The password is missing.");
    }
    return misused(entry, code(rest.front().text) +
                              " is not understood after the room's name (a name with spaces goes "
                              "in quotes).");
  }
  return std::nullopt;
}

Command parse_create(const CommandEntry& entry, Arguments words, std::string_view) {
  v1::ClientMessage message;
  v1::CreateRoom& create = *message.mutable_create_room();
  RoomOptions options;
  options.size_allowed = true;
  if (auto mistake = read_room(entry, words, *create.mutable_name(), options)) return *mistake;
  create.set_password(options.password);
  if (!options.rules && options.exact) options.rules = parse_size("3");
  if (options.rules) {
    *create.mutable_rules() = *options.rules;
    create.mutable_rules()->set_exact(options.exact);
  }
  return message;
}

Command parse_join(const CommandEntry& entry, Arguments words, std::string_view) {
  v1::ClientMessage message;
  v1::JoinRoom& join = *message.mutable_join_room();
  RoomOptions options;
  options.seat_allowed = true;
  if (auto mistake = read_room(entry, words, *join.mutable_name(), options)) return *mistake;
  join.set_seat(options.seat);
  join.set_password(options.password);
  return message;
}

Command parse_watch(const CommandEntry& entry, Arguments words, std::string_view) {
  v1::ClientMessage message;
  v1::WatchRoom& watch = *message.mutable_watch_room();
  RoomOptions options;
  if (auto mistake = read_room(entry, words, *watch.mutable_name(), options)) return *mistake;
  watch.set_password(options.password);
  return message;
}

Command parse_ai(const CommandEntry& entry, Arguments words, std::string_view) {
  v1::ClientMessage message;
  v1::AddAi& add = *message.mutable_add_ai();
  if (!words.empty() && seat_of(words.front()) != v1::MARK_NONE) {
    add.set_seat(seat_of(words.front()));
    words = words.subspan(1);
  }
  if (!words.empty()) {
    add.set_level(words.front().text);
    words = words.subspan(1);
  }
  if (!words.empty()) return misused(entry, code(words.front().text) + " is too much.");
  return message;
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
  if (rest.empty()) return misused(entry, "There is nothing to say.");
  v1::ClientMessage message;
  message.mutable_chat()->set_text(std::string(rest));
  return message;
}

// ROW COL, or b3; nothing where it is neither.
std::optional<Cell> parse_place(Arguments words) {
  if (words.size() == 1) return parse_cell_name(words[0].text);
  if (words.size() != 2) return std::nullopt;
  const auto row = parse_number(words[0].text);
  const auto col = parse_number(words[1].text);
  if (!row || !col || *row == 0 || *col == 0) return std::nullopt;
  return Cell{*row - 1, *col - 1};
}

Command parse_board(const CommandEntry& entry, Arguments words, std::string_view) {
  if (words.empty()) return ShowBoard{};
  if (const auto cell = parse_place(words)) return ShowBoard{cell};
  return misused(entry, "That is no place on a board.");
}

// For commands that take no arguments: `make` builds them.
template <auto make>
Command parse_bare(const CommandEntry& entry, Arguments words, std::string_view) {
  if (words.empty()) return make();
  return misused(entry, code(entry.name) + " takes nothing after it.");
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

constexpr auto list_rooms = parse_bare<request<&v1::ClientMessage::mutable_list_rooms>>;
constexpr auto play = parse_bare<request<&v1::ClientMessage::mutable_play>>;
constexpr auto ask_hint = parse_bare<request<&v1::ClientMessage::mutable_hint>>;
constexpr auto ask_rematch = parse_bare<request<&v1::ClientMessage::mutable_rematch>>;
constexpr auto leave_room = parse_bare<request<&v1::ClientMessage::mutable_leave_room>>;

constexpr std::array entries = {
    CommandEntry{"play", "play", "take an open seat, or open a room and wait", play},
    CommandEntry{"rooms", "rooms", "list the rooms", list_rooms},
    CommandEntry{"create", "create NAME [SIZE] [exact] [password WORD]",
                 "open a room; SIZE is 5, 15x15 or 15x15x5", parse_create},
    CommandEntry{"join", "join NAME [x|o] [password WORD]", "take a seat in a room", parse_join},
    CommandEntry{"watch", "watch NAME [password WORD]", "look on", parse_watch},
    CommandEntry{"ai", "ai [x|o] [LEVEL]", "put the computer on a seat", parse_ai},
    CommandEntry{"noai", "noai [x|o]", "take the computer off it", parse_noai},
    CommandEntry{"hint", "hint", "ask for a good move", ask_hint},
    CommandEntry{"say", "say TEXT", "talk to all in the room", parse_say},
    CommandEntry{"rematch", "rematch", "play again once the game is over", ask_rematch},
    CommandEntry{"leave", "leave", "leave the room", leave_room},
    CommandEntry{"board", "board [ROW COL | b3]", "show the board (round a place)", parse_board},
    CommandEntry{"wait", "wait", "in scripts: wait until the game is over",
                 parse_bare<local<WaitForEnd>>},
    CommandEntry{"help", "help", "show this", parse_bare<local<ShowHelp>>},
    CommandEntry{"quit", "quit", "leave and end", parse_bare<local<Quit>>},
};

// A line whose first word is no command: a move, or a mistake.
Command parse_move(const Words& words) {
  if (const auto cell = parse_place(words)) return PlaceMark{*cell};
  const std::string& first = words.front().text;
  if (first.find_first_not_of("0123456789") == std::string::npos && !first.empty()) {
    return Mistake{
        "A move is a row and a column, both counted from 1. Type: ROW COL, such as 2 3, or c2"};
  }
  return Mistake{"There is no command " + code(first) + ". Type `help` for the list."};
}

}  // namespace

Command parse_command(std::string_view line) {
  if (line.size() > max_line_bytes) {
    return Mistake{"That line was not used: it is longer than " + std::to_string(max_line_bytes) +
                   " bytes. Type a shorter one."};
  }
  std::string blanked(trimmed(line));
  std::replace(blanked.begin(), blanked.end(), '\t', ' ');
  if (blanked.empty() || blanked.front() == '#') return NoCommand{};
  if (const auto fault = wire::check_text(blanked).fault) {
    return Mistake{*fault == wire::TextFault::not_utf8
                       ? "That line was not used: it is not UTF-8 text. Type it again."
                       : "That line was not used: it has control characters in it (an arrow key?). "
                         "Type it again."};
  }
  const std::string_view text = blanked;
  const std::size_t name_end = std::min(text.find(' '), text.size());
  const std::string name = lower(text.substr(0, name_end));
  const std::string_view rest = trimmed(text.substr(name_end));
  const auto* const entry =
      std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.name == name; });
  // Chat is taken as it is typed, whatever quotes are in it.
  if (entry != entries.end() && entry->name == "say") return entry->parse(*entry, {}, rest);
  const auto words = split(text);
  if (!words) return Mistake{"A quote is not closed. Type \" at the end of the name as well."};
  if (entry == entries.end()) return parse_move(*words);
  return entry->parse(*entry, Arguments(*words).subspan(1), rest);
}

std::string help_text() {
  constexpr std::size_t usage_width = 31;
  std::string text =
      "To move, type row and column (2 3) or the column's letter and the row (c2).\n";
  for (const CommandEntry& entry : entries) {
    std::string line = "  " + std::string(entry.usage);
    // A usage too long for its column has the purpose on the next line.
    if (line.size() > usage_width + 2) {
      text.append(line).append("\n");
      line.clear();
    }
    line = padded(line, usage_width + 4);
    text.append(line).append(entry.purpose).append("\n");
  }
  return text.append("A NAME with spaces goes in quotes: join \"the den\" x\n");
}

}  // namespace tictactoe::console
