#include "server/store/journal.hpp"

#include <algorithm>
#include <utility>

namespace tictactoe::store {

namespace {

// Games that are forgotten in one transaction: few enough that records do not wait for it.
constexpr std::size_t forgotten_at_once = 1'000;

}  // namespace

Journal::Journal(std::unique_ptr<Database> database, Settings settings, Events events, Post post)
    : database_(std::move(database)),
      settings_(std::move(settings)),
      events_(std::make_shared<const Events>(std::move(events))),
      post_(std::move(post)),
      look_at_(Clock::now()),
      forget_at_(look_at_),
      thread_([this] { run(); }) {}

Journal::~Journal() {
  close();
}

// The caller's side
// --------------------------------------------------------------------------------

std::uint64_t Journal::append(std::span<const std::string_view> records) {
  const std::lock_guard lock(mutex_);
  for (const std::string_view record : records) gathered_.add(record);
  ++appended_;
  if (gathered_.bytes() > settings_.waiting_bytes && !too_much_waits_) {
    too_much_waits_ = true;
    settle_condition();
  }
  if (!std::exchange(waking_, true)) post_([this] { wake(); });
  return appended_;
}

void Journal::wake() {
  const std::lock_guard lock(mutex_);
  waking_ = false;
  awake_ = true;
  wake_.notify_one();
}

bool Journal::ask(Question question) {
  const std::lock_guard lock(mutex_);
  if (questions_.size() >= settings_.questions) return false;
  questions_.push_back(std::move(question));
  wake_.notify_one();
  return true;
}

std::uint64_t Journal::close() {
  if (thread_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
      wake_.notify_one();
    }
    thread_.join();
  }
  return appended_ - durable_;
}

void Journal::settle_condition() {
  const bool stalled = too_much_waits_ || !failure_.empty();
  const Condition now = stalled        ? Condition::stalled
                        : disk_is_low_ ? Condition::low
                                       : Condition::well;
  if (now == condition_) return;
  condition_ = now;
  std::string reason = !failure_.empty() ? failure_
                       : stalled         ? "the disk is too slow"
                       : disk_is_low_    ? "the disk is nearly full"
                                         : "";
  post_([events = events_, now, reason = std::move(reason)] { events->condition(now, reason); });
}

// The thread's side
// --------------------------------------------------------------------------------

void Journal::run() {
  look_at_disk();
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto has_work = [&] {
      return closing_ || !questions_.empty() || (failure_.empty() && awake_);
    };
    wake_.wait_until(lock, next_wake(), has_work);
    const bool last_round = closing_;
    // What failed is tried again by itself, so that it is on the disk or not, whole, as before.
    if (batch_.empty()) {
      awake_ = false;
      std::swap(batch_, gathered_);
      taken_ = appended_;
    }
    // One at a time: a question about a huge game must not keep many waiting for their commit.
    Question question;
    if (!questions_.empty()) {
      question = std::move(questions_.front());
      questions_.pop_front();
    }
    lock.unlock();

    if (!batch_.empty() && (last_round || Clock::now() >= retry_at_)) commit();
    if (question) answer(question);
    look_at_disk();
    forget_games();

    lock.lock();
    // After a failure only one more try, and where that works, all the rest.
    if (last_round && questions_.empty() && (!failure_.empty() || gathered_.empty())) break;
  }
  lock.unlock();
  database_->checkpoint();  // where it fails, the log is read by the next start
}

Journal::Clock::time_point Journal::next_wake() const {
  Clock::time_point next = Clock::now() + std::chrono::hours(24);
  if (!failure_.empty()) next = std::min(next, retry_at_);
  if (disk_is_low_) next = std::min(next, look_at_);
  if (settings_.keep_games.count() > 0) next = std::min(next, forget_at_);
  return next;
}

void Journal::commit() {
  const auto fault = database_->apply(batch_);
  if (fault) {
    retry_at_ = Clock::now() + settings_.pause;
  } else {
    durable_ = taken_;
    batch_.clear();
    post_([events = events_, durable = durable_] { events->durable(durable); });
  }
  const std::lock_guard lock(mutex_);
  failure_ = fault ? fault->reason : "";
  if (gathered_.bytes() <= settings_.waiting_bytes / 2) too_much_waits_ = false;
  settle_condition();
}

void Journal::answer(Question& question) {
  post_(question(*database_));
}

void Journal::look_at_disk() {
  if (!settings_.free_bytes || Clock::now() < look_at_) return;
  look_at_ = Clock::now() + settings_.pause;
  const bool is_low = settings_.free_bytes() < settings_.low_bytes;
  const std::lock_guard lock(mutex_);
  disk_is_low_ = is_low;
  settle_condition();
}

void Journal::forget_games() {
  if (settings_.keep_games.count() == 0 || Clock::now() < forget_at_) return;
  const std::uint64_t now = database_->unix_ms();
  const auto kept = static_cast<std::uint64_t>(settings_.keep_games.count());
  const auto forgotten =
      database_->forget_games_before(now > kept ? now - kept : 0, forgotten_at_once);
  // There may be more; a fault is tried again later, as records run into it as well.
  const bool more = forgotten && *forgotten == forgotten_at_once;
  if (!more) forget_at_ = Clock::now() + settings_.forget_every;
}

}  // namespace tictactoe::store
