// One connection to a PostgreSQL database.
#pragma once

#include <libpq-fe.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/store/record_store.hpp"

namespace tictactoe::store {

/// Thrown within the members of PostgresStore and PostgresReader, and caught by
/// guarded_postgres().
struct PostgresFailure {
  Fault fault;
  bool is_duplicate = false;  // the statement would have stored a value twice that must be unique
};

/// A parameter of a statement: a number, bytes, text that PostgreSQL parses, or NULL.
class PostgresParameter {
 public:
  PostgresParameter(std::uint64_t number)
      : text_(std::to_string(static_cast<std::int64_t>(number))), format_(0) {}
  PostgresParameter(std::string_view bytes) : text_(bytes), format_(1) {}
  PostgresParameter(std::nullptr_t) : format_(-1) {}
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

/// The rows of an answer.
class PostgresRows {
 public:
  explicit PostgresRows(PGresult* result) : result_(result, PQclear) {}
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

/// Connects when it is first used, and again after the connection was lost. Calls block: not for
/// the event loop. A server that does not answer for 10 s counts as lost. Not thread-safe.
class PostgresConnection {
 public:
  /// `url` as for libpq. Unless it says otherwise, only a server that can be written to is used.
  explicit PostgresConnection(std::string url) : url_(std::move(url)) {}

  /// What people are told instead of the URL: it has no user and no password. A fault if `url`
  /// is none; its reason does not repeat it.
  static Result<std::string> name_of(const std::string& url);

  /// Connects if there is no connection. Returns whether it did. Throws PostgresFailure.
  bool ensure();
  /// Runs one statement on the connection that ensure() has made. Throws PostgresFailure.
  PostgresRows run(const char* sql, std::initializer_list<PostgresParameter> parameters = {});
  /// Runs several statements without parameters. Throws PostgresFailure.
  void run_script(std::string_view sql);

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

 private:
  PostgresRows checked(PGresult* result);
  void roll_back();

  std::string url_;
  std::unique_ptr<PGconn, void (*)(PGconn*)> connection_{nullptr, PQfinish};
};

/// Runs `work` on a connection that is there, and turns what it throws into a fault.
template <class Function>
auto guarded_postgres(Function work) -> Result<decltype(work())> {
  try {
    return work();
  } catch (const PostgresFailure& failure) {
    return failure.fault;
  }
}

}  // namespace tictactoe::store
