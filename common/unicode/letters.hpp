// Code points: in and out of UTF-8, the columns of a terminal that they take, and case folding. The
// properties of characters are those of ICU, so nothing here depends on the locale.
#pragma once

#include <string>
#include <string_view>

namespace tictactoe::unicode {

/// What stands for bytes that are not UTF-8.
inline constexpr char32_t replacement = 0xFFFD;

/// Removes the first code point from `text`, which must not be empty, and returns it. An ill-formed
/// sequence is returned as `replacement`.
char32_t take_letter(std::string_view& text);

/// Appends a code point. A surrogate, or a value that is too large, becomes `replacement`.
void append_utf8(std::string& text, char32_t letter);

/// Columns of one code point: 0 for what combines with the letter before it, 2 for what East Asian
/// Width (Unicode Standard Annex 11) calls wide or fullwidth, otherwise 1.
int columns_of(char32_t letter);

/// Columns of a text.
int columns_of(std::string_view text);

/// `text`, or as much of it as fits into `columns` with an ellipsis after it.
std::string fitted(std::string_view text, int columns);

/// `text` with the difference between capital and small letters removed, for comparisons.
std::string folded(std::string_view text);

}  // namespace tictactoe::unicode
