// What Tab may complete in a typed line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tictactoe::client {

/// Words that may stand in place of the text before the cursor, from byte `begin` of it on.
struct Completion {
  std::size_t begin = 0;
  std::vector<std::string> words;  ///< each with a blank at its end
};

/// Names that are known at the moment, as they are on the wire.
struct KnownWords {
  std::vector<std::string> rooms;
  std::vector<std::string> levels;  ///< of the AI
};

/// Completes commands, their keywords, and the names of rooms and of AI levels. `before` is the
/// text before the cursor.
Completion complete(std::string_view before, const KnownWords& known);

}  // namespace tictactoe::client
