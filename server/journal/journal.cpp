#include "server/journal/journal.hpp"

#include <pthread.h>

#include <utility>

#include "common/text/utc.hpp"

namespace tictactoe::records {

using Clock = std::chrono::steady_clock;
using Work = CommitQueue::Work;

namespace {

CommitQueue::Settings queue_settings(const Journal::Settings& settings) {
  CommitQueue::Settings queue = settings.queue;
  queue.measures_space = settings.free_bytes != nullptr;
  queue.deletes_games = settings.keep_games.count() > 0;
  return queue;
}

// How long events gather while each turn of the loop has others.
constexpr std::chrono::microseconds max_gathering{500};

// For tools that show the threads of a process.
void name_thread([[maybe_unused]] const char* name) {
#ifdef __linux__
  pthread_setname_np(pthread_self(), name);
#endif
}

}  // namespace

Journal::Journal(OwnedStream stream, Settings settings, Events events, Post post)
    : store_(std::move(stream.store)),
      stream_(stream.stream),
      epoch_(stream.position.epoch),
      settings_(std::move(settings)),
      events_(std::make_shared<const Events>(std::move(events))),
      post_(std::move(post)),
      queue_(queue_settings(settings_), stream.position.sequence, Clock::now()),
      reported_durable_(stream.position.sequence),
      writer_thread_([this] { write(); }) {}

Journal::~Journal() {
  close();
}

// The event loop's side ---------------------------------------------------------------------------

std::uint64_t Journal::append(std::span<const std::string_view> records) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t sequence = queue_.append(records);
  report_changes();
  if (!std::exchange(seal_posted_, true)) {
    seal_at_ = Clock::now() + max_gathering;
    seal_again_after_ = sequence;
    post_([this] { seal(); });
  }
  return sequence;
}

// A commit costs as much as ten moves, so a loop that goes from move to move has them share one.
void Journal::seal() {
  const std::lock_guard lock(mutex_);
  const std::uint64_t appended = queue_.appended();
  if (std::exchange(seal_again_after_, appended) != appended && Clock::now() < seal_at_) {
    return post_([this] { seal(); });
  }
  seal_posted_ = false;
  queue_.seal();
  writer_wake_.notify_one();
}

JournalFigures Journal::figures() const {
  const std::lock_guard lock(mutex_);
  JournalFigures figures = figures_;
  figures.waiting = queue_.waiting();
  figures.waiting_bytes = queue_.waiting_bytes();
  return figures;
}

std::uint64_t Journal::close() {
  if (writer_thread_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      queue_.close();
      writer_wake_.notify_one();
    }
    writer_thread_.join();
    const Health health = queue_.health();
    if (health != Health::fenced && health != Health::failed) finish();
  }
  return queue_.waiting();
}

Health Journal::health() const {
  const std::lock_guard lock(mutex_);
  return queue_.health();
}

// Leaves all faults but a failed sync to the next start, which tries again.
void Journal::finish() {
  const auto fault = store_->finish();
  if (!fault) return;
  const std::lock_guard lock(mutex_);
  give_up_on(*fault);
  report_changes();
}

void Journal::report_changes() {
  if (const std::uint64_t durable = queue_.durable(); durable != reported_durable_) {
    reported_durable_ = durable;
    post_([events = events_, durable] { events->durable(durable); });
  }
  if (const Health health = queue_.health(); health != reported_health_) {
    reported_health_ = health;
    post_([events = events_, health, reason = queue_.reason()] { events->health(health, reason); });
  }
}

// The writer's side -------------------------------------------------------------------------------

void Journal::write() {
  name_thread("journal");
  std::unique_lock lock(mutex_);
  for (;;) {
    switch (queue_.next(Clock::now())) {
      case Work::commit:
        commit(lock);
        break;
      case Work::delete_games:
        delete_games(lock);
        break;
      case Work::measure_space: {
        lock.unlock();
        const std::uint64_t free = settings_.free_bytes();
        lock.lock();
        queue_.space_measured(free, Clock::now());
        break;
      }
      case Work::none:
        if (const auto wake_at = queue_.wake_at()) {
          writer_wake_.wait_until(lock, *wake_at);
        } else {
          writer_wake_.wait(lock);
        }
        break;
      case Work::finished:
        return;
    }
    report_changes();
  }
}

// The loop and this thread may share a processor.
void Journal::commit(std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  const Clock::time_point began = Clock::now();
  // Only the writer changes the batch that is under way.
  const auto outcome = store_->append(stream_, {epoch_, queue_.expected_sequence()},
                                      queue_.batch_sequence(), queue_.batch());
  const Clock::duration took = Clock::now() - began;
  lock.lock();
  ++figures_.tries;
  if (!outcome) {
    ++figures_.failures;
    if (!give_up_on(outcome.error())) queue_.commit_failed(outcome.error().reason, Clock::now());
  } else if (*outcome == AppendOutcome::fenced) {
    queue_.fenced("another server has taken over these records");
  } else {
    figures_.commits.add(took);
    queue_.committed();
  }
}

bool Journal::give_up_on(const Fault& fault) {
  if (fault.kind != Fault::Kind::sync_failed) return false;
  queue_.failed(fault.reason);
  return true;
}

void Journal::delete_games(std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  const std::uint64_t now = settings_.unix_ms ? settings_.unix_ms() : text::system_unix_ms();
  const auto kept = static_cast<std::uint64_t>(settings_.keep_games.count());
  const auto more = store_->delete_games_before(now > kept ? now - kept : 0);
  lock.lock();
  // Another fault of the disk shows in the commits as well.
  if (more || !give_up_on(more.error())) queue_.games_deleted(more && *more, Clock::now());
}

}  // namespace tictactoe::records
