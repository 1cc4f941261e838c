// Runs the AI pool on its own threads.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>

#include "server/thinking/ai_pool.hpp"
#include "server/worker/worker.hpp"

namespace tictactoe::thinking {

/// Runs the tasks of an AiPool on a few threads at idle priority, so that thinking uses only time
/// that nothing else needs. All calls and answers happen on the thread of the io_context. The time
/// of a thought starts with think(), not when a thread becomes free: if many AIs think, they play
/// worse, not later. Graded levels and engines play later instead, and graded levels worse only if
/// the deadline of AiPool::due_of() is reached.
///
/// The threads must not hold anything that the event loop waits for. The pool and all memory except
/// the AI players' belong to the loop.
class Thinker {
 public:
  using Answer = std::function<void(server::ThoughtId, const server::ThoughtResult&)>;

  /// `time` limits each choice, see AiPool::due_of(). The threads call `make_player`. `on_answer`
  /// must be callable as long as `io` runs, and is never called from within another call of this
  /// class.
  Thinker(boost::asio::io_context& io, const server::AiLimits& limits, std::size_t threads,
          std::chrono::milliseconds time, MakePlayer make_player, Answer on_answer);
  /// Stops every thought and waits for the threads.
  ~Thinker();
  Thinker(const Thinker&) = delete;
  Thinker& operator=(const Thinker&) = delete;

  void think(const server::Think& think);
  void cancel(server::ThoughtId id);
  void release(std::uint64_t room);
  const AiPool& pool() const { return pool_; }
  /// Gives no more answers, and stops keeping the io_context busy.
  void cancel_all();

 private:
  /// Gives a task to each free thread.
  void give_tasks();
  void deliver_later();
  /// Delivers one answer per slice of the event loop.
  void deliver();
  void set_timer();

  boost::asio::io_context& io_;
  AiPool pool_;
  std::chrono::milliseconds time_;
  Answer on_answer_;
  std::deque<AiPool::Answer> answers_;  // to be delivered
  bool delivers_ = false;
  boost::asio::steady_timer timer_;  // for pool_.next_due()
  bool timer_runs_ = false;
  worker::Worker worker_;
};

}  // namespace tictactoe::thinking
