#include "client/terminal/line_editor.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/unicode/letters.hpp"
#include "common/wire/text.hpp"

namespace tictactoe::client {
namespace {

using Name = Key::Name;

std::string encoded(std::u32string_view letters) {
  std::string text;
  for (const char32_t letter : letters) unicode::append_utf8(text, letter);
  return text;
}

bool is_line_blank(char32_t letter) {
  return letter == U'\n' || letter == U'\r' || letter == U'\t';
}

// The longest start that all words share, in whole characters.
std::string common_start(const std::vector<std::string>& words) {
  std::string_view start = words.front();
  for (const std::string& word : words) {
    const auto [end, other] = std::mismatch(start.begin(), start.end(), word.begin(), word.end());
    start = start.substr(0, static_cast<std::size_t>(end - start.begin()));
  }
  const auto continues = [&](std::size_t at) {
    return at < words.front().size() &&
           (static_cast<unsigned char>(words.front()[at]) & 0xC0U) == 0x80U;
  };
  while (!start.empty() && continues(start.size())) start.remove_suffix(1);
  return std::string(start);
}

}  // namespace

bool LineEditor::press(const Key& key) {
  choices_.clear();
  switch (key.name) {
    case Name::letter:
      if (!wire::is_harmful(key.letter)) insert(key.letter);
      return true;
    case Name::backspace:
      erase(left_of_cursor(), cursor_);
      return true;
    case Name::remove:
      erase(cursor_, right_of_cursor());
      return true;
    case Name::left:
      cursor_ = left_of_cursor();
      return true;
    case Name::right:
      cursor_ = right_of_cursor();
      return true;
    case Name::home:
      cursor_ = 0;
      return true;
    case Name::end:
      cursor_ = letters_.size();
      return true;
    case Name::up:
    case Name::down:
      return recall(key.name == Name::up);
    case Name::tab:
      return complete();
    case Name::control:
      return press_control(key.letter);
    default:
      return false;
  }
}

bool LineEditor::press_control(char32_t letter) {
  constexpr std::u32string_view letters = U"abdefnp";
  constexpr std::array names = {Name::home,  Name::left, Name::remove, Name::end,
                                Name::right, Name::down, Name::up};
  const std::size_t at = letters.find(letter);
  if (at < names.size()) return press({names[at], 0});
  if (letter == U'k') {
    erase(cursor_, letters_.size());
  } else if (letter == U'u') {
    clear();
  } else if (letter == U'w') {
    erase(word_start(), cursor_);
  } else {
    return false;
  }
  return true;
}

void LineEditor::paste(std::string_view text) {
  choices_.clear();
  while (!text.empty() && letters_.size() < most_) {
    const char32_t letter = unicode::take_letter(text);
    if (is_line_blank(letter)) {
      // "\r\n" is one end of a line.
      if (letter == U'\r' && text.starts_with('\n')) text.remove_prefix(1);
      insert(U' ');
    } else if (letter != unicode::replacement && !wire::is_harmful(letter)) {
      insert(letter);
    }
  }
}

std::string LineEditor::text() const {
  return encoded(letters_);
}

std::string LineEditor::before_cursor() const {
  return encoded(std::u32string_view(letters_).substr(0, cursor_));
}

void LineEditor::set(std::string_view text) {
  letters_.clear();
  choices_.clear();
  while (!text.empty() && letters_.size() < most_) {
    const char32_t letter = unicode::take_letter(text);
    if (!wire::is_harmful(letter)) letters_.push_back(letter);
  }
  cursor_ = letters_.size();
}

std::string LineEditor::take() {
  std::string line = text();
  clear();
  if (!line.empty() && (history_.empty() || history_.back() != line)) {
    if (history_.size() == max_history) history_.erase(history_.begin());
    history_.push_back(line);
  }
  recalled_ = history_.size();
  typed_.clear();
  return line;
}

bool LineEditor::recall(bool older) {
  if (history_.empty()) return false;
  const bool typing = recalled_ == history_.size();
  if (older ? recalled_ == 0 : typing) return true;
  if (typing) typed_ = text();
  recalled_ = older ? recalled_ - 1 : recalled_ + 1;
  set(recalled_ == history_.size() ? typed_ : history_[recalled_]);
  return true;
}

bool LineEditor::complete() {
  if (!completer_) return false;
  const std::string before = before_cursor();
  Completion found = completer_(before);
  if (found.words.empty() || found.begin > before.size()) return true;
  const std::string start = common_start(found.words);
  const std::string_view typed = std::string_view(before).substr(found.begin);
  if (found.words.size() > 1 && start.size() <= typed.size()) {
    choices_ = std::move(found.words);
    return true;
  }
  const std::string_view kept = std::string_view(before).substr(0, found.begin);
  const std::u32string after = letters_.substr(cursor_);
  set(std::string(kept) + start);
  letters_.append(after);
  letters_.resize(std::min(letters_.size(), most_));
  return true;
}

void LineEditor::insert(char32_t letter) {
  if (letters_.size() < most_) letters_.insert(cursor_++, 1, letter);
}

void LineEditor::erase(std::size_t begin, std::size_t end) {
  letters_.erase(begin, end - begin);
  cursor_ = begin;
}

std::size_t LineEditor::word_start() const {
  std::size_t begin = cursor_;
  while (begin > 0 && letters_[begin - 1] == U' ') --begin;
  while (begin > 0 && letters_[begin - 1] != U' ') --begin;
  return begin;
}

std::size_t LineEditor::left_of_cursor() const {
  std::size_t at = cursor_;
  while (at > 0 && unicode::columns_of(letters_[at - 1]) == 0) --at;
  return at > 0 ? at - 1 : 0;
}

std::size_t LineEditor::right_of_cursor() const {
  std::size_t at = std::min(cursor_ + 1, letters_.size());
  while (at < letters_.size() && unicode::columns_of(letters_[at]) == 0) ++at;
  return at;
}

LineWindow window_of(const LineEditor& line, int columns, bool secret) {
  const std::u32string& letters = line.letters();
  const auto width = [&](char32_t letter) { return secret ? 1 : unicode::columns_of(letter); };
  LineWindow window;
  std::size_t begin = line.cursor();
  while (begin > 0 && window.cursor + width(letters[begin - 1]) < columns) {
    window.cursor += width(letters[--begin]);
  }
  // A mark whose letter is cut off would stand on what is before the line.
  while (begin < line.cursor() && width(letters[begin]) == 0) ++begin;
  int used = 0;
  for (std::size_t i = begin; i < letters.size() && used + width(letters[i]) <= columns; ++i) {
    unicode::append_utf8(window.text, secret ? U'*' : letters[i]);
    used += width(letters[i]);
  }
  return window;
}

}  // namespace tictactoe::client
