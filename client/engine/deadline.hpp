// Asks a search to stop when its time is over.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace tictactoe::engine {

/// Counts from its construction; its destruction calls the timer off and waits for it.
class Deadline {
 public:
  explicit Deadline(std::chrono::duration<double> after)
      : timer_([this, after](const std::stop_token& called_off) {
          std::unique_lock lock(mutex_);
          // Nobody wakes it but the stop token: the predicate never holds.
          if (!wake_.wait_for(lock, called_off, after, [] { return false; }) &&
              !called_off.stop_requested()) {
            search_.request_stop();
          }
        }) {}

  std::stop_token token() const { return search_.get_token(); }

 private:
  std::stop_source search_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread timer_;
};

}  // namespace tictactoe::engine
