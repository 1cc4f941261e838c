// A store as tests use it: the owner of one stream, and a reader.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "server/store/sqlite_store.hpp"
#include "tests/support/records.hpp"

namespace tictactoe::test {

inline store::Batch batch_of(const std::vector<Record>& records) {
  store::Batch batch;
  for (const Record& record : records) batch.add(record.SerializeAsString());
  return batch;
}

/// Throws if a call fails that should not.
template <class Store>
class BasicTestStore {
 public:
  explicit BasicTestStore(store::Result<std::unique_ptr<Store>> opened)
      : store_(value(std::move(opened))), position_(value(store_->own(store::local_stream))) {}

  Store& get() { return *store_; }
  const store::StreamPosition& position() const { return position_; }

  /// Appends one event; a fault if it is not durable afterwards.
  std::optional<store::Fault> append(const store::Batch& batch) {
    const auto outcome =
        store_->append(store::local_stream, position_, position_.sequence + 1, batch);
    if (!outcome) return outcome.error();
    if (*outcome == store::AppendOutcome::fenced) {
      return store::Fault{store::Fault::Kind::in_use, "fenced"};
    }
    ++position_.sequence;
    return std::nullopt;
  }
  std::optional<store::Fault> append(const std::vector<Record>& records) {
    return append(batch_of(records));
  }
  store::LoadedStream load() { return value(store_->load(store::local_stream)); }
  Saved saved() { return load().saved; }
  v1::GameList list_games(std::uint64_t before, const std::string& player, std::size_t limit,
                          store::ReaderNumber asker = 0) {
    return value(reader().list_games(before, player, limit, asker));
  }
  std::optional<v1::GameRecord> game(std::uint64_t id, store::ReaderNumber asker = 0) {
    return value(reader().game(id, asker));
  }
  store::RecordReader& reader() {
    if (!reader_) reader_ = value(store_->open_reader());
    return *reader_;
  }
  /// Gives up the parts, as a journal takes them.
  std::unique_ptr<Store> release() { return std::move(store_); }

 private:
  template <class Value>
  static Value value(store::Result<Value> result) {
    if (!result) throw std::runtime_error(result.error().reason);
    return *std::move(result);
  }

  std::unique_ptr<Store> store_;
  store::StreamPosition position_;
  std::unique_ptr<store::RecordReader> reader_;
};

class TestStore : public BasicTestStore<store::SqliteStore> {
 public:
  explicit TestStore(const std::string& path, store::SqliteStore::Settings settings = {})
      : BasicTestStore(store::SqliteStore::open(path, std::move(settings))) {}
};

}  // namespace tictactoe::test
