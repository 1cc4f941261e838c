// A thread of an event loop that starts with its first task.
#pragma once

#include <spdlog/spdlog.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "server/worker/worker_thread.hpp"

namespace tictactoe::worker {

/// A WorkerThread that starts with its first task, has one task at a time, and reports it when it
/// is done. If the system has no thread to spare, the loop does the work. All calls and all reports
/// happen on the thread of the io_context.
template <class Task>
class LazyWorker {
 public:
  using OnDone = std::function<void(Task& task)>;

  /// `on_done` must stay callable as long as `io` runs. It is never called from within a call of
  /// this class. `what_happens` is for the log, as in "a password is checked".
  LazyWorker(boost::asio::io_context& io, std::string what_happens, OnDone on_done)
      : io_(io), waker_(io), what_happens_(std::move(what_happens)), on_done_(std::move(on_done)) {}
  /// Waits until the thread is done with the task that it has.
  ~LazyWorker() { cancel(); }
  LazyWorker(const LazyWorker&) = delete;
  LazyWorker& operator=(const LazyWorker&) = delete;

  /// Requires that the last task was reported. Does nothing after cancel().
  void give(std::unique_ptr<Task> task) {
    if (is_cancelled_) return;
    if (start_thread()) {
      thread_->give(std::move(task));
      return await_task();
    }
    boost::asio::post(io_, [this, task = std::move(task)] {
      task->run();
      report(*task);
    });
  }
  /// No task is reported any more, and nothing here keeps the io_context running.
  void cancel() {
    is_cancelled_ = true;
    waker_.cancel();
  }
  bool is_cancelled() const { return is_cancelled_; }

 private:
  bool start_thread() {
    if (thread_) return true;
    std::error_code error = waker_.open();
    try {
      if (!error) thread_.emplace(waker_);
    } catch (const std::system_error& no_thread) {
      error = no_thread.code();
    }
    if (error) spdlog::warn("{} without a thread: {}", what_happens_, error.message());
    return !error;
  }
  void await_task() {
    waker_.await([this] {
      if (is_cancelled_) return;
      if (const auto task = thread_->take()) return report(*task);
      await_task();
    });
  }
  void report(Task& task) {
    if (!is_cancelled_) on_done_(task);
  }

  boost::asio::io_context& io_;
  LoopWaker waker_;
  std::optional<WorkerThread<Task>> thread_;  // from the first task on
  std::string what_happens_;
  OnDone on_done_;
  bool is_cancelled_ = false;
};

}  // namespace tictactoe::worker
