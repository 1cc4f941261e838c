// The AI pool: which positions it follows, in which order, what it keeps in memory, and hints.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>

#include "server/thinking/ai_pool.hpp"

namespace tictactoe::server::ai_pool_tests {
namespace {

using ai::Level;
using rules::Cell;
using rules::Rules;
using thinking::AiPool;
using thinking::AiTask;
using namespace std::chrono_literals;

const Rules gomoku{15, 15, 5, true};
const Rules huge{1000, 1000, 500, true};

std::vector<Cell> line(int row, int count) {
  std::vector<Cell> cells;
  for (int i = 0; i < count; ++i) cells.push_back({row + 2 * (i % 2), i / 2 * 2});
  return cells;
}

Think thought(std::uint64_t room, std::uint64_t number, const Rules& rules,
              std::vector<Cell> moves) {
  Think think;
  think.id = {room, number};
  think.rules = rules;
  think.moves = std::make_shared<const std::vector<Cell>>(std::move(moves));
  return think;
}

/// A pool with one thread.
class AiPoolTest : public testing::Test {
 protected:
  explicit AiPoolTest(AiLimits limits = {}) : limits_(limits), pool(limits) {}

  bool slice() {
    auto task = pool.next();
    if (!task) return false;
    task->run(100);
    pool.finish(std::move(task));
    EXPECT_LE(pool.bytes(), limits_.total_bytes);
    return true;
  }
  std::vector<AiPool::Answer> answers() {
    while (slice()) {
    }
    return pool.take_answers();
  }
  AiPool::Answer answer() {
    auto all = answers();
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? AiPool::Answer{} : all.front();
  }
  /// What a new player chooses.
  static Cell fresh(const Rules& rules, const std::vector<Cell>& moves) {
    rules::Game game(rules);
    for (const Cell cell : moves) game.play(cell);
    return ai::make_player(ai::Level::suggester, game, 0)->choose({}).cell;
  }

  AiLimits limits_;
  AiPool pool;
};

TEST_F(AiPoolTest, answers_with_the_choice_of_a_player_that_has_followed) {
  pool.think(thought(1, 1, gomoku, line(4, 5)));
  EXPECT_EQ(pool.queued(), 1u);
  const auto result = answer();
  EXPECT_EQ(result.id, (ThoughtId{1, 1}));
  ASSERT_TRUE(result.result);
  EXPECT_EQ(result.result->cell, fresh(gomoku, line(4, 5)));
  EXPECT_EQ(pool.queued(), 0u);
  EXPECT_EQ(pool.players(), 1u);
}

// A machine with a quarter of the speed needs four times as long.
TEST_F(AiPoolTest, graded_levels_choose_alike_on_slow_machines) {
  const Time now{1h};
  const std::vector<Cell> moves = line(4, 8);
  for (const Level level : {Level::level_1, Level::level_4, Level::level_5, Level::level_6,
                            Level::level_7, Level::level_8}) {
    Think think = thought(1, static_cast<std::uint64_t>(level), gomoku, moves);
    think.level = level;
    think.seed = 7;
    pool.think(think, AiPool::due_of(think, now, 1s));
    auto task = pool.next();
    ASSERT_TRUE(task);
    pool.hurry(now + 4s);
    task->run();
    pool.finish(std::move(task));
    rules::Game game(gomoku);
    for (const Cell cell : moves) game.play(cell);
    const auto player = ai::make_player(level, game, think.seed);
    EXPECT_EQ(pool.take_answers().at(0).result, player->choose({})) << ai::name(level);
  }
}

TEST_F(AiPoolTest, every_thought_has_an_end) {
  const Time now{1h};
  Think think = thought(1, 1, gomoku, {});
  for (const Level level : {Level::suggester, Level::strong, Level::perfect}) {
    think.level = level;
    EXPECT_EQ(AiPool::due_of(think, now, 1s), now + 1s);
  }
  think.level = Level::level_8;
  EXPECT_EQ(AiPool::due_of(think, now, 1s), now + 10s);
  // Engines end by limits of their own.
  think.level = AiLevel(std::string("embryo"));
  EXPECT_EQ(AiPool::due_of(think, now, 1s), server::Time::max());
}

/// A level of which a test sees what it follows.
class FollowedGame : public testing::Test {
 protected:
  explicit FollowedGame(const AiLimits& limits = FollowedGame::limits()) : limits_(limits) {}

