#include "common/ai/player.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/ai/free_cells.hpp"
#include "common/ai/position.hpp"
#include "common/ai/random_player.hpp"
#include "common/ai/strong_player.hpp"
#include "common/ai/suggester.hpp"

namespace tictactoe::ai {

namespace {

constexpr std::array level_names{std::pair{Level::random, std::string_view("random")},
                                 std::pair{Level::suggester, std::string_view("suggester")},
                                 std::pair{Level::strong, std::string_view("strong")},
                                 std::pair{Level::perfect, std::string_view("perfect")}};

}  // namespace

std::string_view name(Level level) {
  return level_names[static_cast<std::size_t>(level)].second;
}

std::optional<Level> parse_level(std::string_view name, Level best) {
  if (name == "unbeatable") return best;
  const auto* found = std::ranges::find(level_names, name, [](auto pair) { return pair.second; });
  if (found == level_names.end()) return std::nullopt;
  return found->first;
}

std::unique_ptr<Player> make_player(Level level, const rules::Game& so_far, std::uint64_t seed) {
  switch (level) {
    case Level::random:
      return make_random_player(so_far, seed);
    case Level::suggester:
      return make_suggester(so_far);
    case Level::strong:
    case Level::perfect:
      break;
  }
  return make_strong_player(so_far);
}

std::size_t max_memory(Level level, const rules::Rules& rules, std::size_t plies) {
  constexpr std::size_t bookkeeping = std::size_t{16} * 1024;
  switch (level) {
    case Level::random:
      return bookkeeping + FreeCells::max_memory(rules, plies);
    case Level::suggester:
      return bookkeeping + Position::max_memory(rules, plies);
    case Level::strong:
    case Level::perfect:
      break;
  }
  // Its searches play on the position and take back: at most that many more plies that matter.
  constexpr std::size_t searched = 4096;
  constexpr std::size_t lists = 64;  // bytes a ply for what it remembers of pairs
  return bookkeeping + Position::max_memory(rules, 2 * plies + searched) + lists * plies;
}

std::size_t max_choice_memory(Level level, const rules::Rules& rules) {
  return level == Level::strong || level == Level::perfect ? strong_choice_memory(rules) : 0;
}

}  // namespace tictactoe::ai
