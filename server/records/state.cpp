#include "server/records/state.hpp"

#include <google/protobuf/arena.h>

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include "server/records/rows.hpp"

namespace tictactoe::records {

using journal::v1::Record;
using journal::v1::SavedRoom;

void visit_changed(const Record& record, const std::function<void(std::uint64_t)>& player,
                   const std::function<void(std::uint64_t)>& room) {
  switch (record.record_case()) {
    case Record::kPlayer:
      player(record.player().id());
      break;
    case Record::kPlayerForgotten:
      player(record.player_forgotten());
      break;
    case Record::kPlayerMoved:
      player(record.player_moved().player().id());
      break;
    case Record::kRoom:
      room(record.room().serial());
      break;
    case Record::kRoomClosed:
      room(record.room_closed());
      break;
    case Record::kRoomMoved:
      room(record.room_moved().room().serial());
      for (const auto& moved : record.room_moved().players()) player(moved.id());
      break;
    case Record::kMove:
      room(record.move().room());
      break;
    case Record::kMovesUndone:
      room(record.moves_undone().room());
      break;
    case Record::kChat:
      room(record.chat().room());
      break;
    default:
      break;
  }
  if (record.requester() != 0) player(record.requester());
}

// Not unnamed: StateStore::Compaction, which has a name in other sources too, has members of these
// types.
inline namespace compaction {

// Adds a clause to others, if it is not empty.
void add_clause(std::string& clauses, const std::string& clause) {
  if (!clause.empty()) clauses += (clauses.empty() ? "" : ", ") + clause;
}

struct SetAsideCounts {
  int players = 0;
  int rooms = 0;
  int bans = 0;
  int commits = 0;

  // A clause such as "2 players, 1 room"; empty if there is nothing.
  std::string clause() const {
    std::string text;
    for (const auto& [count, noun] : {std::pair(players, "player"), std::pair(rooms, "room"),
                                      std::pair(bans, "ban"), std::pair(commits, "commit")}) {
      if (count == 0) continue;
      add_clause(text, std::to_string(count) + " " + noun + (count > 1 ? "s" : ""));
    }
    return text;
  }
};

// Games that one call deletes: few enough that commits do not wait long.
constexpr std::size_t games_at_once = 50;

// A compaction takes no more records once it has so many players in memory.
constexpr std::size_t max_players = 8192;

// The rooms that are in memory at once. One of 10,000 moves is a row of 180 KB, and takes some six
// times as much.
constexpr std::size_t rooms_at_once = 16;

// A step that counts rows counts so many more bytes as another row.
constexpr std::size_t bytes_per_row = 4096;

// Where a compaction is a single step, it need not take more records than those of so many rooms.
constexpr std::size_t enough_rooms = 128;

// Records of a damaged room that are set aside with it.
constexpr std::size_t max_aside_bytes = std::size_t{64} * 1024;

constexpr std::size_t max_arena_bytes = std::size_t{256} * 1024;

constexpr const char* state_is_missing = "its state is missing";

template <class Message>
struct Entry {
  StreamId stream = 0;
  std::optional<Message> state;
  std::string unreadable;  // content of the row, if it is damaged
  bool has_row = false;
  bool has_ended = false;  // further records are ignored
  bool is_changed = false;
  const char* damage = nullptr;  // why it has to be set aside
};

template <class Message>
using Entries = std::map<std::uint64_t, Entry<Message>>;

// Rows in memory, and what records do to them.
class Changes {
 public:
  Changes(std::uint32_t kept_chat, std::function<bool(StreamId)> makes_rows)
      : kept_chat_(static_cast<int>(kept_chat)), makes_rows_(std::move(makes_rows)) {}

  // Changes what has entries, and leaves the rest alone.
  void apply(Record& record, StreamId stream) {
    switch (record.record_case()) {
      case Record::kPlayer:
        put(*record.mutable_player(), stream);
        break;
      case Record::kPlayerForgotten:
        end(players, record.player_forgotten(), stream);
        break;
      case Record::kPlayerMoved:
        put(*record.mutable_player_moved()->mutable_player(), stream);
        break;
      case Record::kRoom:
        put(*record.mutable_room(), stream);
        break;
      case Record::kRoomClosed:
        end(rooms, record.room_closed(), stream);
        break;
      case Record::kRoomMoved:
        put(*record.mutable_room_moved()->mutable_room(), stream);
        for (auto& player : *record.mutable_room_moved()->mutable_players()) put(player, stream);
        break;
      case Record::kMove:
        add(record.move(), stream);
        break;
      case Record::kMovesUndone:
        undo(record.moves_undone(), stream);
        break;
      case Record::kChat:
        add(*record.mutable_chat(), stream);
        break;
      default:  // written with its commit
        break;
    }
    if (record.requester() != 0) note_request(record.requester(), record.request_done(), stream);
  }

  Entries<journal::v1::Player> players;
  Entries<SavedRoom> rooms;

 private:
  // Null if it has ended or is to be left alone.
  template <class Message>
  Entry<Message>* find(Entries<Message>& entries, std::uint64_t key, StreamId stream) {
    const auto found = entries.find(key);
    if (found == entries.end()) return nullptr;
    Entry<Message>& entry = found->second;
    if (!entry.has_row && !entry.state && !makes_rows_(stream)) entry.has_ended = true;
    return entry.has_ended ? nullptr : &entry;
  }
  // A row that is there keeps its stream: it may have been given to another one since the record
  // was appended.
  template <class Message>
  static Message& begin(Entry<Message>& entry, StreamId stream) {
    if (!entry.has_row && !entry.state) entry.stream = stream;
    if (!entry.state) entry.state.emplace();
    entry.is_changed = true;
    return *entry.state;
  }
  template <class Message>
  void end(Entries<Message>& entries, std::uint64_t key, StreamId stream) {
    Entry<Message>* entry = find(entries, key, stream);
    if (entry == nullptr) return;
    entry->state.reset();
    entry->damage = nullptr;
    entry->has_ended = true;
  }

  void put(journal::v1::Player& player, StreamId stream) {
    auto* entry = find(players, player.id(), stream);
    if (entry == nullptr) return;
    journal::v1::Player& state = begin(*entry, stream);
    player.set_last_request_done(std::max(player.last_request_done(), state.last_request_done()));
    state.Swap(&player);
  }
  void note_request(std::uint64_t id, std::uint64_t request, StreamId stream) {
    auto* entry = find(players, id, stream);
    if (entry == nullptr || !entry->state || entry->state->last_request_done() >= request) return;
    entry->state->set_last_request_done(request);
    entry->is_changed = true;
  }
  void put(journal::v1::Room& room, StreamId stream) {
    if (auto* entry = find(rooms, room.serial(), stream)) {
      begin(*entry, stream).mutable_room()->Swap(&room);
    }
  }
  void add(const journal::v1::Move& move, StreamId stream) {
    change(move.room(), stream, [&](Entry<SavedRoom>& entry, SavedRoom& room) {
      if (std::cmp_equal(move.ply(), room.moves_size() + 1)) {
        *room.add_moves() = move;
      } else {
        entry.damage = "moves of its game are missing";
      }
    });
  }
  void undo(const journal::v1::MovesUndone& undone, StreamId stream) {
    // What is missing does not matter to a new game. The state of the room comes next.
    Entry<SavedRoom>* entry = find(rooms, undone.room(), stream);
    if (entry == nullptr) return;
    if (!entry->state) {
      if (undone.ply() == 0 && entry->damage == state_is_missing) entry->damage = nullptr;
      return;
    }
    change(undone.room(), stream, [&](Entry<SavedRoom>& /*entry*/, SavedRoom& room) {
      if (std::cmp_greater_equal(undone.ply(), room.moves_size())) return;
      const auto left = static_cast<int>(undone.ply());
      room.mutable_moves()->DeleteSubrange(left, room.moves_size() - left);
    });
  }
  void add(journal::v1::Chat& line, StreamId stream) {
    const Entry<SavedRoom>* entry = find(rooms, line.room(), stream);
    if (entry == nullptr || !entry->state) return;
    change(line.room(), stream, [&](Entry<SavedRoom>& /*entry*/, SavedRoom& room) {
      room.add_chat()->Swap(&line);
      const int surplus = room.chat_size() - kept_chat_;
      if (surplus > 0) room.mutable_chat()->DeleteSubrange(0, surplus);
    });
  }
  template <class Change>
  void change(std::uint64_t serial, StreamId stream, Change change) {
    Entry<SavedRoom>* entry = find(rooms, serial, stream);
    if (entry == nullptr || entry->damage != nullptr) return;
    if (!entry->state) {
      entry->damage = state_is_missing;
      return;
    }
    entry->is_changed = true;
    change(*entry, *entry->state);
  }

  const int kept_chat_;
  const std::function<bool(StreamId)> makes_rows_;
};

bool is_whole(const Row& row, const journal::v1::Player& player) {
  return player.id() == row.key;
}

bool is_whole(const Row& row, const SavedRoom& room) {
  std::uint32_t ply = 0;
  return room.room().serial() == row.key &&
         std::ranges::all_of(room.moves(), [&](const auto& move) { return move.ply() == ++ply; });
}

// Nothing if the row is damaged.
template <class Message>
std::optional<Message> decoded(const Row& row) {
  std::optional<Message> message(std::in_place);
  if (!row.is_sound || !message->ParseFromString(row.content) || !is_whole(row, *message)) {
    message.reset();
  }
  return message;
}

std::vector<std::uint64_t> without_repetitions(std::vector<std::uint64_t> keys) {
  std::ranges::sort(keys);
  const auto repeated = std::ranges::unique(keys);
  keys.erase(repeated.begin(), repeated.end());
  return keys;
}

// `damage`: of entries whose rows are damaged. Returns the bytes of the rows.
template <class Message>
std::size_t fill_entries(Entries<Message>& entries, std::span<const std::uint64_t> keys,
                         std::vector<Row> rows, const char* damage) {
  for (const std::uint64_t key : keys) entries.try_emplace(key);
  std::size_t bytes = 0;
  for (Row& row : rows) {
    Entry<Message>& entry = entries.at(row.key);
    entry.has_row = true;
    entry.stream = row.stream;
    bytes += row.content.size();
    if (row.content.empty()) continue;  // a claim
    entry.state = decoded<Message>(row);
    if (entry.state) continue;
    entry.unreadable = std::move(row.content);
    entry.damage = damage;
  }
  return bytes;
}

}  // namespace compaction

// Compaction --------------------------------------------------------------------------------------

// It reads the records in steps that write nothing, and applies those of players. Then it writes
// the players, and applies and writes those of a few rooms at a time, in steps again.
struct StateStore::Compaction {
  explicit Compaction(StateStore& store)
      : changes(store.settings_.kept_chat,
                [&store](StreamId stream) { return store.makes_rows(stream); }) {}

