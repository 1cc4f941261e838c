// The state that many records lead to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/records/kept_game.hpp"
#include "server/records/record_store.hpp"
#include "server/records/rows.hpp"
#include "tictactoe/journal/v1/journal.pb.h"

namespace tictactoe::records {

/// Merges records: of many states of a room it holds the last one, and of a game that was played
/// and cleared away only its record. So a thousand records of games in a few rooms change a few
/// rows.
struct Compaction {
  struct Player {
    StreamId stream = 0;
    std::optional<journal::v1::Player> state;  // nothing: it was not recorded
    bool forgotten = false;
    std::uint64_t request_done = 0;
  };
  struct Room {
    StreamId stream = 0;
    bool closed = false;               // before everything that follows
    std::optional<std::string> state;  // the encoded Room
    std::uint32_t moves_left = std::numeric_limits<std::uint32_t>::max();  // of the moves before
    std::vector<journal::v1::Move> moves;                                  // by ply
    std::vector<journal::v1::Chat> chat;
    bool broken = false;  // a move is missing
  };
  struct Game {
    std::uint64_t unix_ms;
    v1::GameRecord record;
    std::optional<journal::v1::Readers> readers;  // nothing: everybody
  };
  /// Nothing: it was lifted.
  using Ban = std::optional<journal::v1::Ban>;
  struct Stream {
    std::uint64_t sequence = 0;
    std::uint64_t last_revision = 0;
  };

  std::map<std::uint64_t, Player> players;  // by id
  std::map<std::uint64_t, Room> rooms;      // by serial
  std::vector<KeptGame> games;
  std::map<std::string, Ban> bans;  // by the encoded subject
  std::map<StreamId, Stream> streams;

  /// Whether add() can take this record: it has content, and its keys are in range.
  static bool is_valid(const journal::v1::Record& record) {
    switch (record.record_case()) {
      case journal::v1::Record::kRoom:
        return record.room().serial() <= last_serial;
      case journal::v1::Record::kRoomClosed:
        return record.room_closed() <= last_serial;
      case journal::v1::Record::kRoomMoved:
        return record.room_moved().room().serial() <= last_serial;
      case journal::v1::Record::kMove:
        return is_valid(record.move());
      case journal::v1::Record::kMovesUndone:
        return record.moves_undone().room() <= last_serial;
      case journal::v1::Record::kChat:
        return record.chat().room() <= last_serial;
      case journal::v1::Record::RECORD_NOT_SET:
        return false;
      default:
        return true;
    }
  }
  static bool is_valid(const journal::v1::Move& move) {
    return move.room() <= last_serial && move.ply() <= last_ply;
  }

  /// Takes the content of `record`, which was appended to `stream` at `unix_ms`. Requires
  /// is_valid(record).
  void add(journal::v1::Record& record, StreamId stream, std::uint64_t unix_ms) {
    switch (record.record_case()) {
      case journal::v1::Record::kPlayer: {
        Player& player = players[record.player().id()];
        player = {stream, std::move(*record.mutable_player()), false, 0};
        break;
      }
      case journal::v1::Record::kPlayerForgotten:
        players[record.player_forgotten()] = {stream, std::nullopt, true, 0};
        break;
      case journal::v1::Record::kPlayerMoved: {
        journal::v1::PlayerMoved& moved = *record.mutable_player_moved();
        Player& player = players[moved.player().id()];
        player = {moved.stream(), std::move(*moved.mutable_player()), false, 0};
        break;
      }
      case journal::v1::Record::kRoomMoved:
        add_moved(*record.mutable_room_moved());
        break;
      case journal::v1::Record::kRoom:
        add_room(record.room().serial(), record.room().SerializeAsString(), stream);
        break;
      case journal::v1::Record::kRoomClosed: {
        rooms[record.room_closed()] = {};
        rooms[record.room_closed()].closed = true;
        std::uint64_t& revision = streams[stream].last_revision;
        revision = std::max(revision, record.closed_revision());
        break;
      }
      case journal::v1::Record::kMove:
        add_move(record.move());
        break;
      case journal::v1::Record::kMovesUndone: {
        Room& room = rooms[record.moves_undone().room()];
        const std::uint32_t left = record.moves_undone().ply();
        room.moves_left = std::min(room.moves_left, left);
        while (!room.moves.empty() && room.moves.back().ply() > left) room.moves.pop_back();
        break;
      }
      case journal::v1::Record::kChat:
        rooms[record.chat().room()].chat.push_back(std::move(*record.mutable_chat()));
        break;
      case journal::v1::Record::kGameFinished:
        add_game(game_of(record, unix_ms));
        break;
      case journal::v1::Record::kBanned:
        bans[record.banned().subject().SerializeAsString()] = std::move(*record.mutable_banned());
        break;
      case journal::v1::Record::kUnbanned:
        bans[record.unbanned().SerializeAsString()] = std::nullopt;
        break;
      case journal::v1::Record::RECORD_NOT_SET:
        break;
    }
    if (record.requester() != 0) note_request(record.requester(), record.request_done());
  }

  /// As add() of a record with this content.
  void add_move(const journal::v1::Move& move) {
    Room& room = rooms[move.room()];
    if (!room.moves.empty() && move.ply() != room.moves.back().ply() + 1) room.broken = true;
    if (!room.broken) room.moves.push_back(move);
  }
  void add_room(std::uint64_t serial, std::string_view encoded, StreamId stream) {
    Room& room = rooms[serial];
    room.stream = stream;
    if (!room.state) room.state.emplace();
    room.state->assign(encoded);
  }
  void add_moved(journal::v1::RoomMoved& moved) {
    add_room(moved.room().serial(), moved.room().SerializeAsString(), moved.stream());
    for (journal::v1::Player& player : *moved.mutable_players()) {
      Player& row = players[player.id()];
      row = {moved.stream(), std::move(player), false, 0};
    }
  }
  void add_game(Game game) {
    games.push_back(keep(std::move(game.record), game.unix_ms, std::move(game.readers)));
  }
  /// This request of a player was done.
  void note_request(std::uint64_t id, std::uint64_t request) {
    Player& player = players[id];
    player.request_done = std::max(player.request_done, request);
  }

  /// The content of a record with a finished game.
  static Game game_of(journal::v1::Record& record, std::uint64_t unix_ms) {
    Game game{unix_ms, std::move(*record.mutable_game_finished()), std::nullopt};
    if (record.has_readers()) game.readers = record.readers();
    return game;
  }
};

/// The record of a game as it is kept: an imported one keeps its time.
inline v1::GameRecord stamped(const Compaction::Game& game) {
  v1::GameRecord record = game.record;
  if (!record.imported()) record.set_ended_unix_ms(game.unix_ms);
  return record;
}

}  // namespace tictactoe::records
