// A thread that works for an event loop without locks.
#pragma once

#include <fcntl.h>
#include <semaphore.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/assert.hpp>
#include <cerrno>
#include <functional>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "common/posix/retried.hpp"

namespace tictactoe::worker {

/// A pipe by which threads wake an event loop.
class LoopWaker {
 public:
  explicit LoopWaker(boost::asio::io_context& io) : loop_end_(io) {}
  ~LoopWaker() {
    if (thread_end_ >= 0) ::close(thread_end_);
  }
  LoopWaker(const LoopWaker&) = delete;
  LoopWaker& operator=(const LoopWaker&) = delete;

  /// Opens the pipe if it is not open. Returns the error of the system, if any.
  std::error_code open() {
    if (thread_end_ >= 0) return {};
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return {errno, std::generic_category()};
    for (const int end : ends) {
      static_cast<void>(::fcntl(end, F_SETFL, O_NONBLOCK));
      static_cast<void>(::fcntl(end, F_SETFD, FD_CLOEXEC));
    }
    Error error;
    loop_end_.assign(ends[0], error);
    if (error) {
      for (const int end : ends) ::close(end);
      return error;
    }
    thread_end_ = ends[1];
    return {};
  }

  /// For any thread, while it is open.
  void wake() const {
    const char byte = 0;
    // A full pipe has woken the loop already.
    static_cast<void>(posix::retried([&] { return ::write(thread_end_, &byte, 1); }));
  }

  /// Calls `on_wake` once, on the loop, when wake() has been called at least once. Keeps the
  /// io_context busy until then, or until cancel(), which drops `on_wake`.
  template <class OnWake>
  void await(OnWake on_wake) {
    loop_end_.async_wait(
        boost::asio::posix::stream_descriptor::wait_read,
        [this, on_wake = std::move(on_wake)](const Error& cancelled) mutable {
          if (cancelled) return;
          std::array<char, 64> bytes{};
          const int pipe = loop_end_.native_handle();
          while (posix::retried([&] { return ::read(pipe, bytes.data(), bytes.size()); }) > 0) {
          }
          on_wake();
        });
  }
  void cancel() {
    Error ignored;  // nothing depends on it any more
    loop_end_.cancel(ignored);
  }

 private:
  using Error = boost::system::error_code;

  boost::asio::posix::stream_descriptor loop_end_;
  int thread_end_ = -1;
};

/// A thread with at most one task. `Task` has a run() for the thread. The task passes through one
/// atomic pointer in each direction, so that the loop never waits for the thread, whatever its
/// priority is. All functions are for the thread of the loop.
template <class Task>
class WorkerThread {
 public:
  /// Starts the thread; it calls `on_start` first. `waker` is open and must outlive it. Throws
  /// std::system_error if the system has no thread to spare.
  explicit WorkerThread(const LoopWaker& waker, std::function<void()> on_start = {})
      : waker_(waker) {
    ::sem_init(&wake_, 0, 0);
    thread_ = std::thread([this, on_start = std::move(on_start)] {
      if (on_start) on_start();
      run();
    });
  }
  /// Waits for the task that runs.
  ~WorkerThread() {
    ends_ = true;
    ::sem_post(&wake_);
    thread_.join();
    ::sem_destroy(&wake_);
    delete todo_.load();
    delete done_.load();
  }
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

  bool is_free() const { return is_free_; }

  void give(std::unique_ptr<Task> task) {
    BOOST_ASSERT_MSG(is_free_, "a thread has one task at a time");
    is_free_ = false;
    todo_ = task.release();
    ::sem_post(&wake_);
  }

  /// The task, if it is done; then the thread is free. The waker wakes the loop for it.
  std::unique_ptr<Task> take() {
    std::unique_ptr<Task> task(done_.exchange(nullptr));
    is_free_ = is_free_ || task != nullptr;
    return task;
  }

 private:
  void run() {
    for (;;) {
      while (::sem_wait(&wake_) != 0) {
      }
      if (ends_) return;
      Task* task = todo_.exchange(nullptr);
      task->run();
      done_ = task;
      waker_.wake();
    }
  }

  const LoopWaker& waker_;
  sem_t wake_{};
  std::atomic<bool> ends_ = false;
  std::atomic<Task*> todo_ = nullptr;
  std::atomic<Task*> done_ = nullptr;
  bool is_free_ = true;
  std::thread thread_;
};

}  // namespace tictactoe::worker
