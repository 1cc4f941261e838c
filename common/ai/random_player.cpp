#include "common/ai/random_player.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "common/ai/chance.hpp"

namespace tictactoe::ai {

namespace {

/// A choice depends on the seed and the position alone, so that a player that has taken plies back
/// chooses like a new one.
class RandomPlayer final : public Player {
 public:
  RandomPlayer(const rules::Game& so_far, std::uint64_t seed)
      : rules_(so_far.rules()), seed_(seed) {
    for (const rules::Cell cell : so_far.moves()) played(cell);
  }

  void played(rules::Cell cell) override {
    const int index = cell.row * rules_.cols + cell.col;
    order_.push_back(index);
    taken_.insert(std::ranges::lower_bound(taken_, index), index);
  }
  void undone() override {
    taken_.erase(std::ranges::lower_bound(taken_, order_.back()));
    order_.pop_back();
  }
  bool quick() const override { return true; }
  Choice choose(const Budget&) override {
    int index = draw(rules_.cells() - static_cast<int>(taken_.size()));
    for (const int taken : taken_) index += taken <= index ? 1 : 0;
    return {{index / rules_.cols, index % rules_.cols}, false};
  }
  std::size_t memory() const override {
    return sizeof(*this) + (order_.capacity() + taken_.capacity()) * sizeof(int);
  }

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

  rules::Rules rules_;
  std::vector<int> order_;  // of the moves
  std::vector<int> taken_;  // sorted
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<Player> make_random_player(const rules::Game& so_far, std::uint64_t seed) {
  return std::make_unique<RandomPlayer>(so_far, seed);
}

}  // namespace tictactoe::ai
