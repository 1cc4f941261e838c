// Everything that the clients saw, and whether it is consistent.
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

/// Gets every state of a room that reached a client, in any order, across restarts of the server.
/// Checks for each room that a revision has one content; that a game ends exactly if a scan of the
/// whole board finds an end or a player has caused it, and only once; and that a known move
/// disappears only by a takeback that both sides wanted.
class History {
 public:
  /// Requests that can end or shorten a game.
  enum class RequestKind : std::uint8_t { resign, draw, takeback };

  /// A request has reached the server. `game` is 0 if it names none.
  void requested(Incarnation room, const std::string& name, std::uint32_t game, RequestKind kind) {
    requests_.emplace(room, kind, game, name);
  }
  /// `ending`: the last update ended the game.
  void observe(const View& view, bool ending = false);

  std::uint64_t states() const { return states_; }
  std::uint64_t games() const { return games_; }
  const std::map<v1::Outcome::Reason, std::uint64_t>& ends() const { return ends_; }

 private:
  struct State {
    std::uint64_t revision = 0;
    std::uint32_t game = 0;
    std::vector<std::uint32_t> moves;
  };
  struct Room {
    std::unordered_map<std::uint64_t, std::uint64_t> contents;  // by revision
    State latest;
    std::map<std::uint32_t, v1::Outcome> outcomes;  // by game
  };

  bool has_requested(const View& view, v1::Mark seat, RequestKind kind) const;
  bool anybody_requested(Incarnation room, std::uint32_t game, RequestKind kind) const;
  void check_end(const View& view, bool ending);
  void check_reason(const View& view, bool ending);
  void check_nothing_gone(Room& room, const View& view);
  void compare(const State& earlier, const State& later, const View& view) const;

  std::map<Incarnation, Room> rooms_;
  std::set<std::tuple<Incarnation, RequestKind, std::uint32_t, std::string>> requests_;
  std::map<v1::Outcome::Reason, std::uint64_t> ends_;
  std::uint64_t states_ = 0;
  std::uint64_t games_ = 0;
};

}  // namespace tictactoe::simulation
