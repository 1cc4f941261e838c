// Reads games: line by line, each line from left to right, in one pass.
#include <algorithm>
#include <array>
#include <charconv>

#include "common/record/cell.hpp"
#include "common/record/notation.hpp"
#include "common/record/values.hpp"
#include "common/record/words.hpp"
#include "common/wire/text.hpp"

namespace tictactoe::record {
namespace {

// The error; nothing if there is none.
using Complaint = std::optional<std::string>;

constexpr std::string_view blanks = " \t\r";

// A piece of the file, safe to print.
std::string quoted(std::string_view text) {
  constexpr std::size_t enough = 40;
  const std::string_view start = wire::first_code_points(text, enough);
  return "\"" + wire::printable(start) + (start.size() < text.size() ? "..." : "") + "\"";
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

// Removes everything up to and including `end` from `text`, and returns what was before `end`.
// Returns nothing if there is no `end`.
std::optional<std::string_view> take_until(std::string_view& text, char end) {
  const std::size_t found = text.find(end);
  if (found == std::string_view::npos) return std::nullopt;
  const std::string_view taken = text.substr(0, found);
  text.remove_prefix(found + 1);
  return taken;
}

/// The text between quotes, with its escapes resolved, and the rest after the closing quote.
struct Quoted {
  std::string text;
  std::string_view rest;
};

std::optional<Quoted> take_quoted(std::string_view text) {
  if (text.empty() || text[0] != '"') return std::nullopt;
  Quoted taken;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      taken.rest = text.substr(i + 1);
      return taken;
    }
    if (text[i] == '\\') ++i;  // the next character is literal
    if (i < text.size()) taken.text.push_back(text[i]);
  }
  return std::nullopt;
}

// The tags: each function puts its text into the game.

Complaint take_id(v1::GameRecord& game, std::string_view text) {
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return quoted(text) + " is not the number of a game.";
  }
  game.set_id(id);
  return std::nullopt;
}

Complaint take_date(v1::GameRecord& game, std::string_view text) {
  const auto date = parse_date(text);
  if (!date) return quoted(text) + " is not a date, as in 2026-05-17T20:15:09.250Z.";
  game.set_ended_unix_ms(*date);
  return std::nullopt;
}

Complaint take_type(v1::Occupant& occupant, std::string_view text) {
  const auto kind = meaning(kind_words, text);
  if (!kind) return quoted(text) + " is not a type of player: person, ai or open.";
  occupant.set_kind(*kind);
  return std::nullopt;
}

Complaint take_rules(v1::GameRecord& game, std::string_view text) {
  auto rules = parse_rules(text);
  if (!rules) {
    return quoted(text) + " is not a game: rows, columns and marks in a row, each from 1 to " +
           std::to_string(max_side) + ", as in \"15x15x5\" or \"15x15x5 exact\".";
  }
  *game.mutable_rules() = *std::move(rules);
  return std::nullopt;
}

Complaint take_time_control(v1::GameRecord& game, std::string_view text) {
  auto time = parse_time(text);
  if (!time) return quoted(text) + " is not a time control in seconds: 300+2 or 30/move.";
  *game.mutable_time() = *std::move(time);
  return std::nullopt;
}

Complaint take_starter(v1::GameRecord& game, std::string_view text) {
  const auto side = meaning(side_words, text);
  if (!side) return "The starter must be X or O.";
  game.set_starter(*side);
  return std::nullopt;
}

Complaint take_result(v1::GameRecord& game, std::string_view text) {
  const auto winner = meaning(result_words, text);
  if (!winner) return quoted(text) + " is not a result: 1-0 (X has won), 0-1 or 1/2-1/2.";
  game.mutable_outcome()->set_winner(*winner);
  return std::nullopt;
}

Complaint take_termination(v1::GameRecord& game, std::string_view text) {
  const auto reason = meaning(termination_words, text);
  if (!reason)
    return quoted(text) + " is not a known ending: see the tag Termination in the notation.";
  game.mutable_outcome()->set_reason(*reason);
  return std::nullopt;
}

// Tags with any text: there are no errors.
Complaint take_text(std::string& field, std::string_view text) {
  field = text;
  return std::nullopt;
}

struct Tag {
  std::string_view name;
  Complaint (*take)(v1::GameRecord& game, std::string_view text);
  bool needed = false;
};

