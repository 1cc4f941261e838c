// The part of a database that a record store needs: statements, rows and transactions.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "server/records/fault.hpp"

namespace tictactoe::records {

/// Thrown by databases and stores.
struct Failure {
  Fault fault;
};

/// Runs `work`, and turns a Failure into a fault. Returns a Result, or an optional Fault if `work`
/// returns nothing.
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

struct Bytes {
  std::string bytes;
};

/// NULL, a number, text, or bytes. Databases have signed numbers: those from 2^63 on look negative
/// there, and come back as they were.
using Value = std::variant<std::monostate, std::uint64_t, std::string, Bytes>;
using Values = std::span<const Value>;

inline Value to_value(std::unsigned_integral auto number) {
  return static_cast<std::uint64_t>(number);
}
inline Value to_value(std::string_view text) {
  return std::string(text);
}
template <std::same_as<Value> Known>
Value to_value(const Known& value) {
  return value;
}
template <class Known>
Value to_value(const std::optional<Known>& known) {
  return known ? to_value(*known) : Value();
}

/// A row of an answer, until the next one.
class SqlRow {
 public:
  SqlRow() = default;
  SqlRow(const SqlRow&) = delete;
  SqlRow& operator=(const SqlRow&) = delete;

  virtual bool is_null(int column) const = 0;
  /// 0 for NULL.
  virtual std::uint64_t number(int column) const = 0;
  /// Text or bytes; empty for NULL.
  virtual std::string_view bytes(int column) const = 0;

 protected:
  ~SqlRow() = default;
};

/// One connection. Statements are written for both databases, with parameters ?1, ?2 and so on, and
/// prepared once. Members throw Failure. Not thread-safe.
class Database {
 public:
  Database() = default;
  virtual ~Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  enum class Kind : std::uint8_t { sqlite, postgres };
  virtual Kind kind() const = 0;

  enum class Transaction : std::uint8_t {
    commit,  // durable at its end
    whole,   // sees one moment of the database, and may take long
  };
  /// Runs `work` in a transaction, and rolls back if it throws.
  virtual void transact(Transaction kind, const std::function<void()>& work) = 0;

  /// Runs a statement. Returns the number of rows that it has changed.
  template <class... Parameters>
  std::size_t run(const std::string& sql, const Parameters&... parameters) {
    const std::array<Value, sizeof...(parameters)> values{to_value(parameters)...};
    return run_now(sql, values);
  }
  /// Runs a statement of a transaction whose outcome is not needed. It may be sent together with
  /// the next ones: then its failure is thrown later, at the latest at the end of the transaction.
  template <class... Parameters>
  void put(const std::string& sql, const Parameters&... parameters) {
    const std::array<Value, sizeof...(parameters)> values{to_value(parameters)...};
    run_soon(sql, values);
  }
  void put_values(const std::string& sql, Values values) { run_soon(sql, values); }
  /// Calls `visit(const SqlRow&)` with each row, until it returns false if it returns anything. It
  /// must not use the database.
  template <class Visit, class... Parameters>
  void visit(const std::string& sql, Visit visit, const Parameters&... parameters) {
    const std::array<Value, sizeof...(parameters)> values{to_value(parameters)...};
    visit_rows(sql, values, [&](const SqlRow& row) {
      if constexpr (std::is_void_v<decltype(visit(row))>) {
        visit(row);
        return true;
      } else {
        return visit(row);
      }
    });
  }
  /// The number in the first row; 0 if there is none.
  template <class... Parameters>
  std::uint64_t number_of(const std::string& sql, const Parameters&... parameters) {
    std::uint64_t found = 0;
    visit(
        sql,
        [&](const SqlRow& row) {
          found = row.number(0);
          return false;
        },
        parameters...);
    return found;
  }
  /// Runs several statements without parameters.
  virtual void run_script(const std::string& sql) = 0;

 private:
  virtual std::size_t run_now(const std::string& sql, Values values) = 0;
  virtual void run_soon(const std::string& sql, Values values) = 0;
  virtual void visit_rows(const std::string& sql, Values values,
                          const std::function<bool(const SqlRow&)>& visit) = 0;
};

}  // namespace tictactoe::records
