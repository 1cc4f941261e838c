// perft and match: the commands that play games themselves.
#include <array>
#include <chrono>
#include <iomanip>
#include <limits>
#include <memory>
#include <string>

#include "client/engine/commands.hpp"
#include "client/engine/deadline.hpp"
#include "common/rules/game.hpp"
#include "common/rules/perft.hpp"

namespace tictactoe::engine {

using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Status;
using std::chrono::steady_clock;

namespace {

std::string rules_text(const rules::Rules& rules) {
  return std::to_string(rules.rows) + "x" + std::to_string(rules.cols) + ", " +
         std::to_string(rules.k) + " in a row";
}

}  // namespace

int perft(const Streams& streams, const rules::Rules& rules) {
  const auto start = steady_clock::now();
  const auto progress = [&](int ply, std::uint64_t positions) {
    // Short runs need none.
    if (steady_clock::now() - start < std::chrono::seconds(1)) return;
    streams.err << "ply " << ply << " of " << rules.cells() << ": " << positions
                << " positions up to symmetry\n"
                << std::flush;
  };
  const rules::Perft counted = rules::perft(rules, progress);
  streams.out << rules_text(rules) << "\npositions " << counted.positions << "\nup to symmetry "
              << counted.distinct_positions << "\ngames " << counted.games << '\n';
  constexpr std::array results{"drawn", "won by X", "won by O"};
  for (const std::size_t i : {1U, 2U, 0U}) {
    streams.out << results[i] << ": " << counted.end_positions[i] << " positions, "
                << counted.ended_games[i] << " games\n";
  }
  for (std::size_t ply = 0; ply < counted.positions_by_ply.size(); ++ply) {
    streams.out << "ply " << ply << ": " << counted.positions_by_ply[ply] << " positions, "
                << counted.games_by_length[ply] << " games end\n";
  }
  return 0;
}

int match(const Streams& streams, const MatchOptions& options) {
  const auto start = steady_clock::now();
  std::uint64_t moves = 0;
  std::array<int, 3> results{};  // draws, wins of the first level, wins of the second
  auto reported = start;
  const auto report = [&](int games) {
    // Short matches need none.
    const auto now = steady_clock::now();
    if (now - reported < std::chrono::seconds(2)) return;
    reported = now;
    streams.err << "game " << games << " of " << options.games << ": wins " << results[1]
                << ", draws " << results[0] << ", losses " << results[2] << '\n'
                << std::flush;
  };
  for (int i = 0; i < options.games; ++i) {
    // The first level is X throughout and starts every other game.
    Game game(options.rules, i % 2 == 0 ? Mark::x : Mark::o);
    const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(i);
    const std::array players{make_player(options.first, game, 2 * seed),
                             make_player(options.second, game, 2 * seed + 1)};
    while (game.status() == Status::ongoing) {
      const auto& mover = players[game.to_move() == Mark::x ? 0 : 1];
      ai::Budget budget{.nodes = options.limits.nodes, .stop = {}};
      if (budget.nodes == 0) budget.nodes = std::numeric_limits<std::uint64_t>::max();
      // A timer costs a thread, which quick choices do not need.
      std::unique_ptr<Deadline> deadline;
      if (!mover->quick()) {
        deadline =
            std::make_unique<Deadline>(std::chrono::duration<double>(options.limits.seconds));
        budget.stop = deadline->token();
      }
      const Cell cell = mover->choose(budget).cell;
      game.play(cell);
      for (const auto& player : players) player->played(cell);
      ++moves;
    }
    ++results[static_cast<std::size_t>(game.winner())];
    report(i + 1);
  }
  const std::chrono::duration<double> took = steady_clock::now() - start;
  streams.out << name(options.first) << " against " << name(options.second) << ", "
              << rules_text(options.rules) << ", " << options.games << " games\n"
              << "wins " << results[1] << "\ndraws " << results[0] << "\nlosses " << results[2]
              << "\nmoves per second " << std::fixed << std::setprecision(0)
              << static_cast<double>(moves) / took.count() << '\n';
  return 0;
}

}  // namespace tictactoe::engine
