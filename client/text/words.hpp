// A typed line as words.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tictactoe/v1/types.pb.h"

namespace tictactoe::client {

struct Word {
  std::string text = {};  // NOLINT(readability-redundant-member-init)
  bool quoted = false;    ///< a quoted word is a name, never a keyword
  std::size_t begin = 0;  ///< in the line, with its quote
};
using Words = std::vector<Word>;
/// What stands after a command's name.
using Arguments = std::span<const Word>;

/// Without the blanks at its ends.
std::string_view trimmed(std::string_view text);
/// With small letters for the capital ones of ASCII.
std::string lower(std::string_view text);
/// Words are separated by blanks; "in quotes" they may contain some, and \" and \\ stand for
/// themselves. Nothing if a quote is never closed.
std::optional<Words> split(std::string_view text);

/// A name as a line needs it, in quotes.
std::string quoted_word(std::string_view word);

bool is_keyword(const Word& word, std::string_view keyword);
/// x or o.
std::optional<v1::Mark> seat_word(const Word& word);
/// A word from the person, for a sentence.
std::string code(std::string_view text);

}  // namespace tictactoe::client
