// Code points: UTF-8, widths in the columns of a terminal, case folding and look-alikes. The
// properties of characters are those of ICU, so nothing here depends on the locale.
#pragma once

#include <string>
#include <string_view>

namespace tictactoe::unicode {

/// Replaces bytes that are not UTF-8.
inline constexpr char32_t replacement = 0xFFFD;

/// Removes the first code point from `text`, which must not be empty, and returns it. An ill-formed
/// sequence is returned as `replacement`.
char32_t take_letter(std::string_view& text);

/// Appends a code point. A surrogate, or a value that is too large, becomes `replacement`.
void append_utf8(std::string& text, char32_t letter);

/// Columns of one code point: 0 if it combines with the one before it, 2 if its East Asian Width
/// (Unicode Standard Annex 11) is wide or fullwidth, otherwise 1.
int columns_of(char32_t letter);

/// Columns of a text.
int columns_of(std::string_view text);

/// `text`, shortened with an ellipsis if it does not fit into `columns`.
std::string fitted(std::string_view text, int columns);

/// `text` without the difference between capital and small letters, for comparisons.
std::string folded(std::string_view text);

/// The ASCII character that a letter stands for or looks like: digits of every script, full-width
/// and mathematical letters (Unicode Normalization Form KC), and letters that look the same
/// (Unicode Technical Standard 39), such as the Cyrillic es. Other letters stay.
char32_t ascii_of(char32_t letter);
/// ascii_of() of each letter.
std::string in_ascii(std::string_view text);

/// The script of a letter, as `Cyrillic`. Empty for Latin letters and for what is no letter.
std::string script_of(char32_t letter);

}  // namespace tictactoe::unicode
