// A connection to an SQLite database.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "server/records/backend.hpp"
#include "server/records/sqlite/log.hpp"

namespace tictactoe::records {

[[noreturn]] inline void damaged(std::string reason) {
  throw Failure{{Fault::Kind::damaged, std::move(reason)}};
}

inline Fault fault_of(const SQLite::Exception& error) {
  if (is_failed_sync(error.getExtendedErrorCode())) return failed_sync();
  const int code = error.getErrorCode();
  const bool is_damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
  return {is_damaged ? Fault::Kind::damaged : Fault::Kind::unusable, error.what()};
}

/// Like attempt(), also for exceptions of SQLite.
template <class Function>
auto guarded(Function work) {
  return attempt([&] {
    try {
      return work();
    } catch (const SQLite::Exception& error) {
      throw Failure{fault_of(error)};
    }
  });
}

/// A parameter or column of type TEXT. Strings without this are BLOBs.
struct SqlText {
  std::string_view text;
};

/// A row of an answer, until the next step.
class SqliteRow {
 public:
  explicit SqliteRow(SQLite::Statement& statement) : statement_(statement) {}
  /// 0 for NULL.
  std::uint64_t number(int column) const {
    return static_cast<std::uint64_t>(statement_.getColumn(column).getInt64());
  }
  /// Empty for NULL.
  std::string_view bytes(int column) const {
    const SQLite::Column value = statement_.getColumn(column);
    const void* data = value.getBlob();
    return {static_cast<const char*>(data), static_cast<std::size_t>(value.getBytes())};
  }
  bool is_null(int column) const { return statement_.getColumn(column).isNull(); }

 private:
  SQLite::Statement& statement_;
};

/// Prepares each statement once. Members throw SQLite::Exception. Not thread-safe.
class SqliteConnection {
 public:
  /// Waits up to 5 s for another process that has the write lock.
  SqliteConnection(const std::string& path, int flags)
      : database_(path, flags | SQLite::OPEN_NOMUTEX, 5'000) {}

  // Differences between the databases, for SqlStore.
  static constexpr bool has_sums = true;
  static constexpr bool names_indexes = true;
  static constexpr const char* parameter = "?";
  static constexpr const char* room_key = "id";
  static constexpr const char* reason_bytes = "CAST(reason AS BLOB)";
  static std::string contains(const std::string& column) { return "instr(" + column + ", $1) > 0"; }
  static SqlText text(const std::string& value) { return {value}; }

  SQLite::Database& database() { return database_; }
  sqlite3* handle() { return database_.getHandle(); }

  /// Runs a statement with these parameters: numbers, bytes, SqlText, or optionals of them. Returns
  /// the number of rows that were changed.
  template <class... Parameters>
  int run(std::string_view sql, const Parameters&... parameters) {
    const Running running(prepare(sql), parameters...);
    return running.statement.exec();
  }
  template <class... Parameters>
  std::size_t change(std::string_view sql, const Parameters&... parameters) {
    return static_cast<std::size_t>(run(sql, parameters...));
  }
  /// Calls `visit(const SqliteRow&)` with each row, until it returns false if it returns anything.
  template <class Visit, class... Parameters>
  void visit(std::string_view sql, Visit visit, const Parameters&... parameters) {
    const Running running(prepare(sql), parameters...);
    while (running.statement.executeStep() && visit_row(visit, SqliteRow(running.statement))) {
    }
  }
  /// As guarded().
  template <class Function>
  auto attempt(Function work) {
    return guarded(std::move(work));
  }
  /// Runs `work` in a transaction that holds the write lock, and rolls back if it throws.
  template <class Work>
  void transact(Work work) {
    struct Rollback {
      explicit Rollback(SqliteConnection& of) : connection(of) {}
      ~Rollback() {
        // A full disk may have ended the transaction already.
        if (sqlite3_get_autocommit(connection.handle()) == 0) {
          connection.database().tryExec("ROLLBACK");
        }
      }
      Rollback(const Rollback&) = delete;
      Rollback& operator=(const Rollback&) = delete;
      SqliteConnection& connection;
    };
    const Rollback unless_committed(*this);
    run("BEGIN IMMEDIATE");
    work();
    run("COMMIT");
  }
  /// The number in the first row; 0 if there is none.
  template <class... Parameters>
  std::uint64_t number_of(std::string_view sql, const Parameters&... parameters) {
    std::uint64_t found = 0;
    visit(
        sql,
        [&](const SqliteRow& row) {
          found = row.number(0);
          return false;
        },
        parameters...);
    return found;
  }

 private:
  // A statement that is being run. If it weren't reset, it would hold the lock.
  struct Running {
    template <class... Parameters>
    explicit Running(SQLite::Statement& prepared, const Parameters&... parameters)
        : statement(prepared) {
      int parameter = 0;
      (bind(++parameter, parameters), ...);
    }
    ~Running() { statement.tryReset(); }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    // SQLite's integers are signed; all numbers come back as they were.
    void bind(int parameter, std::uint64_t value) const {
      statement.bind(parameter, static_cast<std::int64_t>(value));
    }
    // An empty blob must not be bound as a null pointer, which is NULL.
    void bind(int parameter, std::string_view blob) const {
      statement.bindNoCopy(parameter, static_cast<const void*>(blob.empty() ? "" : blob.data()),
                           static_cast<int>(blob.size()));
    }
    void bind(int parameter, SqlText value) const {
      statement.bind(parameter, std::string(value.text));
    }
    template <class Value>
    void bind(int parameter, const std::optional<Value>& value) const {
      value ? bind(parameter, *value) : statement.bind(parameter);
    }

    SQLite::Statement& statement;
  };

  SQLite::Statement& prepare(std::string_view sql) {
    const auto found = statements_.find(sql);
    if (found != statements_.end()) return found->second;
    return statements_
        .emplace(std::piecewise_construct, std::forward_as_tuple(sql),
                 std::forward_as_tuple(database_, std::string(sql)))
        .first->second;
  }

  SQLite::Database database_;
  std::map<std::string, SQLite::Statement, std::less<>> statements_;
};

}  // namespace tictactoe::records
