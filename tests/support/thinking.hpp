// Carries out what a host wants thought about, at once and in the same thread.
#pragma once

#include <memory>

#include "server/core/ai_pool.hpp"
#include "server/core/effects.hpp"

namespace tictactoe::test {

/// An AI pool without threads.
class Thinking {
 public:
  explicit Thinking(const core::AiLimits& limits = {})
      : pool_(std::make_unique<core::AiPool>(limits)) {}

  core::AiPool& pool() { return *pool_; }

  /// Takes note of an effect; false if it is about something else.
  bool take(const core::Effect& effect) {
    if (const auto* think = std::get_if<core::Think>(&effect)) {
      pool_->think(*think);
    } else if (const auto* cancel = std::get_if<core::CancelThinking>(&effect)) {
      pool_->cancel(cancel->id);
    } else if (const auto* release = std::get_if<core::ReleaseAi>(&effect)) {
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
  std::vector<core::AiPool::Answer> answers(std::uint64_t nodes) {
    while (work(nodes)) {
    }
    return pool_->take_answers();
  }

 private:
  std::unique_ptr<core::AiPool> pool_;
};

}  // namespace tictactoe::test
