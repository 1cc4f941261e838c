#include "client/words/typed.hpp"

#include <algorithm>
#include <vector>

#include "client/model/room.hpp"
#include "client/model/sanitized.hpp"
#include "client/words/time.hpp"
#include "common/unicode/letters.hpp"

namespace tictactoe::client {
namespace {

bool is_blank(char character) {
  return character == ' ' || character == '\t';
}

// Takes a quoted word's text from behind its opening quote; false if it is never closed.
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

}  // namespace

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

std::optional<Words> split(std::string_view text) {
  Words words;
  for (std::string_view rest = trimmed(text); !rest.empty(); rest = trimmed(rest)) {
    Word& word = words.emplace_back();
    word.begin = static_cast<std::size_t>(rest.data() - text.data());
    if (rest.front() == '"') {
      word.quoted = true;
      rest.remove_prefix(1);
      if (!take_quoted(rest, word.text)) return std::nullopt;
    } else {
      const auto end = std::find_if(rest.begin(), rest.end(), is_blank);
      word.text.assign(rest.begin(), end);
      rest.remove_prefix(word.text.size());
    }
    word.plain = unicode::in_ascii(word.text);
  }
  return words;
}

std::string quoted_word(std::string_view word) {
  std::string quoted = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') quoted.push_back('\\');
    quoted.push_back(c);
  }
  return quoted + "\"";
}

std::string keyword(std::string_view text) {
  return lower(trimmed(unicode::in_ascii(text)));
}

bool is_keyword(const Word& word, std::string_view wanted) {
  return !word.quoted && lower(word.plain) == wanted;
}

std::optional<v1::Mark> seat_word(const Word& word) {
  if (is_keyword(word, "x")) return v1::MARK_X;
  if (is_keyword(word, "o")) return v1::MARK_O;
  return std::nullopt;
}

std::string code(std::string_view text) {
  return "`" + sanitized(text) + "`";
}

std::string foreign_letter_text(std::string_view text) {
  while (!text.empty()) {
    const char32_t letter = unicode::take_letter(text);
    if (unicode::ascii_of(letter) < 0x80) continue;
    const std::string script = unicode::script_of(letter);
    if (script.empty()) continue;
    std::string sentence;
    unicode::append_utf8(sentence, letter);
    return sentence.append(" is ").append(script).append(". Switch the keyboard to Latin letters");
  }
  return {};
}

namespace {

// Whether somebody who writes this means a time.
bool begins_with_digit(std::string_view text) {
  return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

std::optional<v1::AwayPolicy> away_word(const Word& word) {
  if (is_keyword(word, "forfeit")) return v1::AWAY_FORFEIT;
  if (is_keyword(word, "hold")) return v1::AWAY_HOLD;
  if (is_keyword(word, "ai")) return v1::AWAY_AI;
  return std::nullopt;
}

}  // namespace

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

std::optional<v1::TimeControl> parse_clock(std::string_view text) {
  constexpr std::string_view per_move = "/move";
  v1::TimeControl time;
  if (lower(text).ends_with(per_move)) {
    const auto move = parse_duration(text.substr(0, text.size() - per_move.size()));
    if (!move) return std::nullopt;
    time.set_move_ms(*move);
    return time;
  }
  const std::size_t plus = text.find('+');
  const auto game = parse_duration(text.substr(0, plus));
  if (!game) return std::nullopt;
  time.set_game_ms(*game);
  if (plus == std::string_view::npos) return time;
  const auto increment = parse_duration(text.substr(plus + 1));
  if (!increment) return std::nullopt;
  time.set_increment_ms(*increment);
  return time;
}

std::string RoomWords::read(Arguments words) {
  if (words.empty()) return std::string(room_name_missing);
  name = words.front().text;
  for (Arguments rest = words.subspan(1); !rest.empty();) {
    if (std::string fault = read_next(rest); !fault.empty()) return fault;
  }
  // The default size of servers.
  if (exact_ && !rules) rules = parse_size("3");
  if (exact_) rules->set_exact(true);
  return {};
}

// Takes one option off the front of `words`.
std::string RoomWords::read_next(Arguments& words) {
  const Word word = words.front();
  words = words.subspan(1);
  if (is_keyword(word, "password")) {
    if (words.empty()) return "The password is missing.";
    password = words.front().text;
    words = words.subspan(1);
    return {};
  }
  const bool creates = allowed_ == Allowed::all;
  const auto set = [&](auto set_option) {
    (own_options().*set_option)(true);
    return std::string();
  };
  if (creates && is_keyword(word, "unlisted")) return set(&v1::RoomOptions::set_unlisted);
  if (creates && is_keyword(word, "open-seats")) return set(&v1::RoomOptions::set_open_ai_seats);
  if (creates && is_keyword(word, "hints")) return set(&v1::RoomOptions::set_hints);
  if (creates && is_keyword(word, "clock")) return read_clock(words);
  if (creates && is_keyword(word, "away")) return read_away(words);
  if (creates && is_keyword(word, "from")) return read_position(words);
  if (allowed_ != Allowed::password && seat_word(word)) {
    seat = *seat_word(word);
    return {};
  }
  if (creates && read_rules(word)) return {};
  return code(word.text) +
         " is not expected after the room's name. Put a name with spaces in quotes.";
}

bool RoomWords::read_rules(const Word& word) {
  if (is_keyword(word, "exact")) return exact_ = true;
  if (size_ || word.quoted) return false;
  rules = parse_size(word.plain);
  return size_ = rules.has_value();
}

std::string RoomWords::read_clock(Arguments& words) {
  const auto time = words.empty() ? std::nullopt : parse_clock(words.front().plain);
  if (!time) return std::string(clock_help);
  *own_options().mutable_time() = *time;
  words = words.subspan(1);
  return {};
}

std::string RoomWords::read_away(Arguments& words) {
  const auto policy = words.empty() ? std::nullopt : away_word(words.front());
  if (!policy) {
    return "When a player is away, `forfeit` gives up the seat, `hold` keeps it, and `ai` lets an "
           "AI play.";
  }
  own_options().set_away(*policy);
  words = words.subspan(1);
  if (words.empty() || words.front().quoted) return {};
  const std::string& time = words.front().plain;
  if (const auto grace = parse_duration(time)) {
    options->set_grace_ms(*grace);
    words = words.subspan(1);
  } else if (begins_with_digit(time) && !parse_size(time)) {
    return code(words.front().text) + " is not a time up to 30 days: write `2m`, `1h30m` or `7d`.";
  }
  return {};
}

std::string RoomWords::read_position(Arguments& words) {
  const bool is_whole = words.size() >= 3 && is_keyword(words[1], "after");
  const auto game = is_whole ? parse_id(words[0].plain) : std::nullopt;
  const auto moves = is_whole ? parse_number(words[2].plain) : std::nullopt;
  if (!game || !moves) {
    return "Write `from 12 after 7` to continue game 12 after 7 moves. `history` shows the "
           "numbers.";
  }
  own_options().mutable_from()->set_game(*game);
  options->mutable_from()->set_moves(*moves);
  words = words.subspan(3);
  return {};
}

std::string k_adapted_text(std::uint32_t rows, std::uint32_t cols, std::uint32_t k) {
  return std::to_string(k) + " in a row is usual on " + std::to_string(rows) + " x " +
         std::to_string(cols) + ". You can change it.";
}

}  // namespace tictactoe::client
