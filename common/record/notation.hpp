// Finished games as text; README.md in this directory has the notation. Checks only the form:
// whether a move was legal and who won is up to the rules.
#pragma once

#include <boost/system/result.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tictactoe/v1/types.pb.h"

namespace tictactoe::record {

/// Limits of a file. A file that exceeds one is refused.
inline constexpr std::size_t max_file_bytes = std::size_t{64} << 20;
inline constexpr std::size_t max_line_bytes = 4096;
inline constexpr std::size_t max_games = 100'000;
/// The most rows, columns and marks in a row.
inline constexpr std::uint32_t max_side = 1000;
/// The longest text of a tag, in code points.
inline constexpr std::size_t max_text = 256;

/// A mistake in a file.
struct Fault {
  /// Counted from 1; 0 for the file as a whole.
  std::size_t line = 0;
  /// A sentence for people. Safe to print, whatever the file contains.
  std::string sentence;
};

/// Reads the games of a file in order. Returns them or the first error. Throws only if memory runs
/// out. Time and memory are O(bytes). Every record has `x`, `o`, `rules` and `outcome`, and `time`
/// if there was a clock. The caller sets `imported` and `outcome.lines`.
boost::system::result<std::vector<v1::GameRecord>, Fault> parse_games(std::string_view file);

/// Writes a game as parse_games reads it, with a blank line at the end: a file is a concatenation
/// of games. Requires valid rules, moves on the board and a time control of one kind. Leaves out
/// what the notation can't express: `imported`, `outcome.lines`, who is away, and times unless
/// every move has one. Cuts texts at max_text, and replaces characters that could control a
/// terminal, as wire::printable does. Neither changes a text that a server has accepted.
std::string write_game(const v1::GameRecord& game);

}  // namespace tictactoe::record
