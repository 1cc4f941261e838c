// The thread that makes a server's records durable.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "common/figures/durations.hpp"
#include "server/journal/commit_queue.hpp"
#include "server/journal/health.hpp"
#include "server/records/record_store.hpp"

namespace tictactoe::records {

/// A stream of a store, its owner's position, and a reader for another thread.
struct OwnedStream {
  std::unique_ptr<RecordStore> store;
  std::unique_ptr<RecordReader> reader;
  StreamId stream = local_stream;
  StreamPosition position;
};

/// What a journal has done since it was opened.
struct JournalFigures {
  std::uint64_t waiting = 0;        ///< events that are not durable
  std::uint64_t waiting_bytes = 0;  ///< of their records
  std::uint64_t failures = 0;       ///< commits that failed; each is retried
  figures::Durations commits;       ///< durations of the commits that succeeded
  std::uint64_t tries = 0;          ///< commits that have ended
};

/// Runs a CommitQueue: takes events from the event loop, and appends them to a stream on a thread
/// of its own.
///
/// All calls come from one thread, the event loop's. Events are handed to `post`, which must have
/// that thread run them later. The owner of the journal must not run any after its destruction.
class Journal {
 public:
  struct Settings {
    /// `measures_space` and `deletes_games` are set from what follows.
    CommitQueue::Settings queue = {};
    /// Measures the free bytes of the disk; null: it is not measured.
    std::function<std::uint64_t()> free_bytes = nullptr;
    /// How long finished games are kept; zero: forever.
    std::chrono::milliseconds keep_games{0};
    /// The time, as Unix time in milliseconds; null: the system's.
    std::function<std::uint64_t()> unix_ms = nullptr;
  };
  struct Events {
    /// All events up to this sequence number are durable.
    std::function<void(std::uint64_t)> durable;
    /// The health has changed; at first it is `good`. `reason` is for people.
    std::function<void(Health, const std::string& reason)> health;
  };
  using Post = std::function<void(std::function<void()>)>;

  Journal(OwnedStream stream, Settings settings, Events events, Post post);
  /// Closes.
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Takes the encoded Records of one event, which share a commit. Returns its sequence number,
  /// which counts up by one with every call. The commit begins after `post` has run, so all events
  /// of a turn of the loop share it. Events of the next turns share it as well, for up to half a
  /// millisecond, while each turn has one. O(size).
  std::uint64_t append(std::span<const std::string_view> records);
  /// Does not wait for a commit.
  JournalFigures figures() const;
  /// The present health, which may not have been reported yet. Can change until close() returns.
  Health health() const;
  /// Commits what was appended, and ends the thread. Returns the number of events that could not be
  /// recorded and are lost. Called again, it only returns that number.
  std::uint64_t close();

 private:
  void seal();
  void finish();
  /// Posts what has changed. Requires the mutex.
  void report_changes();

  // On the writer's thread.
  void write();
  void commit(std::unique_lock<std::mutex>& lock);
  void delete_games(std::unique_lock<std::mutex>& lock);
  /// Gives up if the fault is final, and returns whether it is. Requires the mutex.
  bool give_up_on(const Fault& fault);

  const std::unique_ptr<RecordStore> store_;  // the writer's
  const StreamId stream_;
  const std::uint64_t epoch_;
  const Settings settings_;
  const std::shared_ptr<const Events> events_;  // posted events may outlive this
  const Post post_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable writer_wake_;
  CommitQueue queue_;
  JournalFigures figures_;  // without those of the queue
  bool seal_posted_ = false;
  std::chrono::steady_clock::time_point seal_at_;  // at the latest
  std::uint64_t seal_again_after_ = 0;             // the last event when this was considered
  std::uint64_t reported_durable_;
  Health reported_health_ = Health::good;

  std::thread writer_thread_;
};

}  // namespace tictactoe::records
