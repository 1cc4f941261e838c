// Runs work off the event loop.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "server/worker/loop_waker.hpp"

namespace tictactoe::worker {

/// Threads that run jobs for an event loop. A job has two parts: a thread calls `run`, then the
/// loop calls `done` with its result. Call all functions except join() on the loop's thread.
///
/// The loop never waits for a thread, whatever the thread's priority: work passes through one
/// atomic pointer in each direction, and excess jobs wait on the loop's side. That is why this is
/// not an asio::thread_pool, whose lock a thread at idle priority may hold while it gets no time.
/// The loop allocates and frees the jobs.
///
/// The threads start with the first job: until then a process has one thread, and neither system
/// calls nor the heap need locks. If the system can't create a thread, the loop runs the jobs.
class Worker {
 public:
  struct Settings {
    /// For the log, as in "a password is checked".
    std::string what;
    std::size_t threads = 1;
    /// Jobs that may wait for a thread.
    std::size_t max_waiting = 0;
    /// Called by each thread when it starts.
    std::function<void()> on_start = {};
  };

  Worker(boost::asio::io_context& io, Settings settings);
  /// Waits for running jobs.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Runs `run()` and then calls `done(its result)`; never within this call. Both may be move-only.
  /// Returns false, and drops the job, if too many wait or after stop().
  template <class Run, class Done>
  bool give(Run run, Done done) {
    return give(std::unique_ptr<Job>(new JobOf<Run, Done>(std::move(run), std::move(done))));
  }
  /// How many jobs would start at once. At most one while there are no threads.
  std::size_t free_threads() const;
  /// Starts the threads if they are not running. Returns false if the system can't create one. The
  /// log says so once; the next job tries again.
  bool start();

  /// Drops waiting jobs, calls no `done` any more, and stops keeping the io_context busy.
  void stop();
  bool is_stopped() const { return is_stopped_; }
  /// Ends the threads after their running jobs, and calls no `done` any more. Thread-safe, but not
  /// while the loop gives the first job.
  void join();

 private:
  class Job {
   public:
    virtual ~Job() = default;
    virtual void run() = 0;
    virtual void done() = 0;
  };
  template <class Run, class Done>
  class JobOf final : public Job {
   public:
    JobOf(Run run, Done done) : run_(std::move(run)), done_(std::move(done)) {}
    void run() override { result_.emplace(run_()); }
    void done() override { done_(*std::move(result_)); }

   private:
    Run run_;
    Done done_;
    std::optional<decltype(std::declval<Run&>()())> result_;
  };
  class Thread;

  bool give(std::unique_ptr<Job> job);
  void run_next();
  void run_here(std::unique_ptr<Job> job);
  void await();
  void take_done();

  boost::asio::io_context& io_;
  Settings settings_;
  LoopWaker waker_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::deque<std::unique_ptr<Job>> waiting_;
  std::size_t busy_ = 0;  // threads
  bool is_awaiting_ = false;
  bool runs_here_ = false;
  bool has_warned_ = false;  // of the lack of threads
  std::atomic<bool> is_stopped_ = false;
};

}  // namespace tictactoe::worker
