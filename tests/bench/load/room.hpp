// What should happen in a room, computed in advance and compared with what the server says.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>

#include "common/rules/game.hpp"
#include "tests/bench/load/protocol.hpp"

namespace tictactoe::load {

/// Two players who play random games to their end, one after the other. Everything that they do is
/// decided here, one thing at a time, and has exactly one update as its result: so every byte that
/// the server sends to the room is known in advance. No I/O.
class Room {
 public:
  /// `protocol` outlives the room.
  Room(std::size_t number, rules::Rules rules, std::uint64_t seed, Protocol& protocol);

  /// The room as the server has it once all are in it: nothing played yet.
  void begin(std::uint64_t revision) { revision_ = revision; }

  /// Whether what comes next is a move, and not the way to another game.
  bool moves_next() const { return game_.to_move() != rules::Mark::none; }
  /// The member that acts next, after it has seen revision().
  v1::Mark actor() const;
  /// The body of its request, with this id; valid until `remembered` calls later. The result counts
  /// as expected from here on.
  const std::string& act(std::uint64_t request_id);

  /// The latest update expected. Nobody may be more than `remembered` behind.
  std::uint64_t revision() const { return revision_; }
  /// Throws Failure unless this is, for the member on `seat` (MARK_NONE: a watcher), the update
  /// that follows `seen`. Returns whether it answers a move of theirs.
  bool check(v1::Mark seat, std::uint64_t seen, std::string_view body) const;

  std::size_t number() const { return number_; }
  std::uint64_t games() const { return games_; }
  const rules::Game& game() const { return game_; }

  /// Who acts has seen all. The other one lags by what they did since: two things in a row at the
  /// most, and one thing of the other's own before that.
  static constexpr std::size_t remembered = 4;

 private:
  struct Expected {
    v1::Mark actor = v1::MARK_NONE;
    bool is_move = false;
    Exchange exchange;
  };

  void play();
  void count_score();
  rules::Cell random_free_cell();

  std::size_t number_;
  Protocol* protocol_;
  rules::Game game_;
  std::minstd_rand random_;  // small: thousands of rooms share the cache
  std::uint64_t revision_ = 0;
  std::uint32_t game_number_ = 1;
  std::uint64_t games_ = 0;  // that ended
  v1::Score score_;
  bool rematch_wanted_ = false;
  std::array<Expected, remembered> expected_;  // by revision
};

}  // namespace tictactoe::load
