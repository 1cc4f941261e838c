#include "server/worker/worker.hpp"

#include <semaphore.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/assert.hpp>
#include <thread>

namespace tictactoe::worker {

/// Has at most one job.
class Worker::Thread {
 public:
  Thread(const LoopWaker& waker, const std::function<void()>& on_start) : waker_(waker) {
    ::sem_init(&wake_, 0, 0);
    thread_ = std::thread([this, on_start] {
      if (on_start) on_start();
      run();
    });
  }
  ~Thread() {
    join();
    ::sem_destroy(&wake_);
    delete todo_.load();
    delete done_.load();
  }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  bool is_free() const { return is_free_; }
  void give(std::unique_ptr<Job> job) {
    BOOST_ASSERT_MSG(is_free_, "a thread has one job at a time");
    is_free_ = false;
    todo_ = job.release();
    ::sem_post(&wake_);
  }
  /// The job, if it is done; then the thread is free.
  std::unique_ptr<Job> take() {
    std::unique_ptr<Job> job(done_.exchange(nullptr));
    is_free_ = is_free_ || job != nullptr;
    return job;
  }
  void join() {
    if (!thread_.joinable()) return;
    ends_ = true;
    ::sem_post(&wake_);
    thread_.join();
  }

 private:
  void run() {
    for (;;) {
      while (::sem_wait(&wake_) != 0) {
      }
      Job* const job = todo_.exchange(nullptr);
      if (job != nullptr) {
        job->run();
        done_ = job;
        waker_.wake();
      } else if (ends_) {
        return;
      }
    }
  }

  const LoopWaker& waker_;
  sem_t wake_{};
  std::atomic<bool> ends_ = false;
  std::atomic<Job*> todo_ = nullptr;
  std::atomic<Job*> done_ = nullptr;
  bool is_free_ = true;
  std::thread thread_;
};

Worker::Worker(boost::asio::io_context& io, Settings settings)
    : io_(io), settings_(std::move(settings)), waker_(io) {}

Worker::~Worker() {
  stop();
}

bool Worker::start() {
  if (!threads_.empty()) return true;
  std::error_code error = waker_.open();
  try {
    while (!error && threads_.size() < settings_.threads) {
      threads_.push_back(std::make_unique<Thread>(waker_, settings_.on_start));
    }
  } catch (const std::system_error& no_thread) {
    error = no_thread.code();
  }
  if (threads_.empty() && !std::exchange(has_warned_, true)) {
    spdlog::warn("can't start a thread for {}: {}", settings_.what, error.message());
  }
  return !threads_.empty();
}

std::size_t Worker::free_threads() const {
  if (is_stopped_) return 0;
  if (!threads_.empty()) return threads_.size() - busy_;
  return runs_here_ ? 0 : 1;
}

bool Worker::give(std::unique_ptr<Job> job) {
  if (is_stopped_) return false;
  start();
  if (free_threads() == 0 && waiting_.size() >= settings_.max_waiting) return false;
  waiting_.push_back(std::move(job));
  run_next();
  return true;
}

void Worker::run_next() {
  while (!waiting_.empty() && free_threads() > 0) {
    std::unique_ptr<Job> job = std::move(waiting_.front());
    waiting_.pop_front();
    if (threads_.empty()) return run_here(std::move(job));
    const auto free =
        std::ranges::find_if(threads_, [](const auto& thread) { return thread->is_free(); });
    (*free)->give(std::move(job));
    ++busy_;
  }
  await();
}

void Worker::run_here(std::unique_ptr<Job> job) {
  runs_here_ = true;
  boost::asio::post(io_, [this, job = std::move(job)] {
    runs_here_ = false;
    if (is_stopped_) return;
    job->run();
    job->done();
    if (!is_stopped_) run_next();
  });
}

void Worker::await() {
  if (busy_ == 0 || std::exchange(is_awaiting_, true)) return;
  waker_.await([this] {
    is_awaiting_ = false;
    take_done();
  });
}

void Worker::take_done() {
  for (const auto& thread : threads_) {
    if (is_stopped_) return;
    const std::unique_ptr<Job> job = thread->take();
    if (job == nullptr) continue;
    --busy_;
    job->done();
  }
  if (!is_stopped_) run_next();
}

void Worker::stop() {
  is_stopped_ = true;
  waiting_.clear();
  waker_.cancel();
}

void Worker::join() {
  is_stopped_ = true;
  for (const auto& thread : threads_) thread->join();
}

}  // namespace tictactoe::worker