  struct RoomRecord {
    std::string_view bytes;  // in `log`
    StreamId stream;
  };

  std::uint64_t end = 0;           // the last row that it takes; 0: that is still open
  std::size_t target = 0;          // bytes of records
  std::deque<LogRow> log;          // the rows that are read
  std::vector<std::uint64_t> ids;  // of these
  std::size_t bytes = 0;           // of their records
  bool is_merged = false;
  bool is_done = false;
  Changes changes;
  std::map<std::uint64_t, std::vector<RoomRecord>> rooms;  // that are left, by serial
  std::uint64_t room = 0;                                  // rooms up to this one are written
  std::vector<const LogRow*> damaged;
  SetAsideCounts counts;
  google::protobuf::RepeatedPtrField<Record> records;  // of one step; reused
  std::vector<StreamId> streams;                       // of each of them

  // Adds the records of a row, or none and returns false if it is damaged.
  bool decode(const LogRow& row) {
    const int before = records.size();
    std::vector<std::string_view> parts;
    const bool is_sound =
        row.is_sound && for_each_record(row.records, [&](std::string_view part) {
          Record& record = *records.Add();
          parts.push_back(part);
          return record.ParseFromArray(part.data(), static_cast<int>(part.size())) &&
                 record.record_case() != Record::RECORD_NOT_SET;
        });
    while (!is_sound && records.size() > before) records.RemoveLast();
    streams.resize(static_cast<std::size_t>(records.size()), row.stream);
    for (int i = before; i < records.size(); ++i) {
      std::uint64_t changed = 0;
      visit_changed(
          records[i], [](std::uint64_t) {}, [&changed](std::uint64_t serial) { changed = serial; });
      // The others were written before this compaction was interrupted.
      if (changed <= room) continue;
      rooms[changed].push_back({parts[static_cast<std::size_t>(i - before)], row.stream});
    }
    return is_sound;
  }

