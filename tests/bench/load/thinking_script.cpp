#include "tests/bench/load/thinking_script.hpp"

#include <optional>

#include "tests/bench/load/failure.hpp"

namespace tictactoe::load {
namespace {

// Pairs in each row, and the other mark below each mark. A diagonal changes the mark at the latest
// after two cells, because every second step changes the pair.
rules::Mark pattern(rules::Cell cell) {
  return (cell.row + cell.col / 2) % 2 == 0 ? rules::Mark::x : rules::Mark::o;
}

/// Goes through the cells of one side, row by row.
class Cells {
 public:
  Cells(const rules::Rules& rules, rules::Mark side) : rules_(rules), side_(side) {}

  std::optional<rules::Cell> next() {
    while (at_ < rules_.cells()) {
      const rules::Cell cell{at_ / rules_.cols, at_ % rules_.cols};
      ++at_;
      if (pattern(cell) == side_) return cell;
    }
    return std::nullopt;
  }

 private:
  rules::Rules rules_;
  rules::Mark side_;
  int at_ = 0;
};

}  // namespace

ThinkingScript write_script(const rules::Rules& rules, std::size_t plies, std::size_t x_moves) {
  Cells x(rules, rules::Mark::x);
  Cells o(rules, rules::Mark::o);
  const auto take = [](Cells& cells) {
    if (const auto cell = cells.next()) return *cell;
    throw Failure("The board has too few cells for so many plies.");
  };
  ThinkingScript script{rules, {}, {}};
  rules::Game game(rules);
  for (std::size_t ply = 0; ply < plies; ++ply) {
    script.moves.push_back(take(ply % 2 == 0 ? x : o));
    if (game.play(script.moves.back()) || game.status() != rules::Status::ongoing) {
      throw Failure("Ply " + std::to_string(ply + 1) + " of the script ends the game.");
    }
  }
  for (std::size_t i = 0; i < x_moves; ++i) script.x_moves.push_back(take(x));
  return script;
}

}  // namespace tictactoe::load
