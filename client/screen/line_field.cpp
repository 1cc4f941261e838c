#include "client/screen/line_field.hpp"

#include <algorithm>

#include "client/screen/letters.hpp"
#include "common/wire/text.hpp"

namespace tictactoe::screen {

bool LineField::press(const Key& key) {
  using Name = Key::Name;
  switch (key.name) {
    case Name::letter: {
      std::string alone;
      append_utf8(alone, key.letter);
      using Fault = wire::TextFault;
      if (wire::check_text(alone).fault == Fault::control_character) return true;
      if (letters_.size() < most_) letters_.insert(cursor_++, 1, key.letter);
      return true;
    }
    case Name::backspace:
      if (cursor_ > 0) letters_.erase(--cursor_, 1);
      return true;
    case Name::remove:
      if (cursor_ < letters_.size()) letters_.erase(cursor_, 1);
      return true;
    case Name::left:
      if (cursor_ > 0) --cursor_;
      return true;
    case Name::right:
      if (cursor_ < letters_.size()) ++cursor_;
      return true;
    case Name::home:
      cursor_ = 0;
      return true;
    case Name::end:
      cursor_ = letters_.size();
      return true;
    case Name::control:
      if (key.letter == U'a') cursor_ = 0;
      if (key.letter == U'e') cursor_ = letters_.size();
      if (key.letter == U'u') clear();
      if (key.letter == U'w') erase_word();
      return key.letter == U'a' || key.letter == U'e' || key.letter == U'u' || key.letter == U'w';
    default:
      return false;
  }
}

void LineField::erase_word() {
  std::size_t begin = cursor_;
  while (begin > 0 && letters_[begin - 1] == U' ') --begin;
  while (begin > 0 && letters_[begin - 1] != U' ') --begin;
  letters_.erase(begin, cursor_ - begin);
  cursor_ = begin;
}

std::string LineField::text() const {
  std::string text;
  for (const char32_t letter : letters_) append_utf8(text, letter);
  return text;
}

void LineField::set(std::string_view text) {
  letters_.clear();
  while (!text.empty() && letters_.size() < most_) letters_.push_back(take_letter(text));
  cursor_ = letters_.size();
}

int LineField::draw(const Canvas& canvas, Style style, bool secret) const {
  canvas.fill({0, 0, canvas.width(), 1}, U' ', style);
  const auto columns = [&](char32_t letter) { return secret ? 1 : columns_of(letter); };
  // As far back from the cursor as fits, with a column for the cursor itself.
  std::size_t begin = cursor_;
  int before = 0;
  while (begin > 0 && before + columns(letters_[begin - 1]) < canvas.width()) {
    before += columns(letters_[--begin]);
  }
  std::string text;
  for (std::size_t i = begin; i < letters_.size(); ++i) {
    append_utf8(text, secret ? U'*' : letters_[i]);
  }
  canvas.write(0, 0, text, style);
  return before;
}

}  // namespace tictactoe::screen
