// What records mean: the players, rooms, games and bans that they lead to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/text/utc.hpp"
#include "server/records/backend.hpp"
#include "server/records/forget.hpp"

namespace tictactoe::records {

/// What a server restores, and the numbers from which it continues.
struct StoreState {
  std::uint64_t server_id = 0;
  std::uint64_t last_game = 0;  ///< the highest id that a game has had; 0: none
  /// Of all streams. The streams themselves are left out: their owners start with new ones.
  journal::v1::Saved saved;
  std::string set_aside;  ///< a clause as in LoadedStream
};

/// Changes that a commit makes immediately. The rest stays in its records until they are compacted.
struct CommitChanges {
  std::vector<StoredGame> games;
  std::map<std::string, std::optional<journal::v1::Ban>> bans;  ///< by subject
  std::uint64_t last_revision = 0;                              ///< of closed rooms
  /// Records that free a name, replace a token, or give something to another server.
  std::vector<journal::v1::Record> of_servers;

  bool is_empty() const {
    return games.empty() && bans.empty() && last_revision == 0 && of_servers.empty();
  }
};

inline namespace compaction {
template <class Message>
struct Entry;
}

/// A RecordStore whose records become rows of a Backend. Players and rooms that can't be read are
/// set aside, each alone.
class StateStore : public RecordStore, protected Backend {
 public:
  struct Settings {
    /// Lines of chat kept per room.
    std::uint32_t kept_chat = 20;
    /// Bytes of records that one compaction takes, which are in memory until it ends. The more it
    /// takes, the more changes of a room or player share one row.
    std::size_t compaction_bytes = std::size_t{4} * 1024 * 1024;
    /// A step reads about `step_bytes`, or changes `step_rows` rows, fewer if they are large.
    std::size_t step_bytes = std::size_t{64} * 1024;
    std::size_t step_rows = 128;
    /// Unix time in milliseconds.
    std::function<std::uint64_t()> unix_ms = text::system_unix_ms;
  };
  ~StateStore() override;

  std::uint64_t server_id() const override { return server_id_; }
  Result<LoadedStream> load(StreamId stream) override;
  std::optional<Fault> set_aside(std::span<const RefusedRow> refused) override;
  std::size_t uncompacted_bytes() const override { return uncompacted_bytes_; }
  Result<CompactionStep> compact() override;
  Result<bool> delete_games_before(std::uint64_t unix_ms) override;
  std::optional<Fault> finish() override;
  std::optional<Fault> add_games(std::span<const v1::GameRecord> games) override;

  /// Compacts everything. Returns a clause as in LoadedStream. May take long.
  Result<std::string> compact_all();

  // Reading and filling a whole store.

  /// Rows of a page of games or of what was set aside.
  static constexpr std::size_t rows_of_page = 50;

  Result<StoreState> state();
  /// A page of those with ids above `after`, by id; empty if there are no more.
  Result<std::vector<StoredGame>> page_of_games(std::uint64_t after);
  Result<std::vector<AsideRow>> page_of_asides(std::uint64_t after);
  /// Whether no server has recorded anything in it.
  Result<bool> is_empty();
  /// Runs `work`, which may call put(), in one transaction. Requires that the store is empty.
  std::optional<Fault> fill(const std::function<std::optional<Fault>()>& work);
  void put(const StoreState& state);
  void put(std::span<const StoredGame> games) { put_games(games); }
  void put(std::span<const AsideRow> rows);

  /// Takes a name out of everything. Leaves `damaged_journals` empty. No other connection may be
  /// open. O(size of the store), with the rows that contain the name in memory.
  Result<Forgotten> forget(const std::string& name);

 protected:
  explicit StateStore(Settings settings);
  using Backend::put;

  const Settings& settings() const { return settings_; }
  void set_identity(std::uint64_t server_id, std::size_t uncompacted_bytes) {
    server_id_ = server_id;
    uncompacted_bytes_ = uncompacted_bytes;
  }
  void note_appended(std::size_t bytes) { uncompacted_bytes_ += bytes; }
  /// The parts of a batch that become rows of the log, so that a step of the compaction need not
  /// take a large commit as a whole.
  std::vector<std::string_view> rows_of_log(const Batch& batch) const {
    return split_batch(batch.bytes(), settings_.step_bytes);
  }
  /// `with_games`: with the finished games, which are otherwise written by compaction.
  static CommitChanges read_changes(const Batch& batch, std::uint64_t unix_ms, bool with_games);

  /// Runs `work` in a transaction, and turns what it throws into a fault.
  template <class Function>
  auto in(Transaction kind, Function work) -> Result<decltype(work())> {
    return attempt([&] {
      std::optional<decltype(work())> value;
      transact(kind, [&] { value.emplace(work()); });
      return *std::move(value);
    });
  }
  template <class Function>
  std::optional<Fault> does(Transaction kind, Function work) {
    return attempt([&] { transact(kind, work); });
  }

  /// Rewrites the database, so that nothing of what was deleted is left in it.
  virtual std::optional<Fault> rewrite() = 0;

  // These must be called in transact(). They throw Failure.

  /// Writes the games and bans.
  void write(const CommitChanges& written);
  LoadedStream read(std::optional<StreamId> stream);
  void set_aside(Table table, const Row& row, const std::string& reason);

 private:
  struct Compaction;

  // These must be called in transact(), too.
  void compact_step();
  void merge(Compaction& compaction);
  void write_rows(Compaction& compaction);
  bool write_players(Compaction& compaction, std::size_t& left);
  bool write_rooms(Compaction& compaction, std::size_t& left);
  bool cut_some(Compaction& compaction, std::size_t& left);
  template <class Message>
  void write_entries(Table table, Compaction& compaction,
                     std::map<std::uint64_t, Entry<Message>>& entries);
  int read_bans(journal::v1::Saved& saved);
  void put_aside_now(const char* kind, std::uint64_t key, const std::string& reason,
                     const std::string& content);

  Result<LoadedStream> load_all(std::optional<StreamId> stream);

  const Settings settings_;
  std::uint64_t server_id_ = 0;
  std::size_t uncompacted_bytes_ = 0;
  std::unique_ptr<Compaction> compaction_;  // under way
};

/// Adds the finished games among the records of a row. Returns false if some can't be read.
bool add_games_of(const LogRow& row, std::vector<StoredGame>& games);

/// Calls `player` with the id of each player, and `room` with the serial of each room, that a
/// record changes.
void visit_changed(const journal::v1::Record& record,
                   const std::function<void(std::uint64_t)>& player,
                   const std::function<void(std::uint64_t)>& room);

/// Nothing if the row is damaged.
std::optional<journal::v1::Ban> decode_ban(const BanRow& row);

}  // namespace tictactoe::records
