// A store as tests use it: the owner of one stream, and a reader.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "server/records/sqlite/store.hpp"
#include "tests/support/records.hpp"

namespace tictactoe::test {

inline records::Batch batch_of(const std::vector<Record>& records) {
  records::Batch batch;
  for (const Record& record : records) batch.add(record.SerializeAsString());
  return batch;
}

/// Throws if a call fails that should not.
template <class Store>
class BasicTestStore {
 public:
  explicit BasicTestStore(records::Result<std::unique_ptr<Store>> opened)
      : store_(value(std::move(opened))), position_(value(store_->own(records::local_stream))) {}

  Store& get() { return *store_; }
  const records::StreamPosition& position() const { return position_; }

  /// Appends one event; a fault if it is not durable afterwards.
  std::optional<records::Fault> append(const records::Batch& batch) {
    const auto outcome =
        store_->append(records::local_stream, position_, position_.sequence + 1, batch);
    if (!outcome) return outcome.error();
    if (*outcome == records::AppendOutcome::fenced) {
      return records::Fault{records::Fault::Kind::in_use, "fenced"};
    }
    ++position_.sequence;
    return std::nullopt;
  }
  std::optional<records::Fault> append(const std::vector<Record>& records) {
    return append(batch_of(records));
  }
  Saved saved() { return value(store_->load(records::local_stream)); }
  v1::GameList list_games(std::uint64_t before, const std::string& player, std::size_t limit,
                          records::ReaderNumber asker = 0) {
    return value(reader().list_games(before, player, limit, asker));
  }
  std::optional<v1::GameRecord> game(std::uint64_t id, records::ReaderNumber asker = 0) {
    return value(reader().game(id, asker));
  }
  records::RecordReader& reader() {
    if (!reader_) reader_ = value(store_->open_reader());
    return *reader_;
  }
  /// Gives up the parts, as a journal takes them.
  std::unique_ptr<Store> release() { return std::move(store_); }

 private:
  template <class Value>
  static Value value(records::Result<Value> result) {
    if (!result) throw std::runtime_error(result.error().reason);
    return *std::move(result);
  }

  std::unique_ptr<Store> store_;
  records::StreamPosition position_;
  std::unique_ptr<records::RecordReader> reader_;
};

class TestStore : public BasicTestStore<records::SqliteStore> {
 public:
  explicit TestStore(const std::string& path, records::SqliteStore::Settings settings = {})
      : BasicTestStore(records::SqliteStore::open(path, std::move(settings))) {}
};

/// A store of either kind, as one type.
using AnyTestStore = BasicTestStore<records::RecordStore>;

template <class Store>
records::Result<std::unique_ptr<records::RecordStore>> as_any(
    records::Result<std::unique_ptr<Store>> store) {
  if (!store) return store.error();
  return std::unique_ptr<records::RecordStore>(*std::move(store));
}

}  // namespace tictactoe::test
