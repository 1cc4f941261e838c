#include "common/ai/player.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/ai/random_player.hpp"
#include "common/ai/suggester.hpp"
#include "common/ai/unbeatable.hpp"

namespace tictactoe::ai {

namespace {

constexpr std::array level_names{std::pair{Level::random, std::string_view("random")},
                                 std::pair{Level::suggester, std::string_view("suggester")},
                                 std::pair{Level::unbeatable, std::string_view("unbeatable")}};

}  // namespace

std::string_view name(Level level) {
  return level_names[static_cast<std::size_t>(level)].second;
}

std::optional<Level> parse_level(std::string_view name) {
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
    case Level::unbeatable:
      break;
  }
  return make_unbeatable(so_far);
}

}  // namespace tictactoe::ai
