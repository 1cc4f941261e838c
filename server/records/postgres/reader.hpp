// Reads finished games from a PostgreSQL database.
#pragma once

#include <chrono>
#include <string>

#include "server/records/postgres/connection.hpp"
#include "server/records/sql_store.hpp"

namespace tictactoe::records {

/// A connection of its own to the database of a PostgresStore, made when it is first used.
class PostgresReader final : public SqlReader<PostgresConnection> {
 public:
  PostgresReader(const std::string& url, std::chrono::milliseconds patience)
      : connection_(url, patience) {}

 private:
  PostgresConnection& connection() override { return connection_; }

  PostgresConnection connection_;
};

}  // namespace tictactoe::records
