// The tables of a PostgreSQL record store, version by version.
#pragma once

#include "server/store/schema.hpp"

namespace tictactoe::store {

/// SQL that takes the database from one schema version to the next, as migrations() does for
/// SQLite. The version of a database is the number in its table schema_version.
Migrations postgres_migrations();

}  // namespace tictactoe::store
