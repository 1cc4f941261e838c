#include "client/terminal/keys.hpp"

#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "common/unicode/letters.hpp"

namespace tictactoe::client {
namespace {

using Name = Key::Name;

constexpr char escape = '\033';
constexpr char bell = '\a';
constexpr std::string_view string_end = "\033\\";
constexpr std::string_view paste_end = "\033[201~";
constexpr int paste_begin = 200;
constexpr std::size_t x10_bytes = 6;

// How long an ESC may be alone before it is the key Escape; and how long the other bytes of a
// sequence may be apart. A slow link splits what the terminal sent as one piece.
constexpr std::chrono::milliseconds escape_wait{30};
constexpr std::chrono::milliseconds sequence_wait{2'000};

// The final byte of "ESC [ A" and "ESC O A".
std::optional<Name> by_final(char final) {
  constexpr std::string_view finals = "ABCDFHZ";
  constexpr std::array names = {Name::up,  Name::down, Name::right,   Name::left,
                                Name::end, Name::home, Name::back_tab};
  const std::size_t at = finals.find(final);
  return at < names.size() ? std::optional(names[at]) : std::nullopt;
}

// The number in "ESC [ 3 ~".
std::optional<Name> by_number(int number) {
  constexpr std::array<std::optional<Name>, 9> names = {std::nullopt,    Name::home, std::nullopt,
                                                        Name::remove,    Name::end,  Name::page_up,
                                                        Name::page_down, Name::home, Name::end};
  return number >= 0 && number < 9 ? names[static_cast<std::size_t>(number)] : std::nullopt;
}

// "3;5" as numbers; no sequence here needs more than three.
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

// The event of a button code, which is the same in both forms of mouse reports.
std::optional<Mouse> mouse_event(int button, bool released, Point at) {
  constexpr int modifiers = 4 + 8 + 16;
  switch (button & ~modifiers) {
    case 0:
      if (!released) return Mouse{Mouse::Action::press, at};
      return std::nullopt;
    case 64:
      return Mouse{Mouse::Action::wheel_up, at};
    case 65:
      return Mouse{Mouse::Action::wheel_down, at};
    default:
      return std::nullopt;
  }
}

// "ESC [ <" button;x;y, then M for a press or m for a release.
std::optional<Mouse> read_sgr_mouse(std::string_view parameters, char final) {
  const auto [button, x, y] = numbers_of(parameters);
  return mouse_event(button, final != 'M', {x - 1, y - 1});
}

// "ESC [ M" and three bytes: button, x and y, each 32 larger; x and y are counted from 1.
std::optional<Mouse> read_x10_mouse(std::string_view bytes) {
  const auto value = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]) - 32; };
  constexpr int button_released = 3;
  return mouse_event(value(0), (value(0) & 3) == button_released && value(0) < 64,
                     {value(1) - 1, value(2) - 1});
}

std::optional<Input> read_sequence(std::string_view parameters, char final) {
  if (!parameters.empty() && parameters.front() == '<') {
    if (const auto mouse = read_sgr_mouse(parameters.substr(1), final)) return *mouse;
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

bool is_trail(char byte) {
  return U8_IS_TRAIL(byte);
}

// The introducers of OSC, DCS, APC, PM and SOS, which are followed by a string.
bool begins_string(char byte) {
  return std::string_view("]P_^X").find(byte) != std::string_view::npos;
}

// Whether it may be a sequence without its ESC. Nobody types this and more within one read.
bool goes_on_after_escape(std::string_view bytes) {
  return bytes.size() > 1 && bytes.front() == '[';
}

}  // namespace

std::vector<Input> KeyReader::feed(std::string_view bytes) {
  std::vector<Input> inputs;
  if (std::exchange(after_escape_, false) && goes_on_after_escape(bytes)) held_ = escape;
  while (!bytes.empty()) {
    const std::size_t taken = std::min(bytes.size(), max_sequence);
    held_.append(bytes.substr(0, taken));
    bytes.remove_prefix(taken);
    while (!held_.empty() && take_one(inputs)) {
    }
    // Of a sequence that does not end, only its kind is needed.
    if (held_.size() >= max_sequence) held_.resize(2);
  }
  return inputs;
}

std::optional<std::chrono::milliseconds> KeyReader::wait() const {
  if (paste_ || held_.empty() || held_.front() != escape) return std::nullopt;
  return held_.size() == 1 ? escape_wait : sequence_wait;
}

std::vector<Input> KeyReader::end_of_sequence() {
  std::vector<Input> inputs;
  if (paste_) return inputs;
  after_escape_ = held_ == "\033";
  if (after_escape_) inputs.emplace_back(Key{Name::escape, 0});
  held_.clear();
  return inputs;
}

// Takes one input from the held bytes; false if more bytes are needed.
bool KeyReader::take_one(std::vector<Input>& inputs) {
  if (paste_) return take_paste(inputs);
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
    // M is Enter of the keypad.
    const auto name = held_[2] == 'M' ? Name::enter : by_final(held_[2]);
    if (name) inputs.emplace_back(Key{*name, 0});
    held_.erase(0, 3);
    return true;
  }
  if (held_[1] == '[') return take_control_sequence(inputs);
  if (begins_string(held_[1])) return take_string();
  held_.erase(0, 1);  // Alt with a key: the key
  return true;
}

