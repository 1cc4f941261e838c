// What should happen in a room, worked out beforehand, and held against what the server says.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>

#include "common/rules/game.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::load {

/// Two players who play random games to their end, one after the other. Everything that they do is
/// decided here, one thing at a time, and has exactly one update as its result: so every update to
/// everybody in the room is known before it comes. No I/O.
class Room {
 public:
  Room(std::size_t number, rules::Rules rules, std::uint64_t seed);

  /// The room as the server has it once all are in it: nothing played yet.
  void begin(std::uint64_t revision) { revision_ = revision; }

  /// Whether what comes next is a move, and not the way to another game.
  bool moves_next() const { return game_.to_move() != rules::Mark::none; }
  /// Who does what comes next, once that member has seen revision().
  v1::Mark actor() const;
  /// What it is, but for its id, which will be `request_id`. The result counts as expected from
  /// here on.
  v1::ClientMessage& act(std::uint64_t request_id);

  /// The latest update expected. Nobody may be more than `remembered` behind.
  std::uint64_t revision() const { return revision_; }
  /// Throws Failure unless this is, for the member on `seat` (MARK_NONE: a watcher), the update
  /// that follows `seen`. Returns whether it answers a move of theirs.
  bool check(v1::Mark seat, std::uint64_t seen, const v1::ServerMessage& message) const;

  std::size_t number() const { return number_; }
  std::uint64_t games() const { return games_; }

  static constexpr std::size_t remembered = 8;

 private:
  struct Expected {
    v1::RoomUpdate::ChangeCase change = v1::RoomUpdate::CHANGE_NOT_SET;
    v1::Mark actor = v1::MARK_NONE;
    std::uint64_t request_id = 0;
    v1::Phase phase = v1::PHASE_UNSPECIFIED;
    v1::Mark turn = v1::MARK_NONE;
    rules::Cell cell;
    std::uint32_t ply = 0;
    std::uint32_t game = 0;
    // With the last move of a game.
    v1::Mark winner = v1::MARK_NONE;
    int lines = 0;
  };

  void play(Expected& expected);
  rules::Cell random_free_cell();
  /// What is wrong; empty where nothing is.
  static std::string difference(const Expected& expected, const v1::RoomUpdate& update);

  std::size_t number_;
  rules::Game game_;
  std::mt19937_64 random_;
  std::uint64_t revision_ = 0;
  std::uint32_t game_number_ = 1;
  std::uint64_t games_ = 0;  // that ended
  bool rematch_wanted_ = false;
  std::array<Expected, remembered> expected_;  // by revision
  v1::ClientMessage move_;                     // reused
  v1::ClientMessage rematch_;
};

}  // namespace tictactoe::load
