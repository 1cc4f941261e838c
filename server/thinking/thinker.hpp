// Runs the AI pool on threads of its own.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "server/core/ai_pool.hpp"
#include "server/thinking/thought_times.hpp"
#include "server/worker/worker_thread.hpp"

namespace tictactoe::thinking {

/// A few threads that run the tasks of an AiPool. They start with the first thought: until then the
/// process has one thread, and system calls and the heap need no locks. All calls and all answers
/// happen on the thread of the io_context. The time of a thought begins with think(), not when a
/// thread is free: if many AIs think, they play worse, not later.
///
/// The threads run at idle priority, so they must not hold anything that the event loop waits for.
/// The pool itself, and the memory of all but the AI players, belong to the loop.
class Thinker {
 public:
  using Answer = std::function<void(core::ThoughtId, const core::ThoughtResult&)>;

  /// `time` is how long a choice may take; `make_player` is called by the threads; `on_answer` must
  /// stay callable as long as `io` runs. It is never called from within another call of this class.
  Thinker(boost::asio::io_context& io, const core::AiLimits& limits, std::size_t threads,
          std::chrono::milliseconds time, core::MakePlayer make_player, Answer on_answer);
  /// Stops every thought and waits for the threads.
  ~Thinker();
  Thinker(const Thinker&) = delete;
  Thinker& operator=(const Thinker&) = delete;

  void think(const core::Think& think);
  void cancel(core::ThoughtId id);
  void release(std::uint64_t room);
  const core::AiPool& pool() const { return pool_; }
  /// No answer comes any more, and nothing here keeps the io_context running.
  void cancel_all();

 private:
  using Thread = worker::WorkerThread<core::AiTask>;

  /// False if the system has no thread to spare; tried again with the next thought.
  bool start_threads();
  /// Gives a task to every thread that is free.
  void give_tasks();
  void await_tasks();
  void take_tasks();
  /// Runs one task on the event loop, if no thread could be started.
  void run_here();
  void deliver_later();
  /// Hands over one answer per slice of the event loop.
  void deliver();
  void set_timer();

  boost::asio::io_context& io_;
  core::AiPool pool_;
  std::chrono::milliseconds time_;
  Answer on_answer_;
  std::size_t most_threads_;
  worker::LoopWaker waker_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::size_t busy_threads_ = 0;
  bool awaits_tasks_ = false;
  bool runs_here_ = false;
  std::deque<core::AiPool::Answer> answers_;  // to be delivered
  bool delivers_ = false;
  bool stopping_ = false;
  ThoughtTimes deadlines_;  // of the thoughts without an answer
  boost::asio::steady_timer timer_;
  bool timer_runs_ = false;
};

}  // namespace tictactoe::thinking
