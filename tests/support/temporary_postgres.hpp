// A PostgreSQL server for tests.
#pragma once

#include <libpq-fe.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

#include "tests/support/temporary_folder.hpp"

namespace tictactoe::test {

/// Listens on a Unix socket in a temporary folder, and has the role of docs/postgresql-role.sql.
/// Ends with this object. Throws if
/// Debian's postgresql is not installed.
class TemporaryPostgres {
 public:
  TemporaryPostgres() {
    prepare();
    shell(as_user() + bin + "initdb -D " + folder_ / "data" +
          " -U postgres -A trust --no-sync -E UTF8 --locale C");
    start();
    shell("psql -X -q -v ON_ERROR_STOP=1 -h " + folder_.path().string() +
          " -U postgres -f " TICTACTOE_SOURCE_DIR "/docs/postgresql-role.sql postgres");
  }
  /// A standby that follows `primary`. It is synchronous if the primary waits for it.
  struct StandbyOf {
    const TemporaryPostgres& primary;
  };
  explicit TemporaryPostgres(StandbyOf of) {
    prepare();
    shell(as_user() + bin + "pg_basebackup -D " + folder_ / "data" + " -U postgres -h " +
          of.primary.folder_.path().string() + " -R -X stream -c fast --no-sync");
    start();
  }
  ~TemporaryPostgres() {
    // Nothing can be done if it fails.
    static_cast<void>(std::system((pg_ctl_ + " -m immediate stop >/dev/null 2>&1").c_str()));
  }
  TemporaryPostgres(const TemporaryPostgres&) = delete;
  TemporaryPostgres& operator=(const TemporaryPostgres&) = delete;

  void start() {
    shell(pg_ctl_ + " -o \"-k " + folder_.path().string() + " -c listen_addresses='' -F\" start");
  }
  /// As if the machine failed: no client is told.
  void stop() { shell(pg_ctl_ + " -m immediate stop"); }

  /// Lets a standby become the primary.
  void promote() { shell(pg_ctl_ + " promote"); }

  /// Of the role with least privilege.
  std::string url() const { return url_of("tictactoe"); }
  /// Of a new database that belongs to that role.
  std::string url_of_new(const std::string& database, const std::string& options) {
    sql("DROP DATABASE IF EXISTS " + database);
    sql("CREATE DATABASE " + database + " OWNER tictactoe TEMPLATE template0 " + options);
    return url_of("tictactoe", database);
  }
  /// Of two servers, one of which can be written to.
  static std::string url_of_both(const TemporaryPostgres& one, const TemporaryPostgres& other) {
    return one.url() + "," + other.folder_.path().string();
  }

  /// Leaves the role's schema empty.
  void clear() {
    sql("DROP SCHEMA tictactoe CASCADE; CREATE SCHEMA tictactoe AUTHORIZATION tictactoe");
  }
  /// Runs statements as a superuser, in the role's schema. Returns the first value of the answer.
  std::string sql(const std::string& statements) {
    const std::unique_ptr<PGconn, void (*)(PGconn*)> connection(
        PQconnectdb(url_of("postgres").c_str()), PQfinish);
    PQclear(
        PQexec(connection.get(), "SET search_path = tictactoe; SET client_min_messages = warning"));
    const std::unique_ptr<PGresult, void (*)(PGresult*)> result(
        PQexec(connection.get(), statements.c_str()), PQclear);
    const ExecStatusType status = PQresultStatus(result.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
      throw std::runtime_error(PQerrorMessage(connection.get()));
    }
    return PQntuples(result.get()) > 0 ? PQgetvalue(result.get(), 0, 0) : "";
  }

  /// Waits until the answer of these statements is "t".
  void wait_until(const std::string& statements) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (sql(statements) != "t") {
      if (std::chrono::steady_clock::now() > deadline) {
        throw std::runtime_error("This does not become true: " + statements);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  /// The process that serves the only connection of the role with least privilege.
  pid_t backend() {
    return std::stoi(sql("SELECT pid FROM pg_stat_activity WHERE usename = 'tictactoe'"));
  }

 private:
  // Debian keeps each version apart. Of the newest; empty if there is none.
  static std::string find_programs() {
    int newest = 0;
    std::error_code none;
    for (const auto& version : std::filesystem::directory_iterator("/usr/lib/postgresql", none)) {
      const bool is_whole = std::filesystem::exists(version.path() / "bin/initdb");
      if (is_whole) newest = std::max(newest, std::atoi(version.path().filename().c_str()));
    }
    return newest == 0 ? "" : "/usr/lib/postgresql/" + std::to_string(newest) + "/bin/";
  }
  static inline const std::string bin = find_programs();

  void prepare() {
    std::filesystem::permissions(folder_.path(), std::filesystem::perms::all);
    if (bin.empty()) {
      throw std::runtime_error("These tests need PostgreSQL: apt-get install postgresql");
    }
    pg_ctl_ = as_user() + bin + "pg_ctl -w -D " + folder_ / "data" + " -l " + folder_ / "log";
  }
  // PostgreSQL refuses to run as root.
  static std::string as_user() {
    return geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
  }
  std::string url_of(const std::string& user, const std::string& database = "tictactoe") const {
    return "postgresql:///" + database + "?user=" + user + "&host=" + folder_.path().string();
  }
  void shell(const std::string& command) const {
    const std::string quiet = "cd / && " + command + " >>" + folder_ / "output" + " 2>&1";
    if (std::system(quiet.c_str()) != 0) throw std::runtime_error("This failed: " + command);
  }

  TemporaryFolder folder_;
  std::string pg_ctl_;
};

/// One server for all tests of a program.
inline TemporaryPostgres& postgres() {
  static TemporaryPostgres server;
  return server;
}

}  // namespace tictactoe::test
