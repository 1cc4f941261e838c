// The cost of a move: the ways of finding a win, and the AI, against the size of the board.
//
// What is timed is putting a mark down; taking the marks back is not. The workload is line play: X
// fills row after row from the top left and leaves the last cell out, O the same from the bottom
// right, so that lines grow. Small boards are played many at a time, 4,096 moves a round at every
// size, so that the counters of all boards take about as much of the cache (16 to 32 KiB) and the
// clock is read as rarely.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

#include "common/ai/player.hpp"
#include "common/rules/detectors/line_counters.hpp"
#include "common/rules/detectors/run_lengths.hpp"
#include "common/rules/game.hpp"

namespace tictactoe {
namespace {

using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;
using rules::Status;
using std::chrono::steady_clock;

constexpr int round_moves = 4'096;

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(steady_clock::now() - start_).count();
  }

 private:
  steady_clock::time_point start_ = steady_clock::now();
};

void sizes(benchmark::internal::Benchmark* benchmark) {
  for (const int n : {3, 15, 64, 256, 1'024, 4'096}) benchmark->Arg(n);
}

/// The moves of line play, X first, at most so many.
std::vector<Cell> line_play(int n, int max) {
  std::vector<Cell> cells;
  for (int i = 0; static_cast<int>(cells.size()) < max && i < n / 2 * (n - 1); ++i) {
    const Cell cell{i / (n - 1), i % (n - 1)};
    cells.push_back(cell);
    cells.push_back({n - 1 - cell.row, n - 1 - cell.col});
  }
  return cells;
}

template <class D>
void play_rounds(benchmark::State& state, const Rules& rules,
                 const std::vector<std::vector<Cell>>& games) {
  std::vector<D> detectors(games.size(), D(rules));
  std::int64_t moves = 0;
  for (const auto& cells : games) moves += static_cast<std::int64_t>(cells.size());
  // One iteration is one move, so that the report is by moves.
  while (state.KeepRunningBatch(moves)) {
    const Stopwatch stopwatch;
    for (std::size_t i = 0; i < games.size(); ++i) {
      Mark mark = Mark::x;
      for (const Cell cell : games[i]) {
        benchmark::DoNotOptimize(detectors[i].place(cell, mark));
        mark = opponent(mark);
      }
    }
    state.SetIterationTime(stopwatch.seconds());
    for (std::size_t i = 0; i < games.size(); ++i) {
      for (std::size_t ply = games[i].size(); ply-- > 0;) {
        detectors[i].take_back(games[i][ply], ply % 2 == 0 ? Mark::x : Mark::o);
      }
    }
  }
}

template <class D>
void detector_move(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  const std::vector<Cell> cells = line_play(n, round_moves);
  const auto boards =
      std::max<std::size_t>(1, static_cast<std::size_t>(round_moves) / cells.size());
  play_rounds<D>(state, Rules::square(n), std::vector(boards, cells));
  state.SetComplexityN(n);
}

BENCHMARK(detector_move<rules::LineCounters>)
    ->Name("line counters")
    ->Apply(sizes)
    ->UseManualTime()
    ->Complexity();
BENCHMARK(detector_move<rules::SparseRunLengths>)
    ->Name("run lengths")
    ->Apply(sizes)
    ->UseManualTime()
    ->Complexity();

/// Random games to their end, as many as fill a round. Two players, no undo.
std::vector<std::vector<Cell>> random_games(const Rules& rules, int max_plies) {
  std::vector<std::vector<Cell>> games;
  std::mt19937 random(1);
  for (int moves = 0; moves < round_moves;) {
    Game game(rules);
    while (game.status() == Status::ongoing && game.ply() < max_plies) {
      game.play({static_cast<int>(random() % static_cast<unsigned>(rules.rows)),
                 static_cast<int>(random() % static_cast<unsigned>(rules.cols))});
    }
    games.emplace_back(game.moves().begin(), game.moves().end());
    moves += game.ply();
  }
  return games;
}

template <class D>
void random_play(benchmark::State& state, const Rules& rules) {
  play_rounds<D>(state, rules, random_games(rules, 4'096));
}

constexpr Rules gomoku{15, 15, 5, true};
constexpr Rules huge{1'000, 1'000, 5, true};

void run_lengths_15(benchmark::State& state) {
  random_play<rules::RunLengths>(state, gomoku);
}
void run_lengths_1000(benchmark::State& state) {
  random_play<rules::SparseRunLengths>(state, huge);
}

BENCHMARK(run_lengths_15)->Name("15x15x5 run lengths")->UseManualTime();
BENCHMARK(run_lengths_1000)->Name("1000x1000x5 run lengths")->UseManualTime();

/// A choice of the level, playing X against a random player for up to 60 plies; one iteration
/// stands for one choice. The first choice of a game, which may plan, is left out.
void choice(benchmark::State& state, ai::Level level) {
  const auto n = static_cast<int>(state.range(0));
  std::uint64_t seed = 0;
  for ([[maybe_unused]] const auto& _ : state) {
    Game game(Rules::square(n));
    const auto player = make_player(level, game, seed);
    const auto other = make_player(ai::Level::random, game, ++seed);
    double seconds = 0;
    int choices = 0;
    while (game.status() == Status::ongoing && game.ply() < 60) {
      const bool timed = game.to_move() == Mark::x && game.ply() > 1;
      const Stopwatch stopwatch;
      const ai::Choice chosen =
          (game.to_move() == Mark::x ? player : other)->choose({.nodes = 100, .stop = {}});
      if (timed) {
        seconds += stopwatch.seconds();
        ++choices;
      }
      game.play(chosen.cell);
      player->played(chosen.cell);
      other->played(chosen.cell);
    }
    state.SetIterationTime(seconds / choices);
  }
  state.SetComplexityN(n);
}

void suggester(benchmark::State& state) {
  choice(state, ai::Level::suggester);
}
void strong(benchmark::State& state) {
  choice(state, ai::Level::strong);
}

BENCHMARK(suggester)
    ->Name("suggester")
    ->Apply(sizes)
    ->UseManualTime()
    ->Complexity()
    ->Iterations(20);
BENCHMARK(strong)->Name("strong")->Apply(sizes)->UseManualTime()->Complexity()->Iterations(20);

}  // namespace
}  // namespace tictactoe

BENCHMARK_MAIN();
