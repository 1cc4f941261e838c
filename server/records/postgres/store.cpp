#include "server/records/postgres/store.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <thread>
#include <utility>

#include "server/records/postgres/reader.hpp"
#include "server/records/postgres/schema.hpp"
#include "server/records/rows.hpp"
#include "server/records/schema.hpp"

namespace tictactoe::records {

namespace {

// The keys of advisory locks; any numbers that other programs do not use.
constexpr std::uint64_t server_lock = 0x746963746163746f;
constexpr std::uint64_t schema_lock = 0x7469637461637470;

constexpr std::size_t games_at_once = 500;

constexpr int claim_tries = 20;
constexpr std::chrono::milliseconds claim_pause{50};

constexpr const char* append_records =
    "WITH owned AS (UPDATE streams SET sequence = $3, last_revision = greatest(last_revision, $7) "
    "WHERE stream = $1 AND epoch = $5 AND sequence = $2 RETURNING stream) "
    "INSERT INTO uncompacted(stream, unix_ms, records) SELECT stream, $4::bigint, $6::bytea FROM "
    "owned RETURNING id";

PostgresArray array_of(std::span<const std::uint64_t> numbers) {
  PostgresArray array;
  for (const std::uint64_t number : numbers) array.add(number);
  return array;
}

}  // namespace

// Opening -----------------------------------------------------------------------------------------

Result<std::unique_ptr<PostgresStore>> PostgresStore::open(const std::string& url,
                                                           Settings settings) {
  std::unique_ptr<PostgresStore> store(new PostgresStore(url, std::move(settings)));
  return guarded_postgres([&] {
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
  const auto locked = guarded_postgres([&] {
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
  const auto started = guarded_postgres([&] {
    connection_.be_patient(settings_.patience);
    return true;
  });
  return started ? std::nullopt : std::optional(started.error());
}

void PostgresStore::connect() {
  // If another server has the lock now, it has raised the epoch too.
  if (connection_.ensure() && lock_ != nullptr) try_lock();
}

// Runs `work` in a transaction, in one program at a time.
template <class Function>
void PostgresStore::change_schema(Function work) {
  connection_.transact("BEGIN", [&] {
    connection_.run("SELECT pg_advisory_xact_lock($1)", {schema_lock});
    work();
  });
}

void PostgresStore::create_tables() {
  change_schema([&] {
    if (!has("schema_version")) {
      connection_.run_script(postgres_schema);
      connection_.run("INSERT INTO schema_version VALUES($1)", {std::uint64_t{schema_version}});
    }
    const auto version = connection_.run("SELECT version FROM schema_version").number(0, 0);
    if (version != schema_version) throw PostgresFailure{other_version(version)};
  });
  create_game_indexes();
}

// Building an index of many games takes minutes, in which other servers can read them but not add
// any. So each has a transaction of its own, and the old ones are used until all new ones are
// there.
void PostgresStore::create_game_indexes() {
  for (const PostgresIndex& index : postgres_game_indexes) {
    if (has(index.name)) continue;
    change_schema([&] {
      if (!has(index.name)) connection_.run(index.create);
    });
  }
  if (!has("games_of_x") && !has("games_of_o")) return;
  change_schema([&] { connection_.run(postgres_drop_old_indexes); });
}

bool PostgresStore::has(const char* table_or_index) {
  return connection_
             .run("SELECT to_regclass($1) IS NOT NULL", {PostgresParameter::parsed(table_or_index)})
             .number(0, 0) != 0;
}

void PostgresStore::read_identity() {
  std::random_device random;
  connection_.run(
      "INSERT INTO identity SELECT $1::bigint WHERE NOT EXISTS (SELECT 1 FROM identity)",
      {std::uint64_t{random()} << 32U | random()});
  server_id_ = connection_.run("SELECT min(server_id) FROM identity").number(0, 0);
  uncompacted_bytes_ =
      connection_.run("SELECT coalesce(sum(length(records)), 0)::bigint FROM uncompacted")
          .number(0, 0);
}

Result<std::unique_ptr<RecordReader>> PostgresStore::open_reader() {
  return std::unique_ptr<RecordReader>(std::make_unique<PostgresReader>(url_, settings_.patience));
}

// Appending ---------------------------------------------------------------------------------------

Result<StreamPosition> PostgresStore::own(StreamId stream) {
  return guarded_postgres([&] {
    connect();
    const PostgresRows row = connection_.run(
        "INSERT INTO streams VALUES($1, 1, 0, 0) ON CONFLICT(stream) DO UPDATE "
        "SET epoch = streams.epoch + 1 RETURNING epoch, sequence",
        {stream});
    return StreamPosition{row.number(0, 0), row.number(0, 1)};
  });
}

Result<AppendOutcome> PostgresStore::append(StreamId stream, StreamPosition expected,
                                            std::uint64_t last_sequence, const Batch& batch) {
  const auto appended = guarded_postgres([&] {
    connect();
    connection_.be_patient(settings_.patience);
    return append_as_owner(stream, expected, last_sequence, batch) ||
           was_committed(stream, expected.epoch, last_sequence);
  });
  if (!appended) {
    unknown_ = Unknown{stream, expected.epoch, last_sequence};
    return appended.error();
  }
  unknown_.reset();
  if (!*appended) return AppendOutcome::fenced;
  uncompacted_bytes_ += batch.bytes().size();
  return AppendOutcome::durable;
}

struct PostgresStore::AtOnce {
  std::uint64_t last_revision = 0;  // of closed rooms
  std::vector<KeptGame> games;
  std::vector<journal::v1::PlayerMoved> players;
  std::vector<journal::v1::RoomMoved> rooms;
  std::map<std::uint64_t, std::string> tokens;  // by player
  std::map<std::string, Compaction::Ban> bans;
  std::vector<std::uint64_t> forgotten;  // players
  std::vector<std::uint64_t> closed;     // rooms

  bool is_empty() const {
    return games.empty() && players.empty() && rooms.empty() && tokens.empty() && bans.empty() &&
           forgotten.empty() && closed.empty();
  }
};

PostgresStore::AtOnce PostgresStore::read_at_once(const Batch& batch, StreamId stream,
                                                  std::uint64_t now) {
  const bool is_shared = stream != local_stream;  // other servers look for names in the tables
  AtOnce found;
  for_each_record(batch.bytes(), [&](std::string_view encoded) {
    journal::v1::Record record;
    if (!record.ParseFromArray(encoded.data(), static_cast<int>(encoded.size()))) return true;
    if (record.has_game_finished()) {
      Compaction::Game game = Compaction::game_of(record, now);
      found.games.push_back(keep(std::move(game.record), now, std::move(game.readers)));
    }
    if (record.has_room_closed()) {
      found.last_revision = std::max(found.last_revision, record.closed_revision());
      if (is_shared) found.closed.push_back(record.room_closed());
    }
    if (record.has_player_forgotten() && is_shared) {
      found.forgotten.push_back(record.player_forgotten());
    }
    if (record.has_player_moved()) found.players.push_back(record.player_moved());
    if (record.has_room_moved()) found.rooms.push_back(record.room_moved());
    if (record.has_new_token()) found.tokens[record.player().id()] = record.player().token_hash();
    if (record.has_banned()) {
      found.bans[record.banned().subject().SerializeAsString()] = record.banned();
    }
    if (record.has_unbanned()) found.bans[record.unbanned().SerializeAsString()] = std::nullopt;
    return true;
  });
  return found;
}

// The row of the stream is locked before its epoch and sequence are judged, until the commit.
bool PostgresStore::append_as_owner(StreamId stream, StreamPosition expected,
                                    std::uint64_t last_sequence, const Batch& batch) {
  const std::uint64_t now = settings_.unix_ms();
  const AtOnce written = read_at_once(batch, stream, now);
  std::uint64_t commit = 0;  // the number of its row
  const auto append = [&] {
    const PostgresRows row = connection_.run(
        append_records, {stream, expected.sequence, last_sequence, now, expected.epoch,
                         std::string_view(batch.bytes()), written.last_revision});
    if (row.empty()) return false;
    commit = row.number(0, 0);
    return true;
  };
  if (written.is_empty()) return append();
  bool is_owner = false;
  connection_.transact("BEGIN", [&] {
    is_owner = append();
    if (is_owner) write(written, stream, commit);
  });
  return is_owner;
}

void PostgresStore::write(const AtOnce& written, StreamId stream, std::uint64_t commit) {
  for (const KeptGame& game : written.games) write(game);
  lock_rows(written);
  for (const auto& [player, token_hash] : written.tokens) write_token(player, token_hash);
  for (const journal::v1::PlayerMoved& player : written.players) give_away(player);
  if (!written.rooms.empty()) give_away(written.rooms, commit);
  if (!written.forgotten.empty()) free_players(written.forgotten, stream);
  if (!written.closed.empty()) free_rooms(written.closed, stream);
  for (const auto& [subject, ban] : written.bans) write_ban(subject, ban);
}

// In the order of their numbers, players first, as compaction locks them: in another order, the two
// could wait for each other.
void PostgresStore::lock_rows(const AtOnce& written) {
  std::vector<std::uint64_t> ids = written.forgotten;
  std::vector<std::uint64_t> serials = written.closed;
  for (const auto& [player, token_hash] : written.tokens) ids.push_back(player);
  for (const journal::v1::PlayerMoved& moved : written.players) {
    ids.push_back(moved.player().id());
  }
  for (const journal::v1::RoomMoved& moved : written.rooms) {
    for (const journal::v1::Player& player : moved.players()) ids.push_back(player.id());
    serials.push_back(moved.room().serial());
  }
  if (!ids.empty()) {
    connection_.run("SELECT 1 FROM players WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE",
                    {array_of(ids).parameter()});
  }
  if (!serials.empty()) {
    connection_.run(
        "SELECT 1 FROM rooms WHERE serial = ANY($1::bigint[]) ORDER BY serial FOR UPDATE",
        {array_of(serials).parameter()});
  }
}

// Others find the player by it as soon as the client is told. A row without a token is indexed as a
// whole when servers share the database: see index_names().
void PostgresStore::write_token(std::uint64_t player, const std::string& token_hash) {
  connection_.run("UPDATE players SET token_hash = $2 WHERE id = $1 AND token_hash IS NOT NULL",
                  {player, std::string_view(token_hash)});
}

// The new owner can have the player at once, before this record is compacted. If that server is
// lost first, the row has what the next one needs.
void PostgresStore::give_away(const journal::v1::PlayerMoved& moved) {
  const std::string player = moved.player().SerializeAsString();
  connection_.run(
      "UPDATE players SET stream = $2, arrived = $3, state = $3, "
      "last_request_done = greatest(last_request_done, $4) WHERE id = $1",
      {moved.player().id(), moved.stream(), std::string_view(player),
       moved.player().last_request_done()});
}

// The new owner reads the room once this commit is compacted, and finds the players by the room.
void PostgresStore::give_away(std::span<const journal::v1::RoomMoved> moved, std::uint64_t commit) {
  PostgresArray serials;
  PostgresArray streams;
  PostgresArray players;
  PostgresArray streams_of_players;
  for (const journal::v1::RoomMoved& room : moved) {
    serials.add(room.room().serial());
    streams.add(room.stream());
    for (const journal::v1::Player& player : room.players()) {
      players.add(player.id());
      streams_of_players.add(room.stream());
    }
  }
  connection_.run(
      "UPDATE rooms AS r SET stream = m.stream, arrived_after = $3 "
      "FROM unnest($1::bigint[], $2::bigint[]) AS m(serial, stream) WHERE r.serial = m.serial",
      {serials.parameter(), streams.parameter(), commit});
  connection_.run(
      "UPDATE players AS p SET stream = m.stream "
      "FROM unnest($1::bigint[], $2::bigint[]) AS m(id, stream) WHERE p.id = m.id",
      {players.parameter(), streams_of_players.parameter()});
}

// Names and tokens are free, and do not lead here any more, from this commit on, and not before it:
// the next room of a name must begin after the last revision of this one. Older records of them
// that are compacted later do not bring the rows back: see write_player() and write_room(). The
// moves and the chat are deleted by compaction.
void PostgresStore::free_players(std::span<const std::uint64_t> ids, StreamId stream) {
  connection_.run("DELETE FROM players WHERE id = ANY($1::bigint[]) AND stream = $2",
                  {array_of(ids).parameter(), stream});
}

void PostgresStore::free_rooms(std::span<const std::uint64_t> serials, StreamId stream) {
  connection_.run("DELETE FROM rooms WHERE serial = ANY($1::bigint[]) AND stream = $2",
                  {array_of(serials).parameter(), stream});
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

// Games -------------------------------------------------------------------------------------------

void PostgresStore::write(const KeptGame& game) {
  const auto name = [](const std::optional<std::string>& person) {
    return person ? PostgresParameter(std::string_view(*person)) : PostgresParameter(nullptr);
  };
  const auto reader = [&](std::uint64_t number) {
    return number == 0 ? PostgresParameter(nullptr) : PostgresParameter(number);
  };
  connection_.run(
      "INSERT INTO games(kept_unix_ms, is_private, x_name, o_name, x_reader, o_reader, head, "
      "moves) "
      "VALUES($1, $2, $3, $4, $5, $6, $7, $8)",
      {game.unix_ms, PostgresParameter::parsed(game.readers ? "t" : "f"), name(game.x),
       name(game.o), reader(game.readers ? game.readers->x() : 0),
       reader(game.readers ? game.readers->o() : 0), std::string_view(game.parts.head),
       std::string_view(game.parts.moves)});
}

std::optional<Fault> PostgresStore::add_games(std::span<const v1::GameRecord> games) {
  const auto done = guarded_postgres([&] {
    connect();
    const std::uint64_t now = settings_.unix_ms();
    connection_.transact("BEGIN", [&] {
      for (const v1::GameRecord& game : games) write(keep(game, now, std::nullopt));
    });
    return true;
  });
  return done ? std::nullopt : std::optional(done.error());
}

Result<bool> PostgresStore::delete_games_before(std::uint64_t unix_ms) {
  return guarded_postgres([&] {
    connect();
    // Ids and times grow together, so this reads no further than what it deletes.
    const PostgresRows deleted = connection_.run(
        "DELETE FROM games WHERE id IN (SELECT id FROM (SELECT id, kept_unix_ms FROM games "
        "ORDER BY id LIMIT $2) AS oldest WHERE kept_unix_ms < $1)",
        {unix_ms, std::uint64_t{games_at_once}});
    return deleted.changed() == games_at_once;
  });
}

std::optional<Fault> PostgresStore::finish() {
  if (const auto compacted = compact_all(*this); !compacted) return compacted.error();
  return std::nullopt;
}

}  // namespace tictactoe::records
