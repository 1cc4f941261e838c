// Takes a name out of all tables.
#include <algorithm>
#include <utility>
#include <vector>

#include "server/store/folder.hpp"
#include "server/store/forget.hpp"
#include "server/store/owner.hpp"
#include "server/store/rows.hpp"
#include "server/store/sqlite_statements.hpp"
#include "server/store/sqlite_store.hpp"

namespace tictactoe::store {

namespace {

// A name that nobody has had: the number counts up. A name is too short for a number that
// overflows.
std::string neutral_name(SQLite::Database& file) {
  SQLite::Statement names(file,
                          "SELECT coalesce(max(CAST(substr(name, ?1) AS INTEGER)), 0) FROM ("
                          "SELECT name FROM players UNION ALL SELECT x_name FROM games "
                          "UNION ALL SELECT o_name FROM games) WHERE name GLOB ?2");
  names.bind(1, static_cast<int>(neutral_prefix.size()) + 1);
  names.bind(2, std::string(neutral_prefix) + "[0-9]*");
  names.executeStep();
  return std::string(neutral_prefix) + std::to_string(number(names, 0) + 1);
}

// Rows of a table that contain the name in a column, collected before they are changed.
std::vector<std::pair<std::uint64_t, std::uint64_t>> rows_with(SQLite::Database& file,
                                                               const std::string& query,
                                                               std::string_view name) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> keys;
  SQLite::Statement rows(file, query);
  bind_blob(rows, 1, name);
  while (rows.executeStep()) keys.emplace_back(number(rows, 0), number(rows, 1));
  return keys;
}

}  // namespace

// What one call of forget() works on.
struct SqliteStore::Forgetting {
  const std::string& name;
  const std::string neutral;
  Forgotten done;
};

Result<Forgotten> SqliteStore::forget(const std::string& name) {
  // Now every record is in its table, and what is damaged is set aside.
  const auto loaded = load(local_stream);
  if (!loaded) return loaded.error();
  const auto done = guarded([&] {
    Forgetting forgetting{name, neutral_name(file_), {}};
    transact(Sync::synced, [&] {
      if (!knows_person(name)) return;
      forgetting.done.name = forgetting.neutral;
      forget_in_players(forgetting);
      forget_in_games(forgetting);
      forget_in_chat(forgetting);
      forget_in_rooms(forgetting);
      journal::v1::Saved saved;
      read_bans(saved);
      forget_in_bans(std::move(saved), name, forgetting.neutral,
                     [&](const auto& subject, const auto& ban) { write_ban(subject, ban); });
      forget_set_aside(forgetting);
    });
    // Also if nothing was changed: an earlier call may have ended before this.
    file_.exec("VACUUM");
    file_.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return forgetting.done;
  });
  return done;
}

// A word that is only in names of rooms and in chat may be no person's name at all.
bool SqliteStore::knows_person(const std::string& name) {
  SQLite::Statement named(file_,
                          "SELECT EXISTS(SELECT 1 FROM players WHERE name = ?1) OR "
                          "EXISTS(SELECT 1 FROM games WHERE x_name = ?1 OR o_name = ?1)");
  named.bind(1, name);
  if (named.executeStep() && number(named, 0) != 0) return true;
  SQLite::Statement lines(file_, "SELECT room, line FROM chat WHERE instr(line, ?) > 0");
  bind_blob(lines, 1, name);
  while (lines.executeStep()) {
    const auto chat = decode_chat(number(lines, 0), bytes(lines, 1));
    if (chat && chat->from() == name) return true;
  }
  return false;
}

void SqliteStore::forget_in_players(Forgetting& forgetting) {
  for (const auto& [id, stream] : rows_with(
           file_, "SELECT id, stream FROM players WHERE CAST(name AS BLOB) = ?", forgetting.name)) {
    SQLite::Statement row(file_, std::string(player_columns) + " FROM players WHERE id = ?");
    row.bind(1, to_sql(id));
    if (!row.executeStep()) continue;
    Compaction::Player change{stream, read_player(row), false, 0};
    change.state->set_name(forgetting.neutral);
    row.reset();
    write_player(id, change);
    ++forgetting.done.players;
  }
}

void SqliteStore::forget_in_games(Forgetting& forgetting) {
  for (const auto& [id, is_private] : rows_with(
           file_, "SELECT id, is_private FROM games WHERE instr(head, ?) > 0", forgetting.name)) {
    SQLite::Statement row(file_,
                          "SELECT head, head_sum, x_reader, o_reader FROM games WHERE id = ?");
    row.bind(1, to_sql(id));
    if (!row.executeStep()) continue;
    std::optional<journal::v1::Readers> readers;
    if (is_private != 0) {
      readers.emplace().set_x(number(row, 2));
      readers->set_o(number(row, 3));
    }
    auto game = decode_game(id, bytes(row, 0));
    const bool sound = game && number(row, 1) == sum_of_head(bytes(row, 0), readers);
    row.reset();
    if (!sound) {
      forgetting.done.deleted +=
          static_cast<std::size_t>(run_once(file_, "DELETE FROM games WHERE id = ?", id));
    } else if (forget_in_game(*game, forgetting.name, forgetting.neutral)) {
      put_head(id, *game, readers);
      ++forgetting.done.games;
    }
  }
}

