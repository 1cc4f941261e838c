// The content of a journal, kept in the simplest way: applies records one after the other to a
// Saved message. The real journal must have the same content.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tictactoe/journal/v1/journal.pb.h"

namespace tictactoe::test {

class Ledger {
 public:
  Ledger() = default;
  explicit Ledger(journal::v1::Saved saved) : saved_(std::move(saved)) {}
  explicit Ledger(const std::vector<journal::v1::Record>& records) {
    for (const journal::v1::Record& record : records) apply(record);
  }

  void apply(const journal::v1::Record& record) {
    apply_event(record);
    for (journal::v1::Player& known : *saved_.mutable_players()) {
      if (known.id() != record.requester()) continue;
      known.set_last_request_done(std::max(known.last_request_done(), record.request_done()));
    }
  }

  const journal::v1::Saved& saved() const { return saved_; }
  const std::vector<v1::GameRecord>& games() const { return games_; }

 private:
  void apply_event(const journal::v1::Record& record) {
    switch (record.record_case()) {
      case journal::v1::Record::kPlayer:
        player(record.player());
        break;
      case journal::v1::Record::kPlayerForgotten:
        forget_player(record.player_forgotten());
        break;
      case journal::v1::Record::kRoom:
        *room(record.room().serial(), true).mutable_room() = record.room();
        break;
      case journal::v1::Record::kRoomClosed:
        close(record.room_closed());
        saved_.set_last_revision(std::max(saved_.last_revision(), record.closed_revision()));
        break;
      case journal::v1::Record::kMove:
        *room(record.move().room()).add_moves() = record.move();
        break;
      case journal::v1::Record::kMovesUndone: {
        auto& moves = *room(record.moves_undone().room()).mutable_moves();
        const auto left = static_cast<int>(record.moves_undone().ply());
        if (moves.size() < left) throw std::runtime_error("moves undone that were never made");
        moves.DeleteSubrange(left, moves.size() - left);
        break;
      }
      case journal::v1::Record::kChat:
        *room(record.chat().room()).add_chat() = record.chat();
        break;
      case journal::v1::Record::kGameFinished:
        games_.push_back(record.game_finished());
        break;
      case journal::v1::Record::kPlayerMoved:
      case journal::v1::Record::kRoomMoved:
        throw std::runtime_error("a player or a room moved, and there is no other server");
      case journal::v1::Record::kBanned:
        lift(record.banned().subject());
        ban(record.banned());
        break;
      case journal::v1::Record::kUnbanned:
        lift(record.unbanned());
        break;
      case journal::v1::Record::RECORD_NOT_SET:
        throw std::runtime_error("a record of nothing");
    }
  }

  void player(const journal::v1::Player& player) {
    for (journal::v1::Player& known : *saved_.mutable_players()) {
      if (known.id() == player.id()) {
        known = player;
        return;
      }
    }
    *saved_.add_players() = player;
  }

  void ban(const journal::v1::Ban& ban) {
    auto& bans = *saved_.mutable_bans();
    *bans.Add() = ban;
    std::sort(bans.begin(), bans.end(), [](const auto& left, const auto& right) {
      return left.subject().SerializeAsString() < right.subject().SerializeAsString();
    });
  }

  void lift(const journal::v1::BanSubject& subject) {
    auto& bans = *saved_.mutable_bans();
    for (int i = bans.size() - 1; i >= 0; --i) {
      if (bans[i].subject().SerializeAsString() == subject.SerializeAsString()) {
        bans.DeleteSubrange(i, 1);
      }
    }
  }

  void forget_player(std::uint64_t id) {
    auto& players = *saved_.mutable_players();
    const auto found = std::find_if(players.begin(), players.end(),
                                    [&](const auto& player) { return player.id() == id; });
    if (found == players.end()) throw std::runtime_error("a player forgotten who was not known");
    players.erase(found);
  }

  void close(std::uint64_t serial) {
    room(serial);
    auto& rooms = *saved_.mutable_rooms();
    rooms.erase(std::find_if(rooms.begin(), rooms.end(),
                             [&](const auto& room) { return room.room().serial() == serial; }));
  }

  journal::v1::SavedRoom& room(std::uint64_t serial, bool make = false) {
    for (journal::v1::SavedRoom& room : *saved_.mutable_rooms()) {
      if (room.room().serial() == serial) return room;
    }
    if (!make) throw std::runtime_error("a record of a room that was never written down");
    return *saved_.add_rooms();
  }

  journal::v1::Saved saved_;
  std::vector<v1::GameRecord> games_;
};

}  // namespace tictactoe::test