bool KeyReader::take_control_sequence(std::vector<Input>& inputs) {
  const auto is_final = [](char c) { return c >= '@' && c <= '~'; };
  const auto final = std::find_if(held_.begin() + 2, held_.end(), is_final);
  if (final == held_.end()) return false;
  const auto length = static_cast<std::size_t>(final - held_.begin());
  const std::string_view parameters = std::string_view(held_).substr(2, length - 2);
  if (*final == 'M' && parameters.empty()) {
    if (held_.size() < x10_bytes) return false;
    if (const auto mouse = read_x10_mouse(std::string_view(held_).substr(3, 3))) {
      inputs.emplace_back(*mouse);
    }
    held_.erase(0, x10_bytes);
    return true;
  }
  if (*final == '~' && numbers_of(parameters)[0] == paste_begin) {
    paste_.emplace();
  } else if (const auto input = read_sequence(parameters, *final)) {
    inputs.push_back(*input);
  }
  held_.erase(0, length + 1);
  return true;
}

// An answer of the terminal to something that was never asked.
bool KeyReader::take_string() {
  const std::size_t by_bell = held_.find(bell);
  const std::size_t by_end = held_.find(string_end, 2);
  if (by_bell == std::string::npos && by_end == std::string::npos) return false;
  held_.erase(0, by_bell < by_end ? by_bell + 1 : by_end + string_end.size());
  return true;
}

bool KeyReader::take_character(std::vector<Input>& inputs) {
  const auto lead = static_cast<unsigned char>(held_.front());
  if (lead < 0x20 || lead == 0x7F) {
    if (const auto key = control_key(held_.front())) inputs.emplace_back(*key);
    held_.erase(0, 1);
    return true;
  }
  const auto more = static_cast<std::size_t>(U8_COUNT_TRAIL_BYTES(lead));
  const bool goes_on = std::all_of(held_.begin() + 1, held_.end(), is_trail);
  if (held_.size() < 1 + more && goes_on) return false;
  std::string_view rest = held_;
  const char32_t letter = unicode::take_letter(rest);
  held_.erase(0, held_.size() - rest.size());
  // Ill-formed bytes and C1 controls are not typed.
  if (letter != unicode::replacement && (letter < 0x80 || letter >= 0xA0))
    inputs.emplace_back(letter_key(letter));
  return true;
}

bool KeyReader::take_paste(std::vector<Input>& inputs) {
  const std::size_t end = held_.find(paste_end);
  // The last bytes may be the start of the mark that ends the paste.
  const std::size_t unclear = std::min(held_.size(), paste_end.size() - 1);
  const std::size_t text = end != std::string::npos ? end : held_.size() - unclear;
  paste_->append(held_, 0, std::min(text, max_paste - paste_->size()));
  held_.erase(0, text);
  if (end == std::string::npos) return false;
  held_.erase(0, paste_end.size());
  inputs.emplace_back(Paste{*std::exchange(paste_, {})});
  return true;
}

}  // namespace tictactoe::client