  class Watched : public ai::Player {
   public:
    explicit Watched(FollowedGame& test) : test_(test) { ++test_.made; }
    void played(Cell) override { ++test_.played; }
    void undone() override { ++test_.undone; }
    bool quick() const override { return false; }
    ai::Choice choose(const ai::Budget&) override { return {}; }
    std::size_t memory() const override { return test_.memory; }

   private:
    FollowedGame& test_;
  };

  static AiLimits limits() {
    AiLimits limits;
    limits.room_bytes = ai::max_memory(ai::Level::suggester, gomoku, 100);
    return limits;
  }
  void think(std::vector<Cell> moves, std::uint64_t room = 1) {
    pool.think(thought(room, ++number, gomoku, std::move(moves)));
    auto task = pool.next();
    ASSERT_TRUE(task);
    task->run(100);
    pool.finish(std::move(task));
    ASSERT_EQ(pool.take_answers().size(), 1u);
  }

  int made = 0;
  int played = 0;
  int undone = 0;
  std::size_t memory = 100;  // of each player
  std::uint64_t number = 0;
  const AiLimits limits_;
  AiPool pool{limits_,
              [this](const auto&, const auto&, auto) { return std::make_unique<Watched>(*this); }};
};

TEST_F(FollowedGame, goes_on_from_the_position_that_the_player_knows) {
  think(line(4, 6));
  EXPECT_EQ(played, 6);
  think(line(4, 8));
  EXPECT_EQ(played, 8);
  think(line(4, 8));
  EXPECT_EQ(played, 8);
  EXPECT_EQ(undone, 0);
  EXPECT_EQ(made, 1);
}

TEST_F(FollowedGame, takes_back_what_does_not_stand_any_more) {
  think(line(4, 8));
  auto moves = line(4, 3);
  moves.push_back({9, 9});
  think(moves);
  EXPECT_EQ(undone, 5);
  EXPECT_EQ(played, 9);
  think({});
  EXPECT_EQ(undone, 9);
  EXPECT_EQ(made, 1);
}

TEST_F(FollowedGame, begins_anew_if_the_player_has_grown_too_large_by_takebacks) {
  for (int i = 0; i < 7; ++i) {
    think(line(4, 14));
    think({});
  }
  EXPECT_EQ(made, 1);
  think(line(4, 14));
  EXPECT_EQ(made, 2);
}

TEST_F(AiPoolTest, thoughts_of_one_room_are_answered_in_their_order) {
  for (const int plies : {6, 7, 8}) {
    pool.think(thought(1, static_cast<std::uint64_t>(plies - 5), gomoku, line(4, plies)));
  }
  const auto all = answers();
  ASSERT_EQ(all.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(all[i].id.number, i + 1);
    ASSERT_TRUE(all[i].result);
  }
}

TEST_F(AiPoolTest, a_cancelled_thought_has_no_answer) {
  pool.think(thought(1, 1, gomoku, line(4, 5)));
  pool.think(thought(2, 1, gomoku, line(4, 5)));
  pool.cancel({1, 1});
  EXPECT_EQ(pool.queued(), 1u);
  EXPECT_EQ(answer().id.room, 2u);
}

TEST_F(AiPoolTest, a_thought_can_be_cancelled_while_it_is_chosen) {
  pool.think(thought(1, 1, gomoku, line(4, 9)));
  auto task = pool.next();
  pool.cancel({1, 1});
  pool.think(thought(1, 2, gomoku, line(4, 5)));
  task->run(100);
  pool.finish(std::move(task));
  EXPECT_EQ(answer().id.number, 2u);
}

TEST_F(AiPoolTest, releasing_a_room_frees_its_players) {
  pool.think(thought(1, 1, gomoku, line(4, 5)));
  answer();
  EXPECT_GT(pool.bytes(), 0u);
  pool.release(1);
  EXPECT_EQ(pool.players(), 0u);
  EXPECT_TRUE(answers().empty());
  EXPECT_EQ(pool.bytes(), 0u);
}

TEST_F(AiPoolTest, a_player_that_is_in_use_is_released_after_its_slice) {
  pool.think(thought(1, 1, huge, line(4, 900)));
  auto task = pool.next();
  pool.release(1);
  task->run(100);
  pool.finish(std::move(task));
  EXPECT_TRUE(answers().empty());
  EXPECT_EQ(pool.players(), 0u);
  EXPECT_EQ(pool.bytes(), 0u);
}

TEST_F(AiPoolTest, a_hurried_thought_still_has_an_answer) {
  pool.think(thought(1, 1, gomoku, line(4, 5)), Time(1s));
  pool.hurry(Time(1s));
  EXPECT_EQ(pool.next_due(), std::nullopt);
  ASSERT_TRUE(answer().result);
}

TEST_F(AiPoolTest, hurries_thoughts_when_their_time_is_over_and_not_before) {
  pool.think(thought(1, 1, gomoku, line(4, 5)), Time(3s));
  pool.think(thought(2, 1, gomoku, line(4, 5)), Time(2s));
  EXPECT_EQ(pool.next_due(), Time(2s));
  pool.hurry(Time(2s) - 1ns);
  EXPECT_EQ(pool.next_due(), Time(2s));
  pool.hurry(Time(2s));
  EXPECT_EQ(pool.next_due(), Time(3s));
}

// However long another one takes.
TEST_F(AiPoolTest, keeps_no_time_of_a_thought_that_has_ended) {
  pool.think(thought(1, 1, gomoku, line(4, 5)), Time(1h));
  auto slow = pool.next();
  ASSERT_TRUE(slow);
  pool.think(thought(2, 1, gomoku, line(4, 5)), Time(1s));
  EXPECT_EQ(answers().size(), 1u);
  EXPECT_EQ(pool.next_due(), Time(1h)) << "answered";
  pool.think(thought(2, 2, gomoku, line(4, 5)), Time(2s));
  pool.cancel({2, 2});
  EXPECT_EQ(pool.next_due(), Time(1h)) << "cancelled";
  pool.think(thought(2, 3, gomoku, line(4, 5)), Time(3s));
  pool.release(2);
  EXPECT_EQ(pool.next_due(), Time(1h)) << "the room has ended";
  slow->run(100);
  pool.finish(std::move(slow));
  EXPECT_EQ(pool.next_due(), std::nullopt);
}

TEST_F(AiPoolTest, several_threads_have_different_rooms) {
  for (std::uint64_t room = 1; room <= 3; ++room) {
    pool.think(thought(room, 1, gomoku, line(4, 5)));
  }
  pool.think(thought(1, 2, gomoku, line(4, 6)));
  auto first = pool.next();
  auto second = pool.next();
  auto third = pool.next();
  ASSERT_TRUE(first && second && third);
  EXPECT_EQ(pool.next(), nullptr) << "the rest is of a room that is lent";
  for (auto* task : {&third, &first, &second}) {
    (*task)->run(100);
    pool.finish(std::move(*task));
  }
  EXPECT_EQ(answers().size(), 4u);
}

// Turns -------------------------------------------------------------------------------------------

TEST_F(AiPoolTest, another_address_waits_for_one_slice_of_the_first) {
  for (std::uint64_t room = 1; room <= 200; ++room) {
    pool.think(thought(room, 1, gomoku, line(4, 5)));
  }
  ASSERT_TRUE(slice());
  Think other = thought(1'000, 1, gomoku, line(4, 5));
  other.network = 2;
  pool.think(other);
  pool.take_answers();
  ASSERT_TRUE(slice());
  ASSERT_TRUE(slice());
  const auto all = pool.take_answers();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(all[0].id.room == 1'000 || all[1].id.room == 1'000);
}

// Limits ------------------------------------------------------------------------------------------

class SmallQueue : public AiPoolTest {
 protected:
  SmallQueue() : AiPoolTest(limits()) {}
  static AiLimits limits() {
    AiLimits limits;
    limits.queued_thoughts = 2;
    limits.queued_bytes = 8 * sizeof(Cell);
    limits.queued_bytes_per_network = 6 * sizeof(Cell);
    return limits;
  }
};

TEST_F(SmallQueue, refuses_what_is_too_much) {
  pool.think(thought(1, 1, gomoku, line(4, 3)));
  pool.think(thought(2, 1, gomoku, line(4, 3)));
  pool.think(thought(3, 1, gomoku, line(4, 1)));
  const auto refused = pool.take_answers();
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused[0].id.room, 3u);
  EXPECT_FALSE(refused[0].result);
  EXPECT_EQ(answers().size(), 2u);
  pool.think(thought(3, 2, gomoku, line(4, 1)));
  ASSERT_TRUE(answer().result);
}

TEST_F(SmallQueue, has_a_place_for_another_address) {
  pool.think(thought(1, 1, gomoku, line(4, 4)));
  pool.think(thought(2, 1, gomoku, line(4, 3)));
  EXPECT_EQ(pool.take_answers().size(), 1u) << "it is refused: the address has too much";
  Think other = thought(3, 1, gomoku, line(4, 3));
  other.network = 2;
  pool.think(other);
  EXPECT_EQ(answers().size(), 2u);
}

TEST_F(SmallQueue, takes_one_long_game_at_a_time) {
  pool.think(thought(1, 1, gomoku, line(4, 10)));
  ASSERT_TRUE(answer().result);
  pool.think(thought(1, 2, gomoku, line(4, 3)));
  pool.think(thought(2, 1, gomoku, line(4, 10)));
  EXPECT_EQ(pool.take_answers().size(), 1u);
}

TEST(AiLimits, have_memory_for_the_longest_game_on_the_largest_board) {
  const auto moves = static_cast<std::size_t>(Limits{}.moves_per_game);
  for (const int k : {3, 5, 50, 999, 1000}) {
    const rules::Rules rules{1000, 1000, k, true};
    for (const ai::Level level : {ai::Level::random, ai::Level::suggester, ai::Level::strong,
                                  ai::Level::level_3, ai::Level::level_8}) {
      EXPECT_LE(ai::max_memory(level, rules, moves) + ai::max_choice_memory(level, rules),
                AiLimits{}.room_bytes);
    }
  }
}

// The tables of a search count while it runs, not between two moves.
TEST_F(AiPoolTest, reserves_what_a_choice_takes) {
  const std::size_t tables = ai::max_choice_memory(ai::Level::strong, gomoku);
  EXPECT_GT(tables, std::size_t{4} << 20);
  Think think = thought(1, 1, gomoku, line(4, 5));
  think.level = AiLevel(ai::Level::strong);
  pool.think(think);
  auto task = pool.next();
  ASSERT_TRUE(task);
  EXPECT_GE(pool.bytes(), tables);
  task->run(100);
  pool.finish(std::move(task));
  EXPECT_LT(pool.bytes(), tables / 4);
}

// Memory for one player, and for two in all.
AiLimits small_memory() {
  AiLimits limits;
  limits.room_bytes = ai::max_memory(ai::Level::suggester, gomoku, 10) * 3 / 2;
  limits.total_bytes = ai::max_memory(ai::Level::suggester, gomoku, 10) * 5 / 2;
  return limits;
}

class SmallMemory : public AiPoolTest {
 protected:
  SmallMemory() : AiPoolTest(small_memory()) {}
};

class FollowedGames : public FollowedGame {
 protected:
  FollowedGames() : FollowedGame(small_memory()) {
    memory = ai::max_memory(ai::Level::suggester, gomoku, 10);
  }
};

TEST_F(FollowedGames, are_forgotten_from_the_one_that_was_not_used_for_longest) {
  for (std::uint64_t room = 1; room <= 20; ++room) think(line(4, 10), room);
  ASSERT_LT(pool.players(), 20u);
  const int before = made;
  think(line(4, 10), 20);
  EXPECT_EQ(made, before) << "the last one is still there";
  think(line(4, 10), 1);
  EXPECT_EQ(made, before + 1);
}

TEST_F(SmallMemory, thoughts_wait_for_memory_and_are_all_answered) {
  for (std::uint64_t room = 1; room <= 20; ++room) {
    pool.think(thought(room, 1, gomoku, line(4, 10)));
  }
  // On four threads.
  std::size_t answered = 0;
  for (;;) {
    std::vector<std::unique_ptr<AiTask>> tasks;
    while (tasks.size() < 4) {
      auto task = pool.next();
      if (!task) break;
      tasks.push_back(std::move(task));
    }
    EXPECT_LE(pool.bytes(), limits_.total_bytes);
    if (tasks.empty()) break;
    for (auto& task : tasks) {
      task->run(100);
      pool.finish(std::move(task));
    }
    answered += pool.take_answers().size();
  }
  EXPECT_EQ(answered, 20u);
}

TEST_F(SmallMemory, two_levels_of_a_room_share_its_limit) {
  Think other = thought(1, 1, gomoku, line(4, 10));
  pool.think(other);
  answer();
  other.id.number = 2;
  other.level = ai::Level::random;
  pool.think(other);
  ASSERT_TRUE(answer().result);
  EXPECT_LE(pool.bytes(), limits_.room_bytes);
}

class MemoryForOneLongGame : public AiPoolTest {
 protected:
  MemoryForOneLongGame() : AiPoolTest(limits()) {}
  static std::size_t max_memory(std::size_t plies) {
    return ai::max_memory(ai::Level::suggester, wide, plies);
  }
  static AiLimits limits() {
    AiLimits limits;
    limits.room_bytes = limits.total_bytes = max_memory(many);
    return limits;
  }
  static std::vector<Cell> moves(int count) {
    std::vector<Cell> cells;
    for (int i = 0; i < count; ++i) cells.push_back({i / 50, i * 7 % 50 * 2});
    return cells;
  }
  static constexpr Rules wide{100, 100, 5, true};
  static constexpr int few = 10;
  static constexpr int many = 3000;
};

// Each keeps a player for its next thought, and no thought fits beside the other's player.
TEST_F(MemoryForOneLongGame, players_that_wait_do_not_hold_up_each_other) {
  for (std::uint64_t room = 1; room <= 2; ++room) {
    pool.think(thought(room, 1, wide, moves(few)));
    ASSERT_TRUE(answer().result);
  }
  ASSERT_EQ(pool.players(), 2u);
  for (std::uint64_t room = 1; room <= 2; ++room) {
    pool.think(thought(room, 2, wide, moves(many)));
  }
  const auto all = answers();
  ASSERT_EQ(all.size(), 2u);
  for (const auto& one : all) ASSERT_TRUE(one.result);
}

// Moves of AIs come before hints in their rooms ---------------------------------------------------

class HintsInAPool : public testing::Test {
 protected:
  void think(std::uint64_t room, std::uint64_t number, Level level, bool is_hint) {
    Think think;
    think.id = {room, number};
    think.purpose = is_hint ? server::Think::Purpose::hint : server::Think::Purpose::move;
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
    ASSERT_TRUE(answer.result);
    EXPECT_EQ(answer.result->cannot_lose, answer.id.number != 1);
  }
}

}  // namespace
}  // namespace tictactoe::server::ai_pool_tests
