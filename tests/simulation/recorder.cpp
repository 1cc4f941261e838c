#include "tests/simulation/recorder.hpp"

#include <utility>

namespace tictactoe::simulation {

using std::chrono::milliseconds;
using store::CommitQueue;

namespace {

// The commit with this number is not done, if the planted mistake is a lost record.
constexpr std::uint64_t lost_commit = 400;

constexpr std::uint64_t low_bytes = 1'000;

core::Recording recording_of(store::Health health) {
  switch (health) {
    case store::Health::good:
      return core::Recording::good;
    case store::Health::low_space:
      return core::Recording::low;
    case store::Health::stalled:
    case store::Health::fenced:
      return core::Recording::stalled;
  }
  return core::Recording::stalled;
}

}  // namespace

SimulatedRecorder::SimulatedRecorder(const Plan& plan, Agenda& agenda, Random random,
                                     Digest& digest, EdgeWatch& watch, Journal& journal,
                                     Events events)
    : plan_(plan),
      agenda_(agenda),
      random_(random),
      digest_(digest),
      watch_(watch),
      journal_(journal),
      events_(std::move(events)) {}

void SimulatedRecorder::start() {
  ++life_;
  CommitQueue::Settings settings;
  settings.measures_space = true;
  settings.low_bytes = low_bytes;
  settings.pause = milliseconds(50);
  settings.compact_bytes = std::size_t{16} * 1024;
  settings.overdue_bytes = 4 * settings.compact_bytes;
  queue_.emplace(settings, sequence_, now());
  told_durable_ = sequence_;
  appended_ = sequence_;
  marks_.clear();
  told_ = core::Recording::good;
  sealing_ = false;
  committing_ = false;
  wake_at_.reset();
  in(Time(0), &SimulatedRecorder::work);
}

void SimulatedRecorder::kill() {
  if (!queue_) return;
  ++life_;
  if (committing_ && random_.percent(50)) apply();
  lies_ = false;
  queue_.reset();
}

void SimulatedRecorder::in(Time delay, void (SimulatedRecorder::*step)()) {
  agenda_.in(delay, [this, life = life_, step] {
    if (life == life_) (this->*step)();
  });
}

// The server's side -------------------------------------------------------------------------------

std::uint64_t SimulatedRecorder::append(std::span<const std::string_view> records) {
  if (plan_.plant == Plant::late_record) return append_later(records);
  return append_now(records);
}

std::uint64_t SimulatedRecorder::append_now(std::span<const std::string_view> records) {
  for (const std::string_view record : records) digest_.add(record);
  if (!std::exchange(sealing_, true)) in(Time(0), &SimulatedRecorder::seal);
  const std::uint64_t sequence = queue_->append(records);
  appended_ = sequence;
  marks_.emplace_back(sequence, watch_.records());
  if (plan_.plant == Plant::early_announcement) {
    agenda_.in(Time(0), [this, life = life_, sequence] {
      if (life == life_) events_.durable(sequence);
    });
  }
  return sequence;
}

// The planted mistake: what was recorded before can leave before this is.
std::uint64_t SimulatedRecorder::append_later(std::span<const std::string_view> records) {
  std::vector<std::string> copies(records.begin(), records.end());
  agenda_.in(Time(0), [this, life = life_, copies = std::move(copies)] {
    if (life != life_) return;
    for (const std::string& record : copies) watch_.recorded(record);
    append_now(std::vector<std::string_view>(copies.begin(), copies.end()));
  });
  return appended_;
}

void SimulatedRecorder::look_up(const core::LookUp& question,
                                std::function<void(core::LookUpAnswer)> answer) {
  agenda_.in(random_.around(plan_.commit), [this, life = life_, question,
                                            answer = std::move(answer)] {
    if (life != life_) return;
    answer(core::encode_answer(journal_.look_up(question), plan_.server.limits.server_frame_bytes));
  });
}

void SimulatedRecorder::set_disk(core::Recording recording) {
  disk_ = recording;
  if (queue_) in(Time(0), &SimulatedRecorder::work);
}

void SimulatedRecorder::seal() {
  sealing_ = false;
  queue_->seal();
  work();
}

// The disk's side ---------------------------------------------------------------------------------

void SimulatedRecorder::work() {
  for (;;) {
    switch (queue_->next(now())) {
      case CommitQueue::Work::commit:
        begin_commit();
        break;
      case CommitQueue::Work::compact: {  // takes no time, so that all journals lead to one history
        const bool in_progress = journal_.compact();
        queue_->compacted(in_progress, journal_.uncompacted_bytes(), {}, now());
        continue;
      }
      case CommitQueue::Work::measure_space:
        queue_->space_measured(disk_ == core::Recording::good ? low_bytes : 0, now());
        continue;
      case CommitQueue::Work::delete_games:
        queue_->games_deleted(false, now());
        continue;
      case CommitQueue::Work::none:
      case CommitQueue::Work::finished:
        break;
    }
    break;
  }
  tell();
  const auto wake_at = queue_->wake_at();
  if (!wake_at || wake_at == wake_at_) return;
  wake_at_ = wake_at;
  in(std::chrono::ceil<Time>(*wake_at - now()), &SimulatedRecorder::work);
}

void SimulatedRecorder::begin_commit() {
  committing_ = true;
  const bool slow = !calm_ && plan_.has(Fault::disk) && random_.per_mille(plan_.slow_commit);
  in(slow ? random_.between(milliseconds(10), milliseconds(1000)) : random_.around(plan_.commit),
     &SimulatedRecorder::end_commit);
}

void SimulatedRecorder::end_commit() {
  committing_ = false;
  if (disk_ == core::Recording::stalled) {
    queue_->commit_failed("the disk is full", now());
  } else {
    apply();
    queue_->committed(journal_.uncompacted_bytes());
  }
  work();
}

void SimulatedRecorder::apply() {
  ++commits_;
  if (plan_.plant == Plant::lost_record && commits_ == lost_commit) lies_ = true;
  const std::uint64_t unix_ms =
      1'700'000'000'000 + static_cast<std::uint64_t>(agenda_.now() / milliseconds(1));
  sequence_ = queue_->batch_sequence();
  if (!lies_) journal_.apply(queue_->batch(), sequence_, unix_ms);
  while (!marks_.empty() && marks_.front().first <= sequence_) {
    watch_.durable(marks_.front().second);
    marks_.pop_front();
  }
}

void SimulatedRecorder::tell() {
  if (const std::uint64_t durable = queue_->durable(); durable != told_durable_) {
    told_durable_ = durable;
    agenda_.in(Time(0), [this, life = life_, durable] {
      if (life == life_) events_.durable(durable);
    });
  }
  if (const core::Recording now = recording_of(queue_->health()); now != told_) {
    told_ = now;
    agenda_.in(Time(0), [this, life = life_, now] {
      if (life == life_) events_.recording(now);
    });
  }
}

}  // namespace tictactoe::simulation
