// The lists that a server keeps: rooms, finished games and people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/model/room.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::client {

/// One room of the list. The texts are sanitized.
struct ListedRoom {
  std::string name;
  /// The raw name, for requests; not sanitized. Empty if it is too long for a request.
  std::string wire_name;
  v1::Rules rules;
  Occupant x;
  Occupant o;
  Phase phase = Phase::waiting;
  std::uint32_t ply = 0;
  std::uint32_t watchers = 0;
  bool needs_password = false;
  bool open_ai_seats = false;  ///< an AI gives its seat to a person

  /// A person who joins gets a seat, perhaps after this game.
  bool has_open_seat() const { return is_free(x) || is_free(o); }

 private:
  bool is_free(const Occupant& seat) const {
    return seat.kind == Occupant::Kind::open || (open_ai_seats && seat.kind == Occupant::Kind::ai);
  }
};

ListedRoom read_room_info(const v1::RoomInfo& info);

/// Puts rooms that can be joined first, and among these the ones with a password last.
void sort_rooms(std::vector<ListedRoom>& rooms);

/// One finished game of the list. The texts are sanitized.
struct ListedGame {
  std::uint64_t id = 0;
  std::uint64_t ended_unix_ms = 0;
  std::string room;
  v1::Rules rules;
  Occupant x;
  Occupant o;
  Mark winner = Mark::none;
  v1::Outcome::Reason reason = v1::Outcome::REASON_UNSPECIFIED;
};

ListedGame read_game(const v1::GameRecord& game);

/// One connected player. The texts are sanitized.
struct ListedPlayer {
  std::string name;
  /// The raw name, for requests; not sanitized. Empty if it is too long for a request.
  std::string wire_name;
  std::string room;  ///< empty if in none, or in a hidden one
};

ListedPlayer read_player(const v1::PlayerInfo& info);

/// The people in a room. The texts are sanitized.
struct Members {
  Occupant x;
  Occupant o;
  std::vector<std::string> watchers;
};

/// Adds a page of the list, up to `max_watchers` watchers.
void add_members(Members& members, const v1::MemberList& page, std::size_t max_watchers);

}  // namespace tictactoe::client
