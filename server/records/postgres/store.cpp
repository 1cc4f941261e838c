#include "server/records/postgres/store.hpp"

#include <thread>
#include <utility>

namespace tictactoe::records {

namespace {

// The keys of advisory locks; any numbers that other programs do not use.
constexpr std::uint64_t server_lock = 0x746963746163746f;
constexpr std::uint64_t schema_lock = 0x7469637461637470;
constexpr std::uint64_t names_lock = 0x7469637461637471;

constexpr int claim_tries = 20;
constexpr std::chrono::milliseconds claim_pause{50};

}  // namespace

// Opening -----------------------------------------------------------------------------------------

PostgresStore::PostgresStore(const std::string& url, const Settings& settings,
                             std::shared_ptr<PostgresDatabase> database)
    : SqlStore(settings, database), url_(url), settings_(settings), postgres_(std::move(database)) {
  // If another server has the lock now, it has raised the epoch too.
  postgres_->when_connected([this] {
    if (!lock_.empty()) try_lock();
  });
}

Result<std::unique_ptr<PostgresStore>> PostgresStore::open(const std::string& url,
                                                           Settings settings) {
  auto database = std::make_shared<PostgresDatabase>(url, max_patience);
  std::unique_ptr<PostgresStore> store(new PostgresStore(url, settings, std::move(database)));
  return attempt([&] {
    store->check();
    store->read_identity();
    return std::move(store);
  });
}

std::optional<Fault> PostgresStore::claim() {
  return claim("SELECT pg_try_advisory_lock(?1)");
}

std::optional<Fault> PostgresStore::share() {
  return claim("SELECT pg_try_advisory_lock_shared(?1)");
}

std::optional<Fault> PostgresStore::claim(const char* lock) {
  const auto locked = attempt([&] {
    postgres_->ensure();
    lock_ = lock;
    // PostgreSQL may not have noticed yet that the server before this one was killed.
    for (int tries = 1; tries < claim_tries; ++tries) {
      if (try_lock()) return true;
      std::this_thread::sleep_for(claim_pause);
    }
    return try_lock();
  });
  if (!locked) return locked.error();
  if (!*locked) return Fault{Fault::Kind::in_use, "another server uses it"};
  return std::nullopt;
}

bool PostgresStore::try_lock() {
  return database().number_of(lock_, server_lock) != 0;
}

std::optional<Fault> PostgresStore::start_serving() {
  return attempt([&] { postgres_->be_patient(settings_.patience); });
}

void PostgresStore::check() {
  database().transact(Database::Transaction::commit, [&] {
    // Others lack characters. A commit with one of those would fail for ever.
    database().visit("SELECT current_setting('server_encoding')", [](const SqlRow& row) {
      if (row.bytes(0) == "UTF8") return;
      throw Failure{{Fault::Kind::unusable,
                     "it has the encoding " + std::string(row.bytes(0)) +
                         ". Create a database with ENCODING 'UTF8' and TEMPLATE template0"}};
    });
    database().number_of("SELECT 1 FROM pg_advisory_xact_lock(?1)", schema_lock);
    if (database().number_of("SELECT to_regclass('schema_version') IS NULL") != 0) {
      create_tables(database());
      database().run("INSERT INTO schema_version VALUES(?1)", std::uint64_t{schema_version});
    }
    const auto version = database().number_of("SELECT version FROM schema_version");
    if (version != schema_version) throw Failure{other_version(version)};
  });
}

Result<std::unique_ptr<RecordReader>> PostgresStore::open_reader() {
  return std::unique_ptr<RecordReader>(
      std::make_unique<SqlReader>(std::make_shared<PostgresDatabase>(url_, settings_.patience)));
}

// Appending ---------------------------------------------------------------------------------------

// The first statement locks the row of the stream, until the commit.
Result<AppendOutcome> PostgresStore::append(StreamId stream, StreamPosition expected,
                                            std::uint64_t last_sequence, const Batch& batch) {
  const auto appended = attempt([&] {
    postgres_->ensure();
    postgres_->be_patient(settings_.patience);
    auto outcome = SqlStore::append(stream, expected, last_sequence, batch);
    if (!outcome) throw Failure{outcome.error()};
    return *outcome == AppendOutcome::durable ||
           was_committed(stream, expected.epoch, last_sequence);
  });
  if (!appended) {
    unknown_ = Unknown{stream, expected.epoch, last_sequence};
    return appended.error();
  }
  unknown_.reset();
  return *appended ? AppendOutcome::durable : AppendOutcome::fenced;
}

// An append that changed nothing may have been preceded by one whose answer was lost, or whose wait
// for a standby was cut short. Nobody else has this epoch, so that the sequence number tells
// whether that one was committed. The row is written again, unchanged: a standby that has confirmed
// this commit has everything before it.
bool PostgresStore::was_committed(StreamId stream, std::uint64_t epoch,
                                  std::uint64_t last_sequence) {
  if (!unknown_ || unknown_->stream != stream || unknown_->epoch != epoch ||
      unknown_->last_sequence != last_sequence) {
    return false;
  }
  return database().run(
             "UPDATE streams SET sequence = sequence "
             "WHERE stream = ?1 AND epoch = ?2 AND sequence = ?3",
             stream, epoch, last_sequence) == 1;
}

// What servers share ------------------------------------------------------------------------------

// Only reads: every server calls it again and again.
Result<std::optional<SharedBans>> PostgresStore::bans(const std::string& known_version) {
  return attempt([&]() -> std::optional<SharedBans> {
    std::optional<SharedBans> changed;
    database().transact(Database::Transaction::whole, [&] {
      SharedBans found;
      database().visit(
          "SELECT md5(coalesce(string_agg(b::text, '' ORDER BY who), '')) FROM bans AS b",
          [&](const SqlRow& row) { found.version = row.bytes(0); });
      if (found.version == known_version) return;
      read_bans(found.saved);
      changed = std::move(found);
    });
    return changed;
  });
}

// Names of rows that were written by a server that had the database to itself.
std::optional<Fault> PostgresStore::index_names() {
  return attempt([&] {
    database().transact(Database::Transaction::commit, [&] {
      database().number_of("SELECT 1 FROM pg_advisory_xact_lock(?1)", names_lock);
      index_names("player", "id", "token_hash");
      index_names("room", "serial", "name");
    });
  });
}

void PostgresStore::index_names(const std::string& kind, const std::string& id,
                                const std::string& unique) {
  const std::string rows = kind + "s AS r WHERE stream = 0 AND ";
  database().run("DELETE FROM " + rows + "EXISTS (SELECT 1 FROM " + kind +
                 "s AS other WHERE other." + unique + " = r." + unique +
                 " AND (other.stream <> 0 OR other." + id + " < r." + id + "))");
  std::vector<std::pair<std::uint64_t, std::string>> found;
  database().visit("SELECT " + id + ", name FROM " + rows + "NOT EXISTS (SELECT 1 FROM " + kind +
                       "_names WHERE " + kind + " = r." + id + ")",
                   [&](const SqlRow& row) { found.emplace_back(row.number(0), row.bytes(1)); });
  for (const auto& [number, name] : found) {
    for (std::string& key : settings_.look_alike_keys(name)) {
      database().put("INSERT INTO " + kind + "_names VALUES(?1, ?2) ON CONFLICT DO NOTHING",
                     Value(Bytes{std::move(key)}), number);
    }
  }
}

// The whole database ------------------------------------------------------------------------------

std::uint64_t PostgresStore::last_game() {
  return database().number_of(
      "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM games_id_seq");
}

void PostgresStore::set_last_game(std::uint64_t id) {
  database().number_of(
      "SELECT setval('games_id_seq', greatest(CAST(?1 AS bigint), 1), CAST(?1 AS bigint) > 0)", id);
}

void PostgresStore::rewrite() {
  // A claim has a name, and belongs to a server that has ended. A room shows who plays.
  database().run("DELETE FROM players WHERE played IS NULL");
  database().run("DELETE FROM rooms WHERE game IS NULL");
  database().run("DELETE FROM listed_rooms");
  database().run("UPDATE servers SET said = '', player_list = ''");
  for (const char* table : {"players", "player_names", "rooms", "room_names", "moves", "chat",
                            "games", "bans", "servers", "listed_rooms"}) {
    database().run_script("VACUUM FULL " + std::string(table));
  }
}

}  // namespace tictactoe::records
