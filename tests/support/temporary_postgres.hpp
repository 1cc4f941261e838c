// A PostgreSQL server for tests.
#pragma once

#include <libpq-fe.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "tests/support/temporary_folder.hpp"

namespace tictactoe::test {

/// Listens on a Unix socket in a temporary folder, and has the role of docs/postgresql-role.sql.
/// Ends with this object. Throws if Debian's postgresql-15 is not installed.
class TemporaryPostgres {
 public:
  TemporaryPostgres() {
    std::filesystem::permissions(folder_.path(), std::filesystem::perms::all);
    const std::string bin = "/usr/lib/postgresql/15/bin/";
    if (!std::filesystem::exists(bin + "initdb")) {
      throw std::runtime_error("These tests need PostgreSQL: apt-get install postgresql-15");
    }
    pg_ctl_ = as_user() + bin + "pg_ctl -w -D " + folder_ / "data" + " -l " + folder_ / "log";
    shell(as_user() + bin + "initdb -D " + folder_ / "data" +
          " -U postgres -A trust --no-sync -E UTF8 --locale C");
    start();
    shell("psql -X -q -v ON_ERROR_STOP=1 -h " + folder_.path().string() +
          " -U postgres -f " TICTACTOE_SOURCE_DIR "/docs/postgresql-role.sql postgres");
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

  /// Of the role with least privilege.
  std::string url() const { return url_of("tictactoe"); }

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

 private:
  // PostgreSQL refuses to run as root.
  static std::string as_user() {
    return geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
  }
  std::string url_of(const std::string& user) const {
    return "postgresql:///tictactoe?user=" + user + "&host=" + folder_.path().string();
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
