#include "server/net/thinker.hpp"

#include <fcntl.h>
#include <sched.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <boost/assert.hpp>
#include <iterator>
#include <limits>
#include <system_error>

namespace tictactoe::net {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

// Thinking takes the time that nothing else has a use for, so that a server on one core answers as
// fast as without. If the system refuses, thinking competes.
void lower_priority() {
#ifdef SCHED_IDLE
  const sched_param none{};
  static_cast<void>(::sched_setscheduler(0, SCHED_IDLE, &none));
#endif
}

}  // namespace

/// One thread, with at most one task.
class Thinker::Worker {
 public:
  explicit Worker(int wake_loop) : wake_loop_(wake_loop) {
    ::sem_init(&wake_, 0, 0);
    thread_ = std::thread([this] { run(); });
  }
  ~Worker() {
    ends_ = true;
    ::sem_post(&wake_);
    thread_.join();
    ::sem_destroy(&wake_);
    delete todo_.load();
    delete done_.load();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  bool is_free() const { return free_; }

  void give(std::unique_ptr<core::AiTask> task) {
    free_ = false;
    todo_ = task.release();
    ::sem_post(&wake_);
  }

  /// The task, once it is done.
  std::unique_ptr<core::AiTask> take() {
    std::unique_ptr<core::AiTask> task(done_.exchange(nullptr));
    free_ = free_ || task != nullptr;
    return task;
  }

 private:
  void run() {
    lower_priority();
    for (;;) {
      while (::sem_wait(&wake_) != 0) {
      }
      if (ends_) return;
      core::AiTask* task = todo_.exchange(nullptr);
      task->run(no_limit);
      done_ = task;
      const char byte = 0;
      // A full pipe has woken the loop already.
      static_cast<void>(::write(wake_loop_, &byte, 1));
    }
  }

  int wake_loop_;
  sem_t wake_{};
  std::atomic<bool> ends_ = false;
  std::atomic<core::AiTask*> todo_ = nullptr;
  std::atomic<core::AiTask*> done_ = nullptr;
  bool free_ = true;  // of the loop
  std::thread thread_;
};

Thinker::Thinker(asio::io_context& io, const core::AiLimits& limits, std::size_t threads,
                 std::chrono::milliseconds time, Answer on_answer)
    : io_(io),
      pool_(limits),
      time_(time),
      on_answer_(std::move(on_answer)),
      most_threads_(threads),
      wake_(io),
      timer_(io) {}

// NOLINTNEXTLINE(bugprone-exception-escape): it throws only without memory, which ends the program
Thinker::~Thinker() {
  cancel_all();
  workers_.clear();
  if (wake_loop_ >= 0) ::close(wake_loop_);
}

void Thinker::cancel_all() {
  stopping_ = true;
  pool_.stop();
  error_code ignored;  // nothing depends on it any more
  wake_.cancel(ignored);
  timer_.cancel();
}

// Thoughts ----------------------------------------------------------------------------------------

void Thinker::think(const core::Think& think) {
  if (stopping_) return;
  pool_.think(think);
  deadlines_.emplace_back(std::chrono::steady_clock::now() + time_, think.id);
  set_timer();
  give_tasks();
}

void Thinker::cancel(core::ThoughtId id) {
  pool_.cancel(id);
  // Its memory may be what others wait for.
  if (!stopping_) give_tasks();
}

void Thinker::release(std::uint64_t room) {
  pool_.release(room);
  if (!stopping_) give_tasks();
}

void Thinker::set_timer() {
  if (timer_runs_ || deadlines_.empty()) return;
  timer_runs_ = true;
  timer_.expires_at(deadlines_.front().first);
  timer_.async_wait([this](const error_code& cancelled) {
    timer_runs_ = false;
    if (cancelled || stopping_) return;
    const auto now = std::chrono::steady_clock::now();
    for (; !deadlines_.empty() && deadlines_.front().first <= now; deadlines_.pop_front()) {
      pool_.hurry(deadlines_.front().second);
    }
    set_timer();
  });
}

void Thinker::deliver_later() {
  if (delivers_ || (answers_.empty() && !pool_.has_answers())) return;
  delivers_ = true;
  asio::post(io_, [this] {
    delivers_ = false;
    deliver();
  });
}

void Thinker::deliver() {
  std::ranges::move(pool_.take_answers(), std::back_inserter(answers_));
  if (stopping_ || answers_.empty()) return;
  const core::AiPool::Answer answer = answers_.front();
  answers_.pop_front();
  on_answer_(answer.id, answer.result);
  deliver_later();
}

// Threads -----------------------------------------------------------------------------------------

bool Thinker::start_threads() {
  if (!workers_.empty()) return true;
  if (wake_loop_ < 0) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) {
      spdlog::warn("an AI thinks without a thread: {}", std::generic_category().message(errno));
      return false;
    }
    for (const int end : ends) {
      static_cast<void>(::fcntl(end, F_SETFL, O_NONBLOCK));
      static_cast<void>(::fcntl(end, F_SETFD, FD_CLOEXEC));
    }
    wake_.assign(ends[0]);
    wake_loop_ = ends[1];
  }
  try {
    while (workers_.size() < most_threads_) {
      workers_.push_back(std::make_unique<Worker>(wake_loop_));
    }
  } catch (const std::system_error& error) {
    if (workers_.empty()) spdlog::warn("an AI thinks without a thread: {}", error.what());
  }
  return !workers_.empty();
}

void Thinker::give_tasks() {
  if (!start_threads()) {
    run_here();
    return deliver_later();
  }
  for (const auto& worker : workers_) {
    if (!worker->is_free()) continue;
    auto task = pool_.next();
    if (!task) break;
    worker->give(std::move(task));
    ++busy_workers_;
  }
  await_tasks();
  deliver_later();
}

void Thinker::await_tasks() {
  if (awaits_tasks_ || busy_workers_ == 0) return;
  awaits_tasks_ = true;
  wake_.async_wait(asio::posix::stream_descriptor::wait_read, [this](const error_code& cancelled) {
    awaits_tasks_ = false;
    if (!cancelled && !stopping_) take_tasks();
  });
}

void Thinker::take_tasks() {
  std::array<char, 64> bytes{};
  while (::read(wake_.native_handle(), bytes.data(), bytes.size()) > 0) {
  }
  for (const auto& worker : workers_) {
    auto task = worker->take();
    if (!task) continue;
    --busy_workers_;
    pool_.finish(std::move(task));
  }
  give_tasks();
}

void Thinker::run_here() {
  if (runs_here_) return;
  auto task = pool_.next();
  if (!task) return;
  runs_here_ = true;
  // Requests are handled between two slices. There is no time for more than the first choice.
  asio::post(io_, [this, task = std::move(task)]() mutable {
    runs_here_ = false;
    if (stopping_) return;
    constexpr std::uint64_t first_choice = 1;
    task->run(first_choice);
    pool_.finish(std::move(task));
    give_tasks();
  });
}

}  // namespace tictactoe::net
