// A room as one client knows it from its messages, with checks.
#pragma once

#include <stdexcept>
#include <string>

#include "tests/support/oracle.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::test {

/// Throws std::runtime_error if a message contradicts the earlier ones: a gap in revisions, a mark
/// on a taken cell, or an outcome that a scan of the whole board does not confirm.
class Mirror {
 public:
  explicit Mirror(const v1::RoomSnapshot& snapshot)
      : rules_{static_cast<int>(snapshot.rules().rows()), static_cast<int>(snapshot.rules().cols()),
               static_cast<int>(snapshot.rules().k()), !snapshot.rules().exact()},
        room_(snapshot) {
    room_.clear_moves();
    clear(snapshot.starter());
    for (const std::uint32_t index : snapshot.moves()) {
      const auto cols = snapshot.rules().cols();
      put(next_, index / cols, index % cols);
    }
    check();
  }

  void take(const v1::RoomUpdate& update) {
    require(update.revision() == room_.revision() + 1, "an update was lost or is out of order");
    room_.set_revision(update.revision());
    room_.set_phase(update.phase());
    room_.set_turn(update.turn());
    if (update.has_clocks()) *room_.mutable_clocks() = update.clocks();
    if (update.has_score()) take(update.score());
    if (update.has_move_played()) {
      const v1::MovePlayed& played = update.move_played();
      require(played.mark() == next_, "the wrong side has played");
      put(played.mark(), played.cell().row(), played.cell().col());
      require(played.ply() == static_cast<std::uint32_t>(room_.moves_size()), "wrong ply");
      if (played.has_outcome()) *room_.mutable_outcome() = played.outcome();
      forget_offers();
    } else if (update.has_game_ended()) {
      require(room_.outcome().reason() == v1::Outcome::REASON_UNSPECIFIED, "ended twice");
      *room_.mutable_outcome() = update.game_ended().outcome();
      forget_offers();
    } else if (update.has_draw_offered()) {
      require(room_.draw_offered_by() == v1::MARK_NONE, "two offers at once");
      room_.set_draw_offered_by(update.draw_offered().by());
    } else if (update.has_takeback_asked()) {
      require(room_.takeback_asked_by() == v1::MARK_NONE, "two questions at once");
      room_.set_takeback_asked_by(update.takeback_asked().by());
    } else if (update.has_declined()) {
      forget_offers();
    } else if (update.has_taken_back()) {
      take_back(static_cast<int>(update.taken_back().ply()));
      require(update.taken_back().takebacks() == room_.takebacks() + 1,
              "a takeback that is missed");
      room_.set_takebacks(update.taken_back().takebacks());
      forget_offers();
    } else if (update.has_chat_said()) {
      *room_.add_chat() = update.chat_said();
      if (room_.chat_size() > kept_chat) room_.mutable_chat()->DeleteSubrange(0, 1);
    } else if (update.has_game_started()) {
      require(update.game_started().game() == room_.game() + 1, "wrong number of the game");
      require(update.game_started().starter() != room_.starter(), "starters must alternate");
      room_.set_game(update.game_started().game());
      room_.set_starter(update.game_started().starter());
      room_.clear_moves();
      room_.clear_takebacks();
      room_.clear_outcome();
      room_.clear_x_wants_rematch();
      room_.clear_o_wants_rematch();
      clear(update.game_started().starter());
      forget_offers();
    } else if (update.has_seat_changed()) {
      take(update.seat_changed());
    } else if (update.has_watchers_changed()) {
      room_.set_watchers(update.watchers_changed().watchers());
    } else if (update.has_rematch_wanted()) {
      const bool x = update.rematch_wanted().seat() == v1::MARK_X;
      x ? room_.set_x_wants_rematch(true) : room_.set_o_wants_rematch(true);
    }
    check();
  }

  /// The room as this client would describe it.
  const v1::RoomSnapshot& room() const { return room_; }
  const oracle::Letters& board() const { return board_; }
  v1::Phase phase() const { return room_.phase(); }
  v1::Mark turn() const { return room_.turn(); }

 private:
  static void require(bool condition, const std::string& complaint) {
    if (!condition) throw std::runtime_error(complaint);
  }

  void forget_offers() {
    room_.clear_draw_offered_by();
    room_.clear_takeback_asked_by();
  }

