// Starts processes at the priority of another thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace tictactoe::engines {

/// A thread that keeps the priority of the thread that makes it. A process inherits the priority of
/// the thread that starts it, and a thread at idle priority can't raise it again. Thread-safe.
class Launcher {
 public:
  Launcher();
  /// Ends the thread, and with it the processes that die with their parent.
  ~Launcher();
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;

  /// Runs the task on the thread, waits for it, and throws what it throws.
  void run(const std::function<void()>& task);

 private:
  void serve();

  std::mutex one_at_a_time_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> task_;  // empty: none
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace tictactoe::engines
