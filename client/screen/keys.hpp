// What a person does at a terminal: keys and the mouse, read from the bytes that it sends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "client/screen/picture.hpp"

namespace tictactoe::screen {

struct Key {
  enum class Name : std::uint8_t {
    letter,   ///< a character; `letter` says which
    control,  ///< Ctrl with a letter from a to z
    enter,
    escape,
    backspace,
    remove,  ///< Delete
    tab,
    back_tab,
    up,
    down,
    left,
    right,
    home,
    end,
    page_up,
    page_down,
  };
  Name name = Name::letter;
  char32_t letter = 0;
  friend bool operator==(const Key&, const Key&) = default;
};

inline Key letter_key(char32_t letter) {
  return {Key::Name::letter, letter};
}

struct Mouse {
  enum class Action : std::uint8_t { press, wheel_up, wheel_down };
  Action action = Action::press;
  Point at;
  friend bool operator==(const Mouse&, const Mouse&) = default;
};

using Input = std::variant<Key, Mouse>;

/// Bytes to keys, for xterm and all that follow it (ECMA-48, and the mouse in its SGR form, mode
/// 1006). Sequences that mean nothing here are swallowed. Holds at most max_sequence bytes.
class KeyReader {
 public:
  static constexpr std::size_t max_sequence = 64;

  /// What these bytes say, with those before them.
  std::vector<Input> feed(std::string_view bytes);
  /// Whether an Escape has come that may be the key, or begin a sequence: if nothing comes within
  /// some 30 ms it was the key, and end_of_sequence() says so.
  bool undecided() const { return !held_.empty() && held_.front() == '\033'; }
  std::vector<Input> end_of_sequence();

 private:
  bool take_one(std::vector<Input>& inputs);
  bool take_sequence(std::vector<Input>& inputs);
  bool take_character(std::vector<Input>& inputs);

  std::string held_;
};

}  // namespace tictactoe::screen