constexpr Tag tags[] = {
    {"Id", take_id},
    {"Room", [](auto& game, auto text) { return take_text(*game.mutable_room(), text); }},
    {"Date", take_date},
    {"X", [](auto& game, auto text) { return take_text(*game.mutable_x()->mutable_name(), text); }},
    {"O", [](auto& game, auto text) { return take_text(*game.mutable_o()->mutable_name(), text); }},
    {"XType", [](auto& game, auto text) { return take_type(*game.mutable_x(), text); }},
    {"OType", [](auto& game, auto text) { return take_type(*game.mutable_o(), text); }},
    {"XLevel",
     [](auto& game, auto text) { return take_text(*game.mutable_x()->mutable_ai_level(), text); }},
    {"OLevel",
     [](auto& game, auto text) { return take_text(*game.mutable_o()->mutable_ai_level(), text); }},
    {"Rules", take_rules, true},
    {"TimeControl", take_time_control},
    {"Starter", take_starter},
    {"Result", take_result, true},
    {"Termination", take_termination, true},
};

/// Builds one game.
class GameReader {
 public:
  /// A tag's name and text. Unknown tags are ignored.
  Complaint tag(std::string_view name, std::string_view text);
  /// A word of the moves: a move's number, a cell, or a result.
  Complaint word(std::string_view word);
  /// The text between braces.
  Complaint time(std::string_view text);

  bool has_begun() const { return begun_; }
  bool in_moves() const { return in_moves_; }
  bool is_over() const { return over_; }
  /// The game, if it is complete. The next game can follow then.
  v1::GameRecord take() {
    v1::GameRecord taken = std::move(game_);
    *this = {};
    return taken;
  }

 private:
  Complaint begin_moves();
  Complaint move_number(std::string_view digits) const;
  Complaint cell(std::string_view word);
  Complaint end(v1::Mark winner);
  bool some_times_are_missing() const {
    return game_.move_ms_size() != 0 && game_.move_ms_size() != game_.moves_size();
  }

  // The defaults without tags.
  static v1::GameRecord blank() {
    v1::GameRecord game;
    game.mutable_x()->set_kind(v1::Occupant::KIND_PERSON);
    game.mutable_o()->set_kind(v1::Occupant::KIND_PERSON);
    game.set_starter(v1::MARK_X);
    return game;
  }

  v1::GameRecord game_ = blank();
  std::array<bool, std::size(tags)> seen_{};
  bool begun_ = false;
  bool in_moves_ = false;
  bool over_ = false;
};

Complaint GameReader::tag(std::string_view name, std::string_view text) {
  begun_ = true;
  const wire::TextCheck check = wire::check_text(text);
  if (check.fault == wire::TextFault::not_utf8) return "The text of a tag must be UTF-8.";
  if (check.fault) return "The text of a tag can't contain control characters.";
  if (check.code_points > max_text) {
    return "The text of a tag has at most " + std::to_string(max_text) + " characters.";
  }
  const auto* const known = std::ranges::find(tags, name, &Tag::name);
  if (known == std::end(tags)) return std::nullopt;
  bool& seen = seen_[static_cast<std::size_t>(known - std::begin(tags))];
  if (seen) return "The tag " + std::string(name) + " occurs twice in one game.";
  seen = true;
  return known->take(game_, text);
}

Complaint GameReader::begin_moves() {
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    if (tags[i].needed && !seen_[i]) {
      return "A game needs this tag before its moves: " + std::string(tags[i].name) + ".";
    }
  }
  in_moves_ = true;
  return std::nullopt;
}

Complaint GameReader::word(std::string_view word) {
  if (!begun_) {
    return quoted(word) + " belongs to no game. Games begin with tags, as in [Rules \"3x3x3\"]; " +
           "only games as `tictactoe export` writes them can be read.";
  }
  if (!in_moves_) {
    if (auto complaint = begin_moves()) return complaint;
  }
  if (const auto winner = meaning(result_words, word)) return end(*winner);
  if (word.ends_with('.')) return move_number(word.substr(0, word.size() - 1));
  return cell(word);
}

Complaint GameReader::cell(std::string_view word) {
  const auto cell = parse_cell_name(word);
  if (!cell) return quoted(word) + " is neither a cell, as in b2, nor the result of the game.";
  const v1::Rules& rules = game_.rules();
  if (cell->row >= rules.rows() || cell->col >= rules.cols()) {
    return "The cell " + quoted(word) + " is not on a board of " + std::to_string(rules.rows()) +
           " x " + std::to_string(rules.cols()) + ".";
  }
  if (static_cast<std::uint32_t>(game_.moves_size()) == rules.rows() * rules.cols()) {
    return "There are more moves than cells.";
  }
  if (some_times_are_missing()) return "Either every move has a time, or none does.";
  game_.add_moves(cell->row * rules.cols() + cell->col);
  return std::nullopt;
}

