// Copying a whole store from and to PostgreSQL.
#include <algorithm>
#include <utility>

#include "server/records/postgres/store.hpp"
#include "server/records/rows.hpp"

namespace tictactoe::records {

namespace {

constexpr std::size_t rows_of_statement = 5'000;

void add_name(PostgresArray& names, const v1::Occupant& occupant) {
  if (occupant.kind() == v1::Occupant::KIND_PERSON) {
    names.add(std::string_view(occupant.name()));
  } else {
    names.add_null();
  }
}

void add_reader(PostgresArray& readers, std::uint64_t reader) {
  reader == 0 ? readers.add_null() : readers.add(reader);
}

// Moves of many rooms.
class MoveRows {
 public:
  void add(const journal::v1::Move& move) {
    rooms_.add(move.room());
    plies_.add(move.ply());
    cells_.add(move.cell());
    spent_.add(move.spent_ms());
    left_.add(move.time_left_ms());
    ++size_;
  }
  std::size_t size() const { return size_; }
  void write(PostgresConnection& to) {
    if (size_ == 0) return;
    to.run(
        "INSERT INTO moves SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], "
        "$4::bigint[], $5::bigint[])",
        {rooms_.parameter(), plies_.parameter(), cells_.parameter(), spent_.parameter(),
         left_.parameter()});
    *this = {};
  }

