// Records for the journal.
#pragma once

#include <google/protobuf/util/message_differencer.h>

#include <random>
#include <string>
#include <utility>

#include "tests/support/ledger.hpp"
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

inline journal::v1::BanSubject addresses(std::uint64_t bits, std::uint32_t prefix = 32) {
  journal::v1::BanSubject subject;
  subject.mutable_range()->set_is_ipv6(bits >> 32 != 0 || prefix > 32);
  subject.mutable_range()->set_bits(bits);
  subject.mutable_range()->set_prefix(prefix);
  return subject;
}

inline journal::v1::BanSubject person(const std::string& name) {
  journal::v1::BanSubject subject;
  subject.set_player(name);
  return subject;
}

inline Record ban_record(journal::v1::BanSubject subject, const std::string& reason,
                         std::uint64_t until_unix_ms = 0) {
  Record record;
  *record.mutable_banned()->mutable_subject() = std::move(subject);
  record.mutable_banned()->set_reason(reason);
  record.mutable_banned()->set_until_unix_ms(until_unix_ms);
  return record;
}

inline Record unban_record(journal::v1::BanSubject subject) {
  Record record;
  *record.mutable_unbanned() = std::move(subject);
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
  v1::Line& line = *game.mutable_outcome()->add_lines();
  line.set_kind(v1::Line::KIND_ROW);
  line.mutable_first()->set_row(0);
  line.mutable_last()->set_col(2);
  return game;
}

inline Record game_record(const std::string& x, const std::string& o) {
  Record record;
  *record.mutable_game_finished() = finished_game(x, o);
  return record;
}

/// The content of a journal for this ledger, which never forgets chat.
inline Saved saved_by(const Ledger& ledger, int kept_chat = 20) {
  Saved saved = ledger.saved();
  for (SavedRoom& room : *saved.mutable_rooms()) {
    if (room.chat_size() > kept_chat) {
      room.mutable_chat()->DeleteSubrange(0, room.chat_size() - kept_chat);
    }
  }
  return saved;
}

/// Makes valid sequences of random records, and applies them to a ledger.
class RandomRecords {
 public:
  explicit RandomRecords(std::uint64_t seed = 1) : random_(seed) {}

  Record next() { return next(random_()); }
  /// The record that a number stands for, after those before it.
  Record next(std::uint64_t choice) {
    choice_ = choice;
    const Record record = any();
    ledger_.apply(record);
    return record;
  }
  const Ledger& ledger() const { return ledger_; }

 private:
  std::uint64_t below(int limit) {
    const auto base = static_cast<std::uint64_t>(limit);
    return std::exchange(choice_, choice_ / base) % base;
  }

  journal::v1::BanSubject some_subject() {
    const std::uint64_t number = below(5);
    return below(2) == 0 ? addresses(number) : person("player " + std::to_string(number));
  }

  static Record played_record(std::uint64_t player) {
    Record record = player_record(player, "called otherwise");
    record.mutable_player()->set_played(true);
    return record;
  }

  Record any() {
    const Saved& saved = ledger_.saved();
    if (saved.rooms_size() < 2 || below(12) == 0) {
      return room_record(++last_room_, "room " + std::to_string(below(100)));
    }
    if (saved.players_size() < 2 || below(12) == 0) {
      return player_record(++last_player_, "player " + std::to_string(below(100)));
    }
    const auto& room = saved.rooms(static_cast<int>(below(saved.rooms_size())));
    const auto& player = saved.players(static_cast<int>(below(saved.players_size())));
    const std::uint64_t serial = room.room().serial();
    switch (below(16)) {
      case 0:
        return forgotten_record(player.id());
      case 1:
        return closed_record(serial);
      case 2:
        return undone_record(serial, static_cast<std::uint32_t>(below(room.moves_size() + 1)));
      case 3:
        return room_record(serial, room.room().name(), below(1'000'000));
      case 4:
        return played_record(player.id());
      case 5:
        return game_record("ann", "ben");
      case 6:
      case 7:
        return chat_record(serial, std::string(below(40), 'x'));
      case 8:
        return ban_record(some_subject(), std::string(below(40), 'x'), below(1'000'000));
      case 9:
        return unban_record(some_subject());
      default:
        return move_record(serial, static_cast<std::uint32_t>(room.moves_size()) + 1,
                           static_cast<std::uint32_t>(below(1'000'000)));
    }
  }

  std::mt19937_64 random_;
  std::uint64_t choice_ = 0;  // what is left of it
  Ledger ledger_;
  std::uint64_t last_room_ = 0;
  std::uint64_t last_player_ = 0;
};

inline bool same(const Saved& left, const Saved& right) {
  return google::protobuf::util::MessageDifferencer::Equals(left, right);
}

}  // namespace tictactoe::test
