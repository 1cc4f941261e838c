// Lets AIs think beside the event loop.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>

#include "server/core/effects.hpp"

namespace tictactoe::net {

/// A few threads that think about one position each. They are started with the first thought: until
/// then the process has one thread, which spares every call of the system and of the heap a lock.
/// All calls and all answers happen on the thread of the io_context. A thought's time runs from
/// when it was asked for, not from when a thread was free: where many think, AIs play worse, not
/// later. They only take time that nothing else wants: on a machine that other programs keep busy
/// they do play later.
class Thinker {
 public:
  using Answer = std::function<void(core::ThoughtId, ai::Choice)>;

  /// `time` is how long a thought may take; `on_answer` must stay callable as long as `io` runs.
  Thinker(boost::asio::io_context& io, std::size_t threads, std::chrono::milliseconds time,
          Answer on_answer);
  /// Stops every thought and waits for the threads.
  ~Thinker();
  Thinker(const Thinker&) = delete;
  Thinker& operator=(const Thinker&) = delete;

  void think(const core::Think& think);
  /// No answer comes any more for that thought.
  void stop(core::ThoughtId id);
  /// The same for all of them.
  void stop_all();

 private:
  struct Thought {
    std::stop_source stop;
    boost::asio::steady_timer timer;
  };

  /// False where the system has no thread to spare; asked again with the next thought.
  bool start_threads();

  boost::asio::io_context& io_;
  std::chrono::milliseconds time_;
  Answer on_answer_;
  std::map<core::ThoughtId, Thought> thoughts_;
  std::size_t most_threads_;
  std::unique_ptr<boost::asio::thread_pool> threads_;  // once there was something to think about
};

}  // namespace tictactoe::net
