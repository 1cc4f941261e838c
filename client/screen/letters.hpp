// Code points: in and out of UTF-8, and how many columns of a terminal they take.
#pragma once

#include <string>
#include <string_view>

namespace tictactoe::screen {

/// Takes the first code point off `text`, which must not be empty. What is no UTF-8 comes out as
/// U+FFFD, a byte at a time.
char32_t take_letter(std::string_view& text);

void append_utf8(std::string& text, char32_t letter);

/// 0 for what is put on top of the letter before it, 2 for what East Asian Width (Unicode TR 11)
/// calls wide and for pictures, else 1. By a table of ranges, so that it does not depend on the
/// locale; where a terminal is of another opinion the painter makes sure that nothing moves.
int columns_of(char32_t letter);

/// Columns of a whole text.
int columns_of(std::string_view text);

/// `text`, or as much of it as fits into `columns` with an ellipsis after it.
std::string fitted(std::string_view text, int columns);

}  // namespace tictactoe::screen
