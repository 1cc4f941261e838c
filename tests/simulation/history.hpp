// What all clients together were told, and whether it can be true.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "tests/simulation/view.hpp"

namespace tictactoe::simulation {

/// Gets every state of a room that reached some client, in any order, across restarts of the
/// server. For each room: one content a revision; an end where, and only where, reading the whole
/// board finds one or somebody has caused it, and only one a game; and no move that was told of is
/// gone later but by a takeback that both sides wanted.
class History {
 public:
  /// What a client asks for that can end a game, or shorten it.
  enum class Wish : std::uint8_t { resign, draw, takeback };

  /// Somebody's request has come to the server; `game` 0 where it names none.
  void wished(Incarnation room, const std::string& name, std::uint32_t game, Wish wish) {
    wishes_.emplace(room, wish, game, name);
  }
  /// `ending`: what came last was the end of the game.
  void told(const View& view, bool ending = false);

  std::uint64_t states() const { return states_; }
  std::uint64_t games() const { return games_; }
  const std::map<v1::Outcome::Reason, std::uint64_t>& ends() const { return ends_; }

 private:
  struct Told {
    std::uint64_t revision = 0;
    std::uint32_t game = 0;
    std::vector<std::uint32_t> moves;
  };
  struct Room {
    std::unordered_map<std::uint64_t, std::uint64_t> contents;  // by revision
    Told latest;
    std::map<std::uint32_t, v1::Outcome> outcomes;  // by game
  };

  bool has_wished(const View& view, v1::Mark seat, Wish wish) const;
  bool anybody_wished(Incarnation room, std::uint32_t game, Wish wish) const;
  void check_end(const View& view, bool ending);
  void check_reason(const View& view, bool ending);
  void check_nothing_gone(Room& room, const View& view);
  void compare(const Told& earlier, const Told& later, const View& view) const;

  std::map<Incarnation, Room> rooms_;
  std::set<std::tuple<Incarnation, Wish, std::uint32_t, std::string>> wishes_;
  std::map<v1::Outcome::Reason, std::uint64_t> ends_;
  std::uint64_t states_ = 0;
  std::uint64_t games_ = 0;
};

}  // namespace tictactoe::simulation