  void take(const v1::Score& score) {
    if (score.ByteSizeLong() > 0) {
      *room_.mutable_score() = score;
    } else {
      room_.clear_score();
    }
  }

  // Plays the remaining moves again, from an empty board.
  void take_back(int ply) {
    require(ply < room_.moves_size(), "more moves taken back than were made");
    const std::vector<std::uint32_t> left(room_.moves().begin(), room_.moves().begin() + ply);
    room_.clear_moves();
    clear(room_.starter());
    const auto cols = static_cast<std::uint32_t>(rules_.cols);
    for (const std::uint32_t index : left) put(next_, index / cols, index % cols);
  }

  void clear(v1::Mark starter) {
    board_ = oracle::empty_board(rules_);
    next_ = starter;
  }

  void put(v1::Mark mark, std::uint32_t row, std::uint32_t col) {
    require(row < static_cast<std::uint32_t>(rules_.rows), "off the board");
    require(col < static_cast<std::uint32_t>(rules_.cols), "off the board");
    char& cell = oracle::letter_at(board_, {static_cast<int>(row), static_cast<int>(col)});
    require(cell == '_', "that cell was taken");
    cell = mark == v1::MARK_X ? 'X' : 'O';
    next_ = mark == v1::MARK_X ? v1::MARK_O : v1::MARK_X;
    room_.add_moves(row * static_cast<std::uint32_t>(rules_.cols) + col);
  }

  void take(const v1::SeatChanged& changed) {
    const bool x = changed.seat() == v1::MARK_X;
    v1::Occupant& occupant = x ? *room_.mutable_x() : *room_.mutable_o();
    v1::Occupant previous = changed.previous();
    previous.set_away_ms_left(occupant.away_ms_left());  // it changes with time
    require(occupant.SerializeAsString() == previous.SerializeAsString(),
            "somebody else sat there");
    const bool same_hands = occupant.kind() == v1::Occupant::KIND_PERSON &&
                            changed.occupant().kind() == v1::Occupant::KIND_PERSON &&
                            occupant.name() == changed.occupant().name();
    occupant = changed.occupant();
    room_.set_watchers(changed.watchers());
    if (same_hands) return;
    x ? room_.clear_x_wants_rematch() : room_.clear_o_wants_rematch();
    if (room_.draw_offered_by() == changed.seat()) room_.clear_draw_offered_by();
    if (room_.takeback_asked_by() == changed.seat()) room_.clear_takeback_asked_by();
    if (changed.seat() == room_.your_seat()) room_.set_your_seat(v1::MARK_NONE);
  }

  void check() const {
    const bool full = room_.moves_size() == rules_.cells();
    const int x = oracle::winning_runs(board_, rules_, 'X');
    const int o = oracle::winning_runs(board_, rules_, 'O');
    require(x == 0 || o == 0, "both have won");
    const bool on_the_board = x + o > 0 || full;
    const v1::Outcome::Reason reason = room_.outcome().reason();
    const bool otherwise = reason > v1::Outcome::REASON_BOARD_FULL;
    require(!(on_the_board && otherwise), "a game ended twice");
    const bool over = on_the_board || otherwise;
    require(over == (room_.phase() == v1::PHASE_FINISHED), "an end was missed, or made up");
    const bool seats_taken =
        room_.x().kind() != v1::Occupant::KIND_OPEN && room_.o().kind() != v1::Occupant::KIND_OPEN;
    if (!over) {
      require(seats_taken == (room_.phase() == v1::PHASE_PLAYING), "wrong phase");
    }
    require(room_.turn() == (room_.phase() == v1::PHASE_PLAYING ? next_ : v1::MARK_NONE),
            "wrong turn");
    if (!on_the_board) return;
    require(room_.outcome().winner() == (x > 0   ? v1::MARK_X
                                         : o > 0 ? v1::MARK_O
                                                 : v1::MARK_NONE),
            "wrong winner");
    require(room_.outcome().lines_size() == x + o, "wrong number of winning lines");
  }

  static constexpr int kept_chat = 20;

  rules::Rules rules_;
  v1::RoomSnapshot room_;
  oracle::Letters board_;
  v1::Mark next_ = v1::MARK_X;
};

}  // namespace tictactoe::test
