// The threads and the clock of AI players.
#include "server/thinking/thinker.hpp"

#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace tictactoe::thinking::thinker_tests {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Chooses at once in room 1. Elsewhere it thinks until it is stopped.
class StubbornPlayer : public ai::Player {
 public:
  explicit StubbornPlayer(bool is_quick) : is_quick_(is_quick) {}
  void played(rules::Cell) override {}
  void undone() override {}
  bool quick() const override { return false; }
  ai::Choice choose(const ai::Budget& budget) override {
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    if (!is_quick_) stopped.wait(lock, budget.stop, [] { return false; });
    return {};
  }
  std::size_t memory() const override { return 100; }

 private:
  bool is_quick_;
};

struct ThinkerTest : testing::Test {
  void start(std::chrono::milliseconds time) {
    thinker.emplace(
        io, server::AiLimits{}, 2, time,
        [](const auto&, const auto&, std::uint64_t seed) {
          return std::make_unique<StubbornPlayer>(seed == 1);
        },
        [this](server::ThoughtId id, const auto&) { answers.push_back(id); });
  }
  void think(std::uint64_t room, std::uint64_t number) {
    server::Think think;
    think.id = {room, number};
    think.seed = room;
    think.rules = {3, 3, 3, true};
    think.moves = std::make_shared<const std::vector<rules::Cell>>();
    thinker->think(think);
  }
  template <class Condition>
  void run_until(Condition condition) {
    const auto end = Clock::now() + 300s;
    while (!condition() && io.run_one_until(end) > 0) {
    }
    ASSERT_TRUE(condition());
  }

  boost::asio::io_context io{1};
  // A thought whose time has passed is not yet work for the context, until its thread answers.
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard{io.get_executor()};
  std::vector<server::ThoughtId> answers;
  std::optional<Thinker> thinker;
};

// The clock of the first thought, which has ended long before, runs on meanwhile.
TEST_F(ThinkerTest, gives_each_thought_all_of_its_time) {
  const std::chrono::milliseconds time{50};
  start(time);
  think(1, 1);
  run_until([this] { return answers.size() == 1; });
  Clock::time_point began;
  boost::asio::steady_timer pause(io, time / 2);
  pause.async_wait([&](const auto&) {
    began = Clock::now();
    think(2, 1);
  });
  run_until([this] { return answers.size() == 2; });
  EXPECT_EQ(answers.back(), (server::ThoughtId{2, 1}));
  EXPECT_GE(Clock::now() - began, time);
}

TEST_F(ThinkerTest, times_nothing_that_has_ended) {
  start(1h);
  think(2, 1);
  for (std::uint64_t number = 1; number <= 10; ++number) {
    think(1, number);
    run_until([&] { return answers.size() == number; });
  }
  ASSERT_TRUE(thinker->pool().next_due());
  thinker->cancel({2, 1});
  // The thread that has the thought gives it back.
  run_until([this] { return !thinker->pool().next_due(); });
}

}  // namespace
}  // namespace tictactoe::thinking::thinker_tests
