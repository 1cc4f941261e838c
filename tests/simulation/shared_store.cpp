#include "tests/simulation/shared_store.hpp"

#include <algorithm>

namespace tictactoe::simulation {

using records::Compaction;
using records::StreamId;

namespace {

constexpr std::size_t rows_at_once = 200;

}  // namespace

// Streams -----------------------------------------------------------------------------------------

records::StreamPosition SharedStore::own(StreamId stream) {
  const auto [found, is_new] = streams_.try_emplace(stream);
  if (!is_new) ++found->second.epoch;
  return {found->second.epoch, found->second.sequence};
}

bool SharedStore::is_owner(StreamId stream, std::uint64_t epoch) const {
  const auto found = streams_.find(stream);
  return found != streams_.end() && found->second.epoch == epoch;
}

bool SharedStore::append(StreamId stream, records::StreamPosition expected,
                         std::uint64_t last_sequence, const records::Batch& batch, bool is_retry) {
  const bool is_blind = is_retry && settings_.mistake == Mistake::blind_retry;
  Stream& row = streams_[stream];
  if (row.epoch != expected.epoch && settings_.mistake != Mistake::commit_without_epoch) {
    ++fenced_;
    return false;
  }
  if (row.sequence != expected.sequence && !is_blind) return false;
  row.sequence = last_sequence;
  const std::uint64_t now = settings_.unix_ms();
  uncompacted_.push_back({++commits_, stream, now, batch.bytes()});
  write(stream, batch, now);
  return true;
}

// What a commit writes at once, whenever the rest is compacted.
void SharedStore::write(StreamId stream, const records::Batch& batch, std::uint64_t unix_ms) {
  records::for_each_record(batch.bytes(), [&](std::string_view encoded) {
    journal::v1::Record record;
    if (!record.ParseFromArray(encoded.data(), static_cast<int>(encoded.size()))) return true;
    if (record.has_game_finished()) {
      const Compaction::Game game = Compaction::game_of(record, unix_ms);
      games_.push_back({records::stamped(game), game.readers});
      games_.back().record.set_id(games_.size());
    }
    if (record.has_player_moved()) give_away(record.player_moved());
    if (record.has_room_moved()) give_away(record.room_moved());
    if (record.has_player_forgotten()) {
      const auto found = players_.find(record.player_forgotten());
      if (found != players_.end() && found->second.stream == stream) delete_player(found->first);
    }
    if (record.has_room_closed()) {
      std::uint64_t& last = streams_[stream].last_revision;
      last = std::max(last, record.closed_revision());
      const auto found = rooms_.find(record.room_closed());
      if (found != rooms_.end() && found->second.stream == stream) free_room(found->first);
    }
    if (record.has_banned()) {
      bans_[record.banned().subject().SerializeAsString()] = record.banned();
    }
    if (record.has_unbanned()) bans_.erase(record.unbanned().SerializeAsString());
    return true;
  });
}

void SharedStore::give_away(const journal::v1::PlayerMoved& moved) {
  const auto found = players_.find(moved.player().id());
  if (found == players_.end()) return;
  Player& player = found->second;
  player.stream = moved.stream();
  player.arrived = player.state = moved.player();
  player.last_request_done = std::max(player.last_request_done, moved.player().last_request_done());
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

// Compaction --------------------------------------------------------------------------------------

std::size_t SharedStore::compact() {
  const std::size_t count = std::min(uncompacted_.size(), rows_at_once);
  std::size_t bytes = 0;
  Compaction state;
  for (std::size_t i = 0; i < count; ++i) {
    const Records& row = uncompacted_[i];
    bytes += row.bytes.size();
    const bool is_sound = records::for_each_record(row.bytes, [&](std::string_view part) {
      journal::v1::Record record;
      if (!record.ParseFromArray(part.data(), static_cast<int>(part.size())) ||
          !Compaction::is_valid(record)) {
        return false;
      }
      state.add(record, row.stream, row.unix_ms);
      return true;
    });
    if (!is_sound) asides_.emplace_back("a commit is damaged");
  }
  uncompacted_.erase(uncompacted_.begin(),
                     uncompacted_.begin() + static_cast<std::ptrdiff_t>(count));
  for (const auto& [id, change] : state.players) write_player(id, change);
  for (const auto& [serial, room] : state.rooms) write_room(serial, room);
  for (const auto& [stream, change] : state.streams) {
    std::uint64_t& last = streams_[stream].last_revision;
    last = std::max(last, change.last_revision);
  }
  return bytes;
}

// The stream of a row is left alone: it can have been given to another one since. A row is there
// from the claim on until what it is for is gone.
void SharedStore::write_player(std::uint64_t id, const Compaction::Player& change) {
  if (change.forgotten) return delete_player(id);
  if (settings_.is_local && change.state) players_.try_emplace(id);
  const auto found = players_.find(id);
  if (found == players_.end()) return;
  Player& player = found->second;
  player.last_request_done = std::max(player.last_request_done, change.request_done);
  if (!change.state) return;
  player.state = change.state;
  player.last_request_done = std::max(player.last_request_done, change.state->last_request_done());
}

void SharedStore::write_room(std::uint64_t serial, const Compaction::Room& room) {
  if (room.closed) {
    delete_room(serial);
  } else if (auto& moves = moves_[serial]; moves.size() > room.moves_left) {
    moves.resize(room.moves_left);
  }
  if (settings_.is_local && room.state) rooms_.try_emplace(serial);
  if (const auto found = rooms_.find(serial); room.state && found != rooms_.end()) {
    if (!found->second.state.emplace().ParseFromString(*room.state)) {
      return set_aside({records::RefusedRow::Kind::room, serial, "its state can't be read"});
    }
  }
  if (!room.moves.empty()) {
    auto& moves = moves_[serial];
    if (room.broken || room.moves.front().ply() != moves.size() + 1) {
      return set_aside({records::RefusedRow::Kind::room, serial, "moves of its game are missing"});
    }
    moves.insert(moves.end(), room.moves.begin(), room.moves.end());
  }
  if (room.chat.empty()) return;
  auto& chat = chat_[serial];
  chat.insert(chat.end(), room.chat.begin(), room.chat.end());
  const std::size_t most = settings_.kept_chat;
  if (chat.size() > most) {
    chat.erase(chat.begin(), chat.end() - static_cast<std::ptrdiff_t>(most));
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
  moves_.erase(serial);
  chat_.erase(serial);
  free_room(serial);
}

void SharedStore::free_room(std::uint64_t serial) {
  const auto found = rooms_.find(serial);
  if (found == rooms_.end()) return;
  for (const std::string& key : found->second.keys) room_names_.erase(key);
  room_by_name_.erase(found->second.name);
  rooms_.erase(found);
}

void SharedStore::set_aside(const records::RefusedRow& refused) {
  const bool is_room = refused.kind == records::RefusedRow::Kind::room;
  std::string what = (is_room ? "room " : "player ") + std::to_string(refused.id);
  if (const auto room = rooms_.find(refused.id); is_room && room != rooms_.end()) {
    what += " \"" + room->second.name + "\"";
    if (room->second.state) {
      std::uint64_t& last = streams_[room->second.stream].last_revision;
      last = std::max(last, room->second.state->revision());
    }
  }
  asides_.push_back(what + ": " + refused.reason);
  is_room ? delete_room(refused.id) : delete_player(refused.id);
}

// Reading -----------------------------------------------------------------------------------------

records::LoadedStream SharedStore::load(StreamId stream) {
  while (!uncompacted_.empty()) compact();
  records::LoadedStream loaded = read(stream);
  for (const auto& [subject, ban] : bans_) *loaded.saved.add_bans() = ban;
  return loaded;
}

records::LoadedStream SharedStore::read(StreamId stream) const {
  records::LoadedStream loaded;
  if (const auto row = streams_.find(stream); row != streams_.end()) {
    loaded.saved.set_last_revision(row->second.last_revision);
  }
  for (const auto& [id, player] : players_) {
    if (player.stream != stream || !player.state) continue;
    journal::v1::Player& saved = *loaded.saved.add_players();
    saved = *player.state;
    saved.set_last_request_done(player.last_request_done);
  }
  for (const auto& [serial, room] : rooms_) {
    if (room.stream != stream || !room.state) continue;
    journal::v1::SavedRoom& saved = *loaded.saved.add_rooms();
    *saved.mutable_room() = *room.state;
    if (const auto moves = moves_.find(serial); moves != moves_.end()) {
      saved.mutable_moves()->Add(moves->second.begin(), moves->second.end());
    }
    if (const auto chat = chat_.find(serial); chat != chat_.end()) {
      saved.mutable_chat()->Add(chat->second.begin(), chat->second.end());
    }
  }
  return loaded;
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

std::optional<records::SharedBans> SharedStore::bans(const std::string& known_version) const {
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