void SqliteStore::put_head(std::uint64_t id, const v1::GameRecord& game,
                           const std::optional<journal::v1::Readers>& readers) {
  const std::string head = split(game).head;
  SQLite::Statement put(
      file_, "UPDATE games SET head = ?, head_sum = ?, x_name = ?, o_name = ? WHERE id = ?");
  bind_blob(put, 1, head);
  put.bind(2, sum_of_head(head, readers));
  if (game.x().kind() == v1::Occupant::KIND_PERSON) put.bind(3, game.x().name());
  if (game.o().kind() == v1::Occupant::KIND_PERSON) put.bind(4, game.o().name());
  put.bind(5, to_sql(id));
  put.exec();
}

void SqliteStore::forget_in_chat(Forgetting& forgetting) {
  for (const auto& [room, line] : rows_with(
           file_, "SELECT room, number FROM chat WHERE instr(line, ?) > 0", forgetting.name)) {
    SQLite::Statement row(file_, "SELECT line FROM chat WHERE room = ? AND number = ?");
    row.bind(1, to_sql(room));
    row.bind(2, to_sql(line));
    if (!row.executeStep()) continue;
    auto chat = decode_chat(room, bytes(row, 0));
    row.reset();
    if (!chat) continue;  // load() has set such lines aside
    if (chat->from() == forgetting.name) chat->set_from(forgetting.neutral);
    chat->set_text(without_name(chat->text(), forgetting.name, forgetting.neutral));
    const std::string changed = chat->SerializeAsString();
    SQLite::Statement put(file_, "UPDATE chat SET line = ?, sum = ? WHERE room = ? AND number = ?");
    bind_blob(put, 1, changed);
    put.bind(2, sum_of(room, line, changed));
    put.bind(3, to_sql(room));
    put.bind(4, to_sql(line));
    put.exec();
    ++forgetting.done.lines;
  }
}

void SqliteStore::forget_in_rooms(Forgetting& forgetting) {
  for (const auto& [serial, stream] : rows_with(
           file_, "SELECT serial, stream FROM rooms WHERE instr(state, ?) > 0", forgetting.name)) {
    SQLite::Statement row(file_, "SELECT state FROM rooms WHERE serial = ?");
    row.bind(1, to_sql(serial));
    if (!row.executeStep()) continue;
    auto room = decode_room(serial, bytes(row, 0));
    row.reset();
    if (!room) continue;
    std::string name = room_without_name(room->name(), forgetting.name, forgetting.neutral);
    if (name == room->name()) continue;
    // Several rooms can get the neutral name, but the names of rooms are unique.
    if (name == forgetting.neutral) name += "-" + std::to_string(serial);
    room->set_name(name);
    const std::string state = room->SerializeAsString();
    SQLite::Statement put(file_, "UPDATE rooms SET state = ?, sum = ? WHERE serial = ?");
    bind_blob(put, 1, state);
    put.bind(2, sum_of(serial, stream, state));
    put.bind(3, to_sql(serial));
    put.exec();
    ++forgetting.done.rooms;
  }
}

// Damaged content can't be changed.
void SqliteStore::forget_set_aside(Forgetting& forgetting) {
  SQLite::Statement rows(file_,
                         "DELETE FROM set_aside WHERE instr(content, ?1) > 0 OR "
                         "instr(CAST(reason AS BLOB), ?1) > 0");
  bind_blob(rows, 1, forgetting.name);
  forgetting.done.deleted += static_cast<std::size_t>(rows.exec());
}

// The folder --------------------------------------------------------------------------------------

namespace {

std::vector<std::string> damaged_journals(const std::filesystem::path& folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().string();
    if (name.starts_with(Folder::journal_in(folder) + ".")) found.push_back(name);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

Result<Forgotten> forget_player(const std::filesystem::path& folder, const std::string& name) {
  const AsOwner owner(folder);
  std::error_code error;
  const std::string journal = Folder::journal_in(folder);
  if (!std::filesystem::exists(journal, error)) {
    return Fault{Fault::Kind::unusable, "There is no journal in " + folder.string() +
                                            ": choose its directory with --data-dir."};
  }
  const auto claimed = Folder::claim(folder);
  if (!claimed && claimed.error().kind == Fault::Kind::in_use) {
    return Fault{Fault::Kind::in_use, "A server is running with the journal in " + folder.string() +
                                          ": stop it, and try again."};
  }
  if (!claimed) return claimed.error();
  const auto sentence = [&](const Fault& fault) {
    return Fault{fault.kind, "Can't use " + journal + ": " + fault.reason + "."};
  };
  auto store = SqliteStore::open(journal);
  if (!store) return sentence(store.error());
  auto forgotten = (*store)->forget(name);
  if (!forgotten) return sentence(forgotten.error());
  forgotten->damaged_journals = damaged_journals(folder);
  return forgotten;
}

}  // namespace tictactoe::store
