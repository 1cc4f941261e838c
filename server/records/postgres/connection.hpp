// One connection to a PostgreSQL database.
#pragma once

#include <libpq-fe.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "server/records/backend.hpp"
#include "server/records/record_store.hpp"

namespace tictactoe::records {

inline constexpr std::chrono::milliseconds default_patience{5'000};
/// For what is done before a server starts, such as an upgrade of large tables.
inline constexpr std::chrono::milliseconds max_patience{600'000};

/// Lets the transaction that it begins pause for longer than usual between two statements.
inline constexpr const char* allow_long_pauses =
    "SET LOCAL idle_in_transaction_session_timeout = '10min'";

/// Thrown by PostgresConnection.
struct PostgresFailure : Failure {
  explicit PostgresFailure(Fault why, bool duplicate = false)
      : Failure{std::move(why)}, is_duplicate(duplicate) {}
  bool is_duplicate;  // the statement would have stored a value twice that must be unique
};

/// A parameter of a statement: a number, bytes, text that PostgreSQL parses, or NULL.
class PostgresParameter {
 public:
  PostgresParameter(std::uint64_t number)
      : text_(std::to_string(static_cast<std::int64_t>(number))), format_(0) {}
  PostgresParameter(const std::string& bytes) : PostgresParameter(std::string_view(bytes)) {}
  PostgresParameter(std::string_view bytes) : text_(bytes), format_(1) {}
  template <class Value>
  PostgresParameter(const std::optional<Value>& value) : format_(-1) {
    if (value) *this = PostgresParameter(*value);
  }
  static PostgresParameter parsed(std::string_view text) {
    PostgresParameter parameter(text);
    parameter.format_ = 0;
    return parameter;
  }

  const char* data() const { return format_ < 0 ? nullptr : text_.c_str(); }
  int size() const { return static_cast<int>(text_.size()); }
  int format() const { return format_ > 0 ? 1 : 0; }

 private:
  std::string text_;
  int format_;  // 0: text, 1: binary, -1: NULL
};

/// An array of numbers or of bytes, for unnest().
class PostgresArray {
 public:
  template <class Values>
  static PostgresArray of(const Values& values) {
    PostgresArray array;
    for (const auto& value : values) array.add(value);
    return array;
  }
  void add(std::uint64_t number) { next() += std::to_string(static_cast<std::int64_t>(number)); }
  void add(std::string_view bytes);
  void add_null() { next() += "NULL"; }
  operator PostgresParameter() const {
    return PostgresParameter::parsed(text_.empty() ? "{}" : text_ + '}');
  }

 private:
  std::string& next() { return text_ += text_.empty() ? '{' : ','; }

  std::string text_;
};

/// The rows of an answer.
class PostgresRows {
 public:
  explicit PostgresRows(PGresult* result) : result_(result, PQclear) {}
  const PGresult* result() const { return result_.get(); }
  int size() const { return PQntuples(result_.get()); }
  bool empty() const { return size() == 0; }
  bool is_null(int row, int column) const { return PQgetisnull(result_.get(), row, column) == 1; }
  /// 0 if it is NULL.
  std::uint64_t number(int row, int column) const;
  /// Valid as long as this object.
  std::string_view bytes(int row, int column) const {
    return {PQgetvalue(result_.get(), row, column),
            static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
  }
  /// Rows that the statement has changed.
  std::size_t changed() const;

 private:
  std::unique_ptr<PGresult, void (*)(PGresult*)> result_;
};

/// A row of PostgresRows, which must outlive it.
class PostgresRow {
 public:
  PostgresRow(const PostgresRows& rows, int row) : rows_(rows), row_(row) {}
  std::uint64_t number(int column) const { return rows_.number(row_, column); }
  std::string_view bytes(int column) const { return rows_.bytes(row_, column); }
  bool is_null(int column) const { return rows_.is_null(row_, column); }

 private:
  const PostgresRows& rows_;
  int row_;
};

/// Connects when it is first used, and again after the connection was lost. Calls block: not for
/// the event loop. Not thread-safe.
///
/// A statement during which PostgreSQL warns fails, although it may have been committed: that is
/// how it says that a commit did not wait for its synchronous standby to the end. Such a commit can
/// be seen, but is lost with the primary. The message's text depends on the language of the server
/// and all warnings have one SQLSTATE, so every warning counts.
class PostgresConnection {
 public:
  /// `url` as for libpq. Unless it says otherwise, only a server that can be written to is used. A
  /// statement fails after about `patience` without a byte from the server, and each of the URL's
  /// hosts has 5 s for connecting, unless it says otherwise.
  explicit PostgresConnection(std::string url,
                              std::chrono::milliseconds patience = default_patience)
      : url_(std::move(url)), patience_(patience) {}
  PostgresConnection(const PostgresConnection&) = delete;
  PostgresConnection& operator=(const PostgresConnection&) = delete;

  // Differences between the databases, for SqlStore.
  static constexpr bool has_sums = false;
  static constexpr bool names_indexes = false;
  static constexpr const char* parameter = "$";
  static constexpr const char* room_key = "serial";
  static constexpr const char* reason_bytes = "convert_to(reason, 'UTF8')";
  static std::string contains(const std::string& column) {
    return "position($1 IN " + column + ") > 0";
  }
  static const std::string& text(const std::string& value) { return value; }

  /// The URL without user and password, for messages. A fault if `url` is not a URL; its reason
  /// does not repeat it.
  static Result<std::string> name_of(const std::string& url);

  /// Connects if there is no connection. Returns whether it did. Throws PostgresFailure.
  bool ensure();
  /// Runs one statement on the connection that ensure() has made. Throws PostgresFailure.
  PostgresRows run(const std::string& sql,
                   std::initializer_list<PostgresParameter> parameters = {});
  template <class... Parameters>
    requires(sizeof...(Parameters) > 0)
  PostgresRows run(const std::string& sql, const Parameters&... parameters) {
    return run(sql, {PostgresParameter(parameters)...});
  }
  /// Returns the number of rows that the statement has changed.
  template <class... Parameters>
  std::size_t change(const std::string& sql, const Parameters&... parameters) {
    return run(sql, {PostgresParameter(parameters)...}).changed();
  }
  /// Calls `visit(const PostgresRow&)` with each row, until it returns false if it returns
  /// anything.
  template <class Visit, class... Parameters>
  void visit(const std::string& sql, Visit visit, const Parameters&... parameters) {
    const PostgresRows rows = run(sql, {PostgresParameter(parameters)...});
    for (int row = 0; row < rows.size() && visit_row(visit, PostgresRow(rows, row)); ++row) {
    }
  }
  /// The number in the only row.
  template <class... Parameters>
  std::uint64_t number_of(const std::string& sql, const Parameters&... parameters) {
    return run(sql, {PostgresParameter(parameters)...}).number(0, 0);
  }
  /// Runs several statements without parameters. Throws PostgresFailure.
  void run_script(std::string_view sql);

  /// As attempt(), once there is a connection.
  template <class Function>
  auto attempt(Function work) {
    return records::attempt([&] {
      ensure();
      return work();
    });
  }
  /// Runs `work` between `begin` and COMMIT. Throws what it throws, after a rollback.
  template <class Function>
  void transact(const char* begin, Function work) {
    run(begin);
    try {
      work();
      run("COMMIT");
    } catch (...) {
      roll_back();
      throw;
    }
  }

  /// Changes the patience. Throws PostgresFailure.
  void be_patient(std::chrono::milliseconds patience);

 private:
  static void receive_notice(void* connection, const PGresult* notice);
  [[noreturn]] void lose(std::string reason);
  PostgresRows answer();
  void wait_for_server(bool to_write);
  PostgresRows checked(PostgresRows rows);
  void roll_back();
  void set_up();

  std::string url_;
  std::chrono::milliseconds patience_;
  std::string warning_;  // during the last statement
  std::unique_ptr<PGconn, void (*)(PGconn*)> connection_{nullptr, PQfinish};
};

}  // namespace tictactoe::records
