// What a room has the AI pool choose: the moves of its AIs, and hints.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "server/base/thought.hpp"
#include "server/game/room_game.hpp"

namespace tictactoe::server {

/// At most one move and one hint are chosen at a time. All requests for a hint in one position get
/// the same answer. A thought costs O(moves), for a copy of them.
class RoomThinking {
 public:
  /// `network` is that of the creator, see Origin.
  RoomThinking(std::uint64_t serial, std::uint64_t seed, std::uint64_t network)
      : serial_(serial), seed_(seed), network_(network) {}

  // An AI's move.

  /// When to call choose().
  const std::optional<Time>& due() const { return due_; }
  /// It is the turn of an AI of that level. Does nothing if it is already choosing or due.
  void expect_move(const AiLevel& level, Time due, Effects& effects);
  /// It is not an AI's turn.
  void expect_no_move(Effects& effects);
  void choose(const RoomGame& game, const AiLevel& level, Effects& effects);
  /// Takes the result of a thought about a move. Returns what to play; nothing if the thought is
  /// out of date, or if the choice is due later.
  std::optional<ai::Choice> move_thought(std::uint64_t number, const ThoughtResult& result,
                                         Time now);

  // Hints.

  /// The number of hints for which a connection waits.
  std::size_t hints_of(ConnectionId connection) const;
  /// Answers later, with Hinted or an error. Returns whether it is the player's first hint for this
  /// position.
  bool hint(const RoomGame& game, const RequestContext& context);
  bool is_hint(std::uint64_t number) const { return hint_number_ == number; }
  void hint_thought(const ThoughtResult& result, const RoomGame& game,
                    const RequestContext& context);
  /// The player is about to leave, or has lost the connection.
  void leave(const Player& player, const RequestContext& context);

  // The game.

  /// The position has changed. Refuses hints for the former one and cancels the thought about a
  /// move.
  void position_changed(Effects& effects) {
    hinted_.clear();
    if (hint_number_ != 0) refuse_hints(effects);
    if (move_number_ != 0) cancel_move(effects);
  }
  /// Cancels everything and frees the AI players, which are created again when they are needed.
  void release(Effects& effects);
  /// Like release(), but leaves hint requests unanswered. Clients repeat them at their next server.
  void give_up(Effects& effects) {
    hint_requests_.clear();
    release(effects);
  }

 private:
  struct HintRequest {
    const Player* player;
    ConnectionId connection;
    std::uint64_t request_id;
  };

  std::uint64_t start(const RoomGame& game, AiLevel level, bool is_hint, Effects& effects);
  void cancel_move(Effects& effects);
  void refuse_hints(Effects& effects);
  static void refuse(const HintRequest& request, const Problem& problem, Effects& effects);

  std::uint64_t serial_;
  std::uint64_t seed_;
  std::uint64_t network_;
  std::optional<Time> due_;
  std::uint64_t move_number_ = 0;  // of the thought in progress; 0: none
  AiLevel move_level_;
  std::uint64_t hint_number_ = 0;  // likewise
  std::vector<HintRequest> hint_requests_;
  std::vector<const Player*> hinted_;  // people in the room who had a hint for this position
  std::uint64_t thoughts_ = 0;
  bool used_ = false;  // the pool may have players of this room
};

}  // namespace tictactoe::server
