// The commands of tictactoe-engine. Each returns the exit status of the process: 0, or 1 if an
// input was bad.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "common/ai/player.hpp"
#include "common/engines/command.hpp"
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

/// Which games the positions of the input belong to.
struct PositionRules {
  rules::TextRules text;
  /// Positions of any other size are bad input; nothing: all sizes are accepted.
  std::optional<rules::Rules> size;
};

struct SolveOptions {
  PositionRules rules;
  std::optional<rules::Mark> player;  ///< the side to move, if not given by the counts
  Limits limits;
  std::size_t memory = std::size_t{64} << 20;  ///< bytes of the table, and of the lists of moves
  bool stats = false;
};
/// One line for each position: `SCORE ROW COL`, or `unknown` if the limits ended the search, or if
/// it met a line of play that is too long, which `err` then says. With `stats` it continues with
/// the nodes, the seconds and the bytes of the table.
int solve(const Streams& streams, const SolveOptions& options);

struct JudgeOptions {
  PositionRules rules;
  rules::Mark starter = rules::Mark::x;
};
/// One line for each position: what the board is. Malformed boards are answered `impossible` and
/// count as bad input besides.
int judge(const Streams& streams, const JudgeOptions& options);

struct SuggestOptions {
  PositionRules rules;
  ai::Level level = ai::Level::strong;
  std::optional<rules::Mark> player;
  std::uint64_t seed = 1;
  Limits limits;
};
/// One line for each position: `ROW COL`, then `cannot lose` if that is certified. The level
/// perfect has no answer if nothing is certified: such positions count as bad input.
int suggest(const Streams& streams, const SuggestOptions& options);

/// Counts all positions and games of the rules.
int perft(const Streams& streams, const rules::Rules& rules);

struct MatchOptions {
  ai::Level first = ai::Level::strong;
  ai::Level second = ai::Level::random;
  rules::Rules rules;
  int games = 100;
  std::uint64_t seed = 1;
  Limits limits{.nodes = 20'000, .seconds = 10};
};
/// Plays games of two levels, which start in turn, and counts the results of the first. Longer
/// matches report every few seconds on `err`.
int match(const Streams& streams, const MatchOptions& options);

/// Who plays in a tournament: a level, or an engine.
struct Competitor {
  std::string name;
  ai::Level level = ai::Level::strong;
  std::optional<engines::Command> engine;
};
struct TournamentOptions {
  std::vector<Competitor> players;  ///< at least two, with different names
  rules::Rules rules{15, 15, 5, true};
  int games = 20;   ///< of every two players, an even number: each opening is played twice
  int opening = 3;  ///< marks, random, within two cells of the middle
  std::uint64_t seed = 1;
  std::string output;  ///< a new file for all games, see common/record; empty: none
  Limits limits{.nodes = 0, .seconds = 1};
};
/// A round robin: every two players play pairs of games with the same opening and colours swapped,
/// one game after the other. An engine that gives no legal move within twice its time and two
/// seconds loses the game. Reports each game on `err`, and the table and Elo, see tournament.hpp,
/// on `out`. Engines run with the rights of this process. SIGPIPE must be ignored.
int tournament(const Streams& streams, const TournamentOptions& options);

struct GomocupOptions {
  std::string version;      ///< for ABOUT
  std::uint64_t nodes = 0;  ///< of each move; 0: no limit but time
};
/// Plays as a program ("brain") of the Gomocup protocol, version 2, until END or the end of the
/// input: https://plastovicka.github.io/protocl2en.htm. Five in a row, `INFO rule` 0 (free) or 1
/// (exactly five), boards with sides from 5 to 100. Uses nine tenths of `timeout_turn`, and at most
/// a twentieth of the time that is left for the match. What is refused is answered `ERROR reason`
/// and leaves the board as it is; a refused BOARD leaves it empty.
int gomocup(const Streams& streams, const GomocupOptions& options);

}  // namespace tictactoe::engine