  // Applies the records of a room, which has an entry. Returns their bytes.
  std::size_t apply(const std::vector<RoomRecord>& of_room) {
    google::protobuf::Arena arena;
    Record* record = nullptr;
    std::size_t applied = 0;
    for (const RoomRecord& each : of_room) {
      if (record == nullptr || arena.SpaceUsed() > max_arena_bytes) {
        arena.Reset();
        record = google::protobuf::Arena::CreateMessage<Record>(&arena);
      }
      // It was read before.
      if (record->ParseFromArray(each.bytes.data(), static_cast<int>(each.bytes.size()))) {
        changes.apply(*record, each.stream);
      }
      applied += each.bytes.size();
    }
    return applied;
  }

  // The first of the records, at most `max_aside_bytes`.
  static std::string encoded(const std::vector<RoomRecord>& of_room) {
    Batch batch;
    for (const RoomRecord& each : of_room) {
      if (batch.bytes().size() + each.bytes.size() > max_aside_bytes) break;
      batch.add(each.bytes);
    }
    return batch.bytes();
  }
};

StateStore::StateStore(Settings settings) : settings_(std::move(settings)) {}

StateStore::~StateStore() = default;

Result<CompactionStep> StateStore::compact() {
  try {
    transact(Transaction::compaction, [&] { compact_step(); });
  } catch (const Failure& failure) {
    compaction_.reset();  // the next step begins where the last transaction ended
    return failure.fault;
  }
  CompactionStep step{!compaction_->is_done, 0, {}};
  if (compaction_->is_done) {
    const auto done = std::exchange(compaction_, nullptr);
    // Another server may have compacted some of them.
    uncompacted_bytes_ =
        done->ids.empty() ? 0 : uncompacted_bytes_ - std::min(uncompacted_bytes_, done->bytes);
    step.set_aside = done->counts.clause();
  }
  step.uncompacted_bytes = uncompacted_bytes_;
  return step;
}

Result<std::string> StateStore::compact_all() {
  std::string set_aside;
  for (;;) {
    const auto step = compact();
    if (!step) return step.error();
    add_clause(set_aside, step->set_aside);
    if (!step->in_progress && step->uncompacted_bytes == 0) return set_aside;
  }
}

void StateStore::compact_step() {
  if (!compaction_) {
    compaction_ = std::make_unique<Compaction>(*this);
    compaction_->end = progress().through;
    compaction_->room = progress().room;
    compaction_->target = std::clamp(uncompacted_bytes_ / 8, settings_.compaction_bytes,
                                     8 * settings_.compaction_bytes);
  }
  if (!compaction_->is_merged) merge(*compaction_);
  if (compaction_->is_merged) write_rows(*compaction_);
}

void StateStore::merge(Compaction& compaction) {
  compaction.records.Clear();
  compaction.streams.clear();
  auto rows = log_after(compaction.ids.empty() ? 0 : compaction.ids.back(), settings_.step_bytes);
  compaction.is_merged = rows.empty();
  for (LogRow& each : rows) {
    if (compaction.is_merged) break;
    const LogRow& row = compaction.log.emplace_back(std::move(each));
    compaction.ids.push_back(row.id);
    compaction.bytes += row.records.size();
    if (!compaction.decode(row)) compaction.damaged.push_back(&row);
    compaction.is_merged = compaction.end != 0 ? row.id == compaction.end
                                               : compaction.bytes >= compaction.target &&
                                                     compaction.rooms.size() >= enough_rooms;
  }
  load_players(compaction);
  for (int i = 0; i < compaction.records.size(); ++i) {
    compaction.changes.apply(*compaction.records.Mutable(i),
                             compaction.streams[static_cast<std::size_t>(i)]);
  }
  if (compaction.end == 0 &&
      (compaction.bytes >= compaction.target || compaction.changes.players.size() >= max_players)) {
    compaction.is_merged = true;
  }
}

void StateStore::load_players(Compaction& compaction) {
  auto& players = compaction.changes.players;
  std::vector<std::uint64_t> ids;
  for (const Record& record : compaction.records) {
    visit_changed(
        record,
        [&](std::uint64_t id) {
          if (!players.contains(id)) ids.push_back(id);
        },
        [](std::uint64_t) {});
  }
  ids = without_repetitions(std::move(ids));
  // A record of a player replaces the row, whatever is in it.
  fill_entries(players, ids, rows_at(Table::players, ids), nullptr);
}

// Players first, as commits lock them.
void StateStore::write_rows(Compaction& compaction) {
  std::size_t left = settings_.step_rows;
  if (write_some(Table::players, compaction, compaction.changes.players, left) &&
      write_rooms(compaction, left)) {
    for (const LogRow* row : compaction.damaged) {
      put_aside_now("commit", row->id, "it is damaged", row->records);
      ++compaction.counts.commits;
    }
    cut_log(compaction.ids);
    compaction.is_done = true;
  } else {
    put_progress({compaction.ids.back(), compaction.room});
  }
}

// Returns whether all are written. However large the rooms are and however many the records name,
// no more than `rooms_at_once` are in memory.
bool StateStore::write_rooms(Compaction& compaction, std::size_t& left) {
  auto& rooms = compaction.rooms;
  while (!rooms.empty() && left > 0) {
    std::vector<std::uint64_t> serials;
    for (const auto& [serial, records] : rooms) {
      if (serials.size() == std::min(rooms_at_once, left)) break;
      serials.push_back(serial);
    }
    std::size_t bytes = fill_entries(compaction.changes.rooms, serials,
                                     rows_at(Table::rooms, serials), "it is damaged");
    for (const std::uint64_t serial : serials) {
      const auto& records = rooms.at(serial);
      bytes += compaction.apply(records);
      // What does not fit the room is kept apart like the room.
      if (const char* damage = compaction.changes.rooms.at(serial).damage) {
        put_aside_now("room changes", serial, damage, Compaction::encoded(records));
      }
      rooms.erase(serial);
    }
    left -= std::min(left, bytes / bytes_per_row + serials.size());
    std::size_t all = serials.size();
    write_some(Table::rooms, compaction, compaction.changes.rooms, all);
  }
  return rooms.empty();
}

// Returns whether all are written.
template <class Entries>
bool StateStore::write_some(Table table, Compaction& compaction, Entries& entries,
                            std::size_t& left) {
  std::vector<Row> changed;
  std::vector<std::uint64_t> ended;
  for (; !entries.empty() && left > 0; --left) {
    const auto& [key, entry] = *entries.begin();
    const bool is_readable = entry.state && (entry.damage == nullptr || entry.unreadable.empty());
    Row row{key, entry.stream, is_readable ? entry.state->SerializeAsString() : entry.unreadable};
    if (table == Table::rooms) compaction.room = key;
    if (entry.damage != nullptr) {
      set_aside(table, row, entry.damage);
      ++compaction.counts.rooms;
    } else if (entry.has_ended && entry.has_row) {
      ended.push_back(key);
    } else if (entry.is_changed && !entry.has_ended) {
      changed.push_back(std::move(row));
    }
    entries.erase(entries.begin());
  }
  put(table, changed);
  erase(table, ended);
  return entries.empty();
}

// Loading -----------------------------------------------------------------------------------------

Result<LoadedStream> StateStore::load(StreamId stream) {
  return load_all(stream);
}

Result<LoadedStream> StateStore::load_all(std::optional<StreamId> stream) {
  auto set_aside = compact_all();
  if (!set_aside) return set_aside.error();
  auto loaded = in(Transaction::whole, [&] {
    LoadedStream read_now = read(stream);
    SetAsideCounts damaged;
    damaged.bans = read_bans(read_now.saved);
    add_clause(read_now.set_aside, damaged.clause());
    return read_now;
  });
  if (loaded) {
    add_clause(*set_aside, loaded->set_aside);
    loaded->set_aside = *std::move(set_aside);
  }
  return loaded;
}

LoadedStream StateStore::read(std::optional<StreamId> stream) {
  LoadedStream loaded;
  SetAsideCounts damaged;
  for (const Row& row : rows_of(Table::players, stream)) {
    if (auto player = decoded<journal::v1::Player>(row)) {
      *loaded.saved.add_players() = *std::move(player);
    } else {
      set_aside(Table::players, row, "it is damaged");
      ++damaged.players;
    }
  }
  for (const Row& row : rows_of(Table::rooms, stream)) {
    if (auto room = decoded<SavedRoom>(row)) {
      *loaded.saved.add_rooms() = *std::move(room);
    } else {
      set_aside(Table::rooms, row, "it is damaged");
      ++damaged.rooms;
    }
  }
  loaded.saved.set_last_revision(last_revision(stream));  // which damaged rooms have raised
  loaded.set_aside = damaged.clause();
  return loaded;
}

// Returns how many are damaged. These are set aside.
int StateStore::read_bans(journal::v1::Saved& saved) {
  int damaged = 0;
  for (const BanRow& row : bans()) {
    if (auto ban = decode_ban(row)) {
      *saved.add_bans() = *std::move(ban);
      continue;
    }
    ++damaged;
    put_aside_now("ban", 0, "it is damaged", row.state);
    put_ban(row.subject, std::nullopt);
  }
  return damaged;
}

std::optional<journal::v1::Ban> decode_ban(const BanRow& row) {
  std::optional<journal::v1::Ban> ban(std::in_place);
  if (!row.is_sound || !ban->ParseFromString(row.state)) ban.reset();
  return ban;
}

// Setting aside -----------------------------------------------------------------------------------

std::optional<Fault> StateStore::set_aside(std::span<const RefusedRow> refused) {
  return does(Transaction::commit, [&] {
    for (const RefusedRow& each : refused) {
      const bool is_room = each.kind == RefusedRow::Kind::room;
      const Table table = is_room ? Table::rooms : Table::players;
      for (const Row& row : rows_at(table, std::array{each.id})) set_aside(table, row, each.reason);
    }
  });
}

void StateStore::set_aside(Table table, const Row& row, const std::string& reason) {
  if (!row.content.empty()) {
    put_aside_now(table == Table::rooms ? "room" : "player", row.key, reason, row.content);
  }
  erase(table, std::array{row.key});
  SavedRoom room;
  if (table != Table::rooms || !room.ParseFromString(row.content)) return;
  // A later room of its name must not repeat its revisions.
  raise_last_revision(row.stream, room.room().revision());
}

void StateStore::put_aside_now(const char* kind, std::uint64_t key, const std::string& reason,
                               const std::string& content) {
  put_aside({0, settings_.unix_ms(), kind, key, reason, content});
}

// Commits -----------------------------------------------------------------------------------------

CommitChanges StateStore::read_changes(const Batch& batch, std::uint64_t unix_ms) {
  // Most records are moves and states of rooms, which change nothing at once. Fields are written in
  // the order of their numbers, so these come first.
  constexpr auto tag_of = [](int field) { return static_cast<char>(field << 3 | 2); };
  CommitChanges found;
  for_each_record(batch.bytes(), [&](std::string_view encoded) {
    Record record;
    if (encoded.starts_with(tag_of(Record::kMoveFieldNumber)) ||
        encoded.starts_with(tag_of(Record::kRoomFieldNumber)) ||
        !record.ParseFromArray(encoded.data(), static_cast<int>(encoded.size()))) {
      return true;
    }
    if (record.has_game_finished()) {
      auto readers = record.has_readers() ? std::optional(record.readers()) : std::nullopt;
      found.games.push_back(
          stored(std::move(*record.mutable_game_finished()), unix_ms, std::move(readers)));
    } else if (record.has_banned()) {
      found.bans[record.banned().subject().SerializeAsString()] = record.banned();
    } else if (record.has_unbanned()) {
      found.bans[record.unbanned().SerializeAsString()] = std::nullopt;
    } else if (record.has_room_closed()) {
      found.last_revision = std::max(found.last_revision, record.closed_revision());
      found.of_servers.push_back(std::move(record));
    } else if (record.has_player_forgotten() || record.has_player_moved() ||
               record.has_room_moved() || record.has_new_token()) {
      found.of_servers.push_back(std::move(record));
    }
    return true;
  });
  return found;
}

void StateStore::write(const CommitChanges& written) {
  if (!written.games.empty()) put_games(written.games);
  for (const auto& [subject, ban] : written.bans) put_ban(subject, ban);
}

std::optional<Fault> StateStore::add_games(std::span<const v1::GameRecord> games) {
  std::vector<StoredGame> added;
  added.reserve(games.size());
  for (const v1::GameRecord& game : games) {
    added.push_back(stored(game, settings_.unix_ms(), std::nullopt));
  }
  return does(Transaction::commit, [&] { put_games(added); });
}

Result<bool> StateStore::delete_games_before(std::uint64_t unix_ms) {
  return in(Transaction::compaction,
            [&] { return delete_games(unix_ms, games_at_once) == games_at_once; });
}

std::optional<Fault> StateStore::finish() {
  if (const auto compacted = compact_all(); !compacted) return compacted.error();
  return std::nullopt;
}

// The whole store ---------------------------------------------------------------------------------

Result<StoreState> StateStore::state() {
  auto loaded = load_all(std::nullopt);
  if (!loaded) return loaded.error();
  return in(Transaction::whole, [&] {
    return StoreState{server_id_, last_game(), std::move(loaded->saved),
                      std::move(loaded->set_aside)};
  });
}

Result<std::vector<StoredGame>> StateStore::page_of_games(std::uint64_t after) {
  return in(Transaction::whole, [&] { return games_after(after, rows_of_page); });
}

Result<std::vector<AsideRow>> StateStore::page_of_asides(std::uint64_t after) {
  return in(Transaction::whole, [&] { return asides_after(after, rows_of_page); });
}

Result<bool> StateStore::is_empty() {
  return in(Transaction::whole, [&] { return has_nothing(); });
}

std::optional<Fault> StateStore::fill(const std::function<std::optional<Fault>()>& work) {
  return does(Transaction::whole, [&] {
    if (auto fault = work()) throw Failure{*std::move(fault)};
  });
}

void StateStore::put(const StoreState& state) {
  server_id_ = state.server_id;
  put_identity(state.server_id, state.last_game);
  raise_last_revision(local_stream, state.saved.last_revision());
  std::vector<Row> players;
  for (const journal::v1::Player& player : state.saved.players()) {
    players.push_back({player.id(), local_stream, player.SerializeAsString()});
  }
  put(Table::players, players);
  std::vector<Row> rooms;
  for (const SavedRoom& room : state.saved.rooms()) {
    rooms.push_back({room.room().serial(), local_stream, room.SerializeAsString()});
  }
  put(Table::rooms, rooms);
  for (const journal::v1::Ban& ban : state.saved.bans()) {
    put_ban(ban.subject().SerializeAsString(), ban);
  }
}

void StateStore::put(std::span<const AsideRow> rows) {
  for (const AsideRow& row : rows) put_aside(row);
}

Result<Forgotten> StateStore::forget(const std::string& name) {
  // Now every record is in its table, and what is damaged is set aside.
  if (const auto read = state(); !read) return read.error();
  auto done = in(Transaction::whole, [&] { return forget_name(*this, name); });
  // Also if nothing was changed: an earlier call may have ended before this.
  if (done) {
    if (const auto fault = rewrite()) return *fault;
  }
  return done;
}

}  // namespace tictactoe::records
