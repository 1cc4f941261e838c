// Which names people and rooms may have, so that nobody passes for somebody else. Follows Unicode
// Technical Standard #39 (Unicode Security Mechanisms), as ICU implements it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace tictactoe::server {

/// The name as it is kept and compared: without the blanks of any script at its ends, in
/// normalization form C. Returns text that is not well-formed UTF-8 as it is. O(bytes).
std::string normalized_name(std::string_view name);

/// Why that must not be a name, as the end of a sentence that begins with what is named ("must not
/// ..."); nothing if it may. Requires a normalized name that is well-formed UTF-8. Refused are:
/// - characters that are invisible, control the output, or are not assigned. U+200C and U+200D may
///   stand between the letters that need them, and U+200D and U+FE0F within an emoji;
/// - blanks other than the space;
/// - a mark at the beginning, more than four marks after one letter, and overlays that hide;
/// - letters of several scripts, except for those that are written together (Han, Kana, Hangul and
///   Bopomofo with Latin letters: "highly restrictive" in UTS #39), and digits of several scripts.
/// O(code points), so the caller limits the length first.
std::optional<std::string> name_problem(std::string_view name);

/// The same for what programs add to names to mark a role, as in "AI (suggester)" and "alice
/// (you)": parentheses of all scripts, the names "AI" and "you", and those
/// that begin with "forgotten-", which replaces the names of people who want to be forgotten.
std::optional<std::string> role_problem(std::string_view name);

/// Two names look alike if they have a key in common: the skeleton of UTS #39, which is the same
/// for "paypal" in Latin and in Cyrillic letters, without regard to the letters' case. There are
/// two keys, as a small letter can look like another capital ("l" and "I").
std::array<std::string, 2> look_alike_keys(std::string_view name);

/// Loads ICU's tables, which takes some milliseconds; otherwise the first name does it.
void load_name_rules();

}  // namespace tictactoe::server
