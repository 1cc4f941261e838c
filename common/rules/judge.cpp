#include "common/rules/judge.hpp"

#include <algorithm>

#include "common/rules/lines.hpp"

namespace tictactoe::rules {

namespace {

/// Every winning run of either side, until both sides have one.
std::vector<Line> winning_runs(const Board& board) {
  const Rules& rules = board.rules();
  const auto at = [&](Cell cell) { return board.at(cell); };
  std::vector<Line> found;
  for (int i = 0; i < rules.cells(); ++i) {
    const Cell cell = board.cell(i);
    if (board.at(cell) == Mark::none) continue;
    for (const LineKind kind : line_kinds) {
      // Each run is examined only from its first cell.
      const Cell before = advance(cell, step(kind), -1);
      if (rules.contains(before) && board.at(before) == board.at(cell)) continue;
      const Line run = run_through(rules, at, cell, kind);
      if (!wins(rules, length(run))) continue;
      found.push_back(run);
      if (board.at(found.front().first) != board.at(run.first)) return found;
    }
  }
  return found;
}

bool holds(const Line& line, Cell cell) {
  for (int i = 0; i < length(line); ++i) {
    if (advance(line.first, step(line.kind), i) == cell) return true;
  }
  return false;
}

/// Whether the mark on a cell may have been the last one: without it, no line would be won.
bool may_be_last(const Rules& rules, const std::vector<Line>& lines, Cell cell) {
  return std::ranges::all_of(lines, [&](const Line& line) {
    if (!holds(line, cell)) return false;
    const int before =
        line.kind == LineKind::row ? cell.col - line.first.col : cell.row - line.first.row;
    return !wins(rules, before) && !wins(rules, length(line) - 1 - before);
  });
}

bool has_last_move(const Rules& rules, const std::vector<Line>& lines) {
  const Line& first = lines.front();
  for (int i = 0; i < length(first); ++i) {
    if (may_be_last(rules, lines, advance(first.first, step(first.kind), i))) return true;
  }
  return false;
}

Verdict impossible(Fault fault) {
  Verdict verdict;
  verdict.fault = fault;
  return verdict;
}

}  // namespace

Verdict judge(const Board& board, Mark starter) {
  const int starters = board.count(starter);
  const int others = board.count(opponent(starter));
  if (starters != others && starters != others + 1) return impossible(Fault::wrong_counts);
  Verdict verdict;
  if (starters >= board.rules().k) verdict.lines = winning_runs(board);
  if (verdict.lines.empty()) {
    if (starters + others == board.rules().cells()) verdict.status = Status::drawn;
    return verdict;
  }
  const Mark winner = board.at(verdict.lines.front().first);
  if (board.at(verdict.lines.back().first) != winner) return impossible(Fault::both_won);
  const Mark last = starters > others ? starter : opponent(starter);
  if (winner != last) return impossible(Fault::winner_not_last);
  if (!has_last_move(board.rules(), verdict.lines)) return impossible(Fault::won_twice);
  verdict.status = Status::won;
  verdict.winner = winner;
  return verdict;
}

bool has_winning_line(const Board& board) {
  return !winning_runs(board).empty();
}

}  // namespace tictactoe::rules