Complaint GameReader::move_number(std::string_view digits) const {
  const auto number = parse_number(digits);
  const auto expected = static_cast<std::uint32_t>(game_.moves_size()) / 2 + 1;
  if (number == expected && game_.moves_size() % 2 == 0) return std::nullopt;
  return quoted(digits) + " is not the number of this move.";
}

Complaint GameReader::time(std::string_view text) {
  if (game_.moves_size() == 0 || game_.move_ms_size() != game_.moves_size() - 1) {
    return "A time in braces follows its move. Give one for every move or for none.";
  }
  const auto milliseconds = parse_seconds(without_blanks(text));
  if (!milliseconds) return quoted(text) + " is not a time in seconds, as in {1.250}.";
  game_.add_move_ms(*milliseconds);
  return std::nullopt;
}

Complaint GameReader::end(v1::Mark winner) {
  if (winner != game_.outcome().winner()) return "The result after the moves differs from the tag.";
  if (some_times_are_missing()) return "Either every move has a time, or none does.";
  over_ = true;
  return std::nullopt;
}

/// Reads one file.
class FileReader {
 public:
  Complaint line(std::string_view line) {
    if (line.size() > max_line_bytes) {
      return "A line has at most " + std::to_string(max_line_bytes) + " bytes.";
    }
    line = without_blanks(wire::without_byte_order_mark(line));
    if (line.empty() || line[0] == ';') return std::nullopt;
    return line[0] == '[' ? tag_line(line.substr(1)) : move_line(line);
  }

  /// Call it after the last line.
  Complaint end() const {
    if (!game_.has_begun()) return std::nullopt;
    return "The last game is incomplete: its moves must end with its result.";
  }

  std::vector<v1::GameRecord> take() { return std::move(games_); }

 private:
  Complaint tag_line(std::string_view line) {
    if (game_.in_moves()) return "The moves of a game end with its result: 1-0, 0-1 or 1/2-1/2.";
    const std::size_t name_end = line.find_first_of(blanks);
    if (name_end != 0 && name_end != std::string_view::npos) {
      const std::string_view name = line.substr(0, name_end);
      const auto text = take_quoted(without_blanks(line.substr(name_end)));
      const std::string_view rest = text ? without_blanks(text->rest) : "";
      const std::string_view after = rest.empty() ? "" : without_blanks(rest.substr(1));
      if (rest.starts_with(']') && (after.empty() || after[0] == ';')) {
        return game_.tag(name, text->text);
      }
    }
    return "A tag is a name and a text in quotes, alone on its line, as in [Room \"duel\"].";
  }

  Complaint move_line(std::string_view line) {
    while (!line.empty() && line[0] != ';') {
      if (auto complaint = line[0] == '{' ? take_time(line) : take_word(line)) return complaint;
      const std::size_t next = line.find_first_not_of(blanks);
      line.remove_prefix(next == std::string_view::npos ? line.size() : next);
    }
    return std::nullopt;
  }

  Complaint take_time(std::string_view& line) {
    line.remove_prefix(1);
    const auto text = take_until(line, '}');
    if (!text) return "A brace is not closed on its line.";
    return game_.time(*text);
  }

  Complaint take_word(std::string_view& line) {
    // The point after a move's number needs no blank after it.
    const std::size_t end = std::min(line.find_first_of(" \t\r;{."), line.size());
    const bool number = end < line.size() && line[end] == '.';
    const std::string_view word = line.substr(0, number ? end + 1 : end);
    line.remove_prefix(word.size());
    if (auto complaint = game_.word(word)) return complaint;
    if (!game_.is_over()) return std::nullopt;
    if (games_.size() == max_games) {
      return "A file has at most " + std::to_string(max_games) + " games.";
    }
    games_.push_back(game_.take());
    return std::nullopt;
  }

  GameReader game_;
  std::vector<v1::GameRecord> games_;
};

// Forms of other programs -------------------------------------------------------------------------

constexpr std::string_view all_blanks = " \t\r\n";

std::string_view after_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(all_blanks), text.size()));
  return text;
}

bool is_sgf(std::string_view file) {
  return file.starts_with('(') && after_blanks(file.substr(1)).starts_with(';');
}

// In a game, the name of a tag follows the first bracket.
bool is_json(std::string_view file) {
  const std::size_t value = file.find_first_not_of("[ \t\r\n");
  if (value == std::string_view::npos) return false;
  constexpr std::string_view numbers = "-0123456789";
  return file[value] == '{' ||
         (file.starts_with('[') && numbers.find(file[value]) != std::string_view::npos);
}

