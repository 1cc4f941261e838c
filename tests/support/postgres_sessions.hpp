// Connections of servers that share a PostgreSQL database, as BasicServer has them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "server/records/postgres/membership.hpp"
#include "server/records/postgres/names.hpp"
#include "server/records/postgres/store.hpp"
#include "tests/support/sharing_server.hpp"
#include "tests/support/temporary_postgres.hpp"

namespace tictactoe::test {

inline std::unique_ptr<PostgresStore> open_postgres_store(
    std::chrono::milliseconds patience = default_patience) {
  PostgresStore::Settings settings;
  settings.patience = patience;
  settings.look_alike_keys = keys_of;
  return value(PostgresStore::open(postgres().url(), std::move(settings)));
}

class PostgresSessions {
 public:
  PostgresStore& store() { return *store_; }
  PostgresMembership& membership() { return membership_; }
  static std::unique_ptr<SharedNames> make_names(StreamId stream, std::uint64_t epoch) {
    return std::make_unique<PostgresNames>(postgres().url(), stream, epoch);
  }

 private:
  std::unique_ptr<PostgresStore> store_ = open_postgres_store();
  PostgresMembership membership_{postgres().url(), open_postgres_store()};
};

struct EmptyPostgres {
  using Sessions = PostgresSessions;
  EmptyPostgres() { postgres().clear(); }
};

}  // namespace tictactoe::test
