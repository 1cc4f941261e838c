// A journal for tests: its event loop, a store as slow as a test wants, and records.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <semaphore>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/journal/journal.hpp"
#include "server/records/sqlite/store.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::test {

using namespace std::chrono_literals;
using namespace records;

/// The thread that a journal posts to: this one, while it waits for something.
class Loop {
 public:
  Journal::Post post() {
    return [this](std::function<void()> job) {
      const std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
      wake_.notify_one();
    };
  }
  void run_until(const std::function<bool()>& done) {
    while (!done()) {
      std::unique_lock lock(mutex_);
      ASSERT_TRUE(wake_.wait_for(lock, 60s, [&] { return !jobs_.empty(); })) << "nothing happens";
      const auto job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
    }
  }
  void run_what_is_there() {
    run_until([this] {
      const std::lock_guard lock(mutex_);
      return jobs_.empty();
    });
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
};

/// What a journal has reported.
struct Told {
  std::vector<std::uint64_t> durable;
  std::vector<Health> healths;
  std::string reason;

  Journal::Events events() {
    return {[this](std::uint64_t up_to) { durable.push_back(up_to); },
            [this](Health now, const std::string& why) {
              healths.push_back(now);
              reason = why;
            }};
  }
  bool is_durable(std::uint64_t sequence) const {
    return !durable.empty() && durable.back() >= sequence;
  }
};

inline OwnedStream open(const std::string& path, SqliteStore::Settings settings = {}) {
  auto store = SqliteStore::open(path, std::move(settings));
  if (!store) throw std::runtime_error(store.error().reason);
  auto reader = (*store)->open_reader();
  if (!reader) throw std::runtime_error(reader.error().reason);
  const StreamPosition position = *(*store)->own(local_stream);
  return {*std::move(store), *std::move(reader), local_stream, position};
}

/// Passes everything on to a store, but lets an append wait as a slow disk does.
class SlowStore final : public RecordStore {
 public:
  explicit SlowStore(std::unique_ptr<RecordStore> store) : store_(std::move(store)) {}

  /// The next append waits for resume().
  void pause() { paused_ = true; }
  void resume() {
    paused_ = false;
    passes_.release();
  }

  std::uint64_t server_id() const override { return store_->server_id(); }
  Result<StreamPosition> own(StreamId stream) override { return store_->own(stream); }
  Result<Saved> load(StreamId stream) override { return store_->load(stream); }
  Result<AppendOutcome> append(StreamId stream, StreamPosition expected,
                               std::uint64_t last_sequence, const Batch& batch) override {
    if (paused_) passes_.acquire();
    ++appends;
    return store_->append(stream, expected, last_sequence, batch);
  }
  Result<bool> delete_games_before(std::uint64_t unix_ms) override {
    return store_->delete_games_before(unix_ms);
  }
  std::optional<Fault> finish() override { return store_->finish(); }
  Result<std::unique_ptr<RecordReader>> open_reader() override { return store_->open_reader(); }
  std::optional<Fault> add_games(std::span<const v1::GameRecord> games) override {
    return store_->add_games(games);
  }

  std::atomic<int> appends = 0;

 private:
  std::unique_ptr<RecordStore> store_;
  std::atomic<bool> paused_ = false;
  std::counting_semaphore<> passes_{0};
};

/// A stream of a slow store.
struct SlowStream {
  explicit SlowStream(const std::string& path, SqliteStore::Settings settings = {})
      : stream(open(path, std::move(settings))) {
    auto slow = std::make_unique<SlowStore>(std::move(stream.store));
    store = slow.get();
    stream.store = std::move(slow);
  }
  OwnedStream stream;
  SlowStore* store;
};

inline std::string encoded(const Record& record) {
  return record.SerializeAsString();
}

inline std::uint64_t append(Journal& journal, std::string_view record) {
  return journal.append(std::span(&record, 1));
}

/// Any number of moves of one room.
class Moves {
 public:
  std::string next() {
    ++ply_;
    return encoded(ply_ == 0 ? room_record(1, "den") : move_record(1, ply_, ply_));
  }

 private:
  std::uint32_t ply_ = ~0u;
};

inline int saved_moves(const std::string& path) {
  // From a copy: the journal owns the stream.
  TemporaryFolder copy;
  std::filesystem::copy(path, copy / "journal.db");
  std::filesystem::copy(path + "-wal", copy / "journal.db-wal");
  const Saved saved = TestStore(copy / "journal.db").saved();
  return saved.rooms_size() > 0 ? saved.rooms(0).moves_size() : -1;
}

}  // namespace tictactoe::test
