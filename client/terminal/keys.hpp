// Keys, mouse events and pasted text, parsed from the bytes that a terminal sends.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tictactoe::client {

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

/// A position on the terminal, counted from 0.
struct Point {
  int x = 0;
  int y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

struct Mouse {
  enum class Action : std::uint8_t { press, wheel_up, wheel_down };
  Action action = Action::press;
  Point at;
  friend bool operator==(const Mouse&, const Mouse&) = default;
};

/// Text from the clipboard: never keys, whatever is in it.
struct Paste {
  std::string text;  ///< as the terminal sent it: any bytes, cut to KeyReader::max_paste
  friend bool operator==(const Paste&, const Paste&) = default;
};

using Input = std::variant<Key, Mouse, Paste>;

/// Reads the sequences of xterm and of the terminals that follow it: ECMA-48, mouse reports in the
/// SGR form (mode 1006) and the X10 form, and bracketed paste (mode 2004). Unknown sequences are
/// dropped. Holds at most max_sequence bytes of a sequence and max_paste bytes of a paste. Only its
/// end mark ends a paste, however late; the terminal's signals work in the meantime.
class KeyReader {
 public:
  static constexpr std::size_t max_sequence = 64;
  static constexpr std::size_t max_paste = std::size_t{64} << 10;

  /// The input that these bytes complete.
  std::vector<Input> feed(std::string_view bytes);
  /// If the bytes held may be complete or the start of more: how long to wait for more before
  /// calling end_of_sequence().
  std::optional<std::chrono::milliseconds> wait() const;
  /// No more bytes have arrived: a held Escape was the key, and a longer sequence is dropped. Has
  /// no effect on a paste.
  std::vector<Input> end_of_sequence();

 private:
  bool take_one(std::vector<Input>& inputs);
  bool take_sequence(std::vector<Input>& inputs);
  bool take_control_sequence(std::vector<Input>& inputs);
  bool take_string();
  bool take_character(std::vector<Input>& inputs);
  bool take_paste(std::vector<Input>& inputs);

  std::string held_;
  bool after_escape_ = false;         // the last bytes were an ESC that was taken for the key
  std::optional<std::string> paste_;  // while text is being pasted: what has come of it
};

}  // namespace tictactoe::client
