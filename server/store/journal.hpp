// Records on their way to the disk: a thread that writes them beside the event loop.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "server/store/database.hpp"

namespace tictactoe::store {

/// How well things can be recorded.
enum class Condition : std::uint8_t {
  well,
  low,      // the disk is nearly full
  stalled,  // records are not getting to the disk, or not as fast as they come
};

/// Takes records from one thread and makes them last on its own: while one transaction is on its
/// way to the disk, the records of the next gather, so many share one wait for the disk. Where a
/// commit fails, it is tried again until it works; the records wait meanwhile, in order, and none
/// is ever passed over.
///
/// All calls come from one thread; events and answers are handed to `post`, which must have that
/// thread run them later. Whoever owns the journal must not run any after its destruction.
class Journal {
 public:
  struct Settings {
    /// Bytes of records that may wait; past it the condition is `stalled`, until half are gone.
    std::size_t waiting_bytes = std::size_t{64} * 1024 * 1024;
    /// Questions that may wait for their answer.
    std::size_t questions = 1'000;
    /// Free bytes of the disk under which the condition is `low`, and how to ask for them.
    std::uint64_t low_bytes = std::uint64_t{64} * 1024 * 1024;
    std::function<std::uint64_t()> free_bytes = nullptr;  // not asked where there is none
    /// Time between two looks at the disk's space, and between two tries of a failing commit.
    std::chrono::milliseconds pause{1'000};
    /// How long finished games are kept; zero: for ever.
    std::chrono::milliseconds keep_games{0};
    std::chrono::milliseconds forget_every{3'600'000};
  };
  struct Events {
    /// Everything up to that sequence number is on the disk.
    std::function<void(std::uint64_t)> durable;
    /// Told at every change; at first it is `well`. `reason` is for people.
    std::function<void(Condition, const std::string& reason)> condition;
  };
  using Post = std::function<void(std::function<void()>)>;
  /// Asks the database, and returns what is to be done with the answer.
  using Question = std::function<std::function<void()>(Database&)>;

  Journal(std::unique_ptr<Database> database, Settings settings, Events events, Post post);
  /// Closes.
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Takes encoded Records that belong together: they share a commit. Their sequence number, which
  /// counts up by one with every call, from 1. The thread is woken by way of `post`, so that all
  /// that the caller has to do just now shares one commit. O(size).
  std::uint64_t append(std::span<const std::string_view> records);
  /// Has the thread ask, between two commits, and posts what to do with the answer. False where too
  /// many questions wait already.
  bool ask(Question question);
  /// Commits everything that was appended, answers every question, and ends the thread. What could
  /// not be recorded even so is lost: the number of such calls of append. Called again, it does
  /// nothing.
  std::uint64_t close();

 private:
  using Clock = std::chrono::steady_clock;

  void wake();

  // On the thread.
  void run();
  Clock::time_point next_wake() const;
  void commit();
  void answer(Question& question);
  void look_at_disk();
  void forget_games();
  /// Tells of the condition where it has changed. With the mutex held.
  void settle_condition();

  std::unique_ptr<Database> database_;
  const Settings settings_;
  const std::shared_ptr<const Events> events_;  // posted events may outlive the journal's thread
  const Post post_;

  std::mutex mutex_;  // guards what follows, up to the thread's own
  std::condition_variable wake_;
  Batch gathered_;
  std::deque<Question> questions_;
  std::uint64_t appended_ = 0;
  bool waking_ = false;  // has been posted
  bool awake_ = false;   // what was gathered should be taken
  bool closing_ = false;
  bool too_much_waits_ = false;
  bool disk_is_low_ = false;
  std::string failure_;  // why the last commit failed; empty where it did not
  Condition condition_ = Condition::well;

  // The thread's own.
  Batch batch_;                // taken from gathered_, and not committed yet
  std::uint64_t taken_ = 0;    // up to here, into batch_
  std::uint64_t durable_ = 0;  // up to here, committed
  Clock::time_point retry_at_;
  Clock::time_point look_at_;
  Clock::time_point forget_at_;

  std::thread thread_;
};

}  // namespace tictactoe::store
