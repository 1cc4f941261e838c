#include "server/game/room_thinking.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "server/game/describe.hpp"
#include "server/limits/errors.hpp"

namespace tictactoe::server {

namespace {

constexpr std::chrono::milliseconds busy_wait{1'000};

Problem busy() {
  return {v1::Error::CODE_RATE_LIMITED, "The AIs are too busy: try again in a moment.", busy_wait};
}

}  // namespace

std::uint64_t RoomThinking::start(const RoomGame& game, AiLevel level, Think::Purpose purpose,
                                  Effects& effects) {
  // They play alike, so one player serves both.
  if (level.level == ai::Level::perfect) level.level = ai::Level::strong;
  const auto moves = game.board().moves();
  const std::uint64_t number = ++thoughts_;
  Think think;
  think.id = {serial_, number};
  think.network = network_;
  think.purpose = purpose;
  think.level = level;
  think.rules = game.rules();
  think.starter = game.board().starter();
  think.seed = seed_ + game.number();
  think.moves = std::make_shared<const std::vector<rules::Cell>>(moves.begin(), moves.end());
  effects.think(std::move(think));
  used_ = true;
  return number;
}

// An AI's move ------------------------------------------------------------------------------------

void RoomThinking::expect_move(const AiLevel& level, Time due, Effects& effects) {
  if (move_level_ != level && (move_number_ != 0 || chosen_)) expect_no_move(effects);
  if (move_number_ == 0 && !due_) due_ = due;
}

void RoomThinking::expect_no_move(Effects& effects) {
  if (move_number_ != 0) effects.cancel_thinking({serial_, std::exchange(move_number_, 0)});
  due_.reset();
  chosen_.reset();
}

std::optional<ai::Choice> RoomThinking::choose(const RoomGame& game, const AiLevel& level,
                                               const RequestContext& context) {
  due_.reset();
  if (chosen_) return std::exchange(chosen_, std::nullopt);
  move_number_ = start(game, level, Think::Purpose::move, context.effects);
  move_level_ = level;
  begun_ = context.now;
  is_known_late_ = false;
  return std::nullopt;
}

std::optional<ai::Choice> RoomThinking::move_thought(std::uint64_t number,
                                                     const ThoughtResult& result, Time now,
                                                     std::chrono::milliseconds pace) {
  if (move_number_ != number) return std::nullopt;
  move_number_ = 0;
  if (!result) {
    due_ = now + busy_wait;
    return std::nullopt;
  }
  const Time until = begun_ + pace * static_cast<int>(result->effort) / 2;
  if (until <= now) return result;
  due_ = until;
  chosen_ = result;
  return std::nullopt;
}

// Engines -----------------------------------------------------------------------------------------

void RoomThinking::try_out(const RoomGame& game, const AiLevel& level, Effects& effects) {
  if (trial_number_ != 0) effects.cancel_thinking({serial_, trial_number_});
  trial_number_ = start(game, level, Think::Purpose::trial, effects);
  tried_ = level.engine;
}

std::string RoomThinking::end_trial(std::uint64_t number) {
  if (number != trial_number_) return {};
  trial_number_ = 0;
  return std::exchange(tried_, {});
}

// Hints -------------------------------------------------------------------------------------------

std::size_t RoomThinking::hints_of(ConnectionId connection) const {
  return static_cast<std::size_t>(
      std::ranges::count(hint_requests_, connection, &HintRequest::connection));
}

bool RoomThinking::hint(const RoomGame& game, const RequestContext& context) {
  hint_requests_.push_back({context.player, context.connection, context.request_id});
  if (hint_number_ == 0)
    hint_number_ = start(game, ai::Level::strong, Think::Purpose::hint, context.effects);
  if (std::ranges::find(hinted_, context.player) != hinted_.end()) return false;
  hinted_.push_back(context.player);
  return true;
}

void RoomThinking::hint_thought(const ThoughtResult& result, const RoomGame& game,
                                const RequestContext& context) {
  Effects& effects = context.effects;
  hint_number_ = 0;
  const auto requests = std::exchange(hint_requests_, {});
  if (!result) {
    for (const HintRequest& request : requests) refuse(request, busy(), effects);
    return;
  }
  auto& message = effects.draft<v1::ServerMessage>();
  v1::Hinted& hinted = *message.mutable_hinted();
  describe(result->cell, *hinted.mutable_cell());
  hinted.set_mark(describe(game.board().to_move()));
  hinted.set_game(game.number());
  hinted.set_ply(static_cast<std::uint32_t>(game.ply()));
  hinted.set_takebacks(game.takebacks());
  hinted.set_cannot_lose(result->cannot_lose);
  const Body body = effects.encode(message);
  for (const HintRequest& request : requests)
    effects.send(request.connection, body, request.request_id);
}

void RoomThinking::leave(const Player& player, const RequestContext& context) {
  std::erase(hinted_, &player);
  if (hint_requests_.empty()) return;
  std::erase_if(hint_requests_, [&](const HintRequest& request) {
    if (request.player != &player) return false;
    if (player.connection == request.connection) {
      refuse(request, problem(v1::Error::CODE_STALE_REQUEST, "You have left the room."),
             context.effects);
    }
    return true;
  });
  if (hint_requests_.empty()) refuse_hints(context.effects);
}

void RoomThinking::refuse_hints(Effects& effects) {
  effects.cancel_thinking({serial_, std::exchange(hint_number_, 0)});
  for (const HintRequest& request : std::exchange(hint_requests_, {})) {
    refuse(
        request,
        problem(v1::Error::CODE_STALE_REQUEST, "The position has changed. Ask for a hint again."),
        effects);
  }
}

void RoomThinking::refuse(const HintRequest& request, const Problem& problem, Effects& effects) {
  auto& message = effects.draft<v1::ServerMessage>();
  describe(problem, *message.mutable_error());
  effects.counts.note_refusal(problem.code);
  effects.send(request.connection, effects.encode(message), request.request_id);
}

// The game ----------------------------------------------------------------------------------------

void RoomThinking::release(Effects& effects) {
  if (!used_) return;
  expect_no_move(effects);
  position_changed(effects);
  if (trial_number_ != 0) effects.cancel_thinking({serial_, std::exchange(trial_number_, 0)});
  effects.release_ai(serial_);
  used_ = false;
}

}  // namespace tictactoe::server
