#include "common/ai/perfect_three.hpp"

#include <tuple>

#include "common/ai/suggester.hpp"

namespace tictactoe::ai {

using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;
using rules::Status;

namespace {

std::size_t key(const Game& game) {
  std::size_t number = 0;
  for (int i = 0; i < 9; ++i) {
    const Mark mark = game.at({i / 3, i % 3});
    const std::size_t digit = mark == Mark::none ? 0 : mark == game.to_move() ? 1 : 2;
    number = 3 * number + digit;
  }
  return number;
}

}  // namespace

const PerfectThree& PerfectThree::instance() {
  static const PerfectThree table;
  return table;
}

PerfectThree::PerfectThree() {
  // The second player's positions are those one ply into the first player's.
  const Game empty(Rules::square(3));
  Position position(empty);
  work_out(position);
  for (int i = 0; i < 9; ++i) {
    position.play({i / 3, i % 3});
    work_out(position);
    position.undo();
  }
}

Choice PerfectThree::choose(const Game& game) const {
  const Entry& entry = entries_[key(game)];
  return {{entry.cell / 3, entry.cell % 3}, entry.score >= 0};
}

const PerfectThree::Entry& PerfectThree::work_out(Position& position) {
  Entry& entry = entries_[key(position.game())];
  if (entry.known) return entry;
  for (int i = 0; i < 9; ++i) {
    const Cell cell{i / 3, i % 3};
    if (!position.is_free(cell)) continue;
    const Entry other = value_of(position, cell);
    if (!entry.known || std::tie(other.score, other.suggester, other.random) >
                            std::tie(entry.score, entry.suggester, entry.random)) {
      entry = other;
    }
  }
  return entry;
}

PerfectThree::Entry PerfectThree::value_of(Position& position, Cell cell) {
  Entry entry{true, 1, 0, 0, static_cast<std::int8_t>(3 * cell.row + cell.col)};
  const Mark me = position.to_move();
  position.play(cell);
  if (position.game().status() != Status::ongoing) {
    entry.score = position.game().winner() == me ? 1 : 0;
    entry.suggester = entry.score;
    entry.random = entry.score;
    position.undo();
    return entry;
  }
  const Cell expected = suggest(position);
  int replies = 0;
  for (int i = 0; i < 9; ++i) {
    const Cell reply{i / 3, i % 3};
    if (!position.is_free(reply)) continue;
    position.play(reply);
    Entry next{true, 0, 0, 0, 0};
    if (position.game().status() == Status::ongoing) {
      next = work_out(position);
    } else if (position.game().winner() != Mark::none) {
      next = {true, -1, -1, -1, 0};
    }
    position.undo();
    entry.score = std::min(entry.score, next.score);
    if (reply == expected) entry.suggester = next.suggester;
    entry.random += next.random;
    ++replies;
  }
  entry.random /= replies;
  position.undo();
  return entry;
}

}  // namespace tictactoe::ai
