// What a record store needs from a database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "server/records/record_store.hpp"
#include "tictactoe/journal/v1/journal.pb.h"

namespace tictactoe::records {

/// Thrown by the members of Backend.
struct Failure {
  Fault fault;
};

/// Runs `work`, and turns what it throws into a fault. Returns a Result, or an optional Fault if
/// `work` returns nothing.
template <class Function>
auto attempt(Function work) {
  using Value = decltype(work());
  constexpr bool has_value = !std::is_void_v<Value>;
  using Returned = typename std::conditional_t<has_value, std::type_identity<Result<Value>>,
                                               std::type_identity<std::optional<Fault>>>::type;
  try {
    if constexpr (has_value) {
      return Returned(work());
    } else {
      work();
      return Returned();
    }
  } catch (const Failure& failure) {
    return Returned(failure.fault);
  }
}

/// Calls `visit(row)`. Returns its result, or true if it returns void.
template <class Visit, class SqlRow>
bool visit_row(Visit& visit, const SqlRow& row) {
  if constexpr (std::is_void_v<decltype(visit(row))>) {
    visit(row);
    return true;
  } else {
    return visit(row);
  }
}

/// Rows whose numbers are the ids of players, the serials of rooms and the ids of games.
enum class Table : std::uint8_t { players, rooms, games };

/// A row of `players` or `rooms`.
struct Row {
  std::uint64_t key = 0;
  StreamId stream = 0;
  std::string content;   ///< a Player or a SavedRoom; empty if the row only claims a name
  bool is_sound = true;  ///< false if its checksum is wrong
};

/// A row of the log: records as they were appended. A large commit may have several.
struct LogRow {
  std::uint64_t id = 0;
  StreamId stream = 0;
  std::string records;        ///< see Batch
  std::uint64_t unix_ms = 0;  ///< when they were appended; 0: their games are written
  bool is_sound = true;
};

/// A finished game, as a GameRecord in two parts: lists show the head, and the rest is in `moves`.
struct StoredGame {
  std::uint64_t id = 0;                         ///< 0: the next one
  std::uint64_t unix_ms = 0;                    ///< when it was recorded
  std::optional<journal::v1::Readers> readers;  ///< nothing: everybody
  std::string head;
  std::string moves;
  std::optional<std::string> x_name;  ///< of a person, for the history of one
  std::optional<std::string> o_name;
  bool is_sound = true;
};

struct BanRow {
  std::string subject;  ///< an encoded BanSubject
  std::string state;    ///< a Ban
  bool is_sound = true;
};

/// Damaged or refused content, kept for people: no program reads it.
struct AsideRow {
  std::uint64_t id = 0;
  std::uint64_t unix_ms = 0;
  std::string kind;
  std::uint64_t key = 0;
  std::string reason;
  std::string content;
};

/// A database that keeps records. StateStore knows what they mean. The members must be called in
/// transact(), and throw Failure.
class Backend {
 public:
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  enum class Transaction : std::uint8_t {
    commit,
    compaction,  // need not be on the disk at its end
    whole,       // sees one moment of the store, and may take long
  };
  /// Runs `work` in a transaction, and rolls back if it throws.
  virtual void transact(Transaction kind, const std::function<void()>& work) = 0;

  /// Of all streams if `stream` is empty.
  virtual std::uint64_t last_revision(std::optional<StreamId> stream) = 0;
  /// Never lowers it.
  virtual void raise_last_revision(StreamId stream, std::uint64_t revision) = 0;

  // The log, by id. Compaction replaces it by rows.

  /// Rows with higher ids, up to about `bytes`; at least one if there are any.
  virtual std::vector<LogRow> log_after(std::uint64_t id, std::size_t bytes) = 0;
  /// Deletes rows that successive calls of log_after() have returned.
  virtual void cut_log(std::span<const std::uint64_t> ids) = 0;
  /// Progress of a compaction that takes several transactions.
  struct Progress {
    std::uint64_t through = 0;  ///< the last row of the log that it takes; 0: none is under way
    std::uint64_t room = 0;     ///< rooms up to this one are written
  };
  virtual Progress progress() { return {}; }
  virtual void put_progress(const Progress& /*progress*/) {}
  /// The last row of the log whose finished games are in their table. By default commits put them
  /// there.
  virtual std::uint64_t games_written() { return std::numeric_limits<std::uint64_t>::max(); }
  virtual void put_games_written(std::uint64_t /*through*/) {}

  // Players and rooms, by key.

  /// The rows of a stream, or of all streams. Leaves claims out.
  virtual std::vector<Row> rows_of(Table table, std::optional<StreamId> stream) = 0;
  /// The rows with these keys, which must be in ascending order. No other transaction can change
  /// them before the end of this one.
  virtual std::vector<Row> rows_at(Table table, std::span<const std::uint64_t> keys) = 0;
  /// Rows whose content contains these bytes. O(size of the table).
  virtual std::vector<Row> rows_with(Table table, std::string_view bytes) = 0;
  /// Adds rows, or replaces the content of rows that are there.
  virtual void put(Table table, std::span<const Row> rows) = 0;
  /// Works for `games`, too.
  virtual void erase(Table table, std::span<const std::uint64_t> keys) = 0;
  /// Whether records create the rows of this stream. Otherwise claims do, and a player or room
  /// without a row has ended.
  virtual bool makes_rows(StreamId stream) const = 0;
  /// Deletes the old names of these rows, by which other servers would find them.
  virtual void drop_names(Table /*table*/, std::span<const Row> /*rows*/) {}

  // Finished games, by id.

  virtual void put_games(std::span<const StoredGame> games) = 0;
  virtual std::vector<StoredGame> games_after(std::uint64_t id, std::size_t most) = 0;
  /// Games with these bytes in the head or the names. O(size of the table).
  virtual std::vector<StoredGame> games_with(std::string_view bytes) = 0;
  /// Deletes the oldest games that were recorded before that time. Returns how many.
  virtual std::size_t delete_games(std::uint64_t before_unix_ms, std::size_t most) = 0;

  // Bans, by subject.

  virtual std::vector<BanRow> bans() = 0;
  /// Lifts the ban if `ban` is empty.
  virtual void put_ban(const std::string& subject, const std::optional<journal::v1::Ban>& ban) = 0;

  // What was set aside.

  virtual void put_aside(const AsideRow& row) = 0;
  virtual std::vector<AsideRow> asides_after(std::uint64_t id, std::size_t most) = 0;
  /// Deletes rows with these bytes in the content or the reason. Returns how many.
  virtual std::size_t erase_asides_with(std::string_view bytes) = 0;

  // The store.

  virtual bool has_nothing() = 0;
  /// The highest id that a game has had.
  virtual std::uint64_t last_game() = 0;
  virtual void put_identity(std::uint64_t server_id, std::uint64_t last_game) = 0;

 protected:
  Backend() = default;
  ~Backend() = default;
};

}  // namespace tictactoe::records
