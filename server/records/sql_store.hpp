// Tables that both databases have, and the SQL that both understand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/records/game_lists.hpp"
#include "server/records/rows.hpp"
#include "server/records/state.hpp"

namespace tictactoe::records {

/// `columns`, followed by `sums` if rows of this database have checksums.
template <class Connection>
std::string with_sums(const std::string& columns, const char* sums) {
  return Connection::has_sums ? columns + ", " + sums : columns;
}

/// The part of a StateStore that needs no SQL of its own in each database. `Connection` has run(),
/// visit(), change() and number_of(), and constants for what differs between the databases. SQLite
/// numbers parameters by first occurrence, so $1 must occur before $2.
template <class Connection>
class SqlStore : public StateStore {
 protected:
  explicit SqlStore(Settings settings) : StateStore(std::move(settings)) {}

  virtual Connection& connection() = 0;

  static std::string name_of(Table table) {
    return table == Table::players ? "players" : table == Table::rooms ? "rooms" : "games";
  }
  static std::string key_of(Table table) {
    return table == Table::rooms ? Connection::room_key : "id";
  }
  /// Selects rows of `players` or `rooms`, by key.
  static std::string rows_sql(Table table, const std::string& condition, const char* lock = "") {
    const std::string key = key_of(table);
    return "SELECT " + with_sums<Connection>(key + ", stream, state", "sum") + " FROM " +
           name_of(table) + " WHERE " + condition + " ORDER BY " + key + lock;
  }
  template <class... Parameters>
  void add_rows(std::vector<Row>& rows, const std::string& sql, const Parameters&... parameters) {
    const auto add = [&](const auto& row) {
      Row& found = rows.emplace_back(Row{row.number(0), row.number(1), std::string(row.bytes(2))});
      if constexpr (Connection::has_sums) {
        found.is_sound = row.number(3) == sum_of(found.key, found.stream, found.content);
      }
    };
    connection().visit(sql, add, parameters...);
  }
  template <class... Parameters>
  std::vector<StoredGame> read_games(const std::string& condition,
                                     const Parameters&... parameters) {
    std::vector<StoredGame> games;
    const auto add = [&](const auto& row) {
      StoredGame& game = games.emplace_back();
      game.id = row.number(0);
      game.unix_ms = row.number(1);
      if (row.number(2) != 0) {
        game.readers.emplace().set_x(row.number(3));  // 0 for NULL
        game.readers->set_o(row.number(4));
      }
      if (!row.is_null(5)) game.x_name = row.bytes(5);
      if (!row.is_null(6)) game.o_name = row.bytes(6);
      game.head = row.bytes(7);
      game.moves = row.bytes(8);
      if constexpr (Connection::has_sums) {
        game.is_sound = row.number(9) == sum_of_head(game) && row.number(10) == sum_of(game.moves);
      }
    };
    connection().visit("SELECT " +
                           with_sums<Connection>(
                               "id, kept_unix_ms, is_private, x_reader, o_reader, x_name, o_name, "
                               "head, moves",
                               "head_sum, moves_sum") +
                           " FROM games WHERE " + condition,
                       add, parameters...);
    return games;
  }

  std::vector<Row> rows_of(Table table, std::optional<StreamId> stream) override {
    std::vector<Row> rows;
    add_rows(rows, rows_sql(table, "state <> '' AND (stream = $1 OR $1 IS NULL)"), stream);
    return rows;
  }
  std::vector<Row> rows_with(Table table, std::string_view bytes) override {
    std::vector<Row> rows;
    add_rows(rows, rows_sql(table, Connection::contains("state")), bytes);
    return rows;
  }
  std::vector<StoredGame> games_after(std::uint64_t id, std::size_t most) override {
    return read_games("id > $1 ORDER BY id LIMIT $2", id, std::uint64_t{most});
  }
  std::vector<StoredGame> games_with(std::string_view bytes) override {
    return read_games(Connection::contains("head") + " OR " + Connection::contains("x_name") +
                          " OR " + Connection::contains("o_name"),
                      bytes);
  }
  // Ids and times grow together, so this reads no further than what it deletes.
  std::size_t delete_games(std::uint64_t before_unix_ms, std::size_t most) override {
    return connection().change(
        "DELETE FROM games WHERE id IN (SELECT id FROM (SELECT id, kept_unix_ms FROM games "
        "ORDER BY id LIMIT $1) AS oldest WHERE kept_unix_ms < $2)",
        std::uint64_t{most}, before_unix_ms);
  }

  std::vector<BanRow> bans() override {
    std::vector<BanRow> found;
    const auto add = [&](const auto& row) {
      BanRow& ban =
          found.emplace_back(BanRow{std::string(row.bytes(0)), std::string(row.bytes(1))});
      if constexpr (Connection::has_sums) {
        ban.is_sound = row.number(2) == sum_of(ban.subject, ban.state);
      }
    };
    connection().visit(
        "SELECT " + with_sums<Connection>("subject, state", "sum") + " FROM bans ORDER BY subject",
        add);
    return found;
  }
  void put_ban(const std::string& subject, const std::optional<journal::v1::Ban>& ban) override {
    if (!ban) {
      connection().run("DELETE FROM bans WHERE subject = $1", subject);
      return;
    }
    const std::string state = ban->SerializeAsString();
    const std::string replace = " ON CONFLICT(subject) DO UPDATE SET state = excluded.state";
    if constexpr (Connection::has_sums) {
      connection().run("INSERT INTO bans VALUES($1, $2, $3)" + replace + ", sum = excluded.sum",
                       subject, state, sum_of(subject, state));
    } else {
      connection().run("INSERT INTO bans VALUES($1, $2)" + replace, subject, state);
    }
  }

