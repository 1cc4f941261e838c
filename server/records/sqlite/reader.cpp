#include "server/records/sqlite/reader.hpp"

#include <algorithm>
#include <limits>
#include <ranges>
#include <utility>

#include "server/records/rows.hpp"
#include "server/records/sqlite/statements.hpp"

namespace tictactoe::records {

namespace {

constexpr std::uint64_t top_id = std::numeric_limits<std::int64_t>::max();

// The first byte of an encoded Record with a finished game: its fields are written in the order of
// their numbers.
constexpr char finished_game_tag =
    static_cast<char>(journal::v1::Record::kGameFinishedFieldNumber << 3 | 2);

// A blob of a game, with its checksum in the next column; nothing if it is damaged.
std::optional<std::string> part_of_game(SQLite::Statement& row, int column) {
  std::string part(bytes(row, column));
  if (number(row, column + 1) != Sum().add(part).value()) return std::nullopt;
  return part;
}

bool may_read(const std::optional<journal::v1::Readers>& readers, ReaderNumber reader) {
  return !readers || (reader != 0 && (readers->x() == reader || readers->o() == reader));
}

// Three columns: whether the game is private, and its readers.
std::optional<journal::v1::Readers> readers_of(SQLite::Statement& row, int column) {
  if (number(row, column) == 0) return std::nullopt;
  journal::v1::Readers readers;
  readers.set_x(number(row, column + 1));  // 0 for NULL
  readers.set_o(number(row, column + 2));
  return readers;
}

// The first part of a game, its sum and its readers, from `column` on; nothing if it is damaged.
std::optional<std::string> head_of_game(SQLite::Statement& row, int column) {
  std::string head(bytes(row, column));
  if (number(row, column + 1) != sum_of_head(head, readers_of(row, column + 2))) {
    return std::nullopt;
  }
  return head;
}

bool has_person(const v1::Occupant& seat, const std::string& name) {
  return seat.kind() == v1::Occupant::KIND_PERSON && seat.name() == name;
}

v1::GameRecord without_moves(v1::GameRecord game) {
  game.clear_moves();
  game.clear_move_ms();
  game.mutable_outcome()->clear_lines();
  return game;
}

// Visits the finished games of a row of `uncompacted` in their order, until `visit` returns false;
// none if the row is damaged.
template <class Visit>
void for_each_game(SQLite::Statement& row, Visit visit) {
  const std::string_view records = bytes(row, 5);
  const std::uint64_t unix_ms = number(row, 3);
  if (number(row, 4) != sum_of_records(number(row, 1), number(row, 2), unix_ms, records)) return;
  for_each_record(records, [&](std::string_view encoded) {
    if (encoded.empty() || encoded.front() != finished_game_tag) return true;
    journal::v1::Record record;
    if (!record.ParseFromArray(encoded.data(), static_cast<int>(encoded.size()))) return true;
    return visit(Compaction::game_of(record, unix_ms));
  });
}

// One moment of the database, though others write to it.
struct Snapshot {
  explicit Snapshot(SQLite::Database& the_file) : file(the_file) { file.exec("BEGIN"); }
  ~Snapshot() { file.tryExec("ROLLBACK"); }
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
  SQLite::Database& file;
};

}  // namespace

void SqliteReader::read_recent() {
  std::uint64_t first_id = 1;  // of the games that are not compacted
  SQLite::Statement last(file_, "SELECT seq FROM sqlite_sequence WHERE name = 'games'");
  if (last.executeStep()) first_id = number(last, 0) + 1;
  while (!recent_.empty() && recent_.front().head.id() < first_id) recent_.pop_front();
  if (!knows_first_rows()) {
    recent_.clear();
    last_row_ = {};
    // Compaction has written some games of records that are still there.
    SQLite::Statement compaction(file_, "SELECT games FROM compaction");
    next_id_ = first_id - (compaction.executeStep() ? number(compaction, 0) : 0);
  }
  SQLite::Statement rows(file_,
                         "SELECT id, stream, sequence, unix_ms, sum, records FROM uncompacted "
                         "WHERE id > ? ORDER BY id");
  rows.bind(1, to_sql(last_row_.id));
  while (rows.executeStep()) {
    last_row_ = {number(rows, 0), number(rows, 4)};
    std::size_t place = 0;
    for_each_game(rows, [&](Compaction::Game game) {
      const std::uint64_t id = next_id_++;
      if (id >= first_id) {
        v1::GameRecord head = without_moves(stamped(game));
        head.set_id(id);
        recent_.push_back({last_row_.id, place, std::move(head), std::move(game.readers)});
      }
      ++place;
      return true;
    });
  }
}

// Rows are deleted in their order, and then their numbers can be used again.
bool SqliteReader::knows_first_rows() {
  SQLite::Statement rows(file_,
                         "SELECT sum, (SELECT min(id) FROM uncompacted) FROM uncompacted "
                         "WHERE id = ?");
  rows.bind(1, to_sql(last_row_.id));
  if (!rows.executeStep() || number(rows, 0) != last_row_.sum) return false;
  return recent_.empty() || recent_.front().row >= number(rows, 1);
}

void SqliteReader::limit_recent() {
  if (recent_.size() <= most_recent) return;
  recent_ = {};
  last_row_ = {};
}

Result<v1::GameList> SqliteReader::list_games(std::uint64_t before, const std::string& player,
                                              std::size_t limit, ReaderNumber reader) {
  return guarded([&] {
    const Snapshot snapshot(file_);
    read_recent();
    v1::GameList list;
    list_recent(before, player, limit, reader, list);
    limit_recent();
    if (!list.more()) list_compacted(before, player, limit, reader, list);
    return list;
  });
}

void SqliteReader::list_recent(std::uint64_t before, const std::string& player, std::size_t limit,
                               ReaderNumber reader, v1::GameList& list) const {
  for (const RecentGame& game : std::views::reverse(recent_)) {
    if (before != 0 && game.head.id() >= before) continue;
    if (!may_read(game.readers, reader)) continue;
    if (!player.empty() && !has_person(game.head.x(), player) &&
        !has_person(game.head.o(), player)) {
      continue;
    }
    if (std::cmp_equal(list.games_size(), limit)) return list.set_more(true);
    *list.add_games() = game.head;
  }
}

namespace {

// Of each kind of game the latest: public ones, and private ones of one seat. Without INDEXED BY,
// SQLite would look at the private games of all.
constexpr const char* list_all =
    "SELECT id, head, head_sum, is_private, x_reader, o_reader FROM games WHERE id IN ("
    "SELECT * FROM (SELECT id FROM games INDEXED BY public_games "
    "WHERE is_private = 0 AND id < ?1 ORDER BY id DESC LIMIT ?2) UNION "
    "SELECT * FROM (SELECT id FROM games INDEXED BY games_for_x "
    "WHERE x_reader = ?3 AND id < ?1 ORDER BY id DESC LIMIT ?2) UNION "
    "SELECT * FROM (SELECT id FROM games INDEXED BY games_for_o "
    "WHERE o_reader = ?3 AND id < ?1 ORDER BY id DESC LIMIT ?2)) ORDER BY id DESC LIMIT ?2";
constexpr const char* list_of_player =
    "SELECT id, head, head_sum, is_private, x_reader, o_reader FROM games WHERE id IN ("
    "SELECT * FROM (SELECT id FROM games INDEXED BY games_of_x "
    "WHERE is_private = 0 AND x_name = ?4 AND id < ?1 ORDER BY id DESC LIMIT ?2) UNION "
    "SELECT * FROM (SELECT id FROM games INDEXED BY games_of_o "
    "WHERE is_private = 0 AND o_name = ?4 AND id < ?1 ORDER BY id DESC LIMIT ?2) UNION "
    "SELECT * FROM (SELECT id FROM games INDEXED BY games_for_x_of_x "
    "WHERE x_reader = ?3 AND x_name = ?4 AND id < ?1 ORDER BY id DESC LIMIT ?2) UNION "
    "SELECT * FROM (SELECT id FROM games INDEXED BY games_for_x_of_o "
    "WHERE x_reader = ?3 AND o_name = ?4 AND id < ?1 ORDER BY id DESC LIMIT ?2) UNION "
    "SELECT * FROM (SELECT id FROM games INDEXED BY games_for_o_of_x "
    "WHERE o_reader = ?3 AND x_name = ?4 AND id < ?1 ORDER BY id DESC LIMIT ?2) UNION "
    "SELECT * FROM (SELECT id FROM games INDEXED BY games_for_o_of_o "
    "WHERE o_reader = ?3 AND o_name = ?4 AND id < ?1 ORDER BY id DESC LIMIT ?2)) "
    "ORDER BY id DESC LIMIT ?2";

}  // namespace

void SqliteReader::list_compacted(std::uint64_t before, const std::string& player,
                                  std::size_t limit, ReaderNumber reader, v1::GameList& list) {
  SQLite::Statement rows(file_, player.empty() ? list_all : list_of_player);
  rows.bind(1, to_sql(before == 0 || before > top_id ? top_id : before));
  rows.bind(2, static_cast<std::int64_t>(limit) + 1);
  if (reader != 0) rows.bind(3, to_sql(reader));  // else NULL, which is equal to nothing
  if (!player.empty()) rows.bind(4, player);
  for (std::size_t seen = 0; rows.executeStep(); ++seen) {
    if (std::cmp_equal(list.games_size(), limit) || seen == limit) {
      list.set_more(true);
      return;
    }
    const auto head = head_of_game(rows, 1);
    auto game = head ? decode_game(number(rows, 0), *head) : std::nullopt;
    if (game) {
      *list.add_games() = *std::move(game);
    } else {
      ++damaged_games_;
    }
  }
}

Result<std::optional<v1::GameRecord>> SqliteReader::game(std::uint64_t id, ReaderNumber reader) {
  return guarded([&]() -> std::optional<v1::GameRecord> {
    const Snapshot snapshot(file_);
    SQLite::Statement row(file_,
                          "SELECT head, head_sum, is_private, x_reader, o_reader, moves, moves_sum "
                          "FROM games WHERE id = ?");
    row.bind(1, to_sql(id));
    if (row.executeStep()) {
      if (!may_read(readers_of(row, 2), reader)) return std::nullopt;
      const auto head = head_of_game(row, 0);
      const auto moves = part_of_game(row, 5);
      auto game = head && moves ? decode_game(id, *head + *moves) : std::nullopt;
      if (!game) damaged("game " + std::to_string(id) + " is damaged");
      return game;
    }
    read_recent();
    auto game = recent_game(id, reader);
    limit_recent();
    return game;
  });
}

std::optional<v1::GameRecord> SqliteReader::recent_game(std::uint64_t id, ReaderNumber reader) {
  const auto found = std::ranges::lower_bound(
      recent_, id, {}, [](const RecentGame& recent) { return recent.head.id(); });
  if (found == recent_.end() || found->head.id() != id) return std::nullopt;
  if (!may_read(found->readers, reader)) return std::nullopt;
  SQLite::Statement row(
      file_, "SELECT id, stream, sequence, unix_ms, sum, records FROM uncompacted WHERE id = ?");
  row.bind(1, to_sql(found->row));
  std::optional<v1::GameRecord> game;
  std::size_t place = 0;
  if (!row.executeStep()) return game;
  for_each_game(row, [&](const Compaction::Game& kept) {
    if (place++ != found->place) return true;
    game = stamped(kept);
    game->set_id(id);
    return false;
  });
  return game;
}

bool SqliteReader::wants_maintenance() const {
  return owned_ != nullptr && log_->is_full();
}

void SqliteReader::maintain() {
  if (wants_maintenance()) log_->move_most(file_);
}

}  // namespace tictactoe::records
