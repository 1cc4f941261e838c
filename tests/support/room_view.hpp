// A room as one client knows it from its messages, with checks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/support/oracle.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::test {

/// What a message says is not what follows from the earlier ones.
struct Contradiction : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The same of the end of a game or of the score.
struct WrongOutcome : Contradiction {
  using Contradiction::Contradiction;
};

/// Follows a room update by update. Throws a Contradiction. Shares nothing with the server.
class RoomView {
 public:
  /// `kept_chat` lines are remembered.
  explicit RoomView(const v1::RoomSnapshot& snapshot, std::size_t kept_chat = 20)
      : kept_chat_(kept_chat), room_(snapshot) {
    const std::uint32_t cells = room_.rules().rows() * room_.rules().cols();
    std::vector<std::uint32_t> moves(room_.moves().begin(), room_.moves().end());
    std::ranges::sort(moves);
    check(std::ranges::adjacent_find(moves) == moves.end(), "a cell was played twice");
    check(moves.empty() || moves.back() < cells, "a move is off the board");
    check(static_cast<std::size_t>(room_.chat_size()) <= kept_chat_, "more chat than is kept");
    check_sense();
  }

  void take(const v1::RoomUpdate& update) {
    check(update.revision() == room_.revision() + 1,
          [&] { return "a gap: revision " + std::to_string(update.revision()) + " follows"; });
    room_.set_revision(update.revision());
    if (update.has_move_played()) take(update.move_played());
    if (update.has_seat_changed()) take(update.seat_changed());
    if (update.has_game_started()) take(update.game_started());
    if (update.has_game_ended()) take(update.game_ended());
    if (update.has_taken_back()) take(update.taken_back());
    if (update.has_watchers_changed()) room_.set_watchers(update.watchers_changed().watchers());
    if (update.has_draw_offered()) room_.set_draw_offered_by(update.draw_offered().by());
    if (update.has_takeback_asked()) room_.set_takeback_asked_by(update.takeback_asked().by());
    if (update.has_declined()) {
      check(room_.draw_offered_by() != v1::MARK_NONE || room_.takeback_asked_by() != v1::MARK_NONE,
            "an answer without an offer");
      forget_offers();
    }
    if (update.has_rematch_wanted()) {
      check(room_.phase() == v1::PHASE_FINISHED, "a rematch is wanted during a game");
      const bool x = update.rematch_wanted().seat() == v1::MARK_X;
      x ? room_.set_x_wants_rematch(true) : room_.set_o_wants_rematch(true);
    }
    if (update.has_chat_said()) {
      *room_.add_chat() = update.chat_said();
      if (static_cast<std::size_t>(room_.chat_size()) > kept_chat_) {
        room_.mutable_chat()->DeleteSubrange(0, 1);
      }
    }
    take_score(update);
    room_.set_phase(update.phase());
    room_.set_turn(update.turn());
    if (update.has_clocks()) *room_.mutable_clocks() = update.clocks();
    check_sense();
  }

  /// Whether the game has the end that the whole board shows, if it shows one.
  void check_board() const {
    const rules::Rules rules{static_cast<int>(room_.rules().rows()),
                             static_cast<int>(room_.rules().cols()),
                             static_cast<int>(room_.rules().k()), !room_.rules().exact()};
    oracle::Letters board = oracle::empty_board(rules);
    char player = room_.starter() == v1::MARK_X ? 'X' : 'O';
    for (const std::uint32_t move : room_.moves()) {
      const auto cell = static_cast<int>(move);
      oracle::letter_at(board, {cell / rules.cols, cell % rules.cols}) = player;
      player = player == 'X' ? 'O' : 'X';
    }
    const int x = oracle::winning_runs(board, rules, 'X');
    const int o = oracle::winning_runs(board, rules, 'O');
    const bool is_full = room_.moves_size() == rules.cells();
    const auto verdict = [&](bool holds, const char* otherwise) {
      check<WrongOutcome>(holds, otherwise);
    };
    verdict(x == 0 || o == 0, "both have won");
    if (!room_.has_outcome()) return verdict(x + o == 0 && !is_full, "the end was missed");
    const v1::Outcome& outcome = room_.outcome();
    verdict(outcome.lines_size() == x + o, "a wrong number of winning lines");
    if (x + o > 0) {
      verdict(outcome.reason() == v1::Outcome::REASON_LINE, "a line has another reason");
      verdict(outcome.winner() == (x > 0 ? v1::MARK_X : v1::MARK_O), "the wrong side has won");
    } else if (is_full) {
      verdict(outcome.reason() == v1::Outcome::REASON_BOARD_FULL, "a full board is a draw");
      verdict(outcome.winner() == v1::MARK_NONE, "a full board is a draw");
    } else {
      verdict(outcome.reason() > v1::Outcome::REASON_BOARD_FULL,
              "an end without a reason on the board");
    }
  }

