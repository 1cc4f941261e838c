#include "tests/bench/load/room.hpp"

#include "tests/bench/load/failure.hpp"

namespace tictactoe::load {
namespace {

v1::Mark to_wire(rules::Mark mark) {
  return static_cast<v1::Mark>(mark);
}

std::string seat_name(v1::Mark seat) {
  return seat == v1::MARK_NONE ? "a watcher" : seat == v1::MARK_X ? "X" : "O";
}

}  // namespace

Room::Room(std::size_t number, rules::Rules rules, std::uint64_t seed)
    : number_(number), game_(rules), random_(seed) {
  rematch_.mutable_rematch();
}

v1::Mark Room::actor() const {
  if (moves_next()) return to_wire(game_.to_move());
  // The one who starts next asks last, and goes on at once.
  return to_wire(rematch_wanted_ ? rules::opponent(game_.starter()) : game_.starter());
}

v1::ClientMessage& Room::act(std::uint64_t request_id) {
  Expected& expected = expected_[(revision_ + 1) % remembered];
  expected = {};
  expected.actor = actor();
  expected.request_id = request_id;
  ++revision_;
  if (moves_next()) {
    play(expected);
    return move_;
  }
  if (!std::exchange(rematch_wanted_, !rematch_wanted_)) {
    expected.change = v1::RoomUpdate::kRematchWanted;
    expected.phase = v1::PHASE_FINISHED;
  } else {
    game_.reset(rules::opponent(game_.starter()));
    expected.change = v1::RoomUpdate::kGameStarted;
    expected.phase = v1::PHASE_PLAYING;
    expected.turn = to_wire(game_.to_move());
    expected.game = ++game_number_;
  }
  return rematch_;
}

void Room::play(Expected& expected) {
  const rules::Cell cell = random_free_cell();
  v1::Move& move = *move_.mutable_move();
  move.mutable_cell()->set_row(static_cast<std::uint32_t>(cell.row));
  move.mutable_cell()->set_col(static_cast<std::uint32_t>(cell.col));
  move.set_game(game_number_);
  move.set_ply(static_cast<std::uint32_t>(game_.ply()));
  game_.play(cell);
  expected.change = v1::RoomUpdate::kMovePlayed;
  expected.cell = cell;
  expected.ply = static_cast<std::uint32_t>(game_.ply());
  expected.turn = to_wire(game_.to_move());
  expected.phase = v1::PHASE_PLAYING;
  if (game_.status() == rules::Status::ongoing) return;
  expected.phase = v1::PHASE_FINISHED;
  expected.winner = to_wire(game_.winner());
  expected.lines = static_cast<int>(game_.winning_lines().size());
  ++games_;
}

// By trying: even on a board that fills up it takes log(cells) tries a move on average.
rules::Cell Room::random_free_cell() {
  const auto below = [this](int limit) {
    return static_cast<int>((random_() >> 32) * static_cast<std::uint64_t>(limit) >> 32);
  };
  for (;;) {
    const rules::Cell cell{below(game_.rules().rows), below(game_.rules().cols)};
    if (game_.at(cell) == rules::Mark::none) return cell;
  }
}

bool Room::check(v1::Mark seat, std::uint64_t seen, const v1::ServerMessage& message) const {
  const auto complain = [&](const std::string& what) {
    throw Failure("Room " + std::to_string(number_) + ", " + seat_name(seat) + ": " + what + ": " +
                  message.ShortDebugString());
  };
  if (!message.has_update()) complain("no update");
  const v1::RoomUpdate& update = message.update();
  if (update.revision() != seen + 1) complain("this comes after revision " + std::to_string(seen));
  if (update.revision() > revision_) complain("nobody has caused this");
  const Expected& expected = expected_[update.revision() % remembered];
  const bool own = seat == expected.actor;
  if (message.request_id() != (own ? expected.request_id : 0)) complain("wrong request_id");
  if (const std::string wrong = difference(expected, update); !wrong.empty()) complain(wrong);
  return own && expected.change == v1::RoomUpdate::kMovePlayed;
}

std::string Room::difference(const Expected& expected, const v1::RoomUpdate& update) {
  if (update.change_case() != expected.change) return "another change than what was asked for";
  if (update.phase() != expected.phase) return "wrong phase";
  if (update.turn() != expected.turn) return "wrong turn";
  switch (expected.change) {
    case v1::RoomUpdate::kMovePlayed: {
      const v1::MovePlayed& played = update.move_played();
      const bool over = expected.phase == v1::PHASE_FINISHED;
      const v1::Outcome& outcome = played.outcome();
      if (played.mark() != expected.actor) return "wrong mark";
      if (played.cell().row() != static_cast<std::uint32_t>(expected.cell.row) ||
          played.cell().col() != static_cast<std::uint32_t>(expected.cell.col)) {
        return "wrong cell";
      }
      if (played.ply() != expected.ply) return "wrong ply";
      if (played.has_outcome() != over) return "an end was missed, or made up";
      if (!over) return {};
      if (outcome.winner() != expected.winner) return "wrong winner";
      if (outcome.lines_size() != expected.lines) return "wrong number of winning lines";
      return {};
    }
    case v1::RoomUpdate::kGameStarted:
      if (update.game_started().game() != expected.game) return "wrong number of the game";
      if (update.game_started().starter() != expected.actor) return "wrong starter";
      return {};
    default:
      return update.rematch_wanted().seat() == expected.actor ? "" : "wrong seat";
  }
}

}  // namespace tictactoe::load
