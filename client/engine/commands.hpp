// The commands of tictactoe-engine. Each returns the exit status of the process: 0, or 1 if an
// input was bad.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <ostream>

#include "common/ai/player.hpp"
#include "common/rules/notation.hpp"

namespace tictactoe::engine {

struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

/// What a search may cost for each position or move.
struct Limits {
  std::uint64_t nodes = 0;  ///< 0: no limit
  double seconds = 10;
};

struct SolveOptions {
  rules::TextRules rules;
  std::optional<rules::Mark> player;  ///< the side to move, if not given by the counts
  Limits limits;
};
/// One line for each position: `SCORE ROW COL`, or `unknown` if the limits ended the search.
int solve(const Streams& streams, const SolveOptions& options);

struct JudgeOptions {
  rules::TextRules rules;
  rules::Mark starter = rules::Mark::x;
};
/// One line for each position: what the board is. Malformed boards are answered `impossible` and
/// count as bad input besides.
int judge(const Streams& streams, const JudgeOptions& options);

struct SuggestOptions {
  rules::TextRules rules;
  ai::Level level = ai::Level::unbeatable;
  std::optional<rules::Mark> player;
  std::uint64_t seed = 1;
  Limits limits;
};
/// One line for each position: `ROW COL`, then `cannot lose` if that is certified.
int suggest(const Streams& streams, const SuggestOptions& options);

/// Counts all positions and games of the rules.
int perft(const Streams& streams, const rules::Rules& rules);

struct MatchOptions {
  ai::Level first = ai::Level::unbeatable;
  ai::Level second = ai::Level::random;
  rules::Rules rules;
  int games = 100;
  std::uint64_t seed = 1;
  Limits limits{.nodes = 20'000, .seconds = 10};
};
/// Plays games of two levels, which start in turn, and counts the results of the first.
int match(const Streams& streams, const MatchOptions& options);

}  // namespace tictactoe::engine
