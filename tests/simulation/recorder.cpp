#include "tests/simulation/recorder.hpp"

#include <string>
#include <vector>

#include "server/game/start_position.hpp"
#include "server/records/sqlite/store.hpp"

namespace tictactoe::simulation {

using records::CommitQueue;
using std::chrono::milliseconds;

namespace {

// The commit with this number is not done, if the planted mistake is a lost record.
constexpr std::uint64_t lost_commit = 400;

constexpr std::uint64_t low_bytes = 1'000;

CommitQueue::Settings settings_of(const Plan& plan) {
  CommitQueue::Settings settings;
  settings.measures_space = !plan.is_shared();
  settings.low_bytes = low_bytes;
  settings.pause = milliseconds(plan.is_shared() ? 200 : 50);
  return settings;
}

}  // namespace

v1::ServerMessage answer_from(records::RecordReader& reader, const server::LookUp& question,
                              std::size_t games_per_list) {
  const v1::ClientMessage& request = question.request;
  v1::ServerMessage answer;
  if (request.has_list_games()) {
    auto list = reader.list_games(request.list_games().before(), request.list_games().player(),
                                  games_per_list, question.reader);
    require(list.has_value(), Checker::permanence, "games can't be read");
    *answer.mutable_game_list() = *std::move(list);
    return answer;
  }
  auto game = reader.game(server::game_asked_for(request), question.reader);
  require(game.has_value(), Checker::permanence, "a game can't be read");
  if (*game) {
    *answer.mutable_game_found()->mutable_game() = **std::move(game);
  } else {
    answer.mutable_error()->set_code(v1::Error::CODE_GAME_NOT_FOUND);
  }
  return answer;
}

std::shared_ptr<Records> Records::of(SharedStore& shared, std::shared_ptr<StoreLine> line) {
  auto records = std::make_shared<Records>();
  records->line = std::move(line);
  records->store = std::make_unique<SharedRecords>(shared, *records->line);
  records->reader = std::make_unique<SharedReader>(shared);
  records->shared = &shared;
  return records;
}

std::shared_ptr<Records> Records::in_sqlite(std::size_t kept_chat,
                                            std::function<std::uint64_t()> unix_ms) {
  auto records = std::make_shared<Records>();
  records::SqliteStore::Settings settings;
  settings.kept_chat = static_cast<std::uint32_t>(kept_chat);
  settings.unix_ms = std::move(unix_ms);
  records->store = *records::SqliteStore::open(":memory:", settings);
  records->reader = *records->store->open_reader();
  return records;
}

SimulatedRecorder::SimulatedRecorder(const Plan& plan, Agenda& agenda, Random random,
                                     Digest& digest, EdgeWatch* watch, Disk& disk,
                                     std::shared_ptr<Records> records, records::StreamId stream,
                                     records::StreamPosition position, Events events)
    : plan_(plan),
      agenda_(agenda),
      random_(random),
      digest_(digest),
      watch_(watch),
      disk_(disk),
      records_(std::move(records)),
      stream_(stream),
      epoch_(position.epoch),
      events_(std::move(events)),
      queue_(settings_of(plan), position.sequence, now()),
      told_durable_(position.sequence) {
  events_.later(Time(0), [this] { work(); });
}

SimulatedRecorder::~SimulatedRecorder() {
  if (!commit_ || !commit_->arrives) return;
  const bool is_done = random_.percent(50);
  if (plan_.is_shared() && is_done) {
    commit_->is_orphan = true;
    return;
  }
  if (is_done) static_cast<void>(apply(*commit_));
  commit_->arrives = false;
}

// The server's side -------------------------------------------------------------------------------

std::uint64_t SimulatedRecorder::append(std::span<const std::string_view> records) {
  return plan_.plant == Plant::late_record ? append_later(records) : append_now(records);
}

std::uint64_t SimulatedRecorder::append_now(std::span<const std::string_view> records) {
  for (const std::string_view record : records) digest_.add(record);
  if (!std::exchange(sealing_, true)) {
    events_.later(Time(0), [this] {
      sealing_ = false;
      queue_.seal();
      work();
    });
  }
  const std::uint64_t sequence = queue_.append(records);
  if (watch_ != nullptr) marks_.emplace_back(sequence, watch_->records());
  if (plan_.plant == Plant::early_announcement) {
    events_.later(Time(0), [this, sequence] { events_.durable(sequence); });
  }
  return sequence;
}

// The planted mistake: what was recorded before can leave before this is.
std::uint64_t SimulatedRecorder::append_later(std::span<const std::string_view> records) {
  std::vector<std::string> copies(records.begin(), records.end());
  events_.later(Time(0), [this, copies = std::move(copies)] {
    for (const std::string& record : copies) watch_->recorded(record);
    append_now(std::vector<std::string_view>(copies.begin(), copies.end()));
  });
  return queue_.appended();
}

void SimulatedRecorder::look_up(const server::LookUp& question,
                                std::function<void(server::LookUpAnswer)> answer) {
  events_.later(random_.around(plan_.commit), [this, question, answer = std::move(answer)] {
    const server::Limits& limits = plan_.server.limits;
    answer(server::encode_answer(answer_from(*records_->reader, question, limits.games_per_list),
                                 limits.server_frame_bytes));
  });
}

// The store's side --------------------------------------------------------------------------------

void SimulatedRecorder::work() {
  for (;;) {
    const CommitQueue::Work next = queue_.next(now());
    if (next == CommitQueue::Work::commit) {
      begin_commit();
    } else if (next == CommitQueue::Work::measure_space) {
      queue_.space_measured(disk_.state == server::JournalHealth::good ? low_bytes : 0, now());
      continue;
    }
    break;
  }
  tell();
  const auto wake_at = queue_.wake_at();
  if (!wake_at || wake_at == wake_at_) return;
  wake_at_ = wake_at;
  events_.later(std::chrono::ceil<Time>(*wake_at - now()), [this] { work(); });
}

void SimulatedRecorder::begin_commit() {
  const bool is_bad = !disk_.is_calm && plan_.happens(Fault::commits, random_);
  const bool is_slow = !disk_.is_calm && plan_.happens(Fault::slowness, random_);
  commit_ = std::make_shared<Commit>();
  commit_->expected = {epoch_, queue_.expected_sequence()};
  commit_->last = queue_.batch_sequence();
  commit_->batch = queue_.batch();
  if (is_bad) commit_->end = static_cast<CommitEnd>(random_.between(1, 2));
  const Time there = is_slow ? random_.between(milliseconds(10), milliseconds(1'000))
                             : random_.around(plan_.commit / 2);
  const Time back = random_.around(plan_.commit / 2);
  if (commit_->end == CommitEnd::lost_before && random_.percent(50)) {
    // What the server has given up comes to the store much later.
    agenda_.in(there + random_.between(milliseconds(100), milliseconds(12'000)),
               [records = records_, stream = stream_, commit = commit_] {
                 records->shared->append(stream, commit->expected, commit->last, commit->batch);
               });
  }
  agenda_.in(there, [commit = commit_, records = records_, stream = stream_, back, this] {
    if (!std::exchange(commit->arrives, false)) return;
    if (commit->is_orphan) {
      static_cast<void>(
          records->store->append(stream, commit->expected, commit->last, commit->batch));
      return;
    }
    events_.later(back, [this, outcome = apply(*commit)] { commit_ended(outcome); });
  });
}

records::Result<records::AppendOutcome> SimulatedRecorder::apply(Commit& commit) {
  if (disk_.state == server::JournalHealth::stalled) {
    return records::Fault{records::Fault::Kind::unusable, "the disk is full"};
  }
  ++disk_.commits;
  if (plan_.plant == Plant::lost_record && disk_.commits == lost_commit) lies_ = true;
  if (records_->shared != nullptr) {
    static_cast<SharedRecords&>(*records_->store).next_ends(commit.end);
  }
  auto outcome = lies_
                     ? records::Result<records::AppendOutcome>(records::AppendOutcome::durable)
                     : records_->store->append(stream_, commit.expected, commit.last, commit.batch);
  if (!outcome || *outcome != records::AppendOutcome::durable) return outcome;
  while (!marks_.empty() && marks_.front().first <= commit.last) {
    watch_->durable(marks_.front().second);
    marks_.pop_front();
  }
  return outcome;
}

void SimulatedRecorder::commit_ended(const records::Result<records::AppendOutcome>& outcome) {
  commit_.reset();
  if (!outcome) {
    queue_.commit_failed(outcome.error().reason, now());
  } else if (*outcome == records::AppendOutcome::fenced) {
    queue_.fenced("another server has taken over these records");
  } else {
    queue_.committed();
  }
  work();
}

void SimulatedRecorder::tell() {
  if (const std::uint64_t durable = queue_.durable(); durable != told_durable_) {
    told_durable_ = durable;
    events_.later(Time(0), [this, durable] { events_.durable(durable); });
  }
  if (const records::Health health = queue_.health(); health != told_) {
    told_ = health;
    events_.later(Time(0), [this, health] { events_.health(health); });
  }
}

}  // namespace tictactoe::simulation
