// Moves of AIs come before hints in their rooms.
#include <gtest/gtest.h>

#include "server/core/ai_pool.hpp"

namespace tictactoe::core::ai_pool_hints_tests {
namespace {

using ai::Level;

class HintsInAPool : public testing::Test {
 protected:
  void think(std::uint64_t room, std::uint64_t number, Level level, bool is_hint) {
    Think think;
    think.id = {room, number};
    think.is_hint = is_hint;
    think.level = level;
    think.rules = rules;
    think.moves = std::make_shared<const std::vector<rules::Cell>>();
    pool.think(think);
  }
  std::vector<AiPool::Answer> answers() {
    while (auto task = pool.next()) {
      task->run(1'000'000);
      pool.finish(std::move(task));
    }
    return pool.take_answers();
  }
  /// The numbers of the thoughts, in the order of their answers.
  std::vector<std::uint64_t> order() {
    std::vector<std::uint64_t> numbers;
    for (const AiPool::Answer& answer : answers()) numbers.push_back(answer.id.number);
    return numbers;
  }

  rules::Rules rules{3, 4, 3, false};
  AiPool pool{AiLimits{}};
};

TEST_F(HintsInAPool, of_another_level_come_after_a_move) {
  think(1, 1, Level::strong, true);
  think(1, 2, Level::suggester, false);
  EXPECT_EQ(order(), (std::vector<std::uint64_t>{2, 1}));
}

TEST_F(HintsInAPool, take_the_turns_of_their_room_afterwards) {
  think(1, 1, Level::strong, true);
  think(2, 2, Level::suggester, false);
  think(1, 3, Level::random, false);
  think(3, 4, Level::suggester, true);
  EXPECT_EQ(order(), (std::vector<std::uint64_t>{3, 2, 4, 1}));
}

TEST_F(HintsInAPool, of_the_same_level_take_no_time_from_a_move) {
  // X can't lose on this board. To be certain takes more plies than a choice has without time.
  rules = {4, 7, 4, true};
  think(1, 1, Level::strong, true);
  think(2, 2, Level::strong, true);
  think(1, 3, Level::strong, false);
  const auto all = answers();
  ASSERT_EQ(all.size(), 3u);
  for (const AiPool::Answer& answer : all) {
    EXPECT_EQ(answer.result.kind, ThoughtResult::Kind::choice);
    EXPECT_EQ(answer.result.choice.cannot_lose, answer.id.number != 1);
  }
}

}  // namespace
}  // namespace tictactoe::core::ai_pool_hints_tests
