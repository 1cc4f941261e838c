// Records the events of a simulated server: the real decisions, a simulated disk or a shared store.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "server/host/host.hpp"
#include "server/journal/commit_queue.hpp"
#include "tests/simulation/agenda.hpp"
#include "tests/simulation/edge_watch.hpp"
#include "tests/simulation/plan.hpp"
#include "tests/simulation/shared_sessions.hpp"

namespace tictactoe::simulation {

/// The answer to a ListGames or GetGame, or to a room that continues a finished game.
v1::ServerMessage answer_from(records::RecordReader& reader, const server::LookUp& question,
                              std::size_t games_per_list);

/// A connection to the store. Lives on while a commit is on its way.
struct Records {
  std::shared_ptr<StoreLine> line;
  std::unique_ptr<records::RecordStore> store;
  std::unique_ptr<records::RecordReader> reader;
  SharedStore* shared = nullptr;  // null: `store` is a real database
  /// Of `shared`.
  static std::shared_ptr<Records> of(SharedStore& shared, std::shared_ptr<StoreLine> line);
  /// A real SQLite database in memory.
  static std::shared_ptr<Records> in_sqlite(std::size_t kept_chat,
                                            std::function<std::uint64_t()> unix_ms);
};

/// The machine's disk, which outlives the server.
struct Disk {
  server::JournalHealth state =
      server::JournalHealth::good;  // `stalled`: full; `low_space`: nearly
  bool is_calm = false;             // commits and calls do what they should
  std::uint64_t commits = 0;
};

/// The recorder of one life of a server: runs its records::CommitQueue.
class SimulatedRecorder {
 public:
  /// Called from an event of the agenda, never from within a call of this class.
  struct Events {
    std::function<void(std::uint64_t)> durable;
    std::function<void(records::Health)> health;
    /// Runs a step of the server after that time, unless the server is gone by then.
    std::function<void(Time, std::function<void()>)> later;
  };

  /// `watch` may be null.
  SimulatedRecorder(const Plan& plan, Agenda& agenda, Random random, Digest& digest,
                    EdgeWatch* watch, Disk& disk, std::shared_ptr<Records> records,
                    records::StreamId stream, records::StreamPosition position, Events events);
  /// As SIGKILL does it: a commit that is under way is done whole, or not at all, perhaps later if
  /// the store is shared; the rest is lost.
  ~SimulatedRecorder();

  // See transport::Recorder.
  std::uint64_t append(std::span<const std::string_view> records);
  void look_up(const server::LookUp& question, std::function<void(server::LookUpAnswer)> answer);
  /// Does all work that there is now.
  void work();
  bool is_idle() const { return queue_.waiting() == 0; }

 private:
  /// One that is under way.
  struct Commit {
    records::StreamPosition expected;
    std::uint64_t last = 0;
    records::Batch batch;
    CommitEnd end = CommitEnd::known;
    bool arrives = true;
    bool is_orphan = false;  // the server is gone
  };

  std::uint64_t append_now(std::span<const std::string_view> records);
  std::uint64_t append_later(std::span<const std::string_view> records);
  void begin_commit();
  records::Result<records::AppendOutcome> apply(Commit& commit);
  void commit_ended(const records::Result<records::AppendOutcome>& outcome);
  /// Tells what has changed.
  void tell();
  records::CommitQueue::Time now() const { return records::CommitQueue::Time(agenda_.now()); }

  const Plan& plan_;
  Agenda& agenda_;
  Random random_;
  Digest& digest_;
  EdgeWatch* const watch_;
  Disk& disk_;
  const std::shared_ptr<Records> records_;
  const records::StreamId stream_;
  const std::uint64_t epoch_;
  const Events events_;
  records::CommitQueue queue_;
  /// Sequence numbers that are not durable, with the number of records up to each.
  std::deque<std::pair<std::uint64_t, std::uint64_t>> marks_;
  std::uint64_t told_durable_;
  records::Health told_ = records::Health::good;
  bool sealing_ = false;
  std::shared_ptr<Commit> commit_;
  std::optional<records::CommitQueue::Time> wake_at_;
  bool lies_ = false;  // the disk says that it writes
};

}  // namespace tictactoe::simulation
