// Reads finished games from a PostgreSQL database.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "server/records/postgres/connection.hpp"

namespace tictactoe::records {

/// A connection of its own to the database of a PostgresStore, made when it is first used.
class PostgresReader final : public RecordReader {
 public:
  PostgresReader(const std::string& url, std::chrono::milliseconds patience)
      : connection_(url, patience) {}

  Result<v1::GameList> list_games(std::uint64_t before, const std::string& player,
                                  std::size_t limit, ReaderNumber reader) override;
  Result<std::optional<v1::GameRecord>> game(std::uint64_t id, ReaderNumber reader) override;
  std::size_t damaged_games() const override { return damaged_games_; }
  bool wants_maintenance() const override { return false; }
  void maintain() override {}

 private:
  PostgresConnection connection_;
  std::size_t damaged_games_ = 0;
};

}  // namespace tictactoe::records
