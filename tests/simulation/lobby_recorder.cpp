#include "tests/simulation/lobby_recorder.hpp"

#include <utility>

#include "server/core/start_position.hpp"

namespace tictactoe::simulation {

using std::chrono::milliseconds;
using store::CommitQueue;

namespace {

CommitQueue::Settings settings() {
  CommitQueue::Settings settings;
  settings.pause = milliseconds(200);
  settings.compact_bytes = std::size_t{8} * 1024;
  settings.overdue_bytes = 4 * settings.compact_bytes;
  return settings;
}

}  // namespace

LobbyRecorder::LobbyRecorder(const LobbyPlan& plan, Agenda& agenda, Random random,
                             SharedStore& shared, std::shared_ptr<StoreLine> line,
                             store::StreamId stream, store::StreamPosition position, Events events)
    : plan_(plan),
      agenda_(agenda),
      random_(random),
      shared_(shared),
      session_(std::make_shared<Session>(shared, std::move(line))),
      stream_(stream),
      epoch_(position.epoch),
      events_(std::move(events)),
      queue_(settings(), position.sequence, now()),
      told_durable_(position.sequence) {}

LobbyRecorder::~LobbyRecorder() {
  if (arrives_ && random_.percent(50)) *arrives_ = false;
}

std::uint64_t LobbyRecorder::append(std::span<const std::string_view> records) {
  if (!std::exchange(sealing_, true)) {
    events_.later(Time(0), [this] {
      sealing_ = false;
      queue_.seal();
      work();
    });
  }
  return queue_.append(records);
}

void LobbyRecorder::look_up(const core::LookUp& question,
                            std::function<void(core::LookUpAnswer)> answer) {
  v1::ServerMessage found;
  const auto& games = shared_.games();
  const v1::ClientMessage& request = question.request;
  if (request.has_list_games()) {
    for (auto game = games.rbegin(); game != games.rend(); ++game) {
      v1::GameList& list = *found.mutable_game_list();
      if (list.games_size() == static_cast<int>(plan_.network.server.limits.games_per_list)) break;
      if (game->readers) continue;
      v1::GameRecord& told = *list.add_games();
      told = game->record;
      told.clear_moves();
      told.clear_move_ms();
    }
  } else {
    found.mutable_error()->set_code(v1::Error::CODE_GAME_NOT_FOUND);
  }
  events_.later(random_.around(plan_.commit), [this, found, answer = std::move(answer)] {
    answer(core::encode_answer(found, plan_.network.server.limits.server_frame_bytes));
  });
}

// The store's side --------------------------------------------------------------------------------

void LobbyRecorder::work() {
  for (;;) {
    const CommitQueue::Work next = queue_.next(now());
    if (next == CommitQueue::Work::commit) begin_commit();
    if (next != CommitQueue::Work::compact) break;
    const auto step = session_->records.compact();
    step ? queue_.compacted(step->in_progress, step->uncompacted_bytes, {}, now())
         : queue_.compaction_failed(now());
  }
  tell();
  const auto wake_at = queue_.wake_at();
  if (!wake_at || wake_at == wake_at_) return;
  wake_at_ = wake_at;
  events_.later(std::chrono::ceil<Time>(*wake_at - now()), [this] { work(); });
}

void LobbyRecorder::begin_commit() {
  const bool is_calm = events_.is_calm();
  const bool is_bad =
      !is_calm && plan_.has(LobbyFault::commits) && random_.per_mille(plan_.bad_commits);
  const bool is_slow =
      !is_calm && plan_.has(LobbyFault::slowness) && random_.per_mille(plan_.slow_calls);
  const auto end = is_bad ? static_cast<CommitEnd>(random_.between(1, 2)) : CommitEnd::known;
  // What the server has given up comes to the store much later.
  const bool comes_late = is_bad && end == CommitEnd::lost_before && random_.percent(50);
  const Time there = is_slow ? random_.between(milliseconds(10), milliseconds(1'000))
                             : random_.around(plan_.commit / 2);
  const Time back = random_.around(plan_.commit / 2);
  arrives_ = std::make_shared<bool>(true);
  const store::StreamPosition expected{epoch_, queue_.expected_sequence()};
  const std::uint64_t last = queue_.batch_sequence();
  if (comes_late) {
    agenda_.in(there + random_.between(milliseconds(100), milliseconds(12'000)),
               [&shared = shared_, stream = stream_, expected, last, batch = queue_.batch()] {
                 shared.append(stream, expected, last, batch, false);
               });
  }
  agenda_.in(there, [later = events_.later, session = session_, arrives = arrives_,
                     stream = stream_, expected, last, end, back, batch = queue_.batch(), this] {
    if (!*arrives) return;
    session->records.next_ends(end);
    const auto outcome = session->records.append(stream, expected, last, batch);
    // `later` does nothing if the server is gone, and this with it.
    later(back, [this, outcome] { commit_ended(outcome); });
  });
  if (plan_.plant == LobbyPlant::announce_before_commit) {
    events_.later(Time(0), [this, last] { events_.durable(last); });
  }
}

void LobbyRecorder::commit_ended(const store::Result<store::AppendOutcome>& outcome) {
  arrives_.reset();
  if (!outcome) {
    queue_.commit_failed(outcome.error().reason, now());
  } else if (*outcome == store::AppendOutcome::fenced) {
    queue_.fenced("another server has taken over these records");
  } else {
    queue_.committed(session_->records.uncompacted_bytes());
  }
  work();
}

void LobbyRecorder::tell() {
  if (const std::uint64_t durable = queue_.durable(); durable != told_durable_) {
    told_durable_ = durable;
    events_.later(Time(0), [this, durable] { events_.durable(durable); });
  }
  if (const store::Health health = queue_.health(); health != told_) {
    told_ = health;
    events_.later(Time(0), [this, health] { events_.health(health); });
  }
}

}  // namespace tictactoe::simulation
