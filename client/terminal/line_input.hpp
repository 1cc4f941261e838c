// Bytes of standard input made into lines: as they come, or edited by a person at a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tictactoe::client {

/// Cuts bytes at newlines (a carriage return before one is dropped). Of a line that is longer than
/// `max_bytes` it keeps one byte more than that, so that it can be told and refused.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  /// The lines that these bytes complete.
  std::vector<std::string> feed(std::string_view bytes);
  /// A last line without a newline; empty where there is none.
  std::string take_rest();

 private:
  std::size_t max_bytes_;
  std::string line_;
};

/// A line being typed at a terminal that leaves editing to us, so that what happens in the game can
/// be printed above it and the line put back. Backspace, Ctrl-U (clear), Ctrl-W (erase a word),
/// Ctrl-D (end, on an empty line), and the arrows up and down for earlier lines; other control keys
/// are swallowed. Holds at most `max_bytes` + 1 bytes, and max_history lines.
class LineEditor {
 public:
  static constexpr std::size_t max_history = 100;

  explicit LineEditor(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  /// Takes what was typed; the lines that were ended by Enter.
  std::vector<std::string> feed(std::string_view bytes);
  /// What stands in the line that is being typed.
  const std::string& content() const { return content_; }
  /// Whether the end of input was typed.
  bool ended() const { return ended_; }

 private:
  enum class Escape : unsigned char { none, escape, sequence };

  void take(char byte, std::vector<std::string>& lines);
  void take_escaped(char byte);
  void take_control(char byte);
  void erase_character();
  void recall(std::size_t index);

  std::size_t max_bytes_;
  std::string content_;
  bool ended_ = false;
  Escape escape_ = Escape::none;
  std::vector<std::string> history_;
  std::size_t recalled_ = 0;  // index into history_; its size while a new line is typed
};

}  // namespace tictactoe::client
