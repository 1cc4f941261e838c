#include "server/records/postgres/names.hpp"

#include <utility>

#include "server/records/tables.hpp"

namespace tictactoe::records {

namespace {

// A server that has been taken over claims nothing. FOR SHARE: until this claim is committed, its
// stream is not taken over.
const std::string claim_player_sql =
    "WITH owner AS (SELECT stream FROM streams WHERE stream = ?1 AND epoch = ?2 FOR SHARE), "
    "claimed AS (INSERT INTO players(id, stream, token_hash) "
    "SELECT nextval('player_ids'), stream, ?3 FROM owner RETURNING id) "
    "INSERT INTO player_names(key, player) SELECT key, id FROM claimed, "
    "(SELECT CAST(?4 AS bytea) AS key UNION SELECT CAST(?5 AS bytea)) AS keys RETURNING player";

// The look-alike, and players who have only some of the keys.
const std::string free_keys_sql =
    "DELETE FROM player_names WHERE key IN (?1, ?2) AND (player = ?3 OR player NOT IN "
    "(SELECT player FROM player_names WHERE key IN (?1, ?2) GROUP BY player "
    "HAVING count(*) = ?4))";

const std::string claim_room_sql =
    "WITH owner AS (SELECT stream FROM streams WHERE stream = ?1 AND epoch = ?2 FOR SHARE), "
    "claimed AS (INSERT INTO rooms(serial, stream, name, creator) "
    "SELECT nextval('room_serials'), stream, ?3, ?4 FROM owner RETURNING serial) "
    "INSERT INTO room_names(key, room) SELECT key, serial FROM claimed, "
    "(SELECT CAST(?5 AS bytea) AS key UNION SELECT CAST(?6 AS bytea)) AS keys RETURNING room";

const std::string drop_rooms_sql =
    "DELETE FROM rooms WHERE stream = ?1 AND game IS NULL AND "
    "(convert_to(name, 'UTF8') = ANY(CAST(?2 AS bytea[])) OR serial = ANY(CAST(?3 AS bigint[])))";
const std::string drop_players_sql =
    "DELETE FROM players WHERE stream = ?1 AND played IS NULL AND "
    "(token_hash = ANY(CAST(?2 AS bytea[])) OR id = ANY(CAST(?3 AS bigint[])))";

const std::string server_of_stream =
    "(SELECT s.stream FROM servers AS s WHERE s.stream = found.stream)";

std::uint64_t number_of_keys(const KeyedName& name) {
  return name.look_alike_keys[0] == name.look_alike_keys[1] ? 1 : 2;
}

Value key_in(const KeyedName& name, std::size_t which) {
  return Bytes{name.look_alike_keys.at(which)};
}

// Runs a statement that claims a name. Returns its number; nothing if the name is taken.
template <class... Parameters>
std::optional<std::uint64_t> claim(PostgresDatabase& database, const std::string& sql,
                                   const Parameters&... parameters) {
  try {
    const std::uint64_t number = database.number_of(sql, parameters...);
    if (number == 0) {
      throw PostgresFailure{{Fault::Kind::unusable, "another server has taken this one over"}};
    }
    return number;
  } catch (const PostgresFailure& failure) {
    if (failure.is_duplicate) return std::nullopt;
    throw;
  }
}

}  // namespace

// The columns are the stream, and that of the server that has it.
Whereabouts PostgresNames::whereabouts(const SqlRow& row, int column) const {
  using Place = Whereabouts::Place;
  const StreamId stream = row.number(column);
  if (stream == stream_) return {Place::here, stream};
  if (row.is_null(column + 1)) return {Place::unowned, stream};
  return {Place::elsewhere, stream};
}

template <class... Keys>
FoundPlayer PostgresNames::find(const std::string& condition, const Keys&... keys) {
  const Table& table = tables().players;
  const std::string sql = "SELECT stream, " + server_of_stream +
                          ", arrived, (SELECT done FROM requests WHERE player = found.id), " +
                          table.names() + " FROM players AS found WHERE " + condition;
  FoundPlayer found;
  bool has_arrived = false;
  journal::v1::Player player;
  database_.visit(
      sql,
      [&](const SqlRow& row) {
        found.where = whereabouts(row, 0);
        has_arrived = row.number(2) != 0;
        player.set_last_request_done(row.number(3));
        table.read(row, 4, player);
      },
      to_value(keys)...);
  found.id = player.id();
  if (found.where.place != Whereabouts::Place::here) return found;
  if (!has_arrived) {
    if (auto lost = lost_arrivals_.extract(found.id)) found.arrived = std::move(lost.mapped());
    return found;
  }
  // If the answer to this is lost, the next question gets the player.
  if (lost_arrivals_.size() < max_lost_arrivals) lost_arrivals_[found.id] = player;
  database_.run("UPDATE players SET arrived = NULL WHERE id = ?1 AND stream = ?2", found.id,
                stream_);
  lost_arrivals_.erase(found.id);
  found.arrived = std::move(player);
  return found;
}

Result<FoundPlayer> PostgresNames::find_player(const std::string& token_hash) {
  return attempt([&] { return find("token_hash = ?1", Value(Bytes{token_hash})); });
}

Result<FoundPlayer> PostgresNames::find_named(const KeyedName& name) {
  return attempt([&] {
    return find(
        "id = (SELECT min(player) FROM player_names "
        "WHERE key IN (?1, ?2) HAVING min(player) = max(player) AND count(*) = ?3)",
        key_in(name, 0), key_in(name, 1), number_of_keys(name));
  });
}

Result<std::optional<std::uint64_t>> PostgresNames::claim_player(const KeyedName& name,
                                                                 const std::string& token_hash) {
  return attempt([&] {
    drop_lost_claims();
    lost_players_.add(token_hash);
    const auto id = claim_row(name, token_hash);
    lost_players_.remove(token_hash);
    return id;
  });
}

std::optional<std::uint64_t> PostgresNames::claim_row(const KeyedName& name,
                                                      const std::string& token_hash) {
  return claim(database_, claim_player_sql, stream_, epoch_, Value(Bytes{token_hash}),
               key_in(name, 0), key_in(name, 1));
}

Result<std::optional<std::uint64_t>> PostgresNames::claim_account(const KeyedName& name,
                                                                  const std::string& token_hash,
                                                                  std::uint64_t look_alike) {
  return attempt([&] {
    drop_lost_claims();
    lost_players_.add(token_hash);
    std::optional<std::uint64_t> id;
    // If the name is taken, the failed statement has ended the transaction, and its COMMIT rolls it
    // back.
    database_.transact(Database::Transaction::commit, [&] {
      // First, as a commit locks it: in another order, the two could wait for each other.
      database_.number_of("SELECT 1 FROM streams WHERE stream = ?1 FOR SHARE", stream_);
      database_.run(free_keys_sql, key_in(name, 0), key_in(name, 1), look_alike,
                    number_of_keys(name));
      id = claim_row(name, token_hash);
    });
    lost_players_.remove(token_hash);
    return id;
  });
}

std::optional<Fault> PostgresNames::drop_player(std::uint64_t id) {
  lost_players_.add(id);
  return attempt([&] { drop_lost_claims(); });
}

Result<Whereabouts> PostgresNames::find_room(const std::string& name) {
  return attempt([&] {
    static const std::string sql =
        "SELECT stream, " + server_of_stream + " FROM rooms AS found WHERE name = ?1";
    Whereabouts found;
    database_.visit(sql, [&](const SqlRow& row) { found = whereabouts(row, 0); }, name);
    return found;
  });
}

Result<ClaimedRoom> PostgresNames::claim_room(const KeyedName& name, std::uint64_t creator,
                                              std::size_t most) {
  return attempt([&] {
    drop_lost_claims();
    ClaimedRoom claimed;
    if (has_created(creator, most, 0)) {
      claimed.outcome = ClaimedRoom::Outcome::too_many;
      return claimed;
    }
    lost_rooms_.add(name.name);
    const auto serial = claim(database_, claim_room_sql, stream_, epoch_, name.name, creator,
                              key_in(name, 0), key_in(name, 1));
    if (serial) {
      claimed.serial = *serial;
      // After the claim: a closed room of that name has left its last revision in its stream.
      claimed.revision = last_revision();
    } else {
      claimed.outcome = ClaimedRoom::Outcome::taken;
    }
    lost_rooms_.remove(name.name);
    return claimed;
  });
}

Result<ClaimedRoom::Outcome> PostgresNames::check_room(const KeyedName& name, std::uint64_t creator,
                                                       std::size_t most, std::uint64_t without) {
  using Outcome = ClaimedRoom::Outcome;
  return attempt([&] {
    drop_lost_claims();
    if (has_created(creator, most, without)) return Outcome::too_many;
    const bool is_taken =
        database_.number_of("SELECT count(*) FROM room_names WHERE key IN (?1, ?2) AND room <> ?3",
                            key_in(name, 0), key_in(name, 1), without) != 0;
    return is_taken ? Outcome::taken : Outcome::claimed;
  });
}

// Whether that many rooms of the player, beside `without`, are open.
bool PostgresNames::has_created(std::uint64_t creator, std::size_t most, std::uint64_t without) {
  return most <= database_.number_of(
                     "SELECT count(*) FROM (SELECT 1 FROM rooms WHERE creator = ?1 AND "
                     "serial <> ?3 LIMIT ?2) AS created",
                     creator, most, without);
}

void PostgresNames::drop_lost_claims() {
  if (!lost_rooms_.empty()) {
    database_.run(drop_rooms_sql, stream_, PostgresArray::of(lost_rooms_.keys()),
                  PostgresArray::of(lost_rooms_.numbers()));
    lost_rooms_ = {};
  }
  if (!lost_players_.empty()) {
    database_.run(drop_players_sql, stream_, PostgresArray::of(lost_players_.keys()),
                  PostgresArray::of(lost_players_.numbers()));
    lost_players_ = {};
  }
}

std::uint64_t PostgresNames::last_revision() {
  const std::uint64_t last =
      database_.number_of("SELECT coalesce(max(last_revision), 0) FROM streams");
  return last == 0 ? 0 : last + 1;
}

std::optional<Fault> PostgresNames::drop_room(std::uint64_t serial) {
  lost_rooms_.add(serial);
  return attempt([&] { drop_lost_claims(); });
}

}  // namespace tictactoe::records
