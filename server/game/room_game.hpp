// The game of a room: board, clocks, offers and result.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "common/rules/game.hpp"
#include "server/game/game_clock.hpp"
#include "server/game/start_position.hpp"
#include "server/limits/parse.hpp"
#include "server/people/request_context.hpp"

namespace tictactoe::server {

/// One game after another on one board. Callers name the sides, not players. A move costs O(1).
class RoomGame {
 public:
  /// `max_moves` is Limits::moves_per_game.
  RoomGame(const rules::Rules& rules, TimeControl time, int max_moves)
      : board_(rules), clock_(time), max_moves_(max_moves) {}

  const rules::Game& board() const { return board_; }
  const rules::Rules& rules() const { return board_.rules(); }
  int ply() const { return board_.ply(); }
  /// Counts the games of the room, from 1.
  std::uint32_t number() const { return number_; }
  /// The number of takebacks in this game. Number, ply and takebacks identify a position.
  std::uint32_t takebacks() const { return takebacks_; }
  bool is_over() const {
    return end_ || board_.status() != rules::Status::ongoing || ply() >= max_moves_;
  }
  /// `none` for a draw. Requires a game that is over.
  rules::Mark winner() const;
  /// Requires a game that is over.
  void describe_outcome(v1::Outcome& out) const;
  /// Whether it was ended by something other than its last move.
  bool was_ended() const { return end_.has_value(); }
  /// The time of each move, in milliseconds.
  std::span<const std::uint32_t> move_times() const { return move_ms_; }

  GameClock& clock() { return clock_; }
  const GameClock& clock() const { return clock_; }
  bool is_out_of_time(Time now) const {
    const auto due = clock_.due();
    return due && *due <= now;
  }

  /// The side whose offer or question is not answered yet; `none` if there is none.
  rules::Mark draw_offered_by() const { return draw_offered_by_; }
  rules::Mark takeback_asked_by() const { return takeback_asked_by_; }
  void offer_draw(rules::Mark by) {
    draw_offered_by_ = by;
    questions_of(by).draw.may_ask = false;
  }
  void ask_takeback(rules::Mark by) {
    takeback_asked_by_ = by;
    questions_of(by).takeback.may_ask = false;
  }
  /// Limits how often a side asks the other one: once per own move, and not for a while after this
  /// question was declined or withdrawn. A restart of the server lifts both limits.
  struct Question {
    Time quiet_until{};
    bool may_ask = true;
  };
  struct Questions {
    Question draw;
    Question takeback;  ///< also allowed after a takeback that was granted
  };
  const Questions& questions(rules::Mark side) const {
    return side == rules::Mark::x ? questions_of_x_ : questions_of_o_;
  }
  void clear_offers() { draw_offered_by_ = takeback_asked_by_ = rules::Mark::none; }
  /// Like clear_offers(), after a refusal. The sides that asked must wait until `quiet_until`
  /// before they ask the same again.
  void decline(Time quiet_until);
  /// Withdraws the offer and the question of this side.
  void clear_offers_of(rules::Mark side);

  /// Whether a request names a game other than this one.
  template <class Request>
  bool is_other_game(const Request& request) const {
    return request.has_game() && request.game() != number_;
  }
  /// Whether the move names a position other than the one on the board.
  bool is_other_position(const v1::Move& move) const;
  /// The side that made exactly this move in this game; `none` if neither did.
  rules::Mark player_of(const v1::Move& move) const;
  /// The empty cell that the move names, or why the move is impossible.
  Parsed<rules::Cell> parse_cell(const v1::Move& move) const;

  /// Plays a move. Requires a legal one. Withdraws all offers and questions.
  void play(rules::Cell cell, Time now);
  /// Ends the game without a move.
  void end(rules::Mark winner, v1::Outcome::Reason reason);
  /// Begins the next game. The other side starts.
  void start_next();
  /// The number of plies to take back to undo the last move of this side; 0 if it has none.
  int plies_to_take_back(rules::Mark side) const;
  void take_back(int plies);

  /// Continues from this position. Requires a new game with the same rules.
  void begin_from(StartPosition position) {
    board_ = std::move(position.board);
    move_ms_ = std::move(position.move_ms);
  }
  /// Replaces this game by a saved one. Returns false if that is invalid; this is unusable then.
  bool load(const journal::v1::SavedRoom& saved);

 private:
  struct End {
    rules::Mark winner;
    v1::Outcome::Reason reason;
  };

  Questions& questions_of(rules::Mark side) {
    return side == rules::Mark::x ? questions_of_x_ : questions_of_o_;
  }
  bool load_moves(const journal::v1::SavedRoom& saved);

  rules::Game board_;
  GameClock clock_;
  int max_moves_;
  std::uint32_t number_ = 1;
  std::uint32_t takebacks_ = 0;
  std::vector<std::uint32_t> move_ms_;
  std::optional<End> end_;  // of a game that no move ended
  rules::Mark draw_offered_by_ = rules::Mark::none;
  rules::Mark takeback_asked_by_ = rules::Mark::none;
  Questions questions_of_x_;
  Questions questions_of_o_;
};

}  // namespace tictactoe::server
