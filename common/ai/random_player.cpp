#include "common/ai/random_player.hpp"

#include <limits>

#include "common/ai/chance.hpp"
#include "common/ai/free_cells.hpp"

namespace tictactoe::ai {

namespace {

/// A choice depends on the seed and the position alone, so that a player that has taken plies back
/// chooses like a new one.
class RandomPlayer final : public Player {
 public:
  RandomPlayer(const rules::Game& so_far, std::uint64_t seed) : free_(so_far.rules()), seed_(seed) {
    for (const rules::Cell cell : so_far.moves()) free_.take(cell);
  }

  void played(rules::Cell cell) override { free_.take(cell); }
  void undone() override { free_.give_back(); }
  bool quick() const override { return true; }
  Choice choose(const Budget&) override { return {free_[draw(free_.size())], false}; }
  std::size_t memory() const override { return sizeof(*this) + free_.memory(); }

 private:
  /// Each of 0 .. count-1 is as likely. Not std::uniform_int_distribution: its numbers differ from
  /// one standard library to the next, and a seed must mean the same game everywhere.
  int draw(int count) const {
    const auto n = static_cast<std::uint64_t>(count);
    constexpr std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t fair = max - max % n;
    std::uint64_t state = seed_ ^ mixed(n);
    std::uint64_t number = mixed(state);
    while (number >= fair) number = mixed(++state);
    return static_cast<int>(number % n);
  }

  FreeCells free_;
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<Player> make_random_player(const rules::Game& so_far, std::uint64_t seed) {
  return std::make_unique<RandomPlayer>(so_far, seed);
}

}  // namespace tictactoe::ai
