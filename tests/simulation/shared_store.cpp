#include "tests/simulation/shared_store.hpp"

#include <algorithm>

#include "tests/simulation/shared_sessions.hpp"

namespace tictactoe::simulation {

using journal::v1::Record;
using records::StreamId;

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

records::AppendOutcome SharedStore::append(StreamId stream, records::StreamPosition expected,
                                           std::uint64_t last_sequence,
                                           const records::Batch& batch) {
  Stream& row = streams_[stream];
  if (row.epoch != expected.epoch && settings_.mistake != Mistake::commit_without_epoch) {
    ++fenced_;
    return records::AppendOutcome::fenced;
  }
  if (row.sequence != expected.sequence) return records::AppendOutcome::fenced;
  row.sequence = last_sequence;
  ++commits_;
  records::for_each_record(batch.bytes(), [&](std::string_view encoded) {
    Record record;
    const bool is_whole = record.ParseFromArray(encoded.data(), static_cast<int>(encoded.size()));
    if (is_whole) apply(record, stream);
    return is_whole;
  });
  return records::AppendOutcome::durable;
}

bool SharedStore::append_again(StreamId stream, records::StreamPosition expected,
                               std::uint64_t last_sequence, const records::Batch& batch) {
  if (settings_.mistake == Mistake::blind_retry) expected.sequence = streams_[stream].sequence;
  return append(stream, expected, last_sequence, batch) == records::AppendOutcome::durable ||
         has_sequence(stream, expected.epoch, last_sequence);
}

bool SharedStore::has_sequence(StreamId stream, std::uint64_t epoch, std::uint64_t sequence) const {
  return is_owner(stream, epoch) && streams_.at(stream).sequence == sequence;
}

// Records -----------------------------------------------------------------------------------------

void SharedStore::apply(const Record& record, StreamId stream) {
  switch (record.record_case()) {
    case Record::kPlayer:
      put(record.player(), stream, false);
      break;
    case Record::kPlayerForgotten:
      delete_player(record.player_forgotten());
      break;
    case Record::kRoom:
      put(record.room(), stream, false);
      games_now_[record.room().name()] = {record.room().serial(), record.room().game()};
      break;
    case Record::kRoomClosed: {
      delete_room(record.room_closed());
      std::uint64_t& last = streams_[stream].last_revision;
      last = std::max(last, record.closed_revision());
      break;
    }
    case Record::kMove:
      add(record.move());
      break;
    case Record::kMovesUndone:
      if (auto* room = find(record.moves_undone().room())) {
        const auto left = static_cast<int>(record.moves_undone().ply());
        const int undone = std::max(0, room->moves_size() - left);
        room->mutable_moves()->DeleteSubrange(room->moves_size() - undone, undone);
      }
      break;
    case Record::kChat:
      add(record.chat());
      break;
    case Record::kGameFinished: {
      Game& game = games_.emplace_back();
      game.record = record.game_finished();
      game.record.set_id(games_.size());
      if (!game.record.imported()) game.record.set_ended_unix_ms(settings_.unix_ms());
      if (record.has_readers()) game.readers = record.readers();
      // The record of a game has only the name of its room, and names are used again.
      game.number = games_now_[game.record.room()];
      break;
    }
    case Record::kPlayerMoved:
      put(record.player_moved().player(), record.player_moved().stream(), true);
      break;
    case Record::kRoomMoved:
      put(record.room_moved().room(), record.room_moved().stream(), true);
      for (const auto& player : record.room_moved().players()) {
        put(player, record.room_moved().stream(), false);
      }
      ++rooms_moved_;
      break;
    case Record::kBanned:
      bans_[record.banned().subject().SerializeAsString()] = record.banned();
      break;
    case Record::kUnbanned:
      bans_.erase(record.unbanned().SerializeAsString());
      break;
    case Record::RECORD_NOT_SET:
      break;
  }
  note_done(record);
}

void SharedStore::put(const journal::v1::Player& player, StreamId stream, bool arrives) {
  Player& row = players_[player.id()];
  row.stream = stream;
  row.state = player;
  row.has_arrived = arrives;
}

void SharedStore::put(const journal::v1::Room& room, StreamId stream, bool arrives) {
  Room& row = rooms_[room.serial()];
  row.stream = stream;
  if (!row.state) row.state.emplace();
  *row.state->mutable_room() = room;
  if (arrives) row.has_arrived = true;
}

journal::v1::SavedRoom* SharedStore::find(std::uint64_t room) {
  const auto found = rooms_.find(room);
  return found == rooms_.end() || !found->second.state ? nullptr : &*found->second.state;
}

void SharedStore::add(const journal::v1::Move& move) {
  journal::v1::SavedRoom* room = find(move.room());
  if (room == nullptr) return;
  for (journal::v1::Move& known : *room->mutable_moves()) {
    if (known.ply() != move.ply()) continue;
    known = move;
    return;
  }
  *room->add_moves() = move;
}

void SharedStore::add(const journal::v1::Chat& line) {
  journal::v1::SavedRoom* room = find(line.room());
  if (room == nullptr) return;
  *room->add_chat() = line;
  const int surplus = room->chat_size() - static_cast<int>(settings_.kept_chat);
  if (surplus > 0) room->mutable_chat()->DeleteSubrange(0, surplus);
}

void SharedStore::note_done(const Record& record) {
  const auto found = players_.find(record.requester());
  if (found == players_.end() || !found->second.state) return;
  journal::v1::Player& player = *found->second.state;
  player.set_last_request_done(std::max(player.last_request_done(), record.request_done()));
}

journal::v1::Saved SharedStore::load(StreamId stream) {
  journal::v1::Saved saved = read(stream);
  for (const auto& [subject, ban] : bans_) *saved.add_bans() = ban;
  return saved;
}

journal::v1::Saved SharedStore::read(StreamId stream) const {
  journal::v1::Saved saved;
  for (const auto& [id, player] : players_) {
    if (player.stream == stream && player.state) *saved.add_players() = *player.state;
  }
  for (const auto& [serial, room] : rooms_) {
    if (room.stream == stream && room.state) *saved.add_rooms() = *room.state;
  }
  for (const StreamId each : {stream, records::local_stream}) {
    const auto row = streams_.find(each);
    if (row == streams_.end()) continue;
    saved.set_last_revision(std::max(saved.last_revision(), row->second.last_revision));
  }
  return saved;
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

// Games and bans ----------------------------------------------------------------------------------

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
