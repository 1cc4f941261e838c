// What many records come to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "server/store/rows.hpp"
#include "tictactoe/journal/v1/journal.pb.h"

namespace tictactoe::store {

/// Takes records one by one, and holds what is left of them: of many states of a room the last, of
/// a game that was played and cleared away nothing but its record. So a thousand records of games
/// in a few rooms touch a few rows.
struct Fold {
  struct Room {
    bool closed = false;  // before all that follows
    std::optional<journal::v1::Room> state;
    std::uint32_t moves_left = std::numeric_limits<std::uint32_t>::max();  // of those before
    std::vector<journal::v1::Move> moves;
    std::vector<journal::v1::Chat> chat;
  };
  struct Game {
    std::uint64_t unix_ms;
    v1::GameRecord record;
  };

  std::map<std::uint64_t, std::optional<journal::v1::Player>> players;  // nothing: forgotten
  std::map<std::uint64_t, Room> rooms;                                  // by serial
  std::vector<Game> games;

  /// Takes what is in `record`, which was made at `unix_ms`. False for a record of nothing, and for
  /// one of a room or a ply that can't be.
  bool add(journal::v1::Record& record, std::uint64_t unix_ms) {
    if (!has_key(record)) return false;
    switch (record.record_case()) {
      case journal::v1::Record::kPlayer:
        players[record.player().id()] = std::move(*record.mutable_player());
        return true;
      case journal::v1::Record::kPlayerForgotten:
        players[record.player_forgotten()] = std::nullopt;
        return true;
      case journal::v1::Record::kRoom:
        rooms[record.room().serial()].state.emplace().Swap(record.mutable_room());
        return true;
      case journal::v1::Record::kRoomClosed:
        rooms[record.room_closed()] = {};
        rooms[record.room_closed()].closed = true;
        return true;
      case journal::v1::Record::kMove:
        rooms[record.move().room()].moves.push_back(record.move());
        return true;
      case journal::v1::Record::kMovesUndone: {
        Room& room = rooms[record.moves_undone().room()];
        const std::uint32_t left = record.moves_undone().ply();
        room.moves_left = std::min(room.moves_left, left);
        std::erase_if(room.moves, [&](const auto& move) { return move.ply() > left; });
        return true;
      }
      case journal::v1::Record::kChat:
        rooms[record.chat().room()].chat.push_back(std::move(*record.mutable_chat()));
        return true;
      case journal::v1::Record::kGameFinished:
        games.push_back({unix_ms, std::move(*record.mutable_game_finished())});
        return true;
      case journal::v1::Record::RECORD_NOT_SET:
        return false;
    }
    return false;
  }

 private:
  static bool has_key(const journal::v1::Record& record) {
    switch (record.record_case()) {
      case journal::v1::Record::kRoom:
        return record.room().serial() <= last_serial;
      case journal::v1::Record::kRoomClosed:
        return record.room_closed() <= last_serial;
      case journal::v1::Record::kMove:
        return record.move().room() <= last_serial && record.move().ply() <= last_ply;
      case journal::v1::Record::kMovesUndone:
        return record.moves_undone().room() <= last_serial;
      case journal::v1::Record::kChat:
        return record.chat().room() <= last_serial;
      default:
        return true;
    }
  }
};

}  // namespace tictactoe::store
