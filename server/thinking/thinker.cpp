#include "server/thinking/thinker.hpp"

#include <sched.h>
#include <spdlog/spdlog.h>

#include <boost/asio/post.hpp>
#include <system_error>
#include <utility>

namespace tictactoe::thinking {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

// Thinking takes the time that nothing else has a use for, so that a server on one core answers as
// fast as without. If the system refuses, thinking competes.
void lower_priority() {
#ifdef SCHED_IDLE
  const sched_param none{};
  static_cast<void>(::sched_setscheduler(0, SCHED_IDLE, &none));
#endif
}

}  // namespace

Thinker::Thinker(asio::io_context& io, const core::AiLimits& limits, std::size_t threads,
                 std::chrono::milliseconds time, core::MakePlayer make_player, Answer on_answer)
    : io_(io),
      pool_(limits, std::move(make_player)),
      time_(time),
      on_answer_(std::move(on_answer)),
      most_threads_(threads),
      waker_(io),
      timer_(io) {}

// NOLINTNEXTLINE(bugprone-exception-escape): it throws only without memory, which ends the program
Thinker::~Thinker() {
  cancel_all();
}

void Thinker::cancel_all() {
  stopping_ = true;
  pool_.stop();
  waker_.cancel();
  timer_.cancel();
}

// Thoughts ----------------------------------------------------------------------------------------

void Thinker::think(const core::Think& think) {
  if (stopping_) return;
  pool_.think(think);
  deadlines_.add(think.id, std::chrono::steady_clock::now() + time_);
  set_timer();
  give_tasks();
}

void Thinker::cancel(core::ThoughtId id) {
  pool_.cancel(id);
  deadlines_.erase(id);
  // Its memory may be what others wait for.
  if (!stopping_) give_tasks();
}

void Thinker::release(std::uint64_t room) {
  pool_.release(room);
  deadlines_.erase_room(room);
  if (!stopping_) give_tasks();
}

void Thinker::set_timer() {
  const auto first = deadlines_.first();
  if (timer_runs_ || !first) return;
  timer_runs_ = true;
  timer_.expires_at(*first);
  timer_.async_wait([this](const error_code& cancelled) {
    timer_runs_ = false;
    if (cancelled || stopping_) return;
    const auto now = std::chrono::steady_clock::now();
    while (const auto late = deadlines_.take_due(now)) pool_.hurry(*late);
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
  for (core::AiPool::Answer& answer : pool_.take_answers()) {
    deadlines_.erase(answer.id);
    answers_.push_back(std::move(answer));
  }
  if (stopping_ || answers_.empty()) return;
  const core::AiPool::Answer answer = answers_.front();
  answers_.pop_front();
  on_answer_(answer.id, answer.result);
  deliver_later();
}

// Threads -----------------------------------------------------------------------------------------

bool Thinker::start_threads() {
  if (!threads_.empty()) return true;
  std::error_code error = waker_.open();
  try {
    while (!error && threads_.size() < most_threads_) {
      threads_.push_back(std::make_unique<Thread>(waker_, lower_priority));
    }
  } catch (const std::system_error& no_thread) {
    error = no_thread.code();
  }
  if (threads_.empty()) spdlog::warn("an AI thinks without a thread: {}", error.message());
  return !threads_.empty();
}

void Thinker::give_tasks() {
  if (!start_threads()) {
    run_here();
    return deliver_later();
  }
  for (const auto& thread : threads_) {
    if (!thread->is_free()) continue;
    auto task = pool_.next();
    if (!task) break;
    thread->give(std::move(task));
    ++busy_threads_;
  }
  await_tasks();
  deliver_later();
}

void Thinker::await_tasks() {
  if (awaits_tasks_ || busy_threads_ == 0) return;
  awaits_tasks_ = true;
  waker_.await([this] {
    awaits_tasks_ = false;
    if (!stopping_) take_tasks();
  });
}

void Thinker::take_tasks() {
  for (const auto& thread : threads_) {
    auto task = thread->take();
    if (!task) continue;
    --busy_threads_;
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

}  // namespace tictactoe::thinking
