#include "server/thinking/thinker.hpp"

#include <sched.h>

#include <boost/asio/post.hpp>
#include <limits>
#include <utility>

namespace tictactoe::thinking {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

// At idle priority, so a server on one core answers as fast as without AIs. If refused, it
// competes.
void lower_priority() {
#ifdef SCHED_IDLE
  const sched_param none{};
  static_cast<void>(::sched_setscheduler(0, SCHED_IDLE, &none));
#endif
}

}  // namespace

Thinker::Thinker(asio::io_context& io, const server::AiLimits& limits, std::size_t threads,
                 std::chrono::milliseconds time, MakePlayer make_player, Answer on_answer)
    : io_(io),
      pool_(limits, std::move(make_player)),
      time_(time),
      on_answer_(std::move(on_answer)),
      timer_(io),
      worker_(io, {.what = "AI thinking", .threads = threads, .on_start = lower_priority}) {}

// NOLINTNEXTLINE(bugprone-exception-escape): it throws only without memory, which ends the program
Thinker::~Thinker() {
  cancel_all();
}

void Thinker::cancel_all() {
  pool_.stop();
  worker_.stop();
  timer_.cancel();
}

// Thoughts ----------------------------------------------------------------------------------------

void Thinker::think(const server::Think& think) {
  if (worker_.is_stopped()) return;
  pool_.think(think, AiPool::due_of(think, std::chrono::steady_clock::now(), time_));
  set_timer();
  give_tasks();
}

void Thinker::cancel(server::ThoughtId id) {
  pool_.cancel(id);
  // Others may be waiting for its memory.
  if (!worker_.is_stopped()) give_tasks();
}

void Thinker::release(std::uint64_t room) {
  pool_.release(room);
  if (!worker_.is_stopped()) give_tasks();
}

void Thinker::set_timer() {
  // A timer set for a thought that has ended fires early, which does no harm.
  const auto due = pool_.next_due();
  if (timer_runs_ || !due) return;
  timer_runs_ = true;
  timer_.expires_at(*due);
  timer_.async_wait([this](const error_code& cancelled) {
    timer_runs_ = false;
    if (cancelled || worker_.is_stopped()) return;
    pool_.hurry(std::chrono::steady_clock::now());
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
  for (AiPool::Answer& answer : pool_.take_answers()) {
    answers_.push_back(std::move(answer));
  }
  if (worker_.is_stopped() || answers_.empty()) return;
  const AiPool::Answer answer = answers_.front();
  answers_.pop_front();
  on_answer_(answer.id, answer.result);
  deliver_later();
}

// Threads -----------------------------------------------------------------------------------------

void Thinker::give_tasks() {
  // On the loop there is only time for the first choice.
  const std::uint64_t nodes = worker_.start() ? std::numeric_limits<std::uint64_t>::max() : 1;
  while (worker_.free_threads() > 0) {
    std::unique_ptr<AiTask> next = pool_.next();
    if (!next) break;
    worker_.give(
        [task = std::move(next), nodes]() mutable {
          task->run(nodes);
          return std::move(task);
        },
        [this](std::unique_ptr<AiTask> task) {
          pool_.finish(std::move(task));
          give_tasks();
        });
  }
  deliver_later();
}

}  // namespace tictactoe::thinking
