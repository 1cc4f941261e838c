// Splits standard input into lines when no person edits them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tictactoe::client {

/// Splits bytes at newlines. Drops a carriage return before a newline, and a byte order mark before
/// a line, which files that were joined may have anywhere. Keeps one byte more than `max_bytes` of
/// a longer line, so that it can be refused.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  /// The lines that these bytes complete.
  std::vector<std::string> feed(std::string_view bytes);
  /// The last line, if no newline ended it; otherwise empty.
  std::string take_rest();

 private:
  std::size_t max_bytes_;
  std::string line_;
};

}  // namespace tictactoe::client