 private:
  PostgresArray rooms_, plies_, cells_, spent_, left_;
  std::size_t size_ = 0;
};

}  // namespace

// Reading -----------------------------------------------------------------------------------------

Result<StoreState> PostgresStore::state() {
  auto set_aside = compact_all(*this);
  if (!set_aside) return set_aside.error();
  StoreState state{server_id_, 0, {}, *std::move(set_aside)};
  return guarded_postgres([&] {
    connection_.transact("BEGIN ISOLATION LEVEL REPEATABLE READ", [&] {
      state.last_game =
          connection_.run("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM games_id_seq")
              .number(0, 0);
      const PostgresRows streams = connection_.run(
          "SELECT stream FROM streams UNION SELECT stream FROM players "
          "UNION SELECT stream FROM rooms ORDER BY 1");
      for (int row = 0; row < streams.size(); ++row) {
        add_stream(read(streams.number(row, 0)), state);
      }
      SetAsideCounts damaged;
      damaged.bans = read_bans(*this, state.saved);
      add_clause(state.set_aside, damaged.clause());
    });
    std::ranges::sort(*state.saved.mutable_players(), {},
                      [](const auto& each) { return each.id(); });
    std::ranges::sort(*state.saved.mutable_rooms(), {},
                      [](const auto& each) { return each.room().serial(); });
    return state;
  });
}

void PostgresStore::add_stream(LoadedStream stream, StoreState& state) {
  for (auto& player : *stream.saved.mutable_players()) {
    *state.saved.add_players() = std::move(player);
  }
  for (auto& room : *stream.saved.mutable_rooms()) *state.saved.add_rooms() = std::move(room);
  state.saved.set_last_revision(
      std::max(state.saved.last_revision(), stream.saved.last_revision()));
  add_clause(state.set_aside, stream.set_aside);
}

Result<std::vector<StoredGame>> PostgresStore::games_after(std::uint64_t id) {
  return guarded_postgres([&] {
    connect();
    const PostgresRows rows = connection_.run(
        "SELECT id, kept_unix_ms, is_private, x_reader, o_reader, head, moves FROM games "
        "WHERE id > $1 ORDER BY id LIMIT $2",
        {id, std::uint64_t{rows_of_page}});
    std::vector<StoredGame> games;
    for (int row = 0; row < rows.size(); ++row) {
      StoredGame& game = games.emplace_back();
      game.id = rows.number(row, 0);
      game.unix_ms = rows.number(row, 1);
      if (rows.number(row, 2) != 0) {
        game.readers.emplace().set_x(rows.number(row, 3));
        game.readers->set_o(rows.number(row, 4));
      }
      game.parts = {std::string(rows.bytes(row, 5)), std::string(rows.bytes(row, 6))};
    }
    return games;
  });
}

Result<std::vector<AsideRow>> PostgresStore::asides_after(std::uint64_t id) {
  return guarded_postgres([&] {
    connect();
    const PostgresRows rows = connection_.run(
        "SELECT id, unix_ms, kind, key, reason, content FROM set_aside WHERE id > $1 ORDER BY id "
        "LIMIT $2",
        {id, std::uint64_t{rows_of_page}});
    std::vector<AsideRow> asides;
    asides.reserve(static_cast<std::size_t>(rows.size()));
    for (int row = 0; row < rows.size(); ++row) {
      asides.push_back({rows.number(row, 0), rows.number(row, 1), std::string(rows.bytes(row, 2)),
                        rows.number(row, 3), std::string(rows.bytes(row, 4)),
                        std::string(rows.bytes(row, 5))});
    }
    return asides;
  });
}

Result<bool> PostgresStore::is_empty() {
  return guarded_postgres([&] {
    connect();
    return connection_
        .run(
            "SELECT 1 WHERE EXISTS (SELECT 1 FROM players) OR EXISTS (SELECT 1 FROM rooms) OR "
            "EXISTS (SELECT 1 FROM games) OR EXISTS (SELECT 1 FROM uncompacted) OR "
            "EXISTS (SELECT 1 FROM bans) OR EXISTS (SELECT 1 FROM set_aside)")
        .empty();
  });
}

// Writing -----------------------------------------------------------------------------------------

std::optional<Fault> PostgresStore::fill(StoreContent& content) {
  const auto done = guarded_postgres([&] {
    connect();
    connection_.transact("BEGIN", [&] {
      // Reading the other store may take long.
      connection_.run(allow_long_pauses);
      std::uint64_t last_game = 0;
      const auto fault = read_all(content, {[&](const StoreState& state) {
                                              fill_state(state);
                                              last_game = state.last_game;
                                            },
                                            [&](const auto& games) { fill_games(games); },
                                            [&](const AsideRow& row) { fill_aside(row); }});
      if (fault) throw PostgresFailure{*fault};
      connection_.run("SELECT setval('games_id_seq', greatest($1::bigint, 1), $1::bigint > 0)",
                      {PostgresParameter::parsed(std::to_string(last_game))});
    });
    server_id_ = connection_.run("SELECT min(server_id) FROM identity").number(0, 0);
    return true;
  });
  return done ? std::nullopt : std::optional(done.error());
}

void PostgresStore::fill_state(const StoreState& state) {
  connection_.run("UPDATE identity SET server_id = $1", {state.server_id});
  connection_.run(
      "INSERT INTO streams VALUES($1, 0, 0, $2) ON CONFLICT(stream) DO UPDATE "
      "SET last_revision = excluded.last_revision",
      {local_stream, state.saved.last_revision()});
  PostgresArray ids;
  PostgresArray states;
  PostgresArray requests;
  for (const journal::v1::Player& player : state.saved.players()) {
    ids.add(player.id());
    states.add(std::string_view(player.SerializeAsString()));
    requests.add(player.last_request_done());
  }
  connection_.run(
      "INSERT INTO players(id, stream, state, last_request_done) SELECT id, $1::bigint, state, "
      "request FROM unnest($2::bigint[], $3::bytea[], $4::bigint[]) AS rows(id, state, request)",
      {local_stream, ids.parameter(), states.parameter(), requests.parameter()});
  for (const journal::v1::Ban& ban : state.saved.bans()) {
    write_ban(ban.subject().SerializeAsString(), ban);
  }
  MoveRows moves;
  for (const journal::v1::SavedRoom& room : state.saved.rooms()) {
    const std::string encoded = room.room().SerializeAsString();
    connection_.run("INSERT INTO rooms(serial, stream, state) VALUES($1, $2, $3)",
                    {room.room().serial(), local_stream, std::string_view(encoded)});
    PostgresArray lines;
    for (const journal::v1::Chat& line : room.chat()) {
      lines.add(std::string_view(line.SerializeAsString()));
    }
    if (room.chat_size() > 0) insert_chat(room.room().serial(), lines);
    for (const journal::v1::Move& move : room.moves()) {
      moves.add(move);
      if (moves.size() >= rows_of_statement) moves.write(connection_);
    }
  }
  moves.write(connection_);
}

void PostgresStore::fill_games(std::span<const StoredGame> games) {
  PostgresArray ids;
  PostgresArray times;
  PostgresArray is_private;
  PostgresArray x_names;
  PostgresArray o_names;
  PostgresArray x_readers;
  PostgresArray o_readers;
  PostgresArray heads;
  PostgresArray moves;
  for (const StoredGame& game : games) {
    const auto head = decode_game(game.id, game.parts.head);
    ids.add(game.id);
    times.add(game.unix_ms);
    is_private.add(std::uint64_t{game.readers ? 1U : 0U});
    add_name(x_names, head ? head->x() : v1::Occupant());
    add_name(o_names, head ? head->o() : v1::Occupant());
    add_reader(x_readers, game.readers ? game.readers->x() : 0);
    add_reader(o_readers, game.readers ? game.readers->o() : 0);
    heads.add(std::string_view(game.parts.head));
    moves.add(std::string_view(game.parts.moves));
  }
  connection_.run(
      "INSERT INTO games(id, kept_unix_ms, is_private, x_name, o_name, x_reader, o_reader, head, "
      "moves) OVERRIDING SYSTEM VALUE SELECT * FROM unnest($1::bigint[], $2::bigint[], "
      "$3::boolean[], $4::bytea[], $5::bytea[], $6::bigint[], $7::bigint[], $8::bytea[], "
      "$9::bytea[])",
      {ids.parameter(), times.parameter(), is_private.parameter(), x_names.parameter(),
       o_names.parameter(), x_readers.parameter(), o_readers.parameter(), heads.parameter(),
       moves.parameter()});
}

}  // namespace tictactoe::records
