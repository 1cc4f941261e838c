#include "server/records/postgres/store.hpp"

#include <chrono>
#include <random>
#include <thread>
#include <utility>

#include "server/records/game_lists.hpp"
#include "server/records/postgres/reader.hpp"
#include "server/records/postgres/schema.hpp"
#include "server/records/schema.hpp"

namespace tictactoe::records {

namespace {

// The keys of advisory locks; any numbers that other programs do not use.
constexpr std::uint64_t server_lock = 0x746963746163746f;
constexpr std::uint64_t schema_lock = 0x7469637461637470;

constexpr int claim_tries = 20;
constexpr std::chrono::milliseconds claim_pause{50};

constexpr const char* append_records =
    "WITH owned AS (UPDATE streams SET sequence = $3, last_revision = greatest(last_revision, $6) "
    "WHERE stream = $1 AND epoch = $5 AND sequence = $2 RETURNING stream) "
    "INSERT INTO uncompacted(stream, records) SELECT stream, $4::bytea FROM owned RETURNING id";
constexpr const char* append_more =
    "INSERT INTO uncompacted(stream, records) VALUES($1, $2) RETURNING id";

}  // namespace

// Opening -----------------------------------------------------------------------------------------

PostgresStore::PostgresStore(const std::string& url, const Settings& settings)
    : SqlStore(settings), url_(url), postgres_settings_(settings), connection_(url, max_patience) {}

Result<std::unique_ptr<PostgresStore>> PostgresStore::open(const std::string& url,
                                                           Settings settings) {
  std::unique_ptr<PostgresStore> store(new PostgresStore(url, settings));
  return attempt([&] {
    store->connect();
    store->create_tables();
    store->read_identity();
    return std::move(store);
  });
}

std::optional<Fault> PostgresStore::claim() {
  return claim("SELECT pg_try_advisory_lock($1)");
}

std::optional<Fault> PostgresStore::share() {
  return claim("SELECT pg_try_advisory_lock_shared($1)");
}

std::optional<Fault> PostgresStore::claim(const char* lock) {
  lock_ = lock;
  const auto locked = attempt([&] {
    connect();
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
  return connection_.run(lock_, {server_lock}).number(0, 0) != 0;
}

std::optional<Fault> PostgresStore::start_serving() {
  return attempt([&] { connection_.be_patient(postgres_settings_.patience); });
}

void PostgresStore::connect() {
  // If another server has the lock now, it has raised the epoch too.
  if (connection_.ensure() && lock_ != nullptr) try_lock();
}

void PostgresStore::create_tables() {
  connection_.transact("BEGIN", [&] {
    connection_.run("SELECT pg_advisory_xact_lock($1)", {schema_lock});
    if (connection_.number_of("SELECT to_regclass('schema_version') IS NULL") != 0) {
      connection_.run_script(postgres_schema);
      for (const std::string& index : create_game_indexes()) connection_.run(index);
      connection_.run("INSERT INTO schema_version VALUES($1)", {std::uint64_t{schema_version}});
    }
    const auto version = connection_.number_of("SELECT version FROM schema_version");
    if (version != schema_version) throw Failure{other_version(version)};
  });
}

void PostgresStore::read_identity() {
  std::random_device random;
  connection_.run(
      "INSERT INTO identity SELECT $1::bigint WHERE NOT EXISTS (SELECT 1 FROM identity)",
      {std::uint64_t{random()} << 32U | random()});
  set_identity(
      connection_.number_of("SELECT min(server_id) FROM identity"),
      connection_.number_of("SELECT coalesce(sum(length(records)), 0)::bigint FROM uncompacted"));
}

Result<std::unique_ptr<RecordReader>> PostgresStore::open_reader() {
  return std::unique_ptr<RecordReader>(
      std::make_unique<PostgresReader>(url_, postgres_settings_.patience));
}

// Appending ---------------------------------------------------------------------------------------

Result<StreamPosition> PostgresStore::own(StreamId stream) {
  return attempt([&] {
    connect();
    const PostgresRows row = connection_.run(
        "INSERT INTO streams VALUES($1, 1, 0, 0) ON CONFLICT(stream) DO UPDATE "
        "SET epoch = streams.epoch + 1 RETURNING epoch, sequence",
        {stream});
    // The owner before may have appended until now, and load() compacts as much as is noted.
    read_identity();
    return StreamPosition{row.number(0, 0), row.number(0, 1)};
  });
}

Result<AppendOutcome> PostgresStore::append(StreamId stream, StreamPosition expected,
                                            std::uint64_t last_sequence, const Batch& batch) {
  const auto appended = attempt([&] {
    connect();
    connection_.be_patient(postgres_settings_.patience);
    return append_as_owner(stream, expected, last_sequence, batch) ||
           was_committed(stream, expected.epoch, last_sequence);
  });
  if (!appended) {
    unknown_ = Unknown{stream, expected.epoch, last_sequence};
    return appended.error();
  }
  unknown_.reset();
  if (!*appended) return AppendOutcome::fenced;
  note_appended(batch.bytes().size());
  return AppendOutcome::durable;
}

// The row of the stream is locked before its epoch and sequence are judged, until the commit.
bool PostgresStore::append_as_owner(StreamId stream, StreamPosition expected,
                                    std::uint64_t last_sequence, const Batch& batch) {
  const CommitChanges changes = read_changes(batch, settings().unix_ms(), true);
  const auto parts = rows_of_log(batch);
  std::uint64_t commit = 0;  // the number of its last row
  const auto append = [&] {
    const PostgresRows row =
        connection_.run(append_records, {stream, expected.sequence, last_sequence, parts.front(),
                                         expected.epoch, changes.last_revision});
    if (row.empty()) return false;
    commit = row.number(0, 0);
    for (const std::string_view part : std::span(parts).subspan(1)) {
      commit = connection_.run(append_more, {stream, part}).number(0, 0);
    }
    return true;
  };
  if (changes.is_empty() && parts.size() == 1) return append();
  bool is_owner = false;
  connection_.transact("BEGIN", [&] {
    is_owner = append();
    if (!is_owner) return;
    write(changes);
    if (!changes.of_servers.empty()) write_for_servers(changes.of_servers, stream, commit);
  });
  return is_owner;
}

// Other servers see these from the commit on, and not before it: the next room of a name must begin
// after the last revision of this one. Older records of what has ended that are compacted later do
// not bring the rows back: see Backend::makes_rows().
void PostgresStore::write_for_servers(std::span<const journal::v1::Record> records, StreamId stream,
                                      std::uint64_t commit) {
  lock_rows(records);
  PostgresArray forgotten;
  PostgresArray closed;
  for (const journal::v1::Record& record : records) {
    if (record.has_player_moved()) give_away(record.player_moved());
    if (record.has_player_forgotten()) forgotten.add(record.player_forgotten());
    if (record.has_room_closed()) closed.add(record.room_closed());
    if (!record.has_new_token()) continue;
    // Others find the player by it as soon as the client is told. A row without a token is indexed
    // as a whole when servers share the database: see index_names().
    connection_.run("UPDATE players SET token_hash = $2 WHERE id = $1 AND token_hash IS NOT NULL",
                    {record.player().id(), record.player().token_hash()});
  }
  if (stream == local_stream) return;  // compaction does the rest
  give_rooms_away(records, commit);
  connection_.run("DELETE FROM players WHERE id = ANY($1::bigint[]) AND stream = $2",
                  {forgotten, stream});
  connection_.run("DELETE FROM rooms WHERE serial = ANY($1::bigint[]) AND stream = $2",
                  {closed, stream});
}

// In the order of their numbers, players first, as compaction locks them: in another order, the two
// could wait for each other.
void PostgresStore::lock_rows(std::span<const journal::v1::Record> records) {
  PostgresArray ids;
  PostgresArray serials;
  for (const journal::v1::Record& record : records) {
    visit_changed(
        record, [&](std::uint64_t id) { ids.add(id); },
        [&](std::uint64_t serial) { serials.add(serial); });
  }
  connection_.run("SELECT 1 FROM players WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE",
                  {ids});
  connection_.run("SELECT 1 FROM rooms WHERE serial = ANY($1::bigint[]) ORDER BY serial FOR UPDATE",
                  {serials});
}

// The new owner can have the player at once, before this record is compacted. If that server is
// lost first, the row has what the next one needs.
void PostgresStore::give_away(const journal::v1::PlayerMoved& moved) {
  connection_.run("UPDATE players SET stream = $2, arrived = $3, state = $3 WHERE id = $1",
                  {moved.player().id(), moved.stream(), moved.player().SerializeAsString()});
}

// The new owner reads the rooms once this commit is compacted, and finds the players by the rooms.
void PostgresStore::give_rooms_away(std::span<const journal::v1::Record> records,
                                    std::uint64_t commit) {
  PostgresArray serials;
  PostgresArray streams;
  PostgresArray players;
  PostgresArray streams_of_players;
  for (const journal::v1::Record& record : records) {
    if (!record.has_room_moved()) continue;
    serials.add(record.room_moved().room().serial());
    streams.add(record.room_moved().stream());
    for (const journal::v1::Player& player : record.room_moved().players()) {
      players.add(player.id());
      streams_of_players.add(record.room_moved().stream());
    }
  }
  connection_.run(
      "UPDATE rooms AS r SET stream = m.stream, arrived_after = $3 "
      "FROM unnest($1::bigint[], $2::bigint[]) AS m(serial, stream) WHERE r.serial = m.serial",
      {serials, streams, commit});
  connection_.run(
      "UPDATE players AS p SET stream = m.stream "
      "FROM unnest($1::bigint[], $2::bigint[]) AS m(id, stream) WHERE p.id = m.id",
      {players, streams_of_players});
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
  return connection_
             .run(
                 "UPDATE streams SET sequence = sequence "
                 "WHERE stream = $1 AND epoch = $2 AND sequence = $3",
                 {stream, epoch, last_sequence})
             .changed() == 1;
}

}  // namespace tictactoe::records
