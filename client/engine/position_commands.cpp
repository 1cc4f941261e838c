// solve, judge and suggest: the commands that answer positions.
#include <algorithm>
#include <array>
#include <chrono>
#include <iomanip>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "client/engine/commands.hpp"
#include "client/engine/deadline.hpp"
#include "client/engine/positions.hpp"
#include "common/ai/solver.hpp"
#include "common/rules/game.hpp"
#include "common/rules/judge.hpp"

namespace tictactoe::engine {

using rules::Board;
using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Status;

namespace {

std::uint64_t node_limit(const Limits& limits) {
  return limits.nodes == 0 ? std::numeric_limits<std::uint64_t>::max() : limits.nodes;
}

std::string cell_text(Cell cell) {
  return std::to_string(cell.row + 1) + " " + std::to_string(cell.col + 1);
}

/// The board of a position, or what is wrong with it.
std::variant<Board, rules::TextFault> read_board(const TypedPosition& position,
                                                 const PositionRules& rules) {
  auto parsed = parse_board(position.rows, rules.text);
  const auto* board = std::get_if<Board>(&parsed);
  if (board == nullptr || !rules.size) return parsed;
  const auto& wanted = *rules.size;
  if (board->rules().rows == wanted.rows && board->rules().cols == wanted.cols) return parsed;
  return rules::TextFault{0, "the board is " + std::to_string(board->rules().rows) + " x " +
                                 std::to_string(board->rules().cols) + ", not " +
                                 std::to_string(wanted.rows) + " x " + std::to_string(wanted.cols)};
}

/// Calls visit(position, board) for every well-formed position and complains of the others.
template <class Visit>
void for_each_board(const Streams& streams, const PositionRules& rules, Answers& answers,
                    Visit&& visit) {
  for_each_position(streams.in, [&](const TypedPosition& position) {
    const auto parsed = read_board(position, rules);
    if (const auto* fault = std::get_if<rules::TextFault>(&parsed)) {
      answers.complain(position, fault->line, fault->reason);
    } else {
      visit(position, std::get<Board>(parsed));
    }
  });
}

/// What keeps a board from being played on, or nothing.
std::optional<std::string> why_not_playable(const Board& board, Mark starter) {
  const rules::Verdict verdict = rules::judge(board, starter);
  if (verdict.fault == rules::Fault::none && verdict.status == Status::ongoing) return std::nullopt;
  return "no move to find: " + describe(verdict, board, starter);
}

/// The side that started, given the side to move (`player`), or X if both have as many marks.
std::optional<Mark> starter_of(const Board& board, std::optional<Mark> player) {
  const int x = board.count(Mark::x);
  const int o = board.count(Mark::o);
  if (x == o) return player.value_or(Mark::x);
  if (x == o + 1 && player.value_or(Mark::o) == Mark::o) return Mark::x;
  if (o == x + 1 && player == Mark::x) return Mark::o;
  return std::nullopt;
}

/// Plays the marks in that order, each side its own in turn.
Game replay(const rules::Rules& rules, Mark starter,
            const std::array<std::vector<Cell>, 2>& marks) {
  Game game(rules, starter);
  std::array<std::size_t, 2> next{};
  while (game.to_move() != Mark::none) {
    const std::size_t side = game.to_move() == Mark::x ? 0 : 1;
    if (next[side] == marks[side].size()) break;
    game.play(marks[side][next[side]++]);
  }
  return game;
}

/// An ongoing game that stands as the board does. Any order of moves will do if overlines win;
/// otherwise the order must not make exactly k on its way.
std::optional<Game> game_of(const Board& board, Mark starter) {
  std::array<std::vector<Cell>, 2> marks;
  for (int i = 0; i < board.rules().cells(); ++i) {
    const Mark mark = board.at(board.cell(i));
    if (mark != Mark::none) marks[mark == Mark::x ? 0 : 1].push_back(board.cell(i));
  }
  std::mt19937 random(1);
  constexpr int tries = 1'000;
  for (int i = 0; i < tries; ++i) {
    Game game = replay(board.rules(), starter, marks);
    if (game.status() == Status::ongoing) return game;
    for (std::vector<Cell>& side : marks) std::ranges::shuffle(side, random);
  }
  return std::nullopt;
}

}  // namespace

int solve(const Streams& streams, const SolveOptions& options) {
  Answers answers(streams.out, streams.err);
  std::optional<ai::Solver> solver;
  rules::Rules solver_rules;
  for_each_board(streams, options.rules, answers, [&](const auto& position, const Board& board) {
    const int x = board.count(Mark::x);
    const int o = board.count(Mark::o);
    // With the side to move given, any numbers of marks make a position to think about.
    const Mark side = options.player.value_or(x > o ? Mark::o : Mark::x);
    const rules::Verdict verdict = rules::judge(board);
    const bool over = board.count(Mark::none) == 0 || rules::has_winning_line(board);
    if (over || (verdict.fault != rules::Fault::none && !options.player)) {
      answers.complain(position, 0, "no move to find: " + describe(verdict, board));
      return;
    }
    if (!solver || solver_rules != board.rules()) solver.emplace(board.rules(), options.memory);
    solver_rules = board.rules();
    const auto begun = std::chrono::steady_clock::now();
    const Deadline deadline{std::chrono::duration<double>(options.limits.seconds)};
    const auto found =
        solver->solve(board, side, {.nodes = node_limit(options.limits), .stop = deadline.token()});
    std::string answer =
        found.cell ? std::to_string(*found.score) + " " + cell_text(*found.cell) : "unknown";
    if (options.stats) {
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
      std::ostringstream stats;
      stats << " nodes " << found.nodes << " seconds " << std::fixed << std::setprecision(3)
            << took.count() << " table " << solver->memory();
      answer += stats.str();
    }
    answers.answer(answer);
    if (found.too_deep) {
      streams.err << "position " << position.number
                  << ": unknown because its lines of play are too long for the solver or for "
                     "--memory, not because of --nodes or --seconds\n";
    }
  });
  return answers.exit_status();
}

int judge(const Streams& streams, const JudgeOptions& options) {
  Answers answers(streams.out, streams.err);
  for_each_position(streams.in, [&](const TypedPosition& position) {
    const auto parsed = read_board(position, options.rules);
    if (const auto* fault = std::get_if<rules::TextFault>(&parsed)) {
      answers.answer("impossible: " + fault->reason);
      answers.complain(position, fault->line, fault->reason);
      return;
    }
    const Board& board = std::get<Board>(parsed);
    answers.answer(describe(rules::judge(board, options.starter), board, options.starter));
  });
  return answers.exit_status();
}

int suggest(const Streams& streams, const SuggestOptions& options) {
  Answers answers(streams.out, streams.err);
  for_each_board(streams, options.rules, answers, [&](const auto& position, const Board& board) {
    const auto starter = starter_of(board, options.player);
    // Counts that fit nobody's turn are the judge's to name.
    if (const auto reason = why_not_playable(board, starter.value_or(Mark::x))) {
      answers.complain(position, 0, *reason);
      return;
    }
    if (!starter) {
      answers.complain(position, 0, "by the number of marks it is the other side's turn");
      return;
    }
    const auto game = game_of(board, *starter);
    if (!game) {
      answers.complain(position, 0, "the game must have ended before this position");
      return;
    }
    const Deadline deadline{std::chrono::duration<double>(options.limits.seconds)};
    const auto player = make_player(options.level, *game, options.seed);
    const ai::Choice choice =
        player->choose({.nodes = node_limit(options.limits), .stop = deadline.token()});
    if (options.level == ai::Level::perfect && !choice.cannot_lose) {
      answers.complain(position, 0, "no move is certain not to lose; use the level strong");
      return;
    }
    answers.answer(cell_text(choice.cell) + (choice.cannot_lose ? " cannot lose" : ""));
  });
  return answers.exit_status();
}

}  // namespace tictactoe::engine
