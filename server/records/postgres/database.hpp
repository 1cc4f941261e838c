// One connection to a PostgreSQL database.
#pragma once

#include <libpq-fe.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "server/records/database.hpp"

namespace tictactoe::records {

inline constexpr std::chrono::milliseconds default_patience{5'000};
/// For what is done before a server starts, such as reading large tables.
inline constexpr std::chrono::milliseconds max_patience{600'000};

/// Thrown by PostgresDatabase.
struct PostgresFailure : Failure {
  explicit PostgresFailure(Fault why, bool duplicate = false)
      : Failure{std::move(why)}, is_duplicate(duplicate) {}
  bool is_duplicate;  // the statement would have stored a value twice that must be unique
};

/// An array of numbers or of bytes, as a parameter for unnest() or ANY().
class PostgresArray {
 public:
  template <class Elements>
  static std::string of(const Elements& elements) {
    PostgresArray array;
    for (const auto& each : elements) array.add(each);
    return array.text();
  }
  void add(std::uint64_t number) { next() += std::to_string(static_cast<std::int64_t>(number)); }
  void add(std::string_view bytes);
  void add_null() { next() += "NULL"; }
  std::string text() const { return text_.empty() ? "{}" : text_ + '}'; }

 private:
  std::string& next() { return text_ += text_.empty() ? '{' : ','; }

  std::string text_;
};

/// Connects when it is first used, and again after the connection was lost, but not within a
/// transaction. Calls block: not for the event loop. Not thread-safe.
///
/// Statements of a transaction whose outcome is not needed are sent together with the next one
/// whose outcome is, so that a commit waits for the network twice, however many records it has.
///
/// A statement during which PostgreSQL warns fails, although it may have been committed: that is
/// how it says that a commit did not wait for its synchronous standby to the end. Such a commit can
/// be seen, but is lost with the primary. The message's text depends on the language of the server
/// and all warnings have one SQLSTATE, so every warning counts.
class PostgresDatabase final : public Database {
 public:
  /// `url` as for libpq. Unless it says otherwise, only a server that can be written to is used. A
  /// statement fails after about `patience` without a byte from the server, and each of the URL's
  /// hosts has 5 s for connecting, unless it says otherwise. `connected` is called with each new
  /// connection.
  explicit PostgresDatabase(std::string url, std::chrono::milliseconds patience = default_patience,
                            std::function<void()> connected = nullptr)
      : url_(std::move(url)), patience_(patience), connected_(std::move(connected)) {}

  /// The URL without user and password, for messages. A fault if `url` is not a URL; its reason
  /// does not repeat it.
  static Result<std::string> name_of(const std::string& url);

  Kind kind() const override { return Kind::postgres; }
  void transact(Transaction kind, const std::function<void()>& work) override;
  void run_script(const std::string& sql) override;

  /// Connects if there is no connection.
  void ensure();
  /// Changes the patience.
  void be_patient(std::chrono::milliseconds patience);
  void when_connected(std::function<void()> connected) { connected_ = std::move(connected); }

 private:
  using Answer = std::unique_ptr<PGresult, void (*)(PGresult*)>;

  std::size_t run_now(const std::string& sql, Values values) override;
  void run_soon(const std::string& sql, Values values) override;
  void visit_rows(const std::string& sql, Values values,
                  const std::function<bool(const SqlRow&)>& visit) override;

  static void receive_notice(void* database, const PGresult* notice);
  [[noreturn]] void lose(std::string reason);
  /// Sends a statement, and its preparation if it is new.
  void send(const std::string& sql, Values values);
  /// Runs a statement, after those that were sent.
  Answer execute(const std::string& sql, Values values);
  /// Waits for the outcome of all that was sent. Returns the last one.
  Answer finish_sent();
  Answer receive();
  void wait_for_server(bool to_write);
  void check(const PGresult* answer);
  void roll_back();
  void set_up();

  std::string url_;
  std::chrono::milliseconds patience_;
  std::function<void()> connected_;
  std::string warning_;  // during the last statements
  std::unique_ptr<PGconn, void (*)(PGconn*)> connection_{nullptr, PQfinish};
  std::unordered_map<std::string, std::string> statements_;  // the names of those prepared
  std::uint64_t prepared_ = 0;
  std::size_t sent_ = 0;  // statements whose outcome is not known
  bool is_transacting_ = false;
};

}  // namespace tictactoe::records