  void put_aside(const AsideRow& row) override {
    connection().run(
        "INSERT INTO set_aside(unix_ms, kind, key, reason, content) VALUES($1, $2, $3, $4, $5)",
        row.unix_ms, Connection::text(row.kind), row.key, Connection::text(row.reason),
        row.content);
  }
  std::vector<AsideRow> asides_after(std::uint64_t id, std::size_t most) override {
    std::vector<AsideRow> found;
    connection().visit(
        "SELECT id, unix_ms, kind, key, reason, content FROM set_aside WHERE id > $1 ORDER BY id "
        "LIMIT $2",
        [&](const auto& row) {
          found.push_back({row.number(0), row.number(1), std::string(row.bytes(2)), row.number(3),
                           std::string(row.bytes(4)), std::string(row.bytes(5))});
        },
        id, std::uint64_t{most});
    return found;
  }
  std::size_t erase_asides_with(std::string_view bytes) override {
    return connection().change("DELETE FROM set_aside WHERE " + Connection::contains("content") +
                                   " OR " + Connection::contains(Connection::reason_bytes),
                               bytes);
  }
  bool has_nothing() override {
    return connection().number_of(
               "SELECT EXISTS(SELECT 1 FROM players) OR EXISTS(SELECT 1 FROM rooms) OR "
               "EXISTS(SELECT 1 FROM games) OR EXISTS(SELECT 1 FROM uncompacted) OR "
               "EXISTS(SELECT 1 FROM bans) OR EXISTS(SELECT 1 FROM set_aside)") == 0;
  }
};

/// Reads finished games over a connection of its own.
template <class Connection>
class SqlReader : public RecordReader {
 public:
  Result<v1::GameList> list_games(std::uint64_t before, const std::string& player,
                                  std::size_t limit, ReaderNumber reader) override {
    static const std::string list_all = list_sql(false);
    static const std::string list_of_player = list_sql(true);
    prepare();
    return connection().attempt([&] {
      v1::GameList list;
      std::size_t seen = 0;
      const auto add = [&](const auto& row) {
        list.set_more(seen++ == limit);
        if (list.more()) return false;
        auto game = decode_game(row.number(0), row.bytes(4));
        if (game && is_sound(row)) {
          *list.add_games() = *std::move(game);
        } else {
          ++damaged_games_;
        }
        return true;
      };
      const std::uint64_t below = id_below(before);
      const std::uint64_t rows = limit + 1;
      if (player.empty()) {
        connection().visit(list_all, add, below, rows, known(reader));
      } else {
        connection().visit(list_of_player, add, below, rows, known(reader), player);
      }
      return list;
    });
  }
  Result<std::optional<v1::GameRecord>> game(std::uint64_t id, ReaderNumber reader) override {
    static const std::string sql =
        "SELECT " + with_sums<Connection>(head_columns() + ", moves", "moves_sum") +
        " FROM games WHERE id = $1 AND (NOT is_private OR x_reader = $2 OR o_reader = $2)";
    prepare();
    return connection().attempt([&] {
      std::optional<v1::GameRecord> game;
      const auto read = [&](const auto& row) {
        bool is_whole = is_sound(row);
        const std::string_view moves = row.bytes(head_size);
        if constexpr (Connection::has_sums) {
          is_whole = is_whole && row.number(head_size + 1) == sum_of(moves);
        }
        if (is_whole) game = decode_game(id, std::string(row.bytes(4)).append(moves));
        if (!game) {
          throw Failure{{Fault::Kind::damaged, "game " + std::to_string(id) + " is damaged"}};
        }
      };
      connection().visit(sql, read, id, known(reader));
      return game;
    });
  }
  std::size_t damaged_games() const override { return damaged_games_; }
  bool wants_maintenance() const override { return false; }
  void maintain() override {}

 private:
  static constexpr int head_size = Connection::has_sums ? 6 : 5;

  virtual Connection& connection() = 0;
  /// Called before games are read.
  virtual void prepare() {}

  static std::string head_columns() {
    return with_sums<Connection>("id, is_private, x_reader, o_reader, head", "head_sum");
  }
  static std::string list_sql(bool of_person) {
    return list_games_sql(head_columns(), of_person, Connection::parameter,
                          Connection::names_indexes);
  }
  template <class SqlRow>
  static bool is_sound(const SqlRow& row) {
    if constexpr (!Connection::has_sums) return true;
    const std::string_view head = row.bytes(4);
    const bool is_private = row.number(1) != 0;
    return row.number(5) ==
           (is_private ? sum_of(head, row.number(2), row.number(3)) : sum_of(head));
  }
  /// NULL is equal to nothing.
  static std::optional<ReaderNumber> known(ReaderNumber reader) {
    return reader == 0 ? std::nullopt : std::optional(reader);
  }

  std::size_t damaged_games_ = 0;
};

}  // namespace tictactoe::records
