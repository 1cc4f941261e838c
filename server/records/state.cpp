#include "server/records/state.hpp"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <unordered_map>
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

struct SetAsideCounts {
  int players = 0;
  int rooms = 0;
  int bans = 0;
  int commits = 0;

  // A clause such as "2 players, 1 room"; empty if there is nothing.
  std::string clause() const {
    std::string text;
    add_count(text, players, "player");
    add_count(text, rooms, "room");
    add_count(text, bans, "ban");
    add_count(text, commits, "commit");
    return text;
  }
};

// Games that one call deletes: few enough that commits do not wait long.
constexpr std::size_t games_at_once = 50;

// Rows that are in memory at once. A room of 10,000 moves is a row of 180 KB, and takes some six
// times as much memory.
constexpr std::size_t players_at_once = 1024;
constexpr std::size_t rooms_at_once = 16;

// A step that counts rows counts this many bytes as one more row.
constexpr std::size_t bytes_per_row = 4096;

// If a compaction is a single step, it ends early once its records change this many rooms.
constexpr std::size_t enough_rooms = 128;

// Records of a damaged room that are set aside with it.
constexpr std::size_t max_aside_bytes = std::size_t{64} * 1024;

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
  }
  void note_request(std::uint64_t id, std::uint64_t request, StreamId stream) {
    auto* entry = find(players, id, stream);
    if (entry == nullptr || !entry->state || entry->state->last_request_done() >= request) return;
    entry->state->set_last_request_done(request);
    entry->is_changed = true;
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
    // A new game does not need the missing records: the state of the room comes next.
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

// The part of a record that compaction reads before it decides whether to parse the rest.
struct RecordOutline {
  Record::RecordCase kind = Record::RECORD_NOT_SET;
  std::string_view record;
  std::string_view body;  // the message that is one of its kinds
  std::uint64_t key = 0;  // of the player or room that it changes
  std::uint64_t requester = 0;
  std::uint64_t request_done = 0;
};

constexpr std::uint32_t number_tag(int field) {
  return static_cast<std::uint32_t>(field) << 3;
}

constexpr std::uint32_t bytes_tag(int field) {
  return number_tag(field) | 2;
}

// Calls `visit(tag, number, bytes)` with each field of an encoded message until it returns false.
// Returns false if the bytes can't be read.
template <class Visit>
bool for_each_field(std::string_view message, Visit visit) {
  using Wire = google::protobuf::internal::WireFormatLite;
  google::protobuf::io::CodedInputStream in(reinterpret_cast<const std::uint8_t*>(message.data()),
                                            static_cast<int>(message.size()));
  while (const std::uint32_t tag = in.ReadTag()) {
    std::uint64_t number = 0;
    std::string_view bytes;
    if (Wire::GetTagWireType(tag) == Wire::WIRETYPE_VARINT) {
      if (!in.ReadVarint64(&number)) return false;
    } else if (Wire::GetTagWireType(tag) == Wire::WIRETYPE_LENGTH_DELIMITED) {
      std::uint32_t size = 0;
      if (!in.ReadVarint32(&size)) return false;
      bytes = message.substr(static_cast<std::size_t>(in.CurrentPosition()), size);
      if (bytes.size() < size || !in.Skip(static_cast<int>(size))) return false;
    } else if (!Wire::SkipField(&in, tag)) {
      return false;
    }
    if (!visit(tag, number, bytes)) return true;
  }
  return in.ConsumedEntireMessage();
}

// The number in the first field of a message.
std::uint64_t first_number(std::string_view message) {
  std::uint64_t found = 0;
  for_each_field(message, [&](std::uint32_t tag, std::uint64_t number, std::string_view /*bytes*/) {
    if (tag == number_tag(1)) found = number;
    return false;
  });
  return found;
}

// Most records are replaced by later ones before they are applied, so only this much of them is
// read. Nothing if the record can't be read.
std::optional<RecordOutline> outline_of(std::string_view record) {
  RecordOutline found;
  found.record = record;
  const auto is = [&](std::uint32_t tag) {
    found.kind = static_cast<Record::RecordCase>(tag >> 3);
  };
  const bool is_read =
      for_each_field(record, [&](std::uint32_t tag, std::uint64_t number, std::string_view bytes) {
        switch (tag) {
          case number_tag(Record::kRequesterFieldNumber):
            found.requester = number;
            break;
          case number_tag(Record::kRequestDoneFieldNumber):
            found.request_done = number;
            break;
          case number_tag(Record::kPlayerForgottenFieldNumber):
          case number_tag(Record::kRoomClosedFieldNumber):
            found.key = number;
            is(tag);
            break;
          case bytes_tag(Record::kPlayerFieldNumber):
          case bytes_tag(Record::kRoomFieldNumber):
          case bytes_tag(Record::kMoveFieldNumber):
          case bytes_tag(Record::kMovesUndoneFieldNumber):
          case bytes_tag(Record::kChatFieldNumber):  // each begins with the key
            found.key = first_number(bytes);
            [[fallthrough]];
          case bytes_tag(Record::kPlayerMovedFieldNumber):
          case bytes_tag(Record::kRoomMovedFieldNumber):
          case bytes_tag(Record::kGameFinishedFieldNumber):
          case bytes_tag(Record::kBannedFieldNumber):
          case bytes_tag(Record::kUnbannedFieldNumber):
            found.body = bytes;
            is(tag);
            break;
          default:
            break;
        }
        return true;
      });
  return is_read && found.kind != Record::RECORD_NOT_SET ? std::optional(found) : std::nullopt;
}

template <class Message>
bool parse(Message& message, std::string_view bytes) {
  return message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
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

// Removes the last keys, and returns them in reverse order.
std::vector<std::uint64_t> take_last(std::vector<std::uint64_t>& keys, std::size_t count) {
  const auto begin = keys.end() - static_cast<std::ptrdiff_t>(std::min(count, keys.size()));
  std::vector<std::uint64_t> taken(begin, keys.end());
  keys.erase(begin, keys.end());
  std::ranges::reverse(taken);
  return taken;
}

}  // namespace compaction

// Compaction --------------------------------------------------------------------------------------

// It reads the log in steps that write only finished games, and sorts the records by what they
// change. Then it applies them to a few players at a time and writes these, and then to a few
// rooms at a time, in steps again. Finally it cuts the log.
struct StateStore::Compaction {
  explicit Compaction(StateStore& store)
      : changes(store.settings_.kept_chat,
                [&store](StreamId stream) { return store.makes_rows(stream); }) {}

  struct Part {
    Record::RecordCase kind;
    std::string_view record;  // in the row
    std::string_view body;
    LogRow* row;
  };
  // What changes one player or room.
  struct Parts {
    std::vector<Part> records;
    std::uint64_t request_done = 0;  // by a player; 0: none
    StreamId stream = 0;             // of that request
  };
  using ByKey = std::unordered_map<std::uint64_t, Parts>;

  std::uint64_t end = 0;   // the last row that it takes; 0: that is still open
  std::deque<LogRow> log;  // the rows that it takes
  std::size_t cut = 0;     // of these, those that are deleted
  std::size_t bytes = 0;   // of their records
  bool is_merged = false;  // all of them are read
  bool is_done = false;
  Changes changes;
  ByKey players;
  ByKey rooms;
  std::vector<std::uint64_t> players_left;  // keys of what is not written, the lowest last
  std::vector<std::uint64_t> rooms_left;
  std::uint64_t room = 0;  // rooms up to this one are written
  SetAsideCounts counts;
  std::vector<RecordOutline> outlines;  // of one row; reused

  // Sorts the records of a row in, none if it is damaged.
  void sort_in(LogRow& row) {
    outlines.clear();
    row.is_sound = row.is_sound && for_each_record(row.records, [&](std::string_view record) {
                     const auto outline = outline_of(record);
                     if (outline) outlines.push_back(*outline);
                     return outline.has_value();
                   });
    if (!row.is_sound) return;
    for (const RecordOutline& each : outlines) sort_in(each, row);
  }

  void sort_in(const RecordOutline& outline, LogRow& row) {
    if (outline.requester != 0) {
      Parts& parts = players[outline.requester];
      parts.request_done = std::max(parts.request_done, outline.request_done);
      parts.stream = row.stream;
    }
    const Part part{outline.kind, outline.record, outline.body, &row};
    const auto of_player = [&](std::uint64_t id) { players[id].records.push_back(part); };
    const auto of_room = [&](std::uint64_t serial) {
      // The others were written before this compaction was interrupted.
      if (serial > room) rooms[serial].records.push_back(part);
    };
    switch (outline.kind) {
      case Record::kPlayer:
      case Record::kPlayerForgotten:
        of_player(outline.key);
        break;
      case Record::kRoom:
      case Record::kRoomClosed:
      case Record::kMove:
      case Record::kMovesUndone:
      case Record::kChat:
        of_room(outline.key);
        break;
      case Record::kPlayerMoved:
      case Record::kRoomMoved: {
        Record record;
        if (!parse(record, outline.record)) row.is_sound = false;
        record.clear_requester();
        visit_changed(record, of_player, of_room);
        break;
      }
      default:  // not of a player or a room
        break;
    }
  }

  void end_merge() {
    is_merged = true;
    if (end == 0 && !log.empty()) end = log.back().id;
    const auto keys_of = [](const ByKey& parts) {
      std::vector<std::uint64_t> keys;
      keys.reserve(parts.size());
      for (const auto& each : parts) keys.push_back(each.first);
      std::ranges::sort(keys, std::greater{});
      return keys;
    };
    players_left = keys_of(players);
    rooms_left = keys_of(rooms);
  }

  void apply_to_player(std::uint64_t id) {
    const Parts& parts = players.at(id);
    for (const Part& each : parts.records) apply(each);
    if (parts.request_done > 0) changes.note_request(id, parts.request_done, parts.stream);
  }

  // Passes over what later records of the room replace.
  void apply_to_room(std::uint64_t serial) {
    const std::vector<Part>& parts = rooms.at(serial).records;
    std::size_t last_state = 0;
    std::size_t first_move = 0;  // of the last game
    std::size_t first = 0;
    for (std::size_t next = parts.size(); next-- > first;) {
      const Part& part = parts[next];
      if (part.kind == Record::kRoomClosed) first = next;
      if (part.kind == Record::kRoom) last_state = std::max(last_state, next);
      if (part.kind == Record::kMovesUndone && first_move == 0 && undoes_all(part)) {
        first_move = next;
      }
    }
    const Entry<SavedRoom>& entry = changes.rooms.at(serial);
    for (std::size_t next = first; next < parts.size(); ++next) {
      const Part& part = parts[next];
      const bool is_of_game = part.kind == Record::kMove || part.kind == Record::kMovesUndone;
      if (is_of_game && next < first_move) continue;
      if (part.kind == Record::kRoom && next < last_state && entry.state) continue;
      apply(part);
    }
  }

  // The first records of a room, at most `max_aside_bytes`.
  std::string encoded(std::uint64_t serial) const {
    Batch batch;
    for (const Part& each : rooms.at(serial).records) {
      if (batch.bytes().size() + each.record.size() > max_aside_bytes) break;
      batch.add(each.record);
    }
    return batch.bytes();
  }

 private:
  void apply(const Part& part) {
    if (parse(record_, part.record)) {
      changes.apply(record_, part.row->stream);
    } else {
      part.row->is_sound = false;  // it is kept, although the rest of it counts
    }
  }
  static bool undoes_all(const Part& part) {
    journal::v1::MovesUndone undone;
    return parse(undone, part.body) && undone.ply() == 0;
  }

  Record record_;
};

StateStore::StateStore(Settings settings) : settings_(std::move(settings)) {}

StateStore::~StateStore() = default;

Result<CompactionStep> StateStore::compact() {
  if (const auto fault = does(Transaction::compaction, [&] { compact_step(); })) {
    compaction_.reset();  // the next step begins where the last transaction ended
    return *fault;
  }
  CompactionStep step{!compaction_->is_done, 0, {}};
  if (compaction_->is_done) {
    const auto done = std::exchange(compaction_, nullptr);
    // Another server may have compacted some of them.
    uncompacted_bytes_ =
        done->log.empty() ? 0 : uncompacted_bytes_ - std::min(uncompacted_bytes_, done->bytes);
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
  }
  if (!compaction_->is_merged) merge(*compaction_);
  if (compaction_->is_merged) write_rows(*compaction_);
}

void StateStore::merge(Compaction& compaction) {
  auto rows =
      log_after(compaction.log.empty() ? 0 : compaction.log.back().id, settings_.step_bytes);
  bool is_last = rows.empty();
  std::vector<StoredGame> games;
  const std::uint64_t written = games_written();
  std::uint64_t last = written;
  for (LogRow& each : rows) {
    if (is_last) break;
    LogRow& row = compaction.log.emplace_back(std::move(each));
    compaction.bytes += row.records.size();
    compaction.sort_in(row);
    if (row.id > written) {
      if (row.is_sound) row.is_sound = add_games_of(row, games);
      last = row.id;
    }
    is_last = compaction.end != 0 ? row.id == compaction.end
                                  : compaction.bytes >= settings_.compaction_bytes &&
                                        compaction.rooms.size() >= enough_rooms;
  }
  if (!games.empty()) put_games(games);
  if (last > written) put_games_written(last);
  is_last = is_last || (compaction.end == 0 && compaction.bytes >= settings_.compaction_bytes);
  if (is_last) compaction.end_merge();
}

// Players first, as commits lock them.
void StateStore::write_rows(Compaction& compaction) {
  std::size_t left = settings_.step_rows;
  if (write_players(compaction, left) && write_rooms(compaction, left) &&
      cut_some(compaction, left)) {
    put_progress({});
    compaction.is_done = true;
  } else {
    put_progress({compaction.end, compaction.room});
  }
}

// Returns whether all are written.
bool StateStore::write_players(Compaction& compaction, std::size_t& left) {
  while (!compaction.players_left.empty() && left > 0) {
    const auto ids = take_last(compaction.players_left, std::min(players_at_once, left));
    // A record of a player replaces the row, whatever is in it.
    fill_entries(compaction.changes.players, ids, rows_at(Table::players, ids), nullptr);
    for (const std::uint64_t id : ids) compaction.apply_to_player(id);
    left -= ids.size();
    write_entries(Table::players, compaction, compaction.changes.players);
  }
  return compaction.players_left.empty();
}

// However large the rooms are, no more than `rooms_at_once` are in memory.
bool StateStore::write_rooms(Compaction& compaction, std::size_t& left) {
  while (!compaction.rooms_left.empty() && left > 0) {
    const auto serials = take_last(compaction.rooms_left, std::min(rooms_at_once, left));
    auto& entries = compaction.changes.rooms;
    const std::size_t bytes =
        fill_entries(entries, serials, rows_at(Table::rooms, serials), "it is damaged");
    for (const std::uint64_t serial : serials) {
      compaction.apply_to_room(serial);
      // Records that don't fit the room are set aside like the room.
      if (const char* damage = entries.at(serial).damage) {
        put_aside_now("room changes", serial, damage, compaction.encoded(serial));
      }
    }
    compaction.room = serials.back();
    left -= std::min(left, bytes / bytes_per_row + serials.size());
    write_entries(Table::rooms, compaction, entries);
  }
  return compaction.rooms_left.empty();
}

// Deletes rows of the log whose records are applied. If that is interrupted, the next compaction
// applies the others again, which changes nothing.
bool StateStore::cut_some(Compaction& compaction, std::size_t& left) {
  compaction.room = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> ids;
  for (; compaction.cut < compaction.log.size() && left > 0; ++compaction.cut) {
    LogRow& row = compaction.log[compaction.cut];
    if (!row.is_sound) {
      put_aside_now("commit", row.id, "it is damaged", row.records);
      ++compaction.counts.commits;
    }
    left -= std::min(left, row.records.size() / bytes_per_row + 1);
    ids.push_back(row.id);
  }
  cut_log(ids);
  return compaction.cut == compaction.log.size();
}

template <class Message>
void StateStore::write_entries(Table table, Compaction& compaction,
                               std::map<std::uint64_t, Entry<Message>>& entries) {
  std::vector<Row> changed;
  std::vector<std::uint64_t> ended;
  for (const auto& [key, entry] : entries) {
    const auto row = [&] {
      const bool is_readable = entry.state && (entry.damage == nullptr || entry.unreadable.empty());
      return Row{key, entry.stream,
                 is_readable ? entry.state->SerializeAsString() : entry.unreadable};
    };
    if (entry.damage != nullptr) {
      set_aside(table, row(), entry.damage);
      ++compaction.counts.rooms;
    } else if (entry.has_ended && entry.has_row) {
      ended.push_back(key);
    } else if (entry.is_changed && !entry.has_ended) {
      changed.push_back(row());
    }
  }
  entries.clear();
  put(table, changed);
  erase(table, ended);
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
  std::map<std::uint64_t, std::string> players;  // why, by key
  std::map<std::uint64_t, std::string> rooms;
  for (const RefusedRow& each : refused) {
    (each.kind == RefusedRow::Kind::room ? rooms : players).emplace(each.id, each.reason);
  }
  return does(Transaction::commit, [&] {
    // In the order in which compaction locks them.
    for (const auto& [table, reasons] :
         {std::pair(Table::players, &players), std::pair(Table::rooms, &rooms)}) {
      std::vector<std::uint64_t> keys;
      for (const auto& [key, reason] : *reasons) keys.push_back(key);
      for (const Row& row : rows_at(table, keys)) set_aside(table, row, reasons->at(row.key));
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

namespace {

// Fields are written in the order of their numbers, so a record begins with what it is.
bool may_change_at_once(std::string_view record, bool with_games) {
  constexpr auto tag_of = [](int field) { return static_cast<char>(bytes_tag(field)); };
  constexpr std::array never{tag_of(Record::kRoomFieldNumber), tag_of(Record::kMoveFieldNumber),
                             tag_of(Record::kMovesUndoneFieldNumber),
                             tag_of(Record::kChatFieldNumber)};
  if (record.empty() || std::ranges::find(never, record.front()) != never.end()) return false;
  return with_games || record.front() != tag_of(Record::kGameFinishedFieldNumber);
}

StoredGame stored_game(Record& record, std::uint64_t unix_ms) {
  auto readers = record.has_readers() ? std::optional(record.readers()) : std::nullopt;
  return stored(std::move(*record.mutable_game_finished()), unix_ms, std::move(readers));
}

}  // namespace

bool add_games_of(const LogRow& row, std::vector<StoredGame>& games) {
  bool is_sound = row.is_sound;
  const auto add = [&](std::string_view encoded) {
    if (!encoded.starts_with(static_cast<char>(bytes_tag(Record::kGameFinishedFieldNumber)))) {
      return true;
    }
    Record record;
    if (parse(record, encoded)) {
      games.push_back(stored_game(record, row.unix_ms));
    } else {
      is_sound = false;
    }
    return true;
  };
  if (is_sound) for_each_record(row.records, add);
  return is_sound;
}

// Most records change nothing at once, and are not parsed.
CommitChanges StateStore::read_changes(const Batch& batch, std::uint64_t unix_ms, bool with_games) {
  CommitChanges found;
  for_each_record(batch.bytes(), [&](std::string_view encoded) {
    if (!may_change_at_once(encoded, with_games)) return true;
    Record record;
    if (!parse(record, encoded)) return true;
    if (record.has_game_finished()) {
      if (with_games) found.games.push_back(stored_game(record, unix_ms));
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
