#include "client/screen/keys.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "client/screen/letters.hpp"

namespace tictactoe::screen {
namespace {

using Name = Key::Name;

constexpr char escape = '\033';

// The last byte of "ESC [ A" and "ESC O A".
std::optional<Name> by_final(char final) {
  switch (final) {
    case 'A':
      return Name::up;
    case 'B':
      return Name::down;
    case 'C':
      return Name::right;
    case 'D':
      return Name::left;
    case 'F':
      return Name::end;
    case 'H':
      return Name::home;
    case 'M':
      return Name::enter;  // of the keypad
    case 'Z':
      return Name::back_tab;
    default:
      return std::nullopt;
  }
}

// The number in "ESC [ 3 ~".
std::optional<Name> by_number(int number) {
  switch (number) {
    case 1:
    case 7:
      return Name::home;
    case 3:
      return Name::remove;
    case 4:
    case 8:
      return Name::end;
    case 5:
      return Name::page_up;
    case 6:
      return Name::page_down;
    default:
      return std::nullopt;
  }
}

// "3;5" as numbers; at most three are of use.
std::array<int, 3> numbers_of(std::string_view text) {
  std::array<int, 3> numbers{};
  for (int& number : numbers) {
    const std::size_t end = std::min(text.find(';'), text.size());
    const std::string digits(text.substr(0, end));
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return numbers;
}

std::optional<Mouse> read_mouse(std::string_view parameters, char final) {
  const auto [button, x, y] = numbers_of(parameters);
  const Point at{x - 1, y - 1};
  constexpr int modifiers = 4 + 8 + 16;
  switch (button & ~modifiers) {
    case 0:
      if (final == 'M') return Mouse{Mouse::Action::press, at};
      return std::nullopt;
    case 64:
      return Mouse{Mouse::Action::wheel_up, at};
    case 65:
      return Mouse{Mouse::Action::wheel_down, at};
    default:
      return std::nullopt;
  }
}

std::optional<Input> read_sequence(std::string_view parameters, char final) {
  if (!parameters.empty() && parameters.front() == '<') {
    if (const auto mouse = read_mouse(parameters.substr(1), final)) return *mouse;
    return std::nullopt;
  }
  const auto name = final == '~' ? by_number(numbers_of(parameters)[0]) : by_final(final);
  if (!name) return std::nullopt;
  return Key{*name, 0};
}

std::optional<Key> control_key(char byte) {
  switch (byte) {
    case '\r':
    case '\n':
      return Key{Name::enter, 0};
    case '\t':
      return Key{Name::tab, 0};
    case '\b':
    case '\x7F':
      return Key{Name::backspace, 0};
    default:
      break;
  }
  const auto value = static_cast<unsigned char>(byte);
  if (value == 0 || value > 26) return std::nullopt;
  return Key{Name::control, U'a' + value - 1U};
}

// Bytes that a character takes by its first one.
std::size_t length_by(unsigned char lead) {
  if (lead < 0xC2) return 1;
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) return 3;
  return lead < 0xF5 ? 4 : 1;
}

}  // namespace

std::vector<Input> KeyReader::feed(std::string_view bytes) {
  std::vector<Input> inputs;
  while (!bytes.empty()) {
    const std::size_t taken = std::min(bytes.size(), max_sequence);
    held_.append(bytes.substr(0, taken));
    bytes.remove_prefix(taken);
    while (!held_.empty() && take_one(inputs)) {
    }
    // Of a sequence that goes on and on, it is enough to know that one is on.
    if (held_.size() >= max_sequence) held_.resize(2);
  }
  return inputs;
}

std::vector<Input> KeyReader::end_of_sequence() {
  std::vector<Input> inputs;
  if (held_ == "\033") inputs.emplace_back(Key{Name::escape, 0});
  held_.clear();
  return inputs;
}

// Takes one key off what is held; false where more bytes are wanted.
bool KeyReader::take_one(std::vector<Input>& inputs) {
  if (held_.front() == escape) return take_sequence(inputs);
  return take_character(inputs);
}

bool KeyReader::take_sequence(std::vector<Input>& inputs) {
  if (held_.size() < 2) return false;
  if (held_[1] == escape) {
    inputs.emplace_back(Key{Name::escape, 0});
    held_.erase(0, 1);
    return true;
  }
  if (held_[1] == 'O') {
    if (held_.size() < 3) return false;
    if (const auto name = by_final(held_[2])) inputs.emplace_back(Key{*name, 0});
    held_.erase(0, 3);
    return true;
  }
  if (held_[1] != '[') {  // Alt with a key: the key
    held_.erase(0, 1);
    return true;
  }
  const auto is_final = [](char c) { return c >= '@' && c <= '~'; };
  const auto final = std::find_if(held_.begin() + 2, held_.end(), is_final);
  if (final == held_.end()) return false;
  const auto length = static_cast<std::size_t>(final - held_.begin());
  if (const auto input = read_sequence(std::string_view(held_).substr(2, length - 2), *final)) {
    inputs.push_back(*input);
  }
  held_.erase(0, length + 1);
  return true;
}

bool KeyReader::take_character(std::vector<Input>& inputs) {
  const auto lead = static_cast<unsigned char>(held_.front());
  if (lead < 0x20 || lead == 0x7F) {
    if (const auto key = control_key(held_.front())) inputs.emplace_back(*key);
    held_.erase(0, 1);
    return true;
  }
  if (held_.size() < length_by(lead)) return false;
  std::string_view rest = held_;
  const char32_t letter = take_letter(rest);
  held_.erase(0, held_.size() - rest.size());
  // What is no character, or acts on a terminal, is not typed.
  if (letter != 0xFFFD && (letter < 0x80 || letter >= 0xA0))
    inputs.emplace_back(letter_key(letter));
  return true;
}

}  // namespace tictactoe::screen
