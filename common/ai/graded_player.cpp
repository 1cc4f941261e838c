#include "common/ai/graded_player.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "common/ai/board_view.hpp"
#include "common/ai/chance.hpp"
#include "common/ai/position.hpp"
#include "common/ai/strong_player.hpp"
#include "common/ai/suggester.hpp"

namespace tictactoe::ai {

using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;

const std::array<Skill, 8> skills{{
    {.overlooked_wins = 200, .overlooked_threats = 800, .blur = 900},
    {.overlooked_wins = 60, .overlooked_threats = 450, .blur = 450},
    {.overlooked_wins = 20, .overlooked_threats = 200, .blur = 250},
    {.calculated = 310,
     .nodes = 300,
     .overlooked_wins = 10,
     .overlooked_threats = 100,
     .blur = 150},
    {.calculated = 770, .nodes = 480, .overlooked_wins = 5, .overlooked_threats = 60, .blur = 100},
    {.calculated = 1'000, .nodes = 1'500},
    {.calculated = 1'000, .nodes = 9'000},
    {.calculated = 1'000, .nodes = 50'000},
}};

namespace {

constexpr std::uint64_t whole_share = 1'000;

int distance(Cell a, Cell b) {
  return std::max(std::abs(a.row - b.row), std::abs(a.col - b.col));
}

class GradedPlayer final : public Player {
 public:
  GradedPlayer(const Skill& skill, const Game& so_far, std::uint64_t seed)
      : skill_(skill), seed_(mixed(seed)), calculator_(make_strong_player(so_far)) {}

  void played(Cell cell) override { calculator_->played(cell); }
  void undone() override { calculator_->undone(); }
  bool quick() const override { return false; }

  Choice choose(const Budget& budget) override {
    if (happens(skill_.calculated, 0)) {
      Choice choice = calculator_->choose({std::min(budget.nodes, skill_.nodes), budget.stop});
      choice.cannot_lose = false;  // the next move may be a glance, or run out of nodes
      return choice;
    }
    const bool has_patterns = position().rules().k <= Shapes::max_line;
    Choice choice{has_patterns ? glance() : suggest(position())};
    choice.effort = effort_of(position(), choice.cell);
    return choice;
  }

  std::size_t memory() const override { return sizeof(*this) + calculator_->memory(); }

 private:
  const Position& position() const { return calculator_->position(); }

  /// A number below 1000, by the seed, the moves and `what`.
  std::uint64_t draw(std::uint64_t what) const {
    const auto ply = static_cast<std::uint64_t>(position().game().ply());
    return mixed(seed_ ^ mixed(ply << 32 | what)) % whole_share;
  }
  bool happens(int share, std::uint64_t what) const {
    return draw(what) < static_cast<std::uint64_t>(share);
  }

  Cell glance() const {
    const BoardView view(position().game());
    const PatternBoard board = view.board(position().game());
    std::optional<PatternBoard::Cell> best;
    std::int64_t most = 0;
    for (PatternBoard::Cell cell = 0; cell < board.cells(); ++cell) {
      if (!board.is_free(cell)) continue;
      const std::int64_t promise = promise_of(board, cell, view.whole(board.cell(cell)));
      if (best && promise <= most) continue;
      best = cell;
      most = promise;
    }
    return best ? view.whole(board.cell(*best)) : suggest(position());
  }

  /// How good the cell looks. Own patterns count half as much again as those to prevent.
  std::int64_t promise_of(const PatternBoard& board, PatternBoard::Cell cell, Cell whole) const {
    const PatternBoard::Side me = position().to_move() == Mark::x ? 0 : 1;
    std::int64_t promise =
        3 * seen_value(board, cell, me, 2) + 2 * seen_value(board, cell, 1 - me, 1);
    // What the eye is on: the last marks, or the middle of the board.
    const Rules& rules = position().rules();
    const auto moves = position().game().moves();
    const Cell focus =
        moves.empty() ? Cell{(rules.rows - 1) / 2, (rules.cols - 1) / 2} : moves.back();
    promise = promise * (20 - std::min(distance(whole, focus), 10)) / 20;
    const auto off = static_cast<std::int64_t>(draw(key(cell, 2))) - 500;
    return promise * (1'000'000 + 2 * off * skill_.blur);
  }

  /// The value of the cell for that side, or, if it is overlooked, that of a quiet cell.
  int seen_value(const PatternBoard& board, PatternBoard::Cell cell, PatternBoard::Side side,
                 int attention) const {
    constexpr int quiet_value = 30;
    const Gain gain = board.gain(cell, side);
    const int value = board.value(cell, side);
    if (gain < Gain::three) return value;
    const int overlooked = gain == Gain::five ? skill_.overlooked_wins : skill_.overlooked_threats;
    return happens(overlooked / attention, key(cell, side)) ? quiet_value : value;
  }

  static std::uint64_t key(PatternBoard::Cell cell, std::uint64_t purpose) {
    return 1 + 4 * static_cast<std::uint64_t>(cell) + purpose;
  }

  Skill skill_;
  std::uint64_t seed_;
  std::unique_ptr<WatchfulPlayer> calculator_;
};

}  // namespace

std::unique_ptr<Player> make_graded_player(const Skill& skill, const Game& so_far,
                                           std::uint64_t seed) {
  return std::make_unique<GradedPlayer>(skill, so_far, seed);
}

std::size_t graded_choice_memory(const Skill& skill, const Rules& rules) {
  constexpr std::size_t glance = std::size_t{256} * 1024;
  return skill.calculated > 0 ? std::max(glance, strong_choice_memory(rules)) : glance;
}

}  // namespace tictactoe::ai
