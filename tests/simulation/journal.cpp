#include "tests/simulation/journal.hpp"

#include <algorithm>

#include "server/core/start_position.hpp"
#include "server/store/sqlite_store.hpp"
#include "tests/simulation/violation.hpp"

namespace tictactoe::simulation {

void MemoryJournal::apply(const store::Batch& batch, std::uint64_t /*last_sequence*/,
                          std::uint64_t unix_ms) {
  const auto take = [&](std::string_view bytes) {
    journal::v1::Record record;
    if (!record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return false;
    apply(record, unix_ms);
    note_request_done(record);
    return true;
  };
  require(store::for_each_record(batch.bytes(), take), Checker::protocol,
          "a record that can't be read");
}

void MemoryJournal::note_request_done(const journal::v1::Record& record) {
  const auto player = players_.find(record.requester());
  if (player == players_.end()) return;
  player->second.set_last_request_done(
      std::max(player->second.last_request_done(), record.request_done()));
}

journal::v1::SavedRoom& MemoryJournal::room(std::uint64_t serial) {
  const auto found = rooms_.find(serial);
  require(found != rooms_.end(), Checker::permanence,
          "a record of the room " + std::to_string(serial) + ", which the journal does not know");
  return found->second;
}

void MemoryJournal::apply(const journal::v1::Record& record, std::uint64_t unix_ms) {
  using journal::v1::Record;
  switch (record.record_case()) {
    case Record::kPlayer:
      require(record.player().played() || !players_[record.player().id()].played(),
              Checker::permanence, "a player has played no more");
      players_[record.player().id()] = record.player();
      break;
    case Record::kPlayerForgotten:
      require(players_.erase(record.player_forgotten()) == 1, Checker::permanence,
              "a player is forgotten whom the journal does not know");
      break;
    case Record::kRoom:
      *rooms_[record.room().serial()].mutable_room() = record.room();
      break;
    case Record::kRoomClosed:
      require(rooms_.erase(record.room_closed()) == 1, Checker::permanence,
              "a room is closed that the journal does not know");
      last_revision_ = std::max(last_revision_, record.closed_revision());
      break;
    case Record::kMove: {
      journal::v1::SavedRoom& saved = room(record.move().room());
      require(record.move().ply() == static_cast<std::uint32_t>(saved.moves_size()) + 1,
              Checker::permanence, "a move is recorded out of order");
      *saved.add_moves() = record.move();
      break;
    }
    case Record::kMovesUndone: {
      journal::v1::SavedRoom& saved = room(record.moves_undone().room());
      while (static_cast<std::uint32_t>(saved.moves_size()) > record.moves_undone().ply()) {
        saved.mutable_moves()->RemoveLast();
      }
      break;
    }
    case Record::kChat: {
      journal::v1::SavedRoom& saved = room(record.chat().room());
      *saved.add_chat() = record.chat();
      if (static_cast<std::size_t>(saved.chat_size()) > limits_.kept_chat)
        saved.mutable_chat()->DeleteSubrange(0, 1);
      break;
    }
    case Record::kGameFinished:
      games_.push_back({record.game_finished(), std::nullopt});
      games_.back().record.set_id(games_.size());
      games_.back().record.set_ended_unix_ms(unix_ms);
      if (record.has_readers()) games_.back().readers = record.readers();
      break;
    case Record::kPlayerMoved:
    case Record::kRoomMoved:
      throw Violation(Checker::protocol, "a player or a room moved, and there is no other server");
    case Record::kBanned:
    case Record::kUnbanned:
      throw Violation(Checker::protocol, "a ban, and the owner has said nothing");
    case Record::RECORD_NOT_SET:
      throw Violation(Checker::protocol, "a record with nothing in it");
  }
}

journal::v1::Saved MemoryJournal::load() {
  journal::v1::Saved saved;
  for (const auto& [id, player] : players_) *saved.add_players() = player;
  for (const auto& [serial, room] : rooms_) *saved.add_rooms() = room;
  saved.set_last_revision(last_revision_);
  return saved;
}

v1::ServerMessage MemoryJournal::look_up(const core::LookUp& question) {
  const v1::ClientMessage& request = question.request;
  v1::ServerMessage answer;
  if (!request.has_list_games()) {
    const std::uint64_t id = core::game_asked_for(request);
    if (id >= 1 && id <= games_.size() && games_[id - 1].may_be_read_by(question.reader)) {
      *answer.mutable_game_found()->mutable_game() = games_[id - 1].record;
      core::keep_first_moves(request, *answer.mutable_game_found()->mutable_game());
    } else {
      answer.mutable_error()->set_code(v1::Error::CODE_GAME_NOT_FOUND);
    }
    return answer;
  }
  v1::GameList& list = *answer.mutable_game_list();
  const std::uint64_t before = request.list_games().before();
  const std::string& player = request.list_games().player();
  std::uint64_t id = before == 0 ? games_.size() : std::min(before - 1, games_.size());
  for (; id >= 1; --id) {
    if (!games_[id - 1].may_be_read_by(question.reader)) continue;
    const v1::GameRecord& game = games_[id - 1].record;
    if (!player.empty() && game.x().name() != player && game.o().name() != player) continue;
    if (static_cast<std::size_t>(list.games_size()) == limits_.games_per_list) {
      list.set_more(true);
      break;
    }
    v1::GameRecord& told = *list.add_games();
    told = game;
    told.clear_moves();
    told.clear_move_ms();
    told.mutable_outcome()->clear_lines();
  }
  return answer;
}

// SQLite ------------------------------------------------------------------------------------------

namespace {

template <class Value>
Value sound(store::Result<Value> result) {
  if (!result) throw Violation(Checker::permanence, "the journal: " + result.error().reason);
  return *std::move(result);
}

}  // namespace

SqlJournal::SqlJournal(const core::Limits& limits) : limits_(limits) {
  store::SqliteStore::Settings settings;
  settings.kept_chat = static_cast<std::uint32_t>(limits.kept_chat);
  settings.unix_ms = [this] { return unix_ms_; };
  store_ = sound(store::SqliteStore::open(":memory:", settings));
  position_ = sound(store_->own(store::local_stream));
  reader_ = sound(store_->open_reader());
}

void SqlJournal::apply(const store::Batch& batch, std::uint64_t last_sequence,
                       std::uint64_t unix_ms) {
  unix_ms_ = unix_ms;
  const auto outcome = sound(store_->append(store::local_stream, position_, last_sequence, batch));
  require(outcome == store::AppendOutcome::durable, Checker::permanence,
          "the journal fences its owner");
  position_.sequence = last_sequence;
}

bool SqlJournal::compact() {
  const store::CompactionStep step = sound(store_->compact());
  require(step.set_aside.empty(), Checker::permanence, "the journal sets records aside");
  return step.in_progress;
}

journal::v1::Saved SqlJournal::load() {
  store::LoadedStream loaded = sound(store_->load(store::local_stream));
  require(loaded.set_aside.empty(), Checker::permanence, "the journal sets rows aside");
  position_.epoch = sound(store_->own(store::local_stream)).epoch;
  return std::move(loaded.saved);
}

v1::ServerMessage SqlJournal::look_up(const core::LookUp& question) {
  const v1::ClientMessage& request = question.request;
  v1::ServerMessage answer;
  if (request.has_list_games()) {
    *answer.mutable_game_list() =
        sound(reader_->list_games(request.list_games().before(), request.list_games().player(),
                                  limits_.games_per_list, question.reader));
  } else if (auto game = sound(reader_->game(core::game_asked_for(request), question.reader))) {
    core::keep_first_moves(request, *game);
    *answer.mutable_game_found()->mutable_game() = *std::move(game);
  } else {
    answer.mutable_error()->set_code(v1::Error::CODE_GAME_NOT_FOUND);
  }
  return answer;
}

}  // namespace tictactoe::simulation
