// A line of text that is being typed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "client/screen/keys.hpp"
#include "client/screen/picture.hpp"

namespace tictactoe::screen {

/// Edited with the arrows, Home, End, Backspace, Delete, Ctrl-A, -E, -U (clear) and -W (a word).
/// Holds at most `most` code points.
class LineField {
 public:
  explicit LineField(std::size_t most = 400) : most_(most) {}

  /// Whether the key was one for here.
  bool press(const Key& key);
  bool empty() const { return letters_.empty(); }
  std::string text() const;
  void set(std::string_view text);
  void clear() { set({}); }

  /// Draws what fits round the cursor into the first row; the column of the cursor. `secret` shows
  /// stars instead.
  int draw(const Canvas& canvas, Style style, bool secret = false) const;

 private:
  void erase_word();

  std::size_t most_;
  std::u32string letters_;
  std::size_t cursor_ = 0;
};

}  // namespace tictactoe::screen
