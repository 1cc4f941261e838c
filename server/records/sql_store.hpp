// A record store in a database: what records change in its tables.
#pragma once

#include <google/protobuf/arena.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/text/utc.hpp"
#include "server/records/record_store.hpp"
#include "server/records/tables.hpp"

namespace tictactoe::records {

/// The changes that SqlStore::forget() made.
struct Forgotten {
  std::string name;  // instead of the person's in games; empty if no player has that name
  std::size_t players = 0;
  std::size_t games = 0;
  std::size_t seats = 0;                      // in open rooms
  std::size_t lines = 0;                      // of chat
  std::vector<std::string> damaged_journals;  // whole files that were moved away and not looked at
};

/// Each record becomes statements of the transaction that commits it. The statements are the same
/// in both databases.
class SqlStore : public RecordStore {
 public:
  struct Settings {
    /// Lines of chat kept per room.
    std::uint32_t kept_chat = 20;
    /// Unix time in milliseconds.
    std::function<std::uint64_t()> unix_ms = text::system_unix_ms;
  };

  std::uint64_t server_id() const override { return server_id_; }
  Result<StreamPosition> own(StreamId stream) override;
  Result<journal::v1::Saved> load(StreamId stream) override;
  Result<AppendOutcome> append(StreamId stream, StreamPosition expected,
                               std::uint64_t last_sequence, const Batch& batch) override;
  Result<bool> delete_games_before(std::uint64_t unix_ms) override;
  std::optional<Fault> finish() override { return std::nullopt; }
  std::optional<Fault> add_games(std::span<const v1::GameRecord> games) override;

  // Whole stores that no server uses.

  /// Calls `sink` with each row of copied_tables(), in the order of their keys, and with what goes
  /// beside them: the id of the store, the highest id of a game, and the last revision.
  using Sink = std::function<void(const Table* table, Values row)>;
  std::optional<Fault> read_all(const Sink& sink);
  /// Stores everything that `work` passes to its sink, in one transaction. Requires an empty store.
  std::optional<Fault> fill(const std::function<std::optional<Fault>(const Sink&)>& work);
  /// Whether no server has recorded anything in it.
  Result<bool> is_empty();

  /// Deletes the player of that name, what they have said in rooms, and a ban of the name. Opens
  /// their seats. Replaces the name in finished games by a neutral one, such as "forgotten-17".
  /// Leaves `damaged_journals` empty. Fails if another program reads a file. O(size of the store).
  Result<Forgotten> forget(const std::string& name);

 protected:
  SqlStore(Settings settings, std::shared_ptr<Database> database);

  Database& database() const { return *database_; }
  const Settings& settings() const { return settings_; }

  // These throw Failure.

  /// Reads the identity of the store.
  void read_identity();
  /// As append(), in a transaction. Returns whether the stream is at that position.
  bool write(StreamId stream, StreamPosition expected, std::uint64_t last_sequence,
             const Batch& batch);
  /// What a stream has; everything if there is none. Leaves bans out.
  journal::v1::Saved read(std::optional<StreamId> stream);
  void read_bans(journal::v1::Saved& saved);

 private:
  /// Rewrites the database, so that nothing of what was deleted is left in it.
  virtual void rewrite() = 0;
  virtual std::uint64_t last_game() = 0;
  virtual void set_last_game(std::uint64_t id) = 0;

  void apply(const journal::v1::Record& record, StreamId stream);
  void put(const journal::v1::Player& player, StreamId stream);
  void put(const journal::v1::Room& room, StreamId stream);
  /// To another server's stream. `arrives`: that one must be told.
  void give(const journal::v1::Player& player, StreamId to, bool arrives);
  void put(const journal::v1::Chat& line);
  void put(const journal::v1::Ban& ban);
  void put_game(const v1::GameRecord& record, const journal::v1::Readers* readers,
                std::uint64_t now);
  void note_request(std::uint64_t player, std::uint64_t request);
  void put_message(const std::string& sql, const Table& table, const google::protobuf::Message& row,
                   std::initializer_list<Value> extra = {});
  void close_room(std::uint64_t serial);
  bool is_shared() const { return database_->kind() == Database::Kind::postgres; }
  std::string neutral_name();

  const Settings settings_;
  const std::shared_ptr<Database> database_;
  std::uint64_t server_id_ = 0;
  // Reused.
  std::map<std::uint64_t, std::uint64_t> done_;  // by player: the last request of a commit
  std::vector<Value> row_;
  std::array<char, 16'384> first_block_{};
  google::protobuf::Arena messages_{first_block_.data(), first_block_.size()};
};

/// Reads finished games over a connection of its own.
class SqlReader final : public RecordReader {
 public:
  explicit SqlReader(std::shared_ptr<Database> database) : database_(std::move(database)) {}

  Result<v1::GameList> list_games(std::uint64_t before, const std::string& player,
                                  std::size_t limit, ReaderNumber reader) override;
  Result<std::optional<v1::GameRecord>> game(std::uint64_t id, ReaderNumber reader) override;

 private:
  const std::shared_ptr<Database> database_;
};

}  // namespace tictactoe::records
