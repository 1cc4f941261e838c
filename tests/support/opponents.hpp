// Opponents that share nothing with the engine.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <random>
#include <vector>

#include "common/rules/game.hpp"
#include "tests/support/play.hpp"

namespace tictactoe::support {

using Window = std::vector<rules::Cell>;

/// Every window of k cells on the board.
inline std::vector<Window> windows(const rules::Rules& rules) {
  std::vector<Window> all;
  constexpr std::array<rules::Cell, 4> steps{{{0, 1}, {1, 0}, {1, 1}, {1, -1}}};
  for (int row = 0; row < rules.rows; ++row) {
    for (int col = 0; col < rules.cols; ++col) {
      for (const rules::Cell step : steps) {
        const int last = rules.k - 1;
        if (!rules.contains({row + last * step.row, col + last * step.col})) continue;
        Window& window = all.emplace_back();
        for (int i = 0; i < rules.k; ++i) {
          window.push_back({row + i * step.row, col + i * step.col});
        }
      }
    }
  }
  return all;
}

enum class Style {
  random,       ///< any free cell
  greedy,       ///< a cell on the live window with the most own marks, ties at random
  line_hunter,  ///< chooses a live window and fills it until it is dead
  fork_hunter,  ///< the cell with the most own marks in all its live windows
};

/// Plays one side of one game.
class Opponent {
 public:
  Opponent(const rules::Rules& rules, rules::Mark me, Style style, std::uint64_t seed)
      : me_(me), style_(style), live_(windows(rules)), random_(seed) {}

  /// Whether it can still complete a line.
  bool can_win(const rules::Game& game) {
    std::erase_if(live_, [&](const Window& window) {
      return std::ranges::any_of(window,
                                 [&](rules::Cell c) { return game.at(c) == opponent(me_); });
    });
    return !live_.empty();
  }

  /// Requires that can_win() returned true since the last move.
  rules::Cell choose(const rules::Game& game) {
    if (style_ == Style::random) return random_cell(game);
    if (style_ == Style::fork_hunter) return fork_cell(game);
    if (style_ == Style::line_hunter && std::ranges::find(live_, hunted_) != live_.end()) {
      return random_free(game, hunted_);
    }
    std::ranges::shuffle(live_, random_);
    const auto marks = [&](const Window& window) {
      return std::ranges::count_if(window, [&](rules::Cell c) { return game.at(c) == me_; });
    };
    hunted_ = *std::ranges::max_element(live_, {}, marks);
    return random_free(game, hunted_);
  }

 private:
  rules::Cell random_cell(const rules::Game& game) {
    std::uniform_int_distribution<int> row(0, game.rules().rows - 1);
    std::uniform_int_distribution<int> col(0, game.rules().cols - 1);
    for (;;) {
      const rules::Cell cell{row(random_), col(random_)};
      if (game.at(cell) == rules::Mark::none) return cell;
    }
  }

  rules::Cell random_free(const rules::Game& game, const Window& window) {
    std::vector<rules::Cell> free;
    std::ranges::copy_if(window, std::back_inserter(free),
                         [&](rules::Cell c) { return game.at(c) == rules::Mark::none; });
    return free[std::uniform_int_distribution<std::size_t>(0, free.size() - 1)(random_)];
  }

  rules::Cell fork_cell(const rules::Game& game) {
    const auto number = [&](rules::Cell c) {
      return static_cast<std::size_t>(c.row) * static_cast<std::size_t>(game.rules().cols) +
             static_cast<std::size_t>(c.col);
    };
    std::vector<double> worth(static_cast<std::size_t>(game.rules().cells()), 0);
    for (const Window& window : live_) {
      const auto marks =
          std::ranges::count_if(window, [&](rules::Cell c) { return game.at(c) == me_; });
      for (const rules::Cell c : window) {
        worth[number(c)] += std::ldexp(1.0, static_cast<int>(marks));
      }
    }
    std::vector<rules::Cell> cells = free_cells(game);
    std::ranges::shuffle(cells, random_);
    return *std::ranges::max_element(cells, {}, [&](rules::Cell c) { return worth[number(c)]; });
  }

  rules::Mark me_;
  Style style_;
  std::vector<Window> live_;
  Window hunted_;
  std::mt19937_64 random_;
};

}  // namespace tictactoe::support
