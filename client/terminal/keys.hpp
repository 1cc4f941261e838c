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

/// Text from the clipboard, in the brackets of mode 2004. It is never keys, with these limits: a
/// terminal without that mode (dvtm, the Linux console) sends what was pasted as if it were typed;
/// a terminal that lets control characters through sends their signals, as for Ctrl-C; and if the
/// text holds a bracket, what follows is not keys as long as it comes without a pause of
/// KeyReader::pause.
struct Paste {
  std::string text;  ///< as the terminal sent it: any bytes, cut to KeyReader::max_paste
  friend bool operator==(const Paste&, const Paste&) = default;
};

using Input = std::variant<Key, Mouse, Paste>;

/// Reads what terminals send: ECMA-48 in 7 and 8 bits (see sequence.hpp), the keys of xterm and of
/// the terminals that differ from it, mouse reports in the SGR form (mode 1006) and the old form,
/// and bracketed paste (mode 2004). A key that is not known, or that types a letter together with
/// Alt, does nothing. Modifiers of other keys are ignored. Holds at most max_sequence bytes of a
/// sequence and max_paste bytes of a paste. Only its end mark ends a paste, however late; the
/// terminal's signals work in the meantime.
class KeyReader {
 public:
  static constexpr std::size_t max_sequence = 64;
  static constexpr std::size_t max_paste = std::size_t{64} << 10;
  /// How long an ESC may be alone before it is the key Escape, or with the second byte of a string
  /// before it is Alt with a key; and how long keys are held after a paste, in case that they
  /// belong to it.
  static constexpr std::chrono::milliseconds pause{30};

  /// `first_column`: the number of the leftmost column in mouse reports of the old form.
  explicit KeyReader(int first_column = 1) : first_column_(first_column) {}

  /// The input that these bytes complete.
  std::vector<Input> feed(std::string_view bytes);
  /// If the bytes held may be complete or the start of more: how long to wait for more before
  /// calling end_of_sequence().
  std::optional<std::chrono::milliseconds> wait() const;
  /// No more bytes have arrived: a held Escape was the key, a longer sequence is dropped, and keys
  /// after a paste were keys. Has no effect on a paste. If a slow line cuts a string there, its
  /// rest is dropped, too, if it arrives in one piece; otherwise its bytes are keys, as they look
  /// alike.
  std::vector<Input> end_of_sequence();

 private:
  void take_all(std::vector<Input>& inputs);
  std::size_t take_one(std::string_view bytes, std::vector<Input>& inputs);
  std::size_t take_paste(std::string_view bytes, std::vector<Input>& inputs);
  std::size_t take_after_paste(std::string_view bytes, std::vector<Input>& inputs);
  void end_paste_without_begin(std::string_view bytes, std::vector<Input>& inputs);
  void shorten_held();

  int first_column_;
  std::string held_;
  std::string begin_;                 // the last bytes, if a pause has ended what they begin
  std::optional<std::string> paste_;  // while text is being pasted: what has come of it
  bool after_paste_ = false;          // its end has come, and no pause since
};

}  // namespace tictactoe::client
