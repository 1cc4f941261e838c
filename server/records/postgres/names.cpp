#include "server/records/postgres/names.hpp"

#include <utility>

namespace tictactoe::records {

namespace {

// A server that has been taken over claims nothing. FOR SHARE: until this claim is committed, its
// stream is not taken over.
constexpr const char* claim_player_sql =
    "WITH owner AS (SELECT stream FROM streams WHERE stream = $1 AND epoch = $2 FOR SHARE), "
    "claimed AS (INSERT INTO players(id, stream, state, token_hash) "
    "SELECT nextval('player_ids'), stream, '', $3 FROM owner RETURNING id) "
    "INSERT INTO player_names(key, player) SELECT key, id FROM claimed, "
    "(SELECT $4::bytea AS key UNION SELECT $5::bytea) AS keys RETURNING player";

// The look-alike, and players who have only some of the keys.
constexpr const char* free_keys_sql =
    "DELETE FROM player_names WHERE key IN ($1, $2) AND (player = $3 OR player NOT IN "
    "(SELECT player FROM player_names WHERE key IN ($1, $2) GROUP BY player "
    "HAVING count(*) = $4))";

constexpr const char* claim_room_sql =
    "WITH owner AS (SELECT stream FROM streams WHERE stream = $1 AND epoch = $2 FOR SHARE), "
    "claimed AS (INSERT INTO rooms(serial, stream, state, name, creator) "
    "SELECT nextval('room_serials'), stream, '', $3, $4 FROM owner RETURNING serial) "
    "INSERT INTO room_names(key, room) SELECT key, serial FROM claimed, "
    "(SELECT $5::bytea AS key UNION SELECT $6::bytea) AS keys RETURNING room";

// Spares rooms that another server has given to this stream and that are not compacted yet.
constexpr const char* drop_rooms_sql =
    "DELETE FROM rooms WHERE stream = $1 AND state = '' AND arrived_after IS NULL AND "
    "(name = ANY($2::bytea[]) OR serial = ANY($3::bigint[]))";
constexpr const char* drop_players_sql =
    "DELETE FROM players WHERE stream = $1 AND state = '' AND "
    "(token_hash = ANY($2::bytea[]) OR id = ANY($3::bigint[]))";

constexpr const char* server_of_stream =
    "(SELECT s.stream FROM servers AS s WHERE s.stream = found.stream)";

std::uint64_t number_of_keys(const KeyedName& name) {
  return name.look_alike_keys[0] == name.look_alike_keys[1] ? 1 : 2;
}

// Runs a statement that claims a name. Returns its number; nothing if the name is taken.
template <class Run>
std::optional<std::uint64_t> claim(Run run) {
  try {
    const PostgresRows rows = run();
    if (rows.empty()) {
      throw PostgresFailure{{Fault::Kind::unusable, "another server has taken this one over"}};
    }
    return rows.number(0, 0);
  } catch (const PostgresFailure& failure) {
    if (failure.is_duplicate) return std::nullopt;
    throw;
  }
}

}  // namespace

// The columns are the stream, and that of the server that has it.
Whereabouts PostgresNames::whereabouts(const PostgresRows& row, int column) const {
  using Place = Whereabouts::Place;
  const StreamId stream = row.number(0, column);
  if (stream == stream_) return {Place::here, stream};
  if (row.is_null(0, column + 1)) return {Place::unowned, stream};
  return {Place::elsewhere, stream};
}

Result<FoundPlayer> PostgresNames::find_player(const std::string& token_hash) {
  return connection_.attempt([&] {
    static const std::string sql = std::string("SELECT id, stream, ") + server_of_stream +
                                   ", arrived FROM players AS found WHERE token_hash = $1";
    return found_in(connection_.run(sql, {token_hash}));
  });
}

// The columns are the id, the stream, that of the server that has it, and the arrived player.
FoundPlayer PostgresNames::found_in(const PostgresRows& row) {
  FoundPlayer found;
  if (row.empty()) return found;
  found.id = row.number(0, 0);
  found.where = whereabouts(row, 1);
  if (found.where.place != Whereabouts::Place::here) return found;
  if (row.is_null(0, 3)) {
    if (auto lost = lost_arrivals_.extract(found.id)) found.arrived = std::move(lost.mapped());
    return found;
  }
  const std::string_view bytes = row.bytes(0, 3);
  found.arrived.emplace();
  if (!found.arrived->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    throw PostgresFailure{{Fault::Kind::damaged, "a player who came from elsewhere is damaged"}};
  }
  // If the answer to this is lost, the next question gets the player.
  if (lost_arrivals_.size() < max_lost_arrivals) lost_arrivals_[found.id] = *found.arrived;
  connection_.run("UPDATE players SET arrived = NULL WHERE id = $1 AND stream = $2",
                  {found.id, stream_});
  lost_arrivals_.erase(found.id);
  return found;
}

Result<std::optional<std::uint64_t>> PostgresNames::claim_player(const KeyedName& name,
                                                                 const std::string& token_hash) {
  return connection_.attempt([&] {
    drop_lost_claims();
    lost_players_.add(token_hash);
    const auto id = claim_row(name, token_hash);
    lost_players_.remove(token_hash);
    return id;
  });
}

std::optional<std::uint64_t> PostgresNames::claim_row(const KeyedName& name,
                                                      const std::string& token_hash) {
  return claim([&] {
    return connection_.run(claim_player_sql, {stream_, epoch_, token_hash, name.look_alike_keys[0],
                                              name.look_alike_keys[1]});
  });
}

Result<FoundPlayer> PostgresNames::find_named(const KeyedName& name) {
  return connection_.attempt([&] {
    static const std::string sql =
        std::string("SELECT id, stream, ") + server_of_stream +
        ", arrived FROM players AS found WHERE id = (SELECT min(player) FROM player_names "
        "WHERE key IN ($1, $2) HAVING min(player) = max(player) AND count(*) = $3)";
    return found_in(connection_.run(
        sql, {name.look_alike_keys[0], name.look_alike_keys[1], number_of_keys(name)}));
  });
}

Result<std::optional<std::uint64_t>> PostgresNames::claim_account(const KeyedName& name,
                                                                  const std::string& token_hash,
                                                                  std::uint64_t look_alike) {
  return connection_.attempt([&] {
    drop_lost_claims();
    lost_players_.add(token_hash);
    std::optional<std::uint64_t> id;
    // If the name is taken, the failed statement has ended the transaction, and its COMMIT rolls it
    // back.
    connection_.transact("BEGIN", [&] {
      // First, as a commit locks it: in another order, the two could wait for each other.
      connection_.run("SELECT 1 FROM streams WHERE stream = $1 FOR SHARE", {stream_});
      connection_.run(free_keys_sql, {name.look_alike_keys[0], name.look_alike_keys[1], look_alike,
                                      number_of_keys(name)});
      id = claim_row(name, token_hash);
    });
    lost_players_.remove(token_hash);
    return id;
  });
}

std::optional<Fault> PostgresNames::drop_player(std::uint64_t id) {
  lost_players_.add(id);
  return connection_.attempt([&] { drop_lost_claims(); });
}

Result<Whereabouts> PostgresNames::find_room(const std::string& name) {
  return connection_.attempt([&] {
    static const std::string sql =
        std::string("SELECT stream, ") + server_of_stream + " FROM rooms AS found WHERE name = $1";
    const PostgresRows row = connection_.run(sql, {name});
    return row.empty() ? Whereabouts{} : whereabouts(row, 0);
  });
}

Result<ClaimedRoom> PostgresNames::claim_room(const KeyedName& name, std::uint64_t creator,
                                              std::size_t most) {
  return connection_.attempt([&] {
    drop_lost_claims();
    ClaimedRoom claimed;
    if (has_created(creator, most, 0)) {
      claimed.outcome = ClaimedRoom::Outcome::too_many;
      return claimed;
    }
    lost_rooms_.add(name.name);
    const auto serial = claim([&] {
      return connection_.run(claim_room_sql, {stream_, epoch_, name.name, creator,
                                              name.look_alike_keys[0], name.look_alike_keys[1]});
    });
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
  return connection_.attempt([&] {
    drop_lost_claims();
    if (has_created(creator, most, without)) return Outcome::too_many;
    const PostgresRows taken =
        connection_.run("SELECT 1 FROM room_names WHERE key IN ($1, $2) AND room <> $3 LIMIT 1",
                        {name.look_alike_keys[0], name.look_alike_keys[1], without});
    return taken.empty() ? Outcome::claimed : Outcome::taken;
  });
}

// Whether that many rooms of the player, beside `without`, are open.
bool PostgresNames::has_created(std::uint64_t creator, std::size_t most, std::uint64_t without) {
  return most <=
         connection_.number_of(
             "SELECT count(*) FROM (SELECT 1 FROM rooms WHERE creator = $1 AND serial <> $3 "
             "LIMIT $2) AS created",
             creator, std::uint64_t{most}, without);
}

void PostgresNames::drop_lost_claims() {
  if (!lost_rooms_.empty()) {
    connection_.run(drop_rooms_sql, {stream_, PostgresArray::of(lost_rooms_.keys()),
                                     PostgresArray::of(lost_rooms_.numbers())});
    lost_rooms_ = {};
  }
  if (!lost_players_.empty()) {
    connection_.run(drop_players_sql, {stream_, PostgresArray::of(lost_players_.keys()),
                                       PostgresArray::of(lost_players_.numbers())});
    lost_players_ = {};
  }
}

std::uint64_t PostgresNames::last_revision() {
  const std::uint64_t last =
      connection_.number_of("SELECT coalesce(max(last_revision), 0) FROM streams");
  return last == 0 ? 0 : last + 1;
}

std::optional<Fault> PostgresNames::drop_room(std::uint64_t serial) {
  lost_rooms_.add(serial);
  return connection_.attempt([&] { drop_lost_claims(); });
}

}  // namespace tictactoe::records
