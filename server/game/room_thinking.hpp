// The moves of AIs and the hints that a room requests from the AI pool.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/base/thought.hpp"
#include "server/game/room_game.hpp"

namespace tictactoe::server {

/// Chooses at most one move and one hint at a time. All requests for a hint in a position get the
/// same answer. A thought costs O(moves), for a copy of them.
class RoomThinking {
 public:
  /// `network` is the network of the room's creator, see Origin.
  RoomThinking(std::uint64_t serial, std::uint64_t seed, std::uint64_t network)
      : serial_(serial), seed_(seed), network_(network) {}

  // An AI's move.

  /// When to call choose().
  const std::optional<Time>& due() const { return due_; }
  /// An AI of this level is to move. No effect if it is already choosing or due.
  void expect_move(const AiLevel& level, Time due, Effects& effects);
  /// No AI is to move.
  void expect_no_move(Effects& effects);
  /// Returns the chosen move if one is waiting for its time. Otherwise starts a thought.
  std::optional<ai::Choice> choose(const RoomGame& game, const AiLevel& level,
                                   const RequestContext& context);
  /// Accepts the result of a thought about a move. Returns what to play; nothing if the thought is
  /// outdated, or if the move has to wait until due(). It waits until `pace` after choose() for
  /// Effort::much, half of `pace` for some, and not at all for none; thinking time counts.
  std::optional<ai::Choice> move_thought(std::uint64_t number, const ThoughtResult& result,
                                         Time now, std::chrono::milliseconds pace);

  // Engines.

  /// When an engine that chooses is late, if it may choose for `time`. Nothing if none chooses or
  /// its room knows.
  std::optional<Time> late_due(std::chrono::milliseconds time) const {
    if (move_number_ == 0 || move_level_.engine.empty() || is_known_late_) return std::nullopt;
    return begun_ + time;
  }
  void note_late() { is_known_late_ = true; }
  /// Starts an engine, so that what keeps it from playing is known before its move.
  void try_out(const RoomGame& game, const AiLevel& level, Effects& effects);
  /// The engine that is tried out by this thought; empty if it is another thought. The trial is
  /// over.
  std::string end_trial(std::uint64_t number);

  // Hints.

  /// The number of hints that a connection waits for.
  std::size_t hints_of(ConnectionId connection) const;
  /// Asks for a hint. Answers later, with Hinted or an error. Returns whether it is the player's
  /// first hint in this position.
  bool hint(const RoomGame& game, const RequestContext& context);
  bool is_hint(std::uint64_t number) const { return hint_number_ == number; }
  void hint_thought(const ThoughtResult& result, const RoomGame& game,
                    const RequestContext& context);
  /// The player is about to leave, or has lost the connection.
  void leave(const Player& player, const RequestContext& context);

  // The game.

  /// The position has changed. Refuses open hint requests and cancels the thought about a move.
  void position_changed(Effects& effects) {
    hinted_.clear();
    if (hint_number_ != 0) refuse_hints(effects);
    if (move_number_ != 0 || chosen_) expect_no_move(effects);
  }
  /// Cancels everything and frees the AI players, which are created again when needed.
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

  std::uint64_t start(const RoomGame& game, AiLevel level, Think::Purpose purpose,
                      Effects& effects);
  void refuse_hints(Effects& effects);
  static void refuse(const HintRequest& request, const Problem& problem, Effects& effects);

  std::uint64_t serial_;
  std::uint64_t seed_;
  std::uint64_t network_;
  std::optional<Time> due_;
  std::uint64_t move_number_ = 0;     // of the thought in progress; 0: none
  AiLevel move_level_;                // of that thought, or of chosen_
  Time begun_{};                      // when that thought began
  bool is_known_late_ = false;        // that thought
  std::uint64_t trial_number_ = 0;    // of the trial in progress; 0: none
  std::string tried_;                 // the engine in that trial
  std::optional<ai::Choice> chosen_;  // to be played at due_
  std::uint64_t hint_number_ = 0;     // of the hint in progress; 0: none
  std::vector<HintRequest> hint_requests_;
  std::vector<const Player*> hinted_;  // people in the room who had a hint in this position
  std::uint64_t thoughts_ = 0;
  bool used_ = false;  // the pool may have AI players of this room
};

}  // namespace tictactoe::server
