#include "common/ai/random_player.hpp"

#include <random>

#include "common/ai/free_cells.hpp"

namespace tictactoe::ai {

namespace {

class RandomPlayer final : public Player {
 public:
  RandomPlayer(const rules::Game& so_far, std::uint64_t seed)
      : free_(so_far.rules()), random_(seed) {
    for (const rules::Cell cell : so_far.moves()) free_.take(cell);
  }

  void played(rules::Cell cell) override { free_.take(cell); }
  void undone() override { free_.give_back(); }
  bool quick() const override { return true; }
  Choice choose(const Budget&) override { return {free_[draw(free_.size())], false}; }

 private:
  /// Each of 0 .. count-1 is as likely. Not std::uniform_int_distribution: its numbers differ from
  /// one standard library to the next, and a seed shall mean the same game everywhere.
  int draw(int count) {
    const auto n = static_cast<std::uint64_t>(count);
    const std::uint64_t fair = random_.max() - random_.max() % n;
    std::uint64_t number = random_();
    while (number >= fair) number = random_();
    return static_cast<int>(number % n);
  }

  FreeCells free_;
  std::mt19937_64 random_;
};

}  // namespace

std::unique_ptr<Player> make_random_player(const rules::Game& so_far, std::uint64_t seed) {
  return std::make_unique<RandomPlayer>(so_far, seed);
}

}  // namespace tictactoe::ai
