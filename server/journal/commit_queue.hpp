// Decides what the writer of a record store does next.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "server/journal/health.hpp"
#include "server/records/batch.hpp"

namespace tictactoe::records {

/// Holds the records that are not durable yet, and decides when they are committed, when a failed
/// commit is retried, and when the store deletes old games. It has no thread, clock or
/// disk: its owner calls next(), performs the work that it returns, and reports the result. The
/// thread of Journal does so in the server, and simulation::SimulatedRecorder in the simulation.
///
/// Records gather in one batch while another is being committed, so that many of them share one
/// wait for the disk. A failed batch is retried unchanged, so that it stays atomic.
///
/// Not thread-safe. Every call is O(1) apart from append(), which is O(size).
class CommitQueue {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Settings {
    /// Bytes of records that may wait. Above this the health is `stalled`, until half of them are
    /// durable.
    std::size_t waiting_bytes = std::size_t{64} * 1024 * 1024;
    /// Whether free space is measured, and the free bytes below which the health is `low_space`.
    bool measures_space = false;
    std::uint64_t low_bytes = std::uint64_t{64} * 1024 * 1024;
    /// Time between two measurements, and before failed work is retried.
    std::chrono::milliseconds pause{1'000};
    /// Whether old games are deleted, and how often.
    bool deletes_games = false;
    std::chrono::milliseconds delete_every{3'600'000};
  };

  /// Instead of any of these results, failed() may be reported.
  enum class Work : std::uint8_t {
    none,           // call next() again after the next append, seal or close, or at wake_at()
    commit,         // append batch() to the store; report committed(), commit_failed() or fenced()
    delete_games,   // delete one slice of old games; report games_deleted()
    measure_space,  // report space_measured()
    finished,       // after close(): nothing is left to do
  };

  /// `sequence`: of the stream's last durable event.
  CommitQueue(Settings settings, std::uint64_t sequence, Time now);

  // From the event loop.

  /// Takes the encoded Records of one event; they share a commit. Returns the event's sequence
  /// number, which counts up by one with each call.
  std::uint64_t append(std::span<const std::string_view> records);
  /// Lets everything appended so far be committed. Called once per turn of the loop, so that the
  /// events of a turn share a commit.
  void seal() { sealed_ = true; }
  /// Makes next() return `finished` once everything is committed, or one last try has failed.
  void close();

  // From the owner of the store.

  /// The work to do now. It is under way until its result is reported; until then this returns
  /// `none`.
  Work next(Time now);
  /// When to call next() again even if nothing is reported; nothing if never.
  std::optional<Time> wake_at() const;

  /// While a commit is under way: its records, and the sequence numbers of the event before it and
  /// of its last event.
  const Batch& batch() const { return batch_; }
  std::uint64_t expected_sequence() const { return durable_; }
  std::uint64_t batch_sequence() const { return taken_; }

  void committed();
  void commit_failed(std::string reason, Time now);
  /// Another server owns the stream.
  void fenced(std::string reason) { give_up(Health::fenced, std::move(reason)); }
  /// Any work, or what the owner does after `finished`, has met Fault::Kind::sync_failed.
  void failed(std::string reason) { give_up(Health::failed, std::move(reason)); }
  /// `more`: whether there may be more games to delete now.
  void games_deleted(bool more, Time now);
  void space_measured(std::uint64_t free_bytes, Time now);

  // For the event loop.

  /// The sequence number of the last event.
  std::uint64_t appended() const { return appended_; }
  /// The sequence number of the last durable event.
  std::uint64_t durable() const { return durable_; }
  Health health() const;
  /// Why the health is not good, for people.
  std::string reason() const;
  /// Events that are not durable; after `finished` they are lost.
  std::uint64_t waiting() const { return appended_ - durable_; }
  /// Bytes of their records.
  std::size_t waiting_bytes() const { return gathered_.bytes().size() + batch_.bytes().size(); }

 private:
  bool can_commit(Time now) const;
  Work begin(Work work);
  void end();
  void give_up(Health health, std::string reason);

  Settings settings_;
  Batch gathered_;
  Batch batch_;                 // being committed, or waiting for its next try
  std::uint64_t appended_ = 0;  // sequence numbers: up to here in gathered_,
  std::uint64_t taken_ = 0;     // in batch_,
  std::uint64_t durable_ = 0;   // and in the store
  bool sealed_ = false;
  bool closing_ = false;
  bool is_last_try_ = false;  // the commit was begun after close()
  bool last_try_failed_ = false;
  bool too_much_waits_ = false;
  bool space_is_low_ = false;
  std::optional<Health> given_up_;  // `fenced` or `failed`
  std::string failure_;             // why the last commit failed; empty if it did not
  Work under_way_ = Work::none;
  Time retry_at_;
  Time measure_at_;
  Time delete_at_;
};

}  // namespace tictactoe::records
