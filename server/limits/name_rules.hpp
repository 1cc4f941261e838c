// Which names people and rooms may have, so that nobody can pose as somebody else. Follows Unicode
// Technical Standard #39 (Unicode Security Mechanisms) as ICU implements it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace tictactoe::server {

/// The name as it is stored and compared: in normalization form C, without blanks of any script at
/// its ends. Returns malformed UTF-8 unchanged. O(bytes).
std::string normalized_name(std::string_view name);

/// Why this is not allowed as a name, as the end of a sentence ("must not ..."); nothing if it is
/// allowed. Requires a normalized name that is well-formed UTF-8. Not allowed are:
/// - characters that are invisible, control the output, or are unassigned. U+200C and U+200D may
///   stand between letters that need them, and U+200D and U+FE0F within an emoji;
/// - blanks other than the space;
/// - a mark at the beginning, more than four marks on one letter, and overlays that hide;
/// - letters of several scripts, except scripts that are written together (Han, Kana, Hangul and
///   Bopomofo with Latin letters: "highly restrictive" in UTS #39), and digits of several scripts.
///
/// O(code points), so the caller limits the length first.
std::optional<std::string> name_problem(std::string_view name);

/// Like name_problem(), for what programs add to names to mark a role, as in "AI (suggester)" and
/// "alice (you)". Not allowed are parentheses of all scripts, the names "AI" and "you", and names
/// that begin with "forgotten-", which replace the names of people who want to be forgotten.
std::optional<std::string> role_problem(std::string_view name);

/// The look-alike keys of a name. Two names look alike if they share a key: the skeleton of UTS
/// #39, which is the same for "paypal" in Latin and in Cyrillic letters, ignoring case. There are
/// two keys because a small letter can look like a different capital ("l" and "I").
std::array<std::string, 2> look_alike_keys(std::string_view name);

/// Loads ICU's tables, which takes some milliseconds. Otherwise the first name does.
void load_name_rules();

}  // namespace tictactoe::server
