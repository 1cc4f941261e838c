#include "tests/simulation/view.hpp"

#include <algorithm>

#include "tests/simulation/random.hpp"

namespace tictactoe::simulation {

template <class Text>
void View::check(bool holds, const Text& otherwise) const {
  const auto whole = [&] {
    std::string what;
    if constexpr (std::is_invocable_v<Text>) {
      what = otherwise();
    } else {
      what = otherwise;
    }
    return what + ", in \"" + room_.name() + "\" at revision " + std::to_string(room_.revision());
  };
  require(holds, Checker::history, whole, incarnation_);
}

View::View(Incarnation incarnation, const v1::RoomSnapshot& snapshot, std::size_t kept_chat)
    : incarnation_(incarnation), kept_chat_(kept_chat), room_(snapshot) {
  const std::uint32_t cells = room_.rules().rows() * room_.rules().cols();
  std::vector<std::uint32_t> moves(room_.moves().begin(), room_.moves().end());
  std::ranges::sort(moves);
  check(std::ranges::adjacent_find(moves) == moves.end(), "a cell was played twice");
  check(moves.empty() || moves.back() < cells, "a move is off the board");
  check(static_cast<std::size_t>(room_.chat_size()) <= kept_chat_, "more chat than is kept");
  check_sense();
}

v1::Mark View::side_to_move() const {
  return room_.moves_size() % 2 == 0 ? room_.starter() : other(room_.starter());
}

void View::take(const v1::RoomUpdate& update) {
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
    room_.clear_draw_offered_by();
    room_.clear_takeback_asked_by();
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

// A finished game counts once; otherwise the score changes only with the people, and then to
// nothing.
void View::take_score(const v1::RoomUpdate& update) {
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
  require(
      room_.score().SerializeAsString() == expected.SerializeAsString(), Checker::outcome,
      [&] {
        return "the score is " + room_.score().ShortDebugString() + " instead of " +
               expected.ShortDebugString();
      },
      incarnation_);
}

void View::take(const v1::MovePlayed& played) {
  check(room_.phase() == v1::PHASE_PLAYING, "a move without a running game");
  check(played.mark() == side_to_move(), "the wrong side has played");
  check(played.cell().row() < room_.rules().rows() && played.cell().col() < room_.rules().cols(),
        "a move off the board");
  const std::uint32_t cell = played.cell().row() * room_.rules().cols() + played.cell().col();
  check(std::ranges::find(room_.moves(), cell) == room_.moves().end(), "a cell was played twice");
  room_.add_moves(cell);
  check(played.ply() == static_cast<std::uint32_t>(room_.moves_size()), "a move with a wrong ply");
  if (played.has_outcome()) *room_.mutable_outcome() = played.outcome();
  room_.clear_draw_offered_by();
  room_.clear_takeback_asked_by();
}

void View::take(const v1::SeatChanged& changed) {
  const bool x = changed.seat() == v1::MARK_X;
  v1::Occupant& occupant = x ? *room_.mutable_x() : *room_.mutable_o();
  const v1::Occupant& previous = changed.previous();
  check(occupant.kind() == previous.kind() && occupant.name() == previous.name() &&
            occupant.away() == previous.away(),
        [&] {
          return "the seat had another occupant: " + previous.ShortDebugString() + " instead of " +
                 occupant.ShortDebugString();
        });
  check(previous.kind() != v1::Occupant::KIND_PERSON ||
            changed.occupant().kind() != v1::Occupant::KIND_PERSON ||
            previous.name() == changed.occupant().name(),
        "a seat went from one person to another without being free");
  const bool same_hands =
      occupant.kind() == changed.occupant().kind() && occupant.name() == changed.occupant().name();
  occupant = changed.occupant();
  if (!same_hands) {
    x ? room_.clear_x_wants_rematch() : room_.clear_o_wants_rematch();
    if (room_.draw_offered_by() == changed.seat()) room_.clear_draw_offered_by();
    if (room_.takeback_asked_by() == changed.seat()) room_.clear_takeback_asked_by();
    if (room_.your_seat() == changed.seat()) room_.clear_your_seat();
  }
  room_.set_watchers(changed.watchers());
}

void View::take(const v1::GameStarted& started) {
  check(room_.phase() == v1::PHASE_FINISHED, "a game began before the end of the last one");
  check(started.game() == room_.game() + 1, "a wrong number of the game");
  check(started.starter() == other(room_.starter()), "starters must alternate");
  room_.set_game(started.game());
  room_.set_starter(started.starter());
  room_.clear_moves();
  room_.clear_outcome();
  room_.clear_x_wants_rematch();
  room_.clear_o_wants_rematch();
  room_.clear_draw_offered_by();
  room_.clear_takeback_asked_by();
}

void View::take(const v1::GameEnded& ended) {
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
  room_.clear_draw_offered_by();
  room_.clear_takeback_asked_by();
}

void View::take(const v1::TakenBack& taken) {
  const auto plies = static_cast<std::uint32_t>(room_.moves_size());
  check(room_.phase() == v1::PHASE_PLAYING, "moves are taken back after the end");
  check(taken.ply() < plies && plies - taken.ply() <= 2, "too few or too many moves taken back");
  room_.mutable_moves()->Truncate(static_cast<int>(taken.ply()));
  check(side_to_move() == taken.by(), "another side's move was taken back");
  room_.clear_draw_offered_by();
  room_.clear_takeback_asked_by();
}

void View::check_sense() const {
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

std::uint64_t View::content() const {
  Digest digest;
  for (const std::uint64_t number :
       {std::uint64_t{room_.game()}, std::uint64_t{room_.watchers()},
        std::uint64_t{room_.x_wants_rematch()}, std::uint64_t{room_.o_wants_rematch()},
        std::uint64_t{room_.score().x()}, std::uint64_t{room_.score().o()},
        std::uint64_t{room_.score().draws()}}) {
    digest.add(number);
  }
  for (const int word :
       {static_cast<int>(room_.starter()), static_cast<int>(room_.turn()),
        static_cast<int>(room_.phase()), static_cast<int>(room_.draw_offered_by()),
        static_cast<int>(room_.takeback_asked_by()), static_cast<int>(room_.outcome().winner()),
        static_cast<int>(room_.outcome().reason())}) {
    digest.add(static_cast<std::uint64_t>(word));
  }
  for (const v1::Occupant* occupant : {&room_.x(), &room_.o()}) {
    digest.add(static_cast<std::uint64_t>(occupant->kind()) << 1 | (occupant->away() ? 1U : 0U));
    digest.add(occupant->name());
    digest.add(occupant->ai_level());
  }
  for (const std::uint32_t move : room_.moves()) digest.add(move);
  for (const v1::ChatSaid& said : room_.chat()) {
    digest.add(said.from());
    digest.add(said.text());
  }
  return digest.value();
}

}  // namespace tictactoe::simulation