  /// As this client would describe it.
  const v1::RoomSnapshot& room() const { return room_; }
  bool seated() const { return room_.your_seat() != v1::MARK_NONE; }
  bool my_turn() const { return seated() && room_.turn() == room_.your_seat(); }
  const v1::Occupant& occupant(v1::Mark seat) const {
    return seat == v1::MARK_X ? room_.x() : room_.o();
  }
  static constexpr v1::Mark other(v1::Mark side) {
    return side == v1::MARK_X ? v1::MARK_O : v1::MARK_X;
  }

 private:
  /// `otherwise` is a text, or a function that makes one.
  template <class Error = Contradiction, class Text>
  void check(bool holds, const Text& otherwise) const {
    if (holds) return;
    std::string what;
    if constexpr (std::is_invocable_v<Text>) {
      what = otherwise();
    } else {
      what = otherwise;
    }
    throw Error(what + ", in \"" + room_.name() + "\", game " + std::to_string(room_.game()) +
                ", at revision " + std::to_string(room_.revision()));
  }

  void forget_offers() {
    room_.clear_draw_offered_by();
    room_.clear_takeback_asked_by();
  }

  v1::Mark side_to_move() const {
    return room_.moves_size() % 2 == 0 ? room_.starter() : other(room_.starter());
  }

  // A finished game counts once; otherwise the score changes only with the people, and then to
  // nothing.
  void take_score(const v1::RoomUpdate& update) {
    v1::Score expected = room_.score();
    const bool ends = update.move_played().has_outcome() || update.has_game_ended();
    if (ends) {
      switch (room_.outcome().winner()) {
        case v1::MARK_X:
          expected.set_x(expected.x() + 1);
          break;
        case v1::MARK_O:
          expected.set_o(expected.o() + 1);
          break;
        default:
          expected.set_draws(expected.draws() + 1);
      }
    } else if (update.has_score() && update.has_seat_changed()) {
      expected.Clear();
    }
    if (update.has_score()) *room_.mutable_score() = update.score();
    check<WrongOutcome>(room_.score().SerializeAsString() == expected.SerializeAsString(), [&] {
      return "the score is " + room_.score().ShortDebugString() + " instead of " +
             expected.ShortDebugString();
    });
    if (room_.score().ByteSizeLong() == 0) room_.clear_score();
  }

  void take(const v1::MovePlayed& played) {
    check(room_.phase() == v1::PHASE_PLAYING, "a move without a running game");
    check(played.mark() == side_to_move(), "the wrong side has played");
    check(played.cell().row() < room_.rules().rows() && played.cell().col() < room_.rules().cols(),
          "a move off the board");
    const std::uint32_t cell = played.cell().row() * room_.rules().cols() + played.cell().col();
    check(std::ranges::find(room_.moves(), cell) == room_.moves().end(), "a cell was played twice");
    room_.add_moves(cell);
    check(played.ply() == static_cast<std::uint32_t>(room_.moves_size()),
          "a move with a wrong ply");
    if (played.has_outcome()) *room_.mutable_outcome() = played.outcome();
    forget_offers();
  }

