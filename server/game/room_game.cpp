#include "server/game/room_game.hpp"

#include <cassert>
#include <string>

#include "server/base/planted.hpp"
#include "server/game/describe.hpp"

namespace tictactoe::server {

using rules::Mark;

Mark RoomGame::winner() const {
  return end_ ? end_->winner : board_.winner();
}

void RoomGame::describe_outcome(v1::Outcome& out) const {
  if (end_) {
    out.set_winner(describe(end_->winner));
    out.set_reason(end_->reason);
  } else {
    server::describe_outcome(board_, out);
  }
}

void RoomGame::clear_offers_of(Mark side) {
  if (draw_offered_by_ == side) draw_offered_by_ = Mark::none;
  if (takeback_asked_by_ == side) takeback_asked_by_ = Mark::none;
}

bool RoomGame::is_other_position(const v1::Move& move) const {
  return (move.has_ply() && move.ply() != board_.moves().size()) ||
         (move.has_takebacks() && move.takebacks() != takebacks_);
}

// A move that was taken back is not among the moves, and its retry names an old number of
// takebacks.
Mark RoomGame::player_of(const v1::Move& move) const {
  if (!move.has_game() || !move.has_ply() || !move.has_cell()) return Mark::none;
  if (move.game() != number_ || move.ply() >= board_.moves().size()) return Mark::none;
  const rules::Cell played = board_.moves()[move.ply()];
  if (move.cell().row() != static_cast<std::uint32_t>(played.row) ||
      move.cell().col() != static_cast<std::uint32_t>(played.col)) {
    return Mark::none;
  }
  return move.ply() % 2 == 0 ? board_.starter() : opponent(board_.starter());
}

Parsed<rules::Cell> RoomGame::parse_cell(const v1::Move& move) const {
  // Compared as unsigned numbers, so that no value from a client can stand for another cell.
  const auto rows = static_cast<std::uint32_t>(rules().rows);
  const auto cols = static_cast<std::uint32_t>(rules().cols);
  if (!move.has_cell() || move.cell().row() >= rows || move.cell().col() >= cols) {
    return problem(v1::Error::CODE_OFF_BOARD, "That is not on the board, which has " +
                                                  std::to_string(rows) + " rows and " +
                                                  std::to_string(cols) + " columns.");
  }
  const rules::Cell cell{static_cast<int>(move.cell().row()), static_cast<int>(move.cell().col())};
  if (board_.at(cell) != Mark::none) {
    return problem(v1::Error::CODE_CELL_TAKEN, "That cell is taken: choose an empty one.");
  }
  return cell;
}

void RoomGame::decline(Time quiet_until) {
  if (draw_offered_by_ != Mark::none) questions_of(draw_offered_by_).draw.quiet_until = quiet_until;
  if (takeback_asked_by_ != Mark::none) {
    questions_of(takeback_asked_by_).takeback.quiet_until = quiet_until;
  }
  clear_offers();
}

void RoomGame::play(rules::Cell cell, Time now) {
  Questions& mover = questions_of(board_.to_move());
  mover.draw.may_ask = mover.takeback.may_ask = true;
  const auto refusal = board_.play(cell);
  assert(!refusal);
  static_cast<void>(refusal);
  move_ms_.push_back(milliseconds(clock_.moved(now)));
  if (!planted(Mistake::lasting_offer)) clear_offers();
}

void RoomGame::end(Mark winner, v1::Outcome::Reason reason) {
  end_ = {winner, reason};
  clear_offers();
}

void RoomGame::start_next() {
  board_.reset(opponent(board_.starter()));
  ++number_;
  takebacks_ = 0;
  end_.reset();
  move_ms_.clear();
  clock_.reset();
  questions_of_x_ = questions_of_o_ = {};
  clear_offers();
}

int RoomGame::plies_to_take_back(Mark side) const {
  const int plies = board_.to_move() == side ? 2 : 1;
  return board_.ply() >= plies ? plies : 0;
}

void RoomGame::take_back(int plies) {
  for (; plies > 0; --plies) {
    board_.undo();
    move_ms_.pop_back();
  }
  ++takebacks_;
  questions_of_x_.takeback.may_ask = questions_of_o_.takeback.may_ask = true;
  clear_offers();
}

// Restoring ---------------------------------------------------------------------------------------

bool RoomGame::load(const journal::v1::SavedRoom& saved) {
  const journal::v1::Room& room = saved.room();
  if (room.game() == 0 || parse_mark(room.starter()) == Mark::none) return false;
  number_ = room.game();
  takebacks_ = room.takebacks();
  clock_.set_left(Mark::x, std::chrono::milliseconds(room.x().time_left_ms()));
  clock_.set_left(Mark::o, std::chrono::milliseconds(room.o().time_left_ms()));
  if (!load_moves(saved)) return false;
  const bool moved_since = room.ply() < static_cast<std::uint32_t>(saved.moves_size());
  if (room.has_end()) {
    if (moved_since || is_over()) return false;
    end_ = {parse_mark(room.end().winner()), room.end().reason()};
  }
  if (!moved_since) {
    draw_offered_by_ = parse_mark(room.draw_offered_by());
    takeback_asked_by_ = parse_mark(room.takeback_asked_by());
  }
  return true;
}

bool RoomGame::load_moves(const journal::v1::SavedRoom& saved) {
  const journal::v1::Room& room = saved.room();
  const auto cols = static_cast<std::uint32_t>(rules().cols);
  const auto cells = static_cast<std::uint32_t>(rules().cells());
  board_.reset(parse_mark(room.starter()));
  for (int i = 0; i < saved.moves_size(); ++i) {
    const journal::v1::Move& move = saved.moves(i);
    const Mark side = board_.to_move();
    if (move.ply() != static_cast<std::uint32_t>(i) + 1 || move.cell() >= cells) return false;
    const rules::Cell cell{static_cast<int>(move.cell() / cols),
                           static_cast<int>(move.cell() % cols)};
    if (is_over() || board_.play(cell)) return false;
    move_ms_.push_back(move.spent_ms());
    if (move.ply() > room.ply()) {
      clock_.set_left(side, std::chrono::milliseconds(move.time_left_ms()));
    }
  }
  return room.ply() <= static_cast<std::uint32_t>(saved.moves_size());
}

}  // namespace tictactoe::server
