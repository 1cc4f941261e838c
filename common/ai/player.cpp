#include "common/ai/player.hpp"

#include <algorithm>
#include <array>

#include "common/ai/graded_player.hpp"
#include "common/ai/position.hpp"
#include "common/ai/random_player.hpp"
#include "common/ai/strong_player.hpp"
#include "common/ai/suggester.hpp"

namespace tictactoe::ai {

namespace {

using Words = std::array<std::string_view, level_count>;
constexpr Words names{"random", "suggester", "strong", "perfect", "1", "2",
                      "3",      "4",         "5",      "6",       "7", "8"};
constexpr Words meanings{"",       "",          "",         "",         "beginner", "novice",
                         "casual", "practised", "seasoned", "advanced", "expert",   "master"};

/// Of a graded level; null for others.
const Skill* skill_of(Level level) {
  if (!is_graded(level)) return nullptr;
  return &skills[static_cast<std::size_t>(level) - static_cast<std::size_t>(Level::level_1)];
}

}  // namespace

std::string_view name(Level level) {
  return names[static_cast<std::size_t>(level)];
}

std::string_view meaning(Level level) {
  return meanings[static_cast<std::size_t>(level)];
}

std::optional<Level> parse_level(std::string_view name) {
  const auto* const found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Level>(found - names.begin());
}

std::unique_ptr<Player> make_player(Level level, const rules::Game& so_far, std::uint64_t seed) {
  if (const Skill* skill = skill_of(level)) return make_graded_player(*skill, so_far, seed);
  switch (level) {
    case Level::random:
      return make_random_player(so_far, seed);
    case Level::suggester:
      return make_suggester(so_far);
    default:
      return make_strong_player(so_far);
  }
}

std::size_t max_memory(Level level, const rules::Rules& rules, std::size_t plies) {
  constexpr std::size_t bookkeeping = std::size_t{16} * 1024;
  switch (level) {
    case Level::random:
      return bookkeeping + 4 * plies * sizeof(int);
    case Level::suggester:
      return bookkeeping + Position::max_memory(rules, plies);
    default:
      break;
  }
  // Its searches play on the position and take back: at most that many more plies that matter.
  constexpr std::size_t searched = 4096;
  constexpr std::size_t lists = 64;  // bytes a ply for what it remembers of pairs
  return bookkeeping + Position::max_memory(rules, 2 * plies + searched) + lists * plies;
}

std::size_t max_choice_memory(Level level, const rules::Rules& rules) {
  if (const Skill* skill = skill_of(level)) return graded_choice_memory(*skill, rules);
  return level == Level::strong || level == Level::perfect ? strong_choice_memory(rules) : 0;
}

}  // namespace tictactoe::ai