  void take(const v1::SeatChanged& changed) {
    const bool x = changed.seat() == v1::MARK_X;
    v1::Occupant& occupant = x ? *room_.mutable_x() : *room_.mutable_o();
    v1::Occupant previous = changed.previous();
    previous.set_away_ms_left(occupant.away_ms_left());  // it changes with time
    check(occupant.SerializeAsString() == previous.SerializeAsString(), [&] {
      return "the seat had another occupant: " + previous.ShortDebugString() + " instead of " +
             occupant.ShortDebugString();
    });
    check(previous.kind() != v1::Occupant::KIND_PERSON ||
              changed.occupant().kind() != v1::Occupant::KIND_PERSON ||
              previous.name() == changed.occupant().name(),
          "a seat went from one person to another without being free");
    const bool same_hands = occupant.kind() == changed.occupant().kind() &&
                            occupant.name() == changed.occupant().name();
    occupant = changed.occupant();
    if (!same_hands) {
      x ? room_.clear_x_wants_rematch() : room_.clear_o_wants_rematch();
      if (room_.draw_offered_by() == changed.seat()) room_.clear_draw_offered_by();
      if (room_.takeback_asked_by() == changed.seat()) room_.clear_takeback_asked_by();
      if (room_.your_seat() == changed.seat()) room_.clear_your_seat();
    }
    room_.set_watchers(changed.watchers());
  }

  void take(const v1::GameStarted& started) {
    check(room_.phase() == v1::PHASE_FINISHED, "a game began before the end of the last one");
    check(started.game() == room_.game() + 1, "a wrong number of the game");
    check(started.starter() == other(room_.starter()), "starters must alternate");
    room_.set_game(started.game());
    room_.set_starter(started.starter());
    room_.clear_moves();
    room_.clear_takebacks();
    room_.clear_outcome();
    room_.clear_x_wants_rematch();
    room_.clear_o_wants_rematch();
    forget_offers();
  }

  void take(const v1::GameEnded& ended) {
    const v1::Outcome& outcome = ended.outcome();
    const v1::Mark loser = other(outcome.winner());
    check(!room_.has_outcome(), "a finished game ends again");
    switch (outcome.reason()) {
      case v1::Outcome::REASON_FORFEIT:
        check(occupant(loser).away(), "a game is forfeited by a player who is present");
        break;
      case v1::Outcome::REASON_TIME:
        check(room_.has_clocks() && room_.turn() == loser,
              "a side loses on time whose clock does not run");
        break;
      case v1::Outcome::REASON_AGREED:
        check(room_.draw_offered_by() != v1::MARK_NONE, "a draw without an offer");
        break;
      default:
        check(outcome.reason() == v1::Outcome::REASON_RESIGNED, "a strange end of a game");
    }
    *room_.mutable_outcome() = outcome;
    forget_offers();
  }

  void take(const v1::TakenBack& taken) {
    const auto plies = static_cast<std::uint32_t>(room_.moves_size());
    check(room_.phase() == v1::PHASE_PLAYING, "moves are taken back after the end");
    check(taken.ply() < plies && plies - taken.ply() <= 2, "too few or too many moves taken back");
    room_.mutable_moves()->Truncate(static_cast<int>(taken.ply()));
    check(side_to_move() == taken.by(), "another side's move was taken back");
    check(taken.takebacks() == room_.takebacks() + 1, "a takeback was missed");
    room_.set_takebacks(taken.takebacks());
    forget_offers();
  }

  void check_sense() const {
    const bool open =
        room_.x().kind() == v1::Occupant::KIND_OPEN || room_.o().kind() == v1::Occupant::KIND_OPEN;
    const v1::Phase phase = room_.has_outcome() ? v1::PHASE_FINISHED
                            : open              ? v1::PHASE_WAITING
                                                : v1::PHASE_PLAYING;
    check(room_.phase() == phase, [&] {
      return "phase " + v1::Phase_Name(room_.phase()) + " instead of " + v1::Phase_Name(phase);
    });
    check(room_.turn() == (phase == v1::PHASE_PLAYING ? side_to_move() : v1::MARK_NONE),
          "the wrong side's turn");
    const auto has_clock = room_.options().time().move_ms() + room_.options().time().game_ms() > 0;
    check(room_.has_clocks() == has_clock, "clocks without a time control, or the reverse");
    for (const v1::Occupant& occupant : {room_.x(), room_.o()}) {
      check(!occupant.away() || occupant.kind() == v1::Occupant::KIND_PERSON, "an AI is away");
    }
  }

  std::size_t kept_chat_;
  v1::RoomSnapshot room_;
};

}  // namespace tictactoe::test
