// Splits typed lines into words, and parses what commands say about a room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tictactoe/v1/types.pb.h"

namespace tictactoe::client {

struct Word {
  std::string text = {};  // NOLINT(readability-redundant-member-init)
  /// How the text looks in ASCII, for keywords and numbers: see unicode::in_ascii().
  std::string plain = {};  // NOLINT(readability-redundant-member-init)
  bool quoted = false;     ///< a quoted word is a name, never a keyword
  std::size_t begin = 0;   ///< in the line, with its quote
};
using Words = std::vector<Word>;
/// What stands after a command's name.
using Arguments = std::span<const Word>;

/// `text` without leading and trailing blanks.
std::string_view trimmed(std::string_view text);
/// `text` with ASCII capitals in lower case.
std::string lower(std::string_view text);
/// Words are separated by blanks; "in quotes" they may contain some, and \" and \\ stand for
/// themselves. Nothing if a quote is never closed.
std::optional<Words> split(std::string_view text);

/// A name in quotes, as typed in a line.
std::string quoted_word(std::string_view word);

/// A text in the form of keywords: without blanks, as it looks in ASCII, in lower case.
std::string keyword(std::string_view text);
bool is_keyword(const Word& word, std::string_view wanted);
/// x or o.
std::optional<v1::Mark> seat_word(const Word& word);
/// A word from the person, for a sentence.
std::string code(std::string_view text);
/// "и is Cyrillic. Switch the keyboard to Latin letters" for the first letter of another alphabet
/// that looks like nothing in ASCII; empty if there is none.
std::string foreign_letter_text(std::string_view text);

/// Reads 5, 15x15 or 15x15x5; without the third number k is the shorter side.
std::optional<v1::Rules> parse_size(std::string_view text);

/// Reads 5m, 5m+3s or 30s/move.
std::optional<v1::TimeControl> parse_clock(std::string_view text);

/// NAME and what follows it, in any order: SIZE (5, 15x15, 15x15x5), exact, x or o, password WORD,
/// unlisted, open-seats, clock TIME (5m, 5m+3s, 30s/move), away POLICY (forfeit, hold or ai, and
/// for how long a player is awaited: away ai 2m), from GAME after N.
class RoomWords {
 public:
  /// What a command accepts besides the password: only new rooms have a size and so on.
  enum class Allowed : unsigned char { password, seat, all };
  explicit RoomWords(Allowed allowed) : allowed_(allowed) {}

  std::string name;
  std::optional<v1::Rules> rules;
  v1::Mark seat = v1::MARK_NONE;
  std::string password;
  std::optional<v1::RoomOptions> options;

  /// Parses the words. Returns a sentence that says what is wrong, or an empty string.
  std::string read(Arguments words);

 private:
  v1::RoomOptions& own_options() { return options ? *options : options.emplace(); }
  bool read_rules(const Word& word);
  std::string read_clock(Arguments& words);
  std::string read_away(Arguments& words);
  std::string read_position(Arguments& words);
  std::string read_next(Arguments& words);

  Allowed allowed_;
  bool exact_ = false;
  bool size_ = false;
};

// What to write instead of a faulty part.
inline constexpr std::string_view room_name_missing = "The room needs a name.";
inline constexpr std::string_view board_help =
    "Write a board as rows x columns, such as 15x15, or as 15x15x5 for 5 in a row.";
inline constexpr std::string_view k_help = "Enter how many marks in a row win.";
inline constexpr std::string_view clock_help =
    "Write a clock as 5m or 5m+3s per side and game, or as 30s/move; the units are s, m and h.";

/// Shown until the server answers.
inline constexpr std::string_view asking_the_server = "Asking the server ...";

/// Says that the number in a row was adapted to the board.
std::string k_adapted_text(std::uint32_t rows, std::uint32_t cols, std::uint32_t k);

}  // namespace tictactoe::client