// The tags of the first game have the players of chess, but no rules.
bool is_pgn(std::string_view file) {
  bool has_players = false;
  while (file.starts_with('[')) {
    if (file.starts_with("[Rules ")) return false;
    has_players = has_players || file.starts_with("[White ") || file.starts_with("[Black ");
    file = after_blanks(file.substr(std::min(file.find('\n'), file.size())));
  }
  return has_players;
}

// The first two lines have as many of a separator.
bool is_table(std::string_view file) {
  if (file.starts_with('[') || file.starts_with(';')) return false;
  const std::string_view first = file.substr(0, file.find('\n'));
  const std::string_view rest = file.substr(std::min(first.size() + 1, file.size()));
  const std::string_view second = rest.substr(0, rest.find('\n'));
  constexpr std::string_view separators = ",;\t";
  return std::ranges::any_of(separators, [&](char separator) {
    const auto count = std::ranges::count(first, separator);
    return count > 0 && count == std::ranges::count(second, separator);
  });
}

bool is_html(std::string_view file) {
  const auto begins = [&](std::string_view word) {
    return std::ranges::equal(file.substr(0, word.size()), word, {}, [](char letter) {
      return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
  };
  return begins("<!doctype html") || begins("<html");
}

bool is_binary(std::string_view file) {
  return file.substr(0, file.starts_with('[') || file.starts_with(';') ? 2 : file.size())
             .find('\0') != std::string_view::npos;
}

/// A form that people may take for ours.
struct OtherForm {
  std::string_view begin;               // of each such file; empty: see `fits`
  bool (*fits)(std::string_view file);  // without blanks before it
  std::string_view what;
  std::string_view advice;
};

constexpr std::string_view only_ours =
    ". That can't be read: only games as `tictactoe export` writes them can.";
constexpr std::string_view unpack = ". Unpack it first.";
constexpr std::string_view save_as_utf_8 = ". Save it as UTF-8.";

constexpr OtherForm other_forms[] = {
    {"\xFF\xFE", nullptr, "text in UTF-16", save_as_utf_8},
    {"\xFE\xFF", nullptr, "text in UTF-16", save_as_utf_8},
    {"Piskvorky ", nullptr, "a game in PSQ, as Piskvork writes it", only_ours},
    {"\xFFRenLib", nullptr, "a library of RenLib", only_ours},
    {"", is_sgf, "a game in SGF (Smart Game Format)", only_ours},
    {"", is_pgn, "a game of chess in PGN", only_ours},
    {"<?xml", nullptr, "an XML file", only_ours},
    {"", is_html, "a web page (HTML)", only_ours},
    {"", is_json, "a JSON file", only_ours},
    {"%PDF-", nullptr, "a PDF file", only_ours},
    {"SQLite format 3", nullptr, "a database, such as journal.db",
     ". That can't be read: `tictactoe-server copy` copies the records of a server."},
    {"\x1F\x8B", nullptr, "a file compressed by gzip", unpack},
    {"BZh", nullptr, "a file compressed by bzip2", unpack},
    {"\xFD\x37zXZ", nullptr, "a file compressed by xz", unpack},
    {"\x28\xB5\x2F\xFD", nullptr, "a file compressed by zstd", unpack},
    {"PK\x03\x04", nullptr, "a ZIP archive", unpack},
    {"", is_binary, "not a text file", only_ours},
    {"", is_table, "a table (CSV)", only_ours},
};

Complaint is_of_another_program(std::string_view file) {
  file = after_blanks(file);
  for (const OtherForm& form : other_forms) {
    if (form.begin.empty() ? form.fits(file) : file.starts_with(form.begin)) {
      return "This is " + std::string(form.what) + std::string(form.advice);
    }
  }
  return std::nullopt;
}

}  // namespace

boost::system::result<std::vector<v1::GameRecord>, Fault> parse_games(std::string_view file) {
  if (file.size() > max_file_bytes) {
    return Fault{0, "A file has at most " + std::to_string(max_file_bytes >> 20) + " MiB."};
  }
  file = wire::without_byte_order_mark(file);
  if (auto complaint = is_of_another_program(file)) return Fault{1, *complaint};
  FileReader reader;
  std::size_t number = 0;
  while (!file.empty()) {
    ++number;
    const std::size_t end = file.find('\n');
    if (auto complaint = reader.line(file.substr(0, end))) return Fault{number, *complaint};
    file.remove_prefix(end == std::string_view::npos ? file.size() : end + 1);
  }
  if (auto complaint = reader.end()) return Fault{number, *complaint};
  return reader.take();
}

}  // namespace tictactoe::record
