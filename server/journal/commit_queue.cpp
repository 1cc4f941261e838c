#include "server/journal/commit_queue.hpp"

#include <boost/assert.hpp>

#include <algorithm>
#include <utility>

namespace tictactoe::records {

CommitQueue::CommitQueue(Settings settings, std::uint64_t sequence, Time now)
    : settings_(settings),
      appended_(sequence),
      taken_(sequence),
      durable_(sequence),
      retry_at_(now),
      measure_at_(now),
      delete_at_(now) {}

// The event loop's side ---------------------------------------------------------------------------

std::uint64_t CommitQueue::append(std::span<const std::string_view> records) {
  for (const std::string_view record : records) gathered_.add(record);
  if (gathered_.bytes().size() > settings_.waiting_bytes) too_much_waits_ = true;
  return ++appended_;
}

void CommitQueue::close() {
  closing_ = true;
  sealed_ = true;
}

// The writer's side -------------------------------------------------------------------------------

bool CommitQueue::can_commit(Time now) const {
  if (!failure_.empty()) return (closing_ && !last_try_failed_) || now >= retry_at_;
  return sealed_ && appended_ > durable_;
}

CommitQueue::Work CommitQueue::next(Time now) {
  if (under_way_ != Work::none) return Work::none;
  if (given_up_ || (closing_ && (last_try_failed_ || appended_ == durable_))) {
    return closing_ ? Work::finished : Work::none;
  }
  if (settings_.measures_space && now >= measure_at_) return begin(Work::measure_space);
  if (can_commit(now)) {
    if (batch_.empty()) {
      sealed_ = closing_;
      std::swap(batch_, gathered_);
      taken_ = appended_;
    }
    is_last_try_ = closing_;
    return begin(Work::commit);
  }
  if (closing_) return Work::none;
  if (settings_.deletes_games && now >= delete_at_) return begin(Work::delete_games);
  return Work::none;
}

std::optional<CommitQueue::Time> CommitQueue::wake_at() const {
  std::optional<Time> next;
  const auto add = [&](Time at) { next = next ? std::min(*next, at) : at; };
  if (under_way_ != Work::none || given_up_) return next;
  if (!failure_.empty()) add(retry_at_);
  if (settings_.measures_space && space_is_low_) add(measure_at_);
  if (settings_.deletes_games) add(delete_at_);
  return next;
}

CommitQueue::Work CommitQueue::begin(Work work) {
  under_way_ = work;
  return work;
}

void CommitQueue::end() {
  BOOST_ASSERT(under_way_ != Work::none);
  under_way_ = Work::none;
}

void CommitQueue::committed() {
  end();
  durable_ = taken_;
  batch_.clear();
  failure_.clear();
  if (gathered_.bytes().size() <= settings_.waiting_bytes / 2) too_much_waits_ = false;
}

void CommitQueue::commit_failed(std::string reason, Time now) {
  end();
  failure_ = std::move(reason);
  retry_at_ = now + settings_.pause;
  last_try_failed_ = is_last_try_;
}

void CommitQueue::give_up(Health health, std::string reason) {
  if (under_way_ != Work::none) end();
  given_up_ = health;
  failure_ = std::move(reason);
}

void CommitQueue::games_deleted(bool more, Time now) {
  end();
  if (!more) delete_at_ = now + settings_.delete_every;
}

void CommitQueue::space_measured(std::uint64_t free_bytes, Time now) {
  end();
  space_is_low_ = free_bytes < settings_.low_bytes;
  measure_at_ = now + settings_.pause;
}

// The state ---------------------------------------------------------------------------------------

Health CommitQueue::health() const {
  if (given_up_) return *given_up_;
  if (too_much_waits_ || !failure_.empty()) return Health::stalled;
  return space_is_low_ ? Health::low_space : Health::good;
}

std::string CommitQueue::reason() const {
  if (!failure_.empty()) return failure_;
  if (too_much_waits_) return "the disk is too slow";
  return space_is_low_ ? "the disk is nearly full" : "";
}

}  // namespace tictactoe::records
