// The game in a room: moves, clocks, AIs, and the ends and manners beside them.
#include <algorithm>
#include <cassert>
#include <utility>

#include "server/core/describe.hpp"
#include "server/core/label.hpp"
#include "server/core/room.hpp"

namespace tictactoe::core {

using rules::Mark;

namespace {

std::uint32_t milliseconds(GameClock::Duration time) {
  return static_cast<std::uint32_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

}  // namespace

// Moves -------------------------------------------------------------------------------------------

Refused Room::move(const v1::Move& move, const RequestContext& context) {
  const Mark side = seat_of(context.player);
  if (side == Mark::none) {
    return problem(v1::Error::CODE_NOT_SEATED, "You are watching: take a seat to play.");
  }
  if (move.has_game() && move.game() != game_number_) {
    return problem(v1::Error::CODE_STALE_MOVE, "That move was for another game than this one.");
  }
  if (phase() == v1::PHASE_PLAYING && end_by_time(context.without_request())) {
    return problem(v1::Error::CODE_GAME_OVER, "The time was over before that move came.");
  }
  if (phase() == v1::PHASE_FINISHED) {
    return problem(v1::Error::CODE_GAME_OVER, "The game is over. Ask for a rematch to play on.");
  }
  if (move.has_ply() && move.ply() != static_cast<std::uint32_t>(game_.ply())) {
    return problem(v1::Error::CODE_STALE_MOVE,
                   "The game has gone on since: that move was for another position.");
  }
  if (phase() == v1::PHASE_WAITING) {
    return problem(v1::Error::CODE_WAITING_FOR_OPPONENT,
                   "There is no opponent yet: wait for one, or add an AI.");
  }
  if (side != game_.to_move()) {
    return problem(v1::Error::CODE_NOT_YOUR_TURN,
                   "It is not your turn: " + label(game_.to_move()) + " plays next.");
  }
  // Compared as unsigned, so that no number of a peer can be taken for another cell.
  const auto rows = static_cast<std::uint32_t>(settings_.rules.rows);
  const auto cols = static_cast<std::uint32_t>(settings_.rules.cols);
  if (!move.has_cell() || move.cell().row() >= rows || move.cell().col() >= cols) {
    return problem(v1::Error::CODE_OFF_BOARD, "That is not on the board, which has " +
                                                  std::to_string(rows) + " rows and " +
                                                  std::to_string(cols) + " columns.");
  }
  const rules::Cell cell{static_cast<int>(move.cell().row()), static_cast<int>(move.cell().col())};
  if (game_.at(cell) != Mark::none) {
    return problem(v1::Error::CODE_CELL_TAKEN, "That cell is taken: choose an empty one.");
  }
  play({cell, false}, context);
  return std::nullopt;
}

bool Room::has_played(const v1::Move& move, const Player& player) const {
  if (!move.has_game() || !move.has_ply() || !move.has_cell()) return false;
  if (move.game() != game_number_ || move.ply() >= game_.moves().size()) return false;
  const Mark mover = move.ply() % 2 == 0 ? game_.starter() : opponent(game_.starter());
  const rules::Cell played = game_.moves()[move.ply()];
  return seat_of(&player) == mover && move.cell().row() == static_cast<std::uint32_t>(played.row) &&
         move.cell().col() == static_cast<std::uint32_t>(played.col);
}

// Plays a legal move for the side whose turn it is.
void Room::play(ai::Choice choice, const RequestContext& context) {
  const Mark side = game_.to_move();
  const auto refusal = game_.play(choice.cell);
  assert(!refusal);
  move_ms_.push_back(milliseconds(clock_.moved(context.now)));
  for (const auto& mind : minds_) {
    if (mind) mind->played(choice.cell);
  }
  draw_offered_by_ = takeback_asked_by_ = Mark::none;
  go_on(context);
  if (config_.keeps_records) {
    auto& record = context.draft_record();
    journal::v1::Move& made = *record.mutable_move();
    made.set_room(settings_.serial);
    made.set_ply(static_cast<std::uint32_t>(game_.ply()));
    made.set_cell(
        static_cast<std::uint32_t>(choice.cell.row * settings_.rules.cols + choice.cell.col));
    made.set_spent_ms(move_ms_.back());
    if (clock_.counts()) made.set_time_left_ms(milliseconds(clock_.left(side, context.now)));
    context.effects.record(record);
  }
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::MovePlayed& played = *message.mutable_update()->mutable_move_played();
  played.set_mark(describe(side));
  describe(choice.cell, *played.mutable_cell());
  played.set_ply(static_cast<std::uint32_t>(game_.ply()));
  played.set_cannot_lose(choice.cannot_lose);
  const bool over = game_.status() != rules::Status::ongoing;
  if (over) {
    core::describe_outcome(game_, *played.mutable_outcome());
    conclude(*message.mutable_update(), context);
  }
  announce(message, context, over ? Keep::room : Keep::nothing);
}

// Ends --------------------------------------------------------------------------------------------

// The game has just ended: the score, and the record of it.
void Room::conclude(v1::RoomUpdate& update, const RequestContext& context) {
  const Mark winner = end_ ? parse_mark(end_->winner()) : game_.winner();
  if (winner == Mark::x) score_.set_x(score_.x() + 1);
  if (winner == Mark::o) score_.set_o(score_.o() + 1);
  if (winner == Mark::none) score_.set_draws(score_.draws() + 1);
  *update.mutable_score() = score_;
  if (game_.ply() > 0) record_game(context);
  for (Seat& seat : seats_) {
    if (seat.away_until)
      seat.away_until = std::min(*seat.away_until, away_until(context.now, false));
  }
}

void Room::end(Mark winner, v1::Outcome::Reason reason, const RequestContext& context) {
  end_.emplace();
  end_->set_winner(describe(winner));
  end_->set_reason(reason);
  draw_offered_by_ = takeback_asked_by_ = Mark::none;
  auto& message = context.effects.draft<v1::ServerMessage>();
  *message.mutable_update()->mutable_game_ended()->mutable_outcome() = *end_;
  conclude(*message.mutable_update(), context);
  go_on(context);
  announce(message, context, Keep::room);
}

bool Room::end_by_time(const RequestContext& context) {
  const auto due = clock_.due();
  if (!due || *due > context.now) return false;
  end(opponent(game_.to_move()), v1::Outcome::REASON_TIME, context);
  return true;
}

Refused Room::rematch(const RequestContext& context) {
  if (auto refused = not_allowed(context.player)) return refused;
  if (phase() != v1::PHASE_FINISHED) {
    return problem(v1::Error::CODE_GAME_NOT_OVER,
                   "This game is not over: a rematch can be asked for after it.");
  }
  if (has_open_seat()) {
    return problem(v1::Error::CODE_WAITING_FOR_OPPONENT,
                   "There is no opponent any more: the next game begins when somebody sits down.");
  }
  const Mark side = seat_of(context.player);
  if (side != Mark::none) {
    if (seat(side).wants_rematch) {
      return problem(v1::Error::CODE_NOT_ALLOWED,
                     "You have asked for a rematch already: it begins when the other side agrees.");
    }
    seat(side).wants_rematch = true;
  }
  const bool all_want_it = std::ranges::all_of(
      both_sides, [&](Mark each) { return seat(each).wants_rematch || ai_plays(each); });
  if (all_want_it) {
    start_new_game(context);
    return std::nullopt;
  }
  auto& message = context.effects.draft<v1::ServerMessage>();
  message.mutable_update()->mutable_rematch_wanted()->set_seat(describe(side));
  announce(message, context, Keep::room);
  return std::nullopt;
}

void Room::start_new_game(const RequestContext& context, const Player* but_not) {
  if (config_.keeps_records && game_.ply() > 0) {
    auto& record = context.draft_record();
    record.mutable_moves_undone()->set_room(settings_.serial);
    context.effects.record(record);
  }
  game_.reset(opponent(game_.starter()));
  ++game_number_;
  end_.reset();
  move_ms_.clear();
  clock_.reset();
  draw_offered_by_ = takeback_asked_by_ = Mark::none;
  for (auto& mind : minds_) mind.reset();
  for (Seat& seat : seats_) seat.wants_rematch = false;
  go_on(context);
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::GameStarted& started = *message.mutable_update()->mutable_game_started();
  started.set_game(game_number_);
  started.set_starter(describe(game_.starter()));
  announce(message, context, Keep::room, but_not);
}

void Room::begin_if_over(const RequestContext& context, const Player* but_not) {
  if (phase() == v1::PHASE_FINISHED && !has_open_seat()) {
    start_new_game(context.without_request(), but_not);
  }
}

// Manners -----------------------------------------------------------------------------------------

template <class Request>
Refused Room::not_in_play(Mark side, const Request& request, const RequestContext& context) {
  if (side == Mark::none) {
    return problem(v1::Error::CODE_NOT_SEATED, "You are watching: only those who sit can do that.");
  }
  if (request.has_game() && request.game() != game_number_) {
    return problem(v1::Error::CODE_STALE_REQUEST, "That was for another game than this one.");
  }
  if (phase() == v1::PHASE_PLAYING) end_by_time(context.without_request());
  if (phase() == v1::PHASE_FINISHED) {
    return problem(v1::Error::CODE_GAME_OVER, "The game is over. Ask for a rematch to play on.");
  }
  if (phase() == v1::PHASE_WAITING) {
    return problem(v1::Error::CODE_WAITING_FOR_OPPONENT,
                   "There is no opponent: wait for one, or add an AI.");
  }
  return std::nullopt;
}

Refused Room::resign(const v1::Resign& request, const RequestContext& context) {
  const Mark side = seat_of(context.player);
  if (auto refused = not_in_play(side, request, context)) return refused;
  end(opponent(side), v1::Outcome::REASON_RESIGNED, context);
  return std::nullopt;
}

Refused Room::offer_draw(const v1::OfferDraw& request, const RequestContext& context) {
  const Mark side = seat_of(context.player);
  if (auto refused = not_in_play(side, request, context)) return refused;
  // One that stands since a person sat there is answered by the AI that plays now.
  const bool stands = draw_offered_by_ == side;
  if (stands && !ai_plays(opponent(side))) {
    return problem(v1::Error::CODE_NOT_ALLOWED,
                   "You have offered a draw already: it stands until the game goes on.");
  }
  if (draw_offered_by_ == opponent(side)) {
    end(Mark::none, v1::Outcome::REASON_AGREED, context);
    return std::nullopt;
  }
  if (!stands) {
    draw_offered_by_ = side;
    auto& message = context.effects.draft<v1::ServerMessage>();
    message.mutable_update()->mutable_draw_offered()->set_by(describe(side));
    announce(message, context, Keep::room);
  }
  if (!ai_plays(opponent(side))) return std::nullopt;
  draw_offered_by_ = takeback_asked_by_ = Mark::none;
  auto& message = context.effects.draft<v1::ServerMessage>();
  message.mutable_update()->mutable_declined()->set_by(describe(opponent(side)));
  announce(message, stands ? context : context.without_request(), Keep::room);
  return std::nullopt;
}

// So many that the last move of that side is gone; 0 where it has none.
int Room::plies_to_take_back(Mark side) const {
  const int plies = game_.to_move() == side ? 2 : 1;
  return game_.ply() >= plies ? plies : 0;
}

Refused Room::ask_takeback(const v1::AskTakeback& request, const RequestContext& context) {
  const Mark side = seat_of(context.player);
  if (auto refused = not_in_play(side, request, context)) return refused;
  if (takeback_asked_by_ == side && !ai_plays(opponent(side))) {
    return problem(v1::Error::CODE_NOT_ALLOWED, "You have asked already: wait for the answer.");
  }
  if (takeback_asked_by_ == opponent(side)) {
    take_back(opponent(side), context);
    return std::nullopt;
  }
  if (plies_to_take_back(side) == 0) {
    return problem(v1::Error::CODE_NOTHING_TO_ANSWER, "You have no move that could be taken back.");
  }
  if (ai_plays(opponent(side))) {
    take_back(side, context);
    return std::nullopt;
  }
  takeback_asked_by_ = side;
  auto& message = context.effects.draft<v1::ServerMessage>();
  message.mutable_update()->mutable_takeback_asked()->set_by(describe(side));
  announce(message, context, Keep::room);
  return std::nullopt;
}

void Room::take_back(Mark by, const RequestContext& context) {
  for (int plies = plies_to_take_back(by); plies > 0; --plies) {
    game_.undo();
    move_ms_.pop_back();
  }
  // A mind may be lent out, thinking about a position that is gone.
  stop_thinking(context.effects);
  for (auto& mind : minds_) mind.reset();
  draw_offered_by_ = takeback_asked_by_ = Mark::none;
  go_on(context);
  clock_.taken_back();
  if (config_.keeps_records) {
    auto& record = context.draft_record();
    record.mutable_moves_undone()->set_room(settings_.serial);
    record.mutable_moves_undone()->set_ply(static_cast<std::uint32_t>(game_.ply()));
    context.effects.record(record);
  }
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::TakenBack& taken = *message.mutable_update()->mutable_taken_back();
  taken.set_ply(static_cast<std::uint32_t>(game_.ply()));
  taken.set_by(describe(by));
  announce(message, context, Keep::room);
}

Refused Room::decline(const RequestContext& context) {
  const Mark side = seat_of(context.player);
  if (side == Mark::none) {
    return problem(v1::Error::CODE_NOT_SEATED, "You are watching: only those who sit can do that.");
  }
  if (draw_offered_by_ == Mark::none && takeback_asked_by_ == Mark::none) {
    return problem(v1::Error::CODE_NOTHING_TO_ANSWER,
                   "Nothing was offered or asked that could be declined.");
  }
  draw_offered_by_ = takeback_asked_by_ = Mark::none;
  auto& message = context.effects.draft<v1::ServerMessage>();
  message.mutable_update()->mutable_declined()->set_by(describe(side));
  announce(message, context, Keep::room);
  return std::nullopt;
}

Refused Room::hint(const RequestContext& context) {
  if (phase() == v1::PHASE_FINISHED) {
    return problem(v1::Error::CODE_GAME_OVER, "The game is over: there is nothing to play.");
  }
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::Hinted& hinted = *message.mutable_hinted();
  describe(mind(ai::Level::suggester).choose({}).cell, *hinted.mutable_cell());
  hinted.set_mark(describe(game_.to_move()));
  context.effects.send(context.connection, context.effects.encode(message), context.request_id);
  return std::nullopt;
}

// What is due -------------------------------------------------------------------------------------

std::optional<Time> Room::next_deadline() const {
  std::optional<Time> next = ai_due_;
  for (const auto due : {clock_.due(), away_due(), restart_until_}) {
    if (due && (!next || *due < *next)) next = due;
  }
  return next;
}

std::vector<PlayerId> Room::deadline_reached(const RequestContext& context) {
  std::vector<PlayerId> unseated;
  if (restart_until_ && *restart_until_ <= context.now) {
    restart_until_.reset();
    go_on(context);
  }
  end_by_time(context);
  for (const Mark side : both_sides) {
    if (!seat(side).away_until || *seat(side).away_until > context.now) continue;
    const PlayerId player = seat(side).player->id;
    if (away_for_too_long(side, context)) unseated.push_back(player);
  }
  if (ai_due_ && *ai_due_ <= context.now) play_ai(context);
  return unseated;
}

void Room::go_on(const RequestContext& context) {
  const Mark side = turn();
  const bool an_ai = side != Mark::none && ai_plays(side);
  clock_.run(waits_after_restart(side, context.now) ? Mark::none : side, an_ai, context.now);
  if (thinking_ && !(an_ai && seat(side).level == thinking_->level)) stop_thinking(context.effects);
  if (!an_ai) {
    ai_due_.reset();
  } else if (!ai_due_ && !thinking_) {
    ai_due_ = context.now + config_.ai_delay;
  }
}

bool Room::waits_after_restart(Mark side, Time now) const {
  return restart_until_ && now < *restart_until_ && side != Mark::none && seat(side).away_until &&
         !ai_plays(side);
}

ai::Player& Room::mind(ai::Level level) {
  auto& mind = minds_[static_cast<std::size_t>(level)];
  if (!mind) mind = ai::make_player(level, game_, settings_.seed + game_number_);
  return *mind;
}

void Room::play_ai(const RequestContext& context) {
  assert(ai_plays(turn()) && !thinking_);
  ai_due_.reset();
  const ai::Level level = seat(turn()).level;
  if (ai::Player& player = mind(level); player.quick()) return play(player.choose({}), context);
  thinking_ = {++thoughts_, level};
  context.effects.think({settings_.serial, thoughts_}, minds_[static_cast<std::size_t>(level)]);
}

void Room::thought(std::uint64_t number, ai::Choice choice, const RequestContext& context) {
  if (!thinking_ || thinking_->number != number) return;
  thinking_.reset();
  play(choice, context);
}

void Room::stop_thinking(Effects& effects) {
  if (!thinking_) return;
  effects.stop_thinking({settings_.serial, thinking_->number});
  // The mind is left to whoever has it; the next one is made anew.
  minds_[static_cast<std::size_t>(thinking_->level)].reset();
  thinking_.reset();
}

}  // namespace tictactoe::core
