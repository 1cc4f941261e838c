#include "client/text/words.hpp"

#include <algorithm>

#include "client/model/sanitized.hpp"

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

bool is_keyword(const Word& word, std::string_view keyword) {
  return !word.quoted && lower(word.text) == keyword;
}

std::optional<v1::Mark> seat_word(const Word& word) {
  if (is_keyword(word, "x")) return v1::MARK_X;
  if (is_keyword(word, "o")) return v1::MARK_O;
  return std::nullopt;
}

std::string code(std::string_view text) {
  return "`" + sanitized(text) + "`";
}

}  // namespace tictactoe::client
