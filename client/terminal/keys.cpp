#include "client/terminal/keys.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "client/terminal/sequence.hpp"
#include "common/unicode/letters.hpp"

namespace tictactoe::client {
namespace {

using Name = Key::Name;

constexpr char escape = '\033';
constexpr std::string_view begin_strings = "]P_^X\x9D\x90\x9F\x9E\x98";
constexpr int paste_begin = 200;
constexpr int paste_end = 201;
constexpr std::string_view mark_bytes = "\033[201~";

// How long the other bytes of a sequence may be apart. A slow link splits what the terminal sent as
// one piece.
constexpr std::chrono::milliseconds sequence_wait{2'000};

template <std::size_t size>
std::optional<Key> by_letter(char letter, std::string_view letters,
                             const std::array<Name, size>& names) {
  const std::size_t at = letters.find(letter);
  return at < size ? std::optional(Key{names[at], 0}) : std::nullopt;
}

// The final byte of "ESC [ A" and "ESC O A". rxvt has small letters for Shift and for Ctrl.
std::optional<Key> by_final(char final) {
  return by_letter(final, "ABCDFHabcd",
                   std::array{Name::up, Name::down, Name::right, Name::left, Name::end, Name::home,
                              Name::up, Name::down, Name::right, Name::left});
}

// The number in "ESC [ 3 ~".
std::optional<Key> by_number(int number) {
  constexpr std::array<std::optional<Name>, 9> names = {std::nullopt,    Name::home, std::nullopt,
                                                        Name::remove,    Name::end,  Name::page_up,
                                                        Name::page_down, Name::home, Name::end};
  if (number < 0 || number >= 9 || !names[static_cast<std::size_t>(number)]) return std::nullopt;
  return Key{*names[static_cast<std::size_t>(number)], 0};
}

// The part of a text at this place, counted from 0; empty if there is none.
std::string_view part_at(std::string_view text, int place, char separator) {
  for (; place > 0; --place) {
    const std::size_t at = text.find(separator);
    if (at == std::string_view::npos) return {};
    text.remove_prefix(at + 1);
  }
  return text.substr(0, text.find(separator));
}

// A number of "3;5:2", and a number within it; 0 if it is missing.
int number_at(std::string_view text, int place, int place_within = 0) {
  const std::string_view digits = part_at(part_at(text, place, ';'), place_within, ':');
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

// The parameter of a key that says what was pressed together with it.
class Modifiers {
 public:
  explicit Modifiers(int parameter) : bits_(parameter > 0 ? parameter - 1 : 0) {}
  bool shift() const { return (bits_ & 1) != 0; }
  bool control() const { return (bits_ & 4) != 0; }
  // Alt, Super and their like: no such key types a letter.
  bool others() const { return (bits_ & (2 + 8 + 16 + 32)) != 0; }

 private:
  int bits_;
};

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
  return mouse_event(number_at(parameters, 0), final != 'M',
                     {number_at(parameters, 1) - 1, number_at(parameters, 2) - 1});
}

// Button, x and y, each 32 larger; x and y are counted from 1, or x from `first_column`. Numbers
// beyond a byte wrap round in dvtm.
std::optional<Mouse> read_old_mouse(std::string_view bytes, int first_column) {
  const auto value = [&](std::size_t i) {
    return static_cast<int>(static_cast<unsigned char>(bytes[i] - ' '));
  };
  constexpr int button_released = 3;
  return mouse_event(value(0), (value(0) & 3) == button_released && value(0) < 64,
                     {value(1) - first_column, value(2) - 1});
}

std::optional<Key> control_key(char32_t byte) {
  switch (byte) {
    case U'\r':
    case U'\n':
      return Key{Name::enter, 0};
    case U'\t':
      return Key{Name::tab, 0};
    case U'\b':
    case U'\x7F':
      return Key{Name::backspace, 0};
    default:
      break;
  }
  if (byte == 0 || byte > 26) return std::nullopt;
  return Key{Name::control, U'a' + byte - 1U};
}

bool is_control(char32_t letter) {
  return letter < 0x20 || letter == 0x7F;
}

std::optional<Key> read_character(std::string_view text) {
  const char32_t letter = unicode::take_letter(text);
  if (is_control(letter)) return control_key(letter);
  // Ill-formed bytes and C1 controls are not typed.
  if (letter == unicode::replacement || (letter > 0x7F && letter < 0xA0)) return std::nullopt;
  return letter_key(letter);
}

// Alt with Enter, Backspace or Tab is that key. The Linux console sends this for Shift+Tab.
std::optional<Key> read_alt(std::string_view text) {
  const std::optional<Key> key = read_character(text);
  if (!key || key->name == Name::letter || key->name == Name::control) return std::nullopt;
  return key->name == Name::tab ? Key{Name::back_tab, 0} : *key;
}

// A key as a code point, as in "ESC [ 13 ; 2 u" and "ESC [ 27 ; 2 ; 13 ~": modifyOtherKeys of xterm
// and the protocol of kitty.
std::optional<Key> by_code(int code, Modifiers modifiers) {
  if (code == escape) return Key{Name::escape, 0};
  if (code == '\t' && modifiers.shift()) return Key{Name::back_tab, 0};
  if (code <= 0 || code > 0x10FFFF) return std::nullopt;
  const auto letter = static_cast<char32_t>(code);
  if (is_control(letter)) {
    const auto key = control_key(letter);
    return key && key->name != Name::control ? key : std::nullopt;
  }
  std::string text;
  unicode::append_utf8(text, letter);
  const std::optional<Key> key = read_character(text);
  const bool is_private = letter >= 0xE000 && letter <= 0xF8FF;  // keys that have no character
  if (!key || is_private || modifiers.others()) return std::nullopt;
  const bool is_small = letter >= U'a' && letter <= U'z';
  if (modifiers.control()) {
    return is_small ? std::optional(Key{Name::control, letter}) : std::nullopt;
  }
  return is_small && modifiers.shift() ? letter_key(letter - U'a' + U'A') : *key;
}

std::optional<Input> read_csi(const Sequence& sequence) {
  const std::string_view parameters = sequence.parameters;
  if (!sequence.intermediates.empty()) return std::nullopt;
  if (parameters.starts_with('<')) {
    if (const auto mouse = read_sgr_mouse(parameters.substr(1), sequence.final)) return *mouse;
    return std::nullopt;
  }
  constexpr int released = 3;
  const bool is_private = !parameters.empty() && parameters.front() > ';';
  if (is_private || number_at(parameters, 1, 1) == released) return std::nullopt;
  const int number = number_at(parameters, 0);
  const Modifiers modifiers(number_at(parameters, 1));
  switch (sequence.final) {
    case '~':
      if (number == escape) return by_code(number_at(parameters, 2), modifiers);
      return by_number(number);
    case '$':  // rxvt's Shift, Ctrl, and both
    case '^':
    case '@':
      return by_number(number);
    case 'u':
      return by_code(number, modifiers);
    case 'Z':
      return Key{Name::back_tab, 0};
    case 'P':  // st; with parameters it is F1
      if (parameters.empty()) return Key{Name::remove, 0};
      return std::nullopt;
    default: {
      // rxvt's small letters have no parameters; "ESC [ 24 ; 1 H" is a key of old terminals.
      const bool is_other =
          sequence.final >= 'a' ? !parameters.empty() : number > 1 && number_at(parameters, 1) > 0;
      return is_other ? std::optional<Input>() : by_final(sequence.final);
    }
  }
}

std::optional<Key> read_ss3(char final) {
  if (final == 'M') return Key{Name::enter, 0};  // of the keypad
  return by_final(final);
}

std::optional<Input> input_of(const Sequence& sequence, int first_column) {
  switch (sequence.kind) {
    case Sequence::Kind::character:
      return read_character(sequence.text);
    case Sequence::Kind::escape:
      return Key{Name::escape, 0};
    case Sequence::Kind::alt:
      return read_alt(sequence.text);
    case Sequence::Kind::csi:
      return read_csi(sequence);
    case Sequence::Kind::ss3:
      return read_ss3(sequence.final);
    case Sequence::Kind::mouse:
      return read_old_mouse(sequence.text, first_column);
    case Sequence::Kind::nothing:
      break;
  }
  return std::nullopt;
}

// Whether it begins or ends a paste: paste_begin, paste_end or 0.
int paste_mark(const Sequence& sequence) {
  const bool may_be = sequence.kind == Sequence::Kind::csi && sequence.final == '~';
  return may_be && sequence.parameters == "200"   ? paste_begin
         : may_be && sequence.parameters == "201" ? paste_end
                                                  : 0;
}

struct Mark {
  std::size_t begin = std::string_view::npos;
  std::size_t end = std::string_view::npos;
};

// The first "ESC [ 201 ~", whose last byte before "~" is `digit`; also in 8 bits.
Mark find_mark(std::string_view bytes, char digit) {
  const std::string tail = {'2', '0', digit, '~'};
  for (std::size_t at = 0; (at = bytes.find(tail, at)) != std::string_view::npos; ++at) {
    const std::string_view before = bytes.substr(0, at);
    if (before.ends_with("\033[")) return {at - 2, at + tail.size()};
    if (before.ends_with('\x9B')) return {at - 1, at + tail.size()};
  }
  return {};
}

// Whether these bytes are the rest of a sequence whose begin was ended by a pause: nobody types
// them within one read. Of an answer of the terminal, all of it must have come.
bool goes_on(std::string_view begin, std::string_view bytes) {
  constexpr std::string_view finals_of_ss3 = "ABCDFHMPQRS";
  if (begin.empty() || bytes.size() < 2) return false;
  const bool after_escape = begin == "\033";
  if (after_escape && bytes[0] == '[') return true;
  if (after_escape && bytes[0] == 'O') {
    return finals_of_ss3.find(bytes[1]) != std::string_view::npos;
  }
  const std::string whole = std::string(begin).append(bytes);
  const std::optional<Sequence> sequence = first_sequence(whole);
  if (!sequence || sequence->kind != Sequence::Kind::nothing) return false;
  const std::string_view taken = std::string_view(whole).substr(0, sequence->length);
  return taken.ends_with('\a') || taken.ends_with("\033\\");
}

// Whether these bytes, which need more, are more than a part of a character.
bool begins_sequence(std::string_view bytes) {
  const auto is_c1 = [](char byte) { return (static_cast<unsigned char>(byte) & 0xE0U) == 0x80U; };
  return bytes.starts_with(escape) || (!bytes.empty() && is_c1(bytes[0])) ||
         (bytes.size() > 1 && bytes[0] == '\xC2');
}

bool is_escapes(std::string_view bytes) {
  return bytes == "\033" || bytes == "\033\033";
}

// Whether this may be the begin of a sequence, but is also what a key or Alt and a key send. Alt
// with [ or O is not worth the arrow keys that a slow line cuts.
bool is_bare_begin(std::string_view bytes) {
  if (bytes.size() < 2 || is_escapes(bytes)) return !bytes.empty();
  return bytes.size() == 2 && bytes[0] == escape &&
         begin_strings.find(bytes[1]) != std::string_view::npos;
}

}  // namespace

std::vector<Input> KeyReader::feed(std::string_view bytes) {
  std::vector<Input> inputs;
  const std::string begin = std::exchange(begin_, {});
  if (goes_on(begin, bytes)) held_ = begin;
  held_.append(bytes);
  take_all(inputs);
  return inputs;
}

std::optional<std::chrono::milliseconds> KeyReader::wait() const {
  if (after_paste_) return pause;
  if (paste_ || !begins_sequence(held_)) return std::nullopt;
  return is_bare_begin(held_) ? pause : sequence_wait;
}

std::vector<Input> KeyReader::end_of_sequence() {
  std::vector<Input> inputs;
  if (paste_) return inputs;
  if (std::exchange(after_paste_, false)) {
    take_all(inputs);
    if (!is_escapes(held_)) return inputs;
  }
  if (is_escapes(held_)) {
    inputs.insert(inputs.end(), held_.size(), Key{Name::escape, 0});
    held_ = escape;
  }
  begin_ = is_bare_begin(held_) ? held_ : std::string();
  held_.clear();
  return inputs;
}

void KeyReader::take_all(std::vector<Input>& inputs) {
  std::string_view rest = held_;
  while (!rest.empty()) {
    const std::size_t taken = paste_         ? take_paste(rest, inputs)
                              : after_paste_ ? take_after_paste(rest, inputs)
                                             : take_one(rest, inputs);
    if (taken == 0) break;
    rest.remove_prefix(taken);
  }
  held_.erase(0, held_.size() - rest.size());
  if (!paste_ && !after_paste_) shorten_held();
}

// Takes one input; 0 if more bytes are needed.
std::size_t KeyReader::take_one(std::string_view bytes, std::vector<Input>& inputs) {
  const std::optional<Sequence> sequence = first_sequence(bytes);
  if (!sequence) return 0;
  const int mark = paste_mark(*sequence);
  std::optional<Input> input;
  if (sequence->length < max_sequence) input = input_of(*sequence, first_column_);
  const bool is_key = !input || std::holds_alternative<Key>(*input);
  if (sequence->after_escape && (mark != 0 || !is_key)) inputs.emplace_back(Key{Name::escape, 0});
  if (mark == paste_begin) paste_.emplace();
  if (mark == paste_end) end_paste_without_begin(bytes, inputs);
  if (input) inputs.push_back(*input);
  return sequence->length;
}

// Its begin was lost, or the text held an end of its own. Then all that came with it was pasted.
void KeyReader::end_paste_without_begin(std::string_view bytes, std::vector<Input>& inputs) {
  std::string before = held_.substr(0, held_.size() - bytes.size());
  inputs.clear();
  if (!before.empty()) inputs.emplace_back(Paste{std::move(before)});
  after_paste_ = true;
}

std::size_t KeyReader::take_paste(std::string_view bytes, std::vector<Input>& inputs) {
  const Mark end = find_mark(bytes, '1');
  // The last bytes may be the start of the mark that ends the paste.
  const std::size_t unclear = std::min(bytes.size(), mark_bytes.size() - 1);
  const bool ended = end.begin != std::string_view::npos;
  const std::size_t text = ended ? end.begin : bytes.size() - unclear;
  paste_->append(bytes, 0, std::min(text, max_paste - paste_->size()));
  if (!ended) return text;
  inputs.emplace_back(Paste{*std::exchange(paste_, {})});
  after_paste_ = true;
  return end.end;
}

// Text that ends the paste itself is followed by the terminal's own end of it.
std::size_t KeyReader::take_after_paste(std::string_view bytes, std::vector<Input>& inputs) {
  const Mark begin = find_mark(bytes, '0');
  const Mark end = find_mark(bytes, '1');
  const Mark mark = begin.begin < end.begin ? begin : end;
  const bool found = mark.begin != std::string_view::npos;
  if (!found && bytes.size() < max_paste) return 0;
  const std::string_view text = bytes.substr(0, mark.begin).substr(0, max_paste);
  if (!text.empty()) inputs.emplace_back(Paste{std::string(text)});
  if (!found) return bytes.size();
  if (begin.begin < end.begin) {
    paste_.emplace();
    after_paste_ = false;
  }
  return mark.end;
}

// Of a sequence that does not end, only its kind is needed.
void KeyReader::shorten_held() {
  if (held_.size() < max_sequence) return;
  const bool eight_bits = held_.front() != escape;
  const std::size_t at = held_.find_first_not_of(eight_bits ? '\xC2' : escape);
  const bool is_string = begin_strings.find(held_[at]) != std::string_view::npos;
  held_ = !is_string ? "\033[=" : eight_bits ? "\x9D" : "\033]";
}

}  // namespace tictactoe::client
