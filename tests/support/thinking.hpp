// Carries out what a host wants thought about, at once and in the same thread.
#pragma once

#include <memory>

#include "server/base/effects.hpp"
#include "server/thinking/ai_pool.hpp"

namespace tictactoe::test {

/// An AI pool without threads.
class Thinking {
 public:
  explicit Thinking(const server::AiLimits& limits = {})
      : pool_(std::make_unique<thinking::AiPool>(limits)) {}

  thinking::AiPool& pool() { return *pool_; }

  /// Takes note of an effect; false if it is about something else.
  bool take(const server::Effect& effect) {
    if (const auto* think = std::get_if<server::Think>(&effect)) {
      pool_->think(*think);
    } else if (const auto* cancel = std::get_if<server::CancelThinking>(&effect)) {
      pool_->cancel(cancel->id);
    } else if (const auto* release = std::get_if<server::ReleaseAi>(&effect)) {
      pool_->release(release->room);
    } else {
      return false;
    }
    return true;
  }

  /// Does one slice of the work; false if there is none.
  bool work(std::uint64_t nodes) {
    auto task = pool_->next();
    if (!task) return false;
    task->run(nodes);
    pool_->finish(std::move(task));
    return true;
  }

  /// Does all the work, and returns the answers.
  std::vector<thinking::AiPool::Answer> answers(std::uint64_t nodes) {
    while (work(nodes)) {
    }
    return pool_->take_answers();
  }

 private:
  std::unique_ptr<thinking::AiPool> pool_;
};

}  // namespace tictactoe::test
