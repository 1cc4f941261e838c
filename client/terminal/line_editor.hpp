// A line of text that is being typed, for both front ends.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "client/terminal/keys.hpp"

namespace tictactoe::client {

/// Words that can replace the text before the cursor from byte `begin` on.
struct Completion {
  std::size_t begin = 0;
  std::vector<std::string> words;  ///< each with a blank at its end
};

/// Finds completions for the text before the cursor.
using Completer = std::function<Completion(std::string_view before)>;

/// Edits one line. Keys: arrows, Home, End, Backspace, Delete; Ctrl-A, -E (ends), -B, -F (one
/// left, one right), -D (delete), -K, -U, -W (erase to the end, everything, a word); Up, Down,
/// Ctrl-P and -N go through earlier lines; Tab completes. A letter and the marks that combine with
/// it are one step. Holds at most `most` code points and max_history earlier lines.
class LineEditor {
 public:
  static constexpr std::size_t max_history = 100;

  explicit LineEditor(std::size_t most = 400) : most_(most) {}

  /// Tab completes from now on. Without a completer, Tab is not for the editor.
  void complete_with(Completer completer) { completer_ = std::move(completer); }

  /// Returns whether the editor uses the key. It uses Up, Down and their like only if there are
  /// earlier lines.
  bool press(const Key& key);
  /// Inserts pasted text. Line ends and tabs become blanks; other control characters are dropped.
  void paste(std::string_view text);

  bool empty() const { return letters_.empty(); }
  std::string text() const;
  /// The text before the cursor.
  std::string before_cursor() const;
  /// Replaces the text. Control characters are dropped.
  void set(std::string_view text);
  void clear() { set({}); }
  /// Returns the text, which becomes the latest earlier line, and empties the editor.
  std::string take();

  const std::u32string& letters() const { return letters_; }
  /// Index into letters().
  std::size_t cursor() const { return cursor_; }
  /// The choices that the last Tab left. Empty after any other key.
  const std::vector<std::string>& choices() const { return choices_; }

 private:
  bool press_control(char32_t letter);
  bool recall(bool older);
  bool complete();
  void insert(char32_t letter);
  void erase(std::size_t begin, std::size_t end);
  std::size_t word_start() const;
  std::size_t left_of_cursor() const;
  std::size_t right_of_cursor() const;

  std::size_t most_;
  std::u32string letters_;
  std::size_t cursor_ = 0;
  std::vector<std::string> history_;
  std::size_t recalled_ = 0;  // index into history_; its size for the line that is being typed
  std::string typed_;         // that line, while an earlier one is shown
  Completer completer_;
  std::vector<std::string> choices_;
};

/// The part of a line that fits into `columns` with its cursor, which takes a column of its own at
/// the end of the line.
struct LineWindow {
  std::string text;
  int cursor = 0;  ///< column in `text`
};
/// `secret` shows a star for each letter.
LineWindow window_of(const LineEditor& line, int columns, bool secret = false);

}  // namespace tictactoe::client
