#include "tests/simulation/shared_store.hpp"

#include <algorithm>
#include <limits>

#include "server/records/rows.hpp"
#include "tests/simulation/shared_sessions.hpp"

namespace tictactoe::simulation {

using records::StreamId;

namespace {

constexpr std::size_t log_rows_at_once = 200;

template <class Entry>
records::Row row_of(std::uint64_t key, const Entry& entry) {
  return {key, entry.stream, entry.state ? entry.state->SerializeAsString() : ""};
}

}  // namespace

SharedStore::SharedStore(Settings settings)
    : StateStore({.kept_chat = static_cast<std::uint32_t>(settings.kept_chat),
                  .compaction_bytes = 0,
                  .step_rows = std::numeric_limits<std::size_t>::max(),
                  .unix_ms = settings.unix_ms}),
      settings_(std::move(settings)) {}

// Streams -----------------------------------------------------------------------------------------

records::Result<records::StreamPosition> SharedStore::own(StreamId stream) {
  const auto [found, is_new] = streams_.try_emplace(stream);
  if (!is_new) ++found->second.epoch;
  return records::StreamPosition{found->second.epoch, found->second.sequence};
}

bool SharedStore::is_owner(StreamId stream, std::uint64_t epoch) const {
  const auto found = streams_.find(stream);
  return found != streams_.end() && found->second.epoch == epoch;
}

records::Result<records::AppendOutcome> SharedStore::append(StreamId stream,
                                                            records::StreamPosition expected,
                                                            std::uint64_t last_sequence,
                                                            const records::Batch& batch) {
  Stream& row = streams_[stream];
  if (row.epoch != expected.epoch && settings_.mistake != Mistake::commit_without_epoch) {
    ++fenced_;
    return records::AppendOutcome::fenced;
  }
  if (row.sequence != expected.sequence) return records::AppendOutcome::fenced;
  row.sequence = last_sequence;
  const records::CommitChanges at_once = read_changes(batch, settings_.unix_ms(), true);
  uncompacted_.push_back({++commits_, stream, batch.bytes()});
  note_appended(batch.bytes().size());
  number_games(batch);
  StateStore::write(at_once);
  row.last_revision = std::max(row.last_revision, at_once.last_revision);
  for (const journal::v1::Record& record : at_once.of_servers) write_for_servers(record, stream);
  return records::AppendOutcome::durable;
}

bool SharedStore::append_again(StreamId stream, records::StreamPosition expected,
                               std::uint64_t last_sequence, const records::Batch& batch) {
  if (settings_.mistake == Mistake::blind_retry) expected.sequence = streams_[stream].sequence;
  return *append(stream, expected, last_sequence, batch) == records::AppendOutcome::durable ||
         has_sequence(stream, expected.epoch, last_sequence);
}

// The record of a game has only the name of its room, and names are used again.
void SharedStore::number_games(const records::Batch& batch) {
  records::for_each_record(batch.bytes(), [&](std::string_view encoded) {
    journal::v1::Record record;
    if (!record.ParseFromArray(encoded.data(), static_cast<int>(encoded.size()))) return true;
    if (record.has_room()) {
      games_now_[record.room().name()] = {record.room().serial(), record.room().game()};
    } else if (record.has_game_finished()) {
      finished_.push_back(games_now_[record.game_finished().room()]);
    }
    return true;
  });
}

void SharedStore::write_for_servers(const journal::v1::Record& record, StreamId stream) {
  if (record.has_player_moved()) give_away(record.player_moved());
  if (record.has_room_moved()) give_away(record.room_moved());
  if (settings_.is_local) return;  // compaction does it
  if (record.has_player_forgotten()) {
    const auto found = players_.find(record.player_forgotten());
    if (found != players_.end() && found->second.stream == stream) delete_player(found->first);
  }
  if (record.has_room_closed()) {
    const auto found = rooms_.find(record.room_closed());
    if (found != rooms_.end() && found->second.stream == stream) delete_room(found->first);
  }
}

void SharedStore::give_away(const journal::v1::PlayerMoved& moved) {
  const auto found = players_.find(moved.player().id());
  if (found == players_.end()) return;
  Player& player = found->second;
  player.stream = moved.stream();
  player.arrived = player.state = moved.player();
}

void SharedStore::give_away(const journal::v1::RoomMoved& moved) {
  if (const auto room = rooms_.find(moved.room().serial()); room != rooms_.end()) {
    room->second.stream = moved.stream();
    room->second.arrived_after = commits_;
    ++rooms_moved_;
  }
  for (const journal::v1::Player& player : moved.players()) {
    const auto found = players_.find(player.id());
    if (found != players_.end()) found->second.stream = moved.stream();
  }
}

bool SharedStore::has_sequence(StreamId stream, std::uint64_t epoch, std::uint64_t sequence) const {
  return is_owner(stream, epoch) && streams_.at(stream).sequence == sequence;
}

std::uint64_t SharedStore::last_revision(std::optional<StreamId> stream) {
  std::uint64_t last = 0;
  for (const auto& [id, row] : streams_) {
    if (!stream || id == *stream) last = std::max(last, row.last_revision);
  }
  return last;
}

void SharedStore::raise_last_revision(StreamId stream, std::uint64_t revision) {
  std::uint64_t& last = streams_[stream].last_revision;
  last = std::max(last, revision);
}

// The log -----------------------------------------------------------------------------------------

std::vector<records::LogRow> SharedStore::log_after(std::uint64_t id, std::size_t /*bytes*/) {
  const auto first = std::ranges::upper_bound(uncompacted_, id, {}, &records::LogRow::id);
  const auto rest = static_cast<std::size_t>(uncompacted_.end() - first);
  return {first, first + static_cast<std::ptrdiff_t>(std::min(rest, log_rows_at_once))};
}

void SharedStore::cut_log(std::span<const std::uint64_t> ids) {
  if (ids.empty()) return;
  std::erase_if(uncompacted_, [&](const records::LogRow& row) { return row.id <= ids.back(); });
}

// Players and rooms -------------------------------------------------------------------------------

std::vector<records::Row> SharedStore::rows_of(records::Table table,
                                               std::optional<StreamId> stream) {
  std::vector<records::Row> rows;
  const auto collect = [&](const auto& entries) {
    for (const auto& [key, entry] : entries) {
      const bool is_wanted = entry.state && (!stream || entry.stream == *stream);
      if (is_wanted) rows.push_back(row_of(key, entry));
    }
  };
  table == records::Table::rooms ? collect(rooms_) : collect(players_);
  return rows;
}

std::vector<records::Row> SharedStore::rows_at(records::Table table,
                                               std::span<const std::uint64_t> keys) {
  std::vector<records::Row> rows;
  const auto collect = [&](const auto& entries) {
    for (const std::uint64_t key : keys) {
      const auto found = entries.find(key);
      if (found != entries.end()) rows.push_back(row_of(key, found->second));
    }
  };
  table == records::Table::rooms ? collect(rooms_) : collect(players_);
  return rows;
}

void SharedStore::put(records::Table table, std::span<const records::Row> rows) {
  const auto put_into = [&](auto& entries) {
    for (const records::Row& row : rows) {
      const auto [entry, is_new] = entries.try_emplace(row.key);
      if (is_new) entry->second.stream = row.stream;
      entry->second.state.emplace().ParseFromString(row.content);
    }
  };
  table == records::Table::rooms ? put_into(rooms_) : put_into(players_);
}

void SharedStore::erase(records::Table table, std::span<const std::uint64_t> keys) {
  for (const std::uint64_t key : keys) {
    table == records::Table::rooms ? delete_room(key) : delete_player(key);
  }
}

void SharedStore::delete_player(std::uint64_t id) {
  const auto found = players_.find(id);
  if (found == players_.end()) return;
  for (const std::string& key : found->second.keys) player_names_.erase(key);
  player_tokens_.erase(found->second.token_hash);
  players_.erase(found);
}

void SharedStore::delete_room(std::uint64_t serial) {
  const auto found = rooms_.find(serial);
  if (found == rooms_.end()) return;
  for (const std::string& key : found->second.keys) room_names_.erase(key);
  room_by_name_.erase(found->second.name);
  rooms_.erase(found);
}

void SharedStore::put_aside(const records::AsideRow& row) {
  asides_.push_back(row.kind + " " + std::to_string(row.key) + ": " + row.reason);
}

// Games and bans ----------------------------------------------------------------------------------

void SharedStore::put_games(std::span<const records::StoredGame> games) {
  for (const records::StoredGame& game : games) {
    const auto record = records::decode_game(games_.size() + 1, game.head + game.moves);
    games_.push_back({record.value(), game.readers, finished_.front()});
    finished_.pop_front();
  }
}

records::Result<std::unique_ptr<records::RecordReader>> SharedStore::open_reader() {
  return std::unique_ptr<records::RecordReader>(std::make_unique<SharedReader>(*this));
}

v1::GameList SharedStore::list_games(std::uint64_t before, const std::string& player,
                                     std::size_t limit, records::ReaderNumber reader) const {
  v1::GameList list;
  std::uint64_t id = before == 0 ? games_.size() : std::min(before - 1, games_.size());
  for (; id >= 1; --id) {
    const Game& game = games_[id - 1];
    if (!game.may_be_read_by(reader)) continue;
    if (!player.empty() && game.record.x().name() != player && game.record.o().name() != player) {
      continue;
    }
    if (static_cast<std::size_t>(list.games_size()) == limit) {
      list.set_more(true);
      break;
    }
    v1::GameRecord& told = *list.add_games();
    told = game.record;
    told.clear_moves();
    told.clear_move_ms();
    told.mutable_outcome()->clear_lines();
  }
  return list;
}

std::optional<v1::GameRecord> SharedStore::game(std::uint64_t id,
                                                records::ReaderNumber reader) const {
  if (id < 1 || id > games_.size() || !games_[id - 1].may_be_read_by(reader)) return std::nullopt;
  return games_[id - 1].record;
}

std::vector<records::BanRow> SharedStore::bans() {
  std::vector<records::BanRow> rows;
  for (const auto& [subject, ban] : bans_) rows.push_back({subject, ban.SerializeAsString()});
  return rows;
}

void SharedStore::put_ban(const std::string& subject, const std::optional<journal::v1::Ban>& ban) {
  if (ban) {
    bans_[subject] = *ban;
  } else {
    bans_.erase(subject);
  }
}

std::optional<records::SharedBans> SharedStore::bans(const std::string& known_version) {
  records::SharedBans found;
  for (const auto& [subject, ban] : bans_) {
    *found.saved.add_bans() = ban;
    const std::string state = ban.SerializeAsString();
    found.version += std::to_string(state.size()) + ":" + state;
  }
  found.version += "0";
  if (found.version == known_version) return std::nullopt;
  return found;
}

std::uint64_t SharedStore::serial_of(const std::string& name, std::uint64_t revision) const {
  const auto found = claims_.find(name);
  if (found == claims_.end()) return 0;
  std::uint64_t serial = 0;
  for (const auto& [first_revision, claimed] : found->second) {
    if (first_revision <= revision) serial = claimed;
  }
  return serial;
}

}  // namespace tictactoe::simulation
