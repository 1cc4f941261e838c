// Records for the journal, and what they lead to: slow, in memory, and obviously right.
#pragma once

#include <google/protobuf/util/message_differencer.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tictactoe/journal/v1/journal.pb.h"

namespace tictactoe::test {

using journal::v1::Record;
using journal::v1::Saved;
using journal::v1::SavedRoom;

inline Record player_record(std::uint64_t id, const std::string& name) {
  Record record;
  record.mutable_player()->set_id(id);
  record.mutable_player()->set_name(name);
  record.mutable_player()->set_token_hash(std::string(31, '\0') + static_cast<char>(id));
  return record;
}

inline Record room_record(std::uint64_t serial, const std::string& name,
                          std::uint64_t revision = 1) {
  Record record;
  journal::v1::Room& room = *record.mutable_room();
  room.set_serial(serial);
  room.set_name(name);
  room.mutable_rules()->set_rows(3);
  room.mutable_rules()->set_cols(3);
  room.mutable_rules()->set_k(3);
  room.set_revision(revision);
  room.set_game(1);
  room.set_starter(v1::MARK_X);
  return record;
}

inline Record move_record(std::uint64_t room, std::uint32_t ply, std::uint32_t cell) {
  Record record;
  record.mutable_move()->set_room(room);
  record.mutable_move()->set_ply(ply);
  record.mutable_move()->set_cell(cell);
  record.mutable_move()->set_spent_ms(cell * 7);
  return record;
}

inline Record undone_record(std::uint64_t room, std::uint32_t left) {
  Record record;
  record.mutable_moves_undone()->set_room(room);
  record.mutable_moves_undone()->set_ply(left);
  return record;
}

inline Record chat_record(std::uint64_t room, const std::string& text) {
  Record record;
  record.mutable_chat()->set_room(room);
  record.mutable_chat()->set_from("ann");
  record.mutable_chat()->set_text(text);
  return record;
}

inline Record forgotten_record(std::uint64_t player) {
  Record record;
  record.set_player_forgotten(player);
  return record;
}

inline Record closed_record(std::uint64_t room) {
  Record record;
  record.set_room_closed(room);
  return record;
}

inline v1::GameRecord finished_game(const std::string& x, const std::string& o) {
  v1::GameRecord game;
  game.set_room("den");
  game.mutable_rules()->set_rows(3);
  game.mutable_rules()->set_cols(3);
  game.mutable_rules()->set_k(3);
  game.mutable_x()->set_kind(v1::Occupant::KIND_PERSON);
  game.mutable_x()->set_name(x);
  game.mutable_o()->set_kind(v1::Occupant::KIND_PERSON);
  game.mutable_o()->set_name(o);
  game.set_starter(v1::MARK_X);
  for (const std::uint32_t cell : {0u, 3u, 1u, 4u, 2u}) {
    game.add_moves(cell);
    game.add_move_ms(cell * 100);
  }
  game.mutable_outcome()->set_winner(v1::MARK_X);
  game.mutable_outcome()->set_reason(v1::Outcome::REASON_LINE);
  game.mutable_outcome()->add_lines()->set_kind(v1::Line::KIND_ROW);
  return game;
}

inline Record game_record(const std::string& x, const std::string& o) {
  Record record;
  *record.mutable_game_finished() = finished_game(x, o);
  return record;
}

/// A journal in maps.
class SavedModel {
 public:
  explicit SavedModel(std::size_t kept_chat = 20) : kept_chat_(kept_chat) {}

  void apply(const Record& record) {
    switch (record.record_case()) {
      case Record::kPlayer:
        players_[record.player().id()] = record.player();
        break;
      case Record::kPlayerForgotten:
        players_.erase(record.player_forgotten());
        break;
      case Record::kRoom:
        *rooms_[record.room().serial()].mutable_room() = record.room();
        break;
      case Record::kRoomClosed:
        rooms_.erase(record.room_closed());
        break;
      case Record::kMove:
        *rooms_.at(record.move().room()).add_moves() = record.move();
        break;
      case Record::kMovesUndone: {
        auto& moves = *rooms_.at(record.moves_undone().room()).mutable_moves();
        while (moves.size() > static_cast<int>(record.moves_undone().ply())) moves.RemoveLast();
        break;
      }
      case Record::kChat: {
        auto& chat = *rooms_.at(record.chat().room()).mutable_chat();
        *chat.Add() = record.chat();
        if (static_cast<std::size_t>(chat.size()) > kept_chat_) chat.erase(chat.begin());
        break;
      }
      case Record::kGameFinished:
        ++games_;
        break;
      case Record::RECORD_NOT_SET:
        break;
    }
  }
  Saved saved() const {
    Saved saved;
    for (const auto& [id, player] : players_) *saved.add_players() = player;
    for (const auto& [serial, room] : rooms_) *saved.add_rooms() = room;
    return saved;
  }
  std::size_t games() const { return games_; }
  const std::map<std::uint64_t, SavedRoom>& rooms() const { return rooms_; }

 private:
  std::size_t kept_chat_;
  std::map<std::uint64_t, journal::v1::Player> players_;
  std::map<std::uint64_t, SavedRoom> rooms_;
  std::size_t games_ = 0;
};

/// Any record that makes sense after those that the model has seen.
inline Record random_record(const SavedModel& model, std::mt19937_64& random) {
  const auto below = [&](std::uint64_t limit) {
    return std::uniform_int_distribution<std::uint64_t>(0, limit - 1)(random);
  };
  const auto serial = 1 + below(6);
  const auto room = model.rooms().find(serial);
  if (room == model.rooms().end()) {
    return below(2) == 0 ? room_record(serial, "room " + std::to_string(below(100)))
                         : player_record(1 + below(9), "player " + std::to_string(below(100)));
  }
  const auto ply = static_cast<std::uint32_t>(room->second.moves_size());
  switch (below(12)) {
    case 0:
      return forgotten_record(1 + below(9));
    case 1:
      return closed_record(serial);
    case 2:
      return undone_record(serial, static_cast<std::uint32_t>(below(ply + 1)));
    case 3:
      return room_record(serial, room->second.room().name(), below(1'000'000));
    case 4:
      return game_record("ann", "ben");
    case 5:
      return chat_record(serial, std::string(below(40), 'x'));
    default:
      return move_record(serial, ply + 1, static_cast<std::uint32_t>(below(1'000'000)));
  }
}

inline bool same(const Saved& left, const Saved& right) {
  return google::protobuf::util::MessageDifferencer::Equals(left, right);
}

}  // namespace tictactoe::test
