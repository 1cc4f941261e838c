#include "server/records/sql_store.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "server/records/game_lists.hpp"

namespace tictactoe::records {

using journal::v1::Record;
using journal::v1::SavedRoom;
using Transaction = Database::Transaction;

namespace {

// Games that one call deletes: few enough that commits do not wait long.
constexpr std::uint64_t games_at_once = 50;

// Rows of a large table that are read at once.
constexpr std::uint64_t rows_at_once = 500;

constexpr std::string_view neutral_prefix = "forgotten-";

const std::string own_stream =
    "INSERT INTO streams VALUES(?1, 1, 0, 0) ON CONFLICT(stream) DO UPDATE "
    "SET epoch = streams.epoch + 1";
const std::string advance_stream =
    "UPDATE streams SET sequence = ?1 WHERE stream = ?2 AND epoch = ?3 AND sequence = ?4";
const std::string raise_revision =
    "UPDATE streams SET last_revision = ?1 WHERE stream = ?2 AND last_revision < ?1";
// Numbers from 2^63 on are negative here.
const std::string put_request =
    "INSERT INTO requests(player, done) VALUES(?1, ?2) ON CONFLICT(player) "
    "DO UPDATE SET done = excluded.done "
    "WHERE (requests.done < 0, requests.done) < (excluded.done < 0, excluded.done)";
// An id may be given again after a start.
const std::string delete_old_requests =
    "DELETE FROM requests WHERE player NOT IN (SELECT id FROM players)";
const std::string delete_request = "DELETE FROM requests WHERE player = ?1";
const std::string delete_player = "DELETE FROM players WHERE id = ?1";
const std::string delete_moves = "DELETE FROM moves WHERE room = ?1 AND ply > ?2";
const std::string delete_ban = "DELETE FROM bans WHERE who = ?1";
const std::string delete_games =
    "DELETE FROM games WHERE id IN (SELECT id FROM (SELECT id, kept_unix_ms FROM games "
    "ORDER BY id LIMIT ?1) AS oldest WHERE kept_unix_ms < ?2)";
// A line of a room that is not there would stay for ever.
const std::string put_line =
    "INSERT INTO chat(room, name, seat, text, line) SELECT ?1, ?2, ?3, ?4, "
    "(SELECT coalesce(max(line), 0) + 1 FROM chat WHERE room = ?1) "
    "WHERE EXISTS (SELECT 1 FROM rooms WHERE serial = ?1)";
const std::string delete_lines =
    "DELETE FROM chat WHERE room = ?1 AND line <= "
    "(SELECT max(line) FROM chat WHERE room = ?1) - ?2";
const std::string give_player = "UPDATE players SET stream = ?1, arrived = ?2 WHERE id = ?3";
const std::string give_room = "UPDATE rooms SET stream = ?1, arrived = true WHERE serial = ?2";
const std::array close_room_sql{std::string("DELETE FROM rooms WHERE serial = ?1"),
                                std::string("DELETE FROM moves WHERE room = ?1"),
                                std::string("DELETE FROM chat WHERE room = ?1")};

// Those that follow from the columns.
struct Statements {
  const std::string put_player = tables().players.upsert({"stream"});
  const std::string put_room = tables().rooms.upsert({"stream"});
  const std::string put_move = tables().moves.upsert();
  const std::string put_game = tables().games.insert(1);  // the id is drawn
  const std::string put_ban = tables().bans.upsert({"who"});
};
const Statements& statements() {
  static const Statements all;
  return all;
}

}  // namespace

SqlStore::SqlStore(Settings settings, std::shared_ptr<Database> database)
    : settings_(std::move(settings)), database_(std::move(database)) {}

void SqlStore::read_identity() {
  server_id_ = database().number_of("SELECT server_id FROM store");
}

// Commits -----------------------------------------------------------------------------------------

Result<StreamPosition> SqlStore::own(StreamId stream) {
  return attempt([&] {
    StreamPosition position;
    database().transact(Transaction::commit, [&] {
      database().run(own_stream, stream);
      database().run(delete_old_requests);
      database().visit(
          "SELECT epoch, sequence FROM streams WHERE stream = ?1",
          [&](const SqlRow& row) { position = {row.number(0), row.number(1)}; }, stream);
    });
    return position;
  });
}

Result<AppendOutcome> SqlStore::append(StreamId stream, StreamPosition expected,
                                       std::uint64_t last_sequence, const Batch& batch) {
  return attempt([&] {
    bool is_owner = false;
    database().transact(Transaction::commit,
                        [&] { is_owner = write(stream, expected, last_sequence, batch); });
    return is_owner ? AppendOutcome::durable : AppendOutcome::fenced;
  });
}

bool SqlStore::write(StreamId stream, StreamPosition expected, std::uint64_t last_sequence,
                     const Batch& batch) {
  if (database().run(advance_stream, last_sequence, stream, expected.epoch, expected.sequence) ==
      0) {
    return false;
  }
  done_.clear();
  const bool is_whole = for_each_record(batch.bytes(), [&](std::string_view encoded) {
    messages_.Reset();
    auto& record = *google::protobuf::Arena::CreateMessage<Record>(&messages_);
    if (!record.ParseFromArray(encoded.data(), static_cast<int>(encoded.size()))) return false;
    apply(record, stream);
    return true;
  });
  if (!is_whole) throw Failure{{Fault::Kind::unusable, "a record can't be decoded"}};
  for (const auto& [player, request] : done_) database().put(put_request, player, request);
  return true;
}

void SqlStore::note_request(std::uint64_t player, std::uint64_t request) {
  std::uint64_t& done = done_[player];
  done = std::max(done, request);
}

void SqlStore::apply(const Record& record, StreamId stream) {
  if (record.requester() != 0) note_request(record.requester(), record.request_done());
  switch (record.record_case()) {
    case Record::kPlayer:
      return put(record.player(), stream);
    case Record::kPlayerForgotten:
      done_.erase(record.player_forgotten());
      database().put(delete_request, record.player_forgotten());
      return database().put(delete_player, record.player_forgotten());
    case Record::kRoom:
      return put(record.room(), stream);
    case Record::kRoomClosed:
      close_room(record.room_closed());
      return database().put(raise_revision, record.closed_revision(), stream);
    case Record::kMove:
      return put_message(statements().put_move, tables().moves, record.move());
    case Record::kMovesUndone:
      return database().put(delete_moves, record.moves_undone().room(),
                            std::uint64_t{record.moves_undone().ply()});
    case Record::kChat:
      return put(record.chat());
    case Record::kGameFinished:
      return put_game(record.game_finished(), record.has_readers() ? &record.readers() : nullptr,
                      settings_.unix_ms());
    case Record::kPlayerMoved:
      return give(record.player_moved().player(), record.player_moved().stream(), true);
    case Record::kRoomMoved: {
      const journal::v1::RoomMoved& moved = record.room_moved();
      put(moved.room(), moved.stream());
      if (is_shared()) database().put(give_room, moved.stream(), moved.room().serial());
      for (const auto& player : moved.players()) give(player, moved.stream(), false);
      return;
    }
    case Record::kBanned:
      return put(record.banned());
    case Record::kUnbanned:
      return database().put(delete_ban, key_of(record.unbanned()));
    case Record::RECORD_NOT_SET:
      return;
  }
}

void SqlStore::put_message(const std::string& sql, const Table& table,
                           const google::protobuf::Message& row,
                           std::initializer_list<Value> extra) {
  row_.clear();
  table.write(row, row_);
  row_.insert(row_.end(), extra);
  database().put_values(sql, row_);
}

void SqlStore::put(const journal::v1::Player& player, StreamId stream) {
  if (player.last_request_done() != 0) note_request(player.id(), player.last_request_done());
  put_message(statements().put_player, tables().players, player, {to_value(stream)});
}

void SqlStore::give(const journal::v1::Player& player, StreamId to, bool arrives) {
  put(player, to);
  if (is_shared()) database().put(give_player, to, arrives, player.id());
}

void SqlStore::put(const journal::v1::Room& room, StreamId stream) {
  put_message(statements().put_room, tables().rooms, room, {to_value(stream)});
}

void SqlStore::put(const journal::v1::Chat& line) {
  put_message(put_line, tables().chat, line);
  database().put(delete_lines, line.room(), std::uint64_t{settings_.kept_chat});
}

void SqlStore::put(const journal::v1::Ban& ban) {
  put_message(statements().put_ban, tables().bans, ban, {key_of(ban.subject())});
}

void SqlStore::close_room(std::uint64_t serial) {
  for (const std::string& sql : close_room_sql) database().put(sql, serial);
}

// An imported game keeps its time.
void SqlStore::put_game(const v1::GameRecord& record, const journal::v1::Readers* readers,
                        std::uint64_t now) {
  auto& game = *google::protobuf::Arena::CreateMessage<journal::v1::Game>(&messages_);
  *game.mutable_record() = record;
  if (!record.imported()) game.mutable_record()->set_ended_unix_ms(now);
  if (readers != nullptr) *game.mutable_readers() = *readers;
  game.set_kept_unix_ms(now);
  game.set_plies(static_cast<std::uint32_t>(record.moves_size()));
  row_.clear();
  tables().games.write(game, row_);
  database().put_values(statements().put_game, std::span(row_).subspan(1));
}

std::optional<Fault> SqlStore::add_games(std::span<const v1::GameRecord> games) {
  return attempt([&] {
    database().transact(Transaction::commit, [&] {
      const std::uint64_t now = settings_.unix_ms();
      for (const v1::GameRecord& game : games) {
        messages_.Reset();
        put_game(game, nullptr, now);
      }
    });
  });
}

// Ids and times grow together, so this reads no further than what it deletes.
Result<bool> SqlStore::delete_games_before(std::uint64_t unix_ms) {
  return attempt([&] {
    std::size_t deleted = 0;
    database().transact(Transaction::commit,
                        [&] { deleted = database().run(delete_games, games_at_once, unix_ms); });
    return deleted == games_at_once;
  });
}

// Loading -----------------------------------------------------------------------------------------

Result<journal::v1::Saved> SqlStore::load(StreamId stream) {
  return attempt([&] {
    journal::v1::Saved saved;
    database().transact(Transaction::whole, [&] {
      saved = read(stream);
      read_bans(saved);
    });
    return saved;
  });
}

// Rows that are only claimed have no `played` and no `game`. In a file nothing is claimed: a row
// without them makes no sense, and the server decides what to do with it.
journal::v1::Saved SqlStore::read(std::optional<StreamId> stream) {
  static const Tables& all = tables();
  const auto recorded = [this](const std::string& column) {
    return is_shared() ? " AND " + column + " IS NOT NULL ORDER BY " : " ORDER BY ";
  };
  const std::string select_players = "SELECT done, " + all.players.names() +
                                     " FROM players LEFT JOIN requests ON player = id "
                                     "WHERE (stream = ?1 OR ?1 IS NULL)" +
                                     recorded("played") + "id";
  const std::string select_rooms = "SELECT " + all.rooms.names() +
                                   " FROM rooms WHERE (stream = ?1 OR ?1 IS NULL)" +
                                   recorded("game") + "serial";
  static const std::string of_rooms =
      " AS part JOIN rooms ON serial = part.room WHERE stream = ?1 OR ?1 IS NULL ORDER BY ";
  static const std::string select_moves =
      "SELECT " + all.moves.names("part.") + " FROM moves" + of_rooms + "part.room, part.ply";
  static const std::string select_chat =
      "SELECT " + all.chat.names("part.") + " FROM chat" + of_rooms + "part.room, part.line";
  journal::v1::Saved saved;
  database().visit(
      select_players,
      [&](const SqlRow& row) {
        journal::v1::Player& player = *saved.add_players();
        player.set_last_request_done(row.number(0));
        all.players.read(row, 1, player);
      },
      stream);
  database().visit(
      select_rooms,
      [&](const SqlRow& row) { all.rooms.read(row, 0, *saved.add_rooms()->mutable_room()); },
      stream);
  std::unordered_map<std::uint64_t, SavedRoom*> rooms;
  for (SavedRoom& room : *saved.mutable_rooms()) rooms.emplace(room.room().serial(), &room);
  const auto room_of = [&](const SqlRow& row) -> SavedRoom* {
    const auto found = rooms.find(row.number(0));
    return found == rooms.end() ? nullptr : found->second;
  };
  database().visit(
      select_moves,
      [&](const SqlRow& row) {
        if (SavedRoom* room = room_of(row)) all.moves.read(row, 0, *room->add_moves());
      },
      stream);
  database().visit(
      select_chat,
      [&](const SqlRow& row) {
        if (SavedRoom* room = room_of(row)) all.chat.read(row, 0, *room->add_chat());
      },
      stream);
  saved.set_last_revision(database().number_of(
      "SELECT coalesce(max(last_revision), 0) FROM streams WHERE stream IN (?1, 0) OR ?1 IS NULL",
      stream));
  return saved;
}

void SqlStore::read_bans(journal::v1::Saved& saved) {
  static const std::string select = "SELECT " + tables().bans.names() + " FROM bans";
  database().visit(select,
                   [&](const SqlRow& row) { tables().bans.read(row, 0, *saved.add_bans()); });
  // The databases have different orders of text.
  std::sort(saved.mutable_bans()->begin(), saved.mutable_bans()->end(),
            [](const auto& left, const auto& right) {
              return left.subject().SerializeAsString() < right.subject().SerializeAsString();
            });
}

// Whole stores ------------------------------------------------------------------------------------

std::optional<Fault> SqlStore::read_all(const Sink& sink) {
  const auto read_now = [&] {
    std::vector<Value> values{server_id_, last_game(),
                              database().number_of("SELECT coalesce(max(last_revision), 0) "
                                                   "FROM streams")};
    sink(nullptr, values);
    for (const Table* table : copied_tables()) {
      std::uint64_t rows = 0;
      const auto pass_on = [&](const SqlRow& row) {
        ++rows;
        table->read_values(row, values);
        sink(table, values);
      };
      if (table != &tables().games) {
        database().visit(table->select_rows() + " ORDER BY " + table->key(), pass_on);
        continue;
      }
      // In pages: there may be millions.
      for (std::uint64_t last = 0;; last = std::get<std::uint64_t>(values.front())) {
        rows = 0;
        database().visit(table->select_rows() + " AND id > ?1 ORDER BY id LIMIT ?2", pass_on, last,
                         rows_at_once);
        if (rows == 0) break;
      }
    }
  };
  return attempt([&] { database().transact(Transaction::whole, read_now); });
}

std::optional<Fault> SqlStore::fill(const std::function<std::optional<Fault>(const Sink&)>& work) {
  std::map<const Table*, std::string> statements;
  for (const Table* table : copied_tables()) statements[table] = table->insert_row();
  const auto store = [&](const Table* table, Values row) {
    if (table != nullptr) return database().put_values(statements.at(table), row);
    server_id_ = std::get<std::uint64_t>(row[0]);
    database().run("UPDATE store SET server_id = ?1", server_id_);
    set_last_game(std::get<std::uint64_t>(row[1]));
    database().run(own_stream, local_stream);
    database().run(raise_revision, std::get<std::uint64_t>(row[2]), local_stream);
  };
  return attempt([&] {
    database().transact(Transaction::whole, [&] {
      if (auto fault = work(store)) throw Failure{*std::move(fault)};
    });
  });
}

Result<bool> SqlStore::is_empty() {
  return attempt([&] {
    for (const Table* table : copied_tables()) {
      if (database().number_of("SELECT count(*) FROM (SELECT 1 FROM " + table->name() +
                               " LIMIT 1) AS found") > 0) {
        return false;
      }
    }
    return true;
  });
}

// A name that no player has had: the number counts up.
std::string SqlStore::neutral_name() {
  std::uint64_t last = 0;
  for (const char* side : {"x", "o"}) {
    const std::string name = std::string(side) + "_name";
    database().visit(
        "SELECT DISTINCT " + name + " FROM games WHERE " + name + " LIKE 'forgotten-%'",
        [&](const SqlRow& row) {
          const std::string_view digits = row.bytes(0).substr(neutral_prefix.size());
          std::uint64_t number = 0;
          std::from_chars(digits.data(), digits.data() + digits.size(), number);
          last = std::max(last, number);
        });
  }
  return std::string(neutral_prefix) + std::to_string(last + 1);
}

Result<Forgotten> SqlStore::forget(const std::string& name) {
  return attempt([&] {
    // Before anything changes: who reads would keep what is deleted.
    if (auto fault = finish()) throw Failure{*std::move(fault)};
    Forgotten done;
    database().transact(Transaction::whole, [&] {
      const std::string neutral = neutral_name();
      for (const std::string side : {"x", "o"}) {
        done.seats += database().run("UPDATE rooms SET " + side + "_kind = 'open', " + side +
                                         "_player = 0, " + side + "_origin_address = NULL, " +
                                         side + "_origin_network = NULL WHERE " + side +
                                         "_player IN (SELECT id FROM players WHERE name = ?1)",
                                     name);
        done.games += database().run("UPDATE games SET " + side + "_name = ?1 WHERE " + side +
                                         "_name = ?2 AND " + side + "_kind = 'person'",
                                     neutral, name);
      }
      done.players = database().run("DELETE FROM players WHERE name = ?1", name);
      done.lines = database().run("DELETE FROM chat WHERE name = ?1", name);
      database().run(delete_ban, "player:" + name);
      if (done.seats + done.games + done.players + done.lines > 0) done.name = neutral;
    });
    // Also if nothing was changed: an earlier call may have ended before this.
    rewrite();
    return done;
  });
}

// Reading games -----------------------------------------------------------------------------------

namespace {

// NULL is equal to nothing.
std::optional<std::uint64_t> known(ReaderNumber reader) {
  return reader == 0 ? std::nullopt : std::optional(reader);
}

}  // namespace

Result<v1::GameList> SqlReader::list_games(std::uint64_t before, const std::string& player,
                                           std::size_t limit, ReaderNumber reader) {
  static const Table& games = tables().games;
  return attempt([&] {
    v1::GameList list;
    const auto add = [&](const SqlRow& row) {
      list.set_more(static_cast<std::size_t>(list.games_size()) == limit);
      if (list.more()) return false;
      journal::v1::Game game;
      games.read(row, 0, games.short_size(), game);
      list.add_games()->Swap(game.mutable_record());
      return true;
    };
    const std::string sql =
        list_games_sql(games.names(games.short_size()), !player.empty(), database_->kind());
    const std::uint64_t below = id_below(before);
    const std::uint64_t rows = limit + 1;
    if (player.empty()) {
      database_->visit(sql, add, below, rows, known(reader));
    } else {
      database_->visit(sql, add, below, rows, known(reader), player);
    }
    return list;
  });
}

Result<std::optional<v1::GameRecord>> SqlReader::game(std::uint64_t id, ReaderNumber reader) {
  static const Table& games = tables().games;
  static const std::string sql =
      "SELECT " + games.names() +
      " FROM games WHERE id = ?1 AND (readers_x IS NULL OR readers_x = ?2 OR readers_o = ?2)";
  return attempt([&] {
    std::optional<v1::GameRecord> found;
    database_->visit(
        sql,
        [&](const SqlRow& row) {
          journal::v1::Game game;
          games.read(row, 0, game);
          found.emplace().Swap(game.mutable_record());
        },
        id, known(reader));
    return found;
  });
}

}  // namespace tictactoe::records
