// Finished games as text that people can read, keep and hand on: README.md beside this file has the
// notation. It is about form alone: whether a move was legal and who won is for the rules to say.
#pragma once

#include <boost/system/result.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tictactoe/v1/types.pb.h"

namespace tictactoe::record {

/// Limits of a file; what is over them is refused, not cut.
inline constexpr std::size_t max_file_bytes = std::size_t{64} << 20;
inline constexpr std::size_t max_line_bytes = 4096;
inline constexpr std::size_t max_games = 100'000;
/// Of rows, of columns and of k.
inline constexpr std::uint32_t max_side = 1000;
/// Longest text in a tag, in code points.
inline constexpr std::size_t max_text = 256;

/// What is wrong with a file, for people.
struct Fault {
  /// Counted from 1; 0 where it is about the file as a whole.
  std::size_t line = 0;
  /// Safe for a terminal, whatever the file holds.
  std::string sentence;
};

/// The games of a file in their order, or the first thing that is wrong. Never throws but for want
/// of memory, which is O(bytes), as is the time. Of every record `x`, `o`, `rules` and `outcome`
/// are there; `time` is where there was a clock; `imported` and `outcome.lines` are the reader's to
/// fill.
boost::system::result<std::vector<v1::GameRecord>, Fault> parse_games(std::string_view file);

/// A game as parse_games reads it, with a blank line at its end, so that files are made by putting
/// games one after the other. Requires sound rules, moves on the board and a time control of one
/// kind. What the notation does not hold is left out: `imported`, `outcome.lines`, who is away, and
/// times where not every move has one. Texts are cut at max_text, and what could act on a terminal
/// is replaced as by wire::printable; no text that a server has let pass is changed by either.
std::string write_game(const v1::GameRecord& game);

}  // namespace tictactoe::record
