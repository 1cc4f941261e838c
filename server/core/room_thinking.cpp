#include "server/core/room_thinking.hpp"
#include "server/core/errors.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "server/core/describe.hpp"

namespace tictactoe::core {

namespace {

constexpr std::chrono::milliseconds busy_wait{1'000};
// Copying 100,000 plies into fresh memory takes half a millisecond, so that many rooms must not do
// it in one turn of the event loop.
constexpr std::size_t short_plies = 4096;

Problem busy() {
  return {v1::Error::CODE_RATE_LIMITED, "The AIs have too much to do: try again in a moment.",
          busy_wait};
}

// One step of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

}  // namespace

std::uint64_t RoomThinking::start(const RoomGame& game, AiLevel level, bool is_hint, Copy copy,
                                  Effects& effects) {
  // They play alike, so that one player serves both.
  if (level.level == ai::Level::perfect) level.level = ai::Level::strong;
  Followed& followed = followed_[level];
  if (copy == Copy::whole_game) followed = {};
  const auto moves = game.board().moves();
  const bool asks_first = copy == Copy::if_short && moves.size() - followed.keep > short_plies;
  // No player is at a position without a base, so the pool will need the whole game.
  if (asks_first) followed = {0, moves.size()};
  const std::uint64_t number = ++thoughts_;
  Think think;
  think.id = {serial_, number};
  think.network = network_;
  think.is_hint = is_hint;
  think.level = level;
  think.rules = game.rules();
  think.starter = game.board().starter();
  think.seed = seed_ + game.number();
  think.base = followed.thought;
  think.keep = followed.keep;
  think.moves = std::make_shared<const std::vector<rules::Cell>>(
      moves.begin() + static_cast<std::ptrdiff_t>(followed.keep), moves.end());
  effects.think(std::move(think));
  followed = asks_first ? Followed{} : Followed{number, moves.size()};
  used_ = true;
  return number;
}

// An AI's move ------------------------------------------------------------------------------------

void RoomThinking::expect_move(const AiLevel& level, Time due, Effects& effects) {
  if (move_number_ != 0 && move_level_ != level) cancel_move(effects);
  if (move_number_ == 0 && !due_) due_ = due;
}

void RoomThinking::expect_no_move(Effects& effects) {
  if (move_number_ != 0) cancel_move(effects);
  due_.reset();
}

void RoomThinking::choose(const RoomGame& game, const AiLevel& level, Copy copy, Effects& effects) {
  due_.reset();
  move_number_ = start(game, level, false, copy, effects);
  move_level_ = level;
}

std::optional<ai::Choice> RoomThinking::move_thought(std::uint64_t number,
                                                     const ThoughtResult& result,
                                                     const RoomGame& game,
                                                     const RequestContext& context) {
  if (move_number_ != number) return std::nullopt;
  move_number_ = 0;
  switch (result.kind) {
    case ThoughtResult::Kind::choice:
      return result.choice;
    case ThoughtResult::Kind::needs_whole_game:
      choose(game, AiLevel(move_level_), Copy::whole_game, context.effects);
      return std::nullopt;
    case ThoughtResult::Kind::busy:
      break;
    case ThoughtResult::Kind::too_large:
      if (const auto choice = simple_choice(game)) return choice;
      break;
  }
  due_ = context.now + busy_wait;
  return std::nullopt;
}

// A free cell near a random one. Looks at a bounded number of cells, so that the event loop is not
// held up; the next try begins elsewhere.
std::optional<ai::Choice> RoomThinking::simple_choice(const RoomGame& game) {
  constexpr std::uint64_t most_cells = 4096;
  const auto cells = static_cast<std::uint64_t>(game.rules().cells());
  const auto cols = static_cast<std::uint64_t>(game.rules().cols);
  const std::uint64_t first = mixed(seed_ ^ ++thoughts_);
  for (std::uint64_t i = 0; i < std::min(cells, most_cells); ++i) {
    const std::uint64_t index = (first % cells + i) % cells;
    const rules::Cell cell{static_cast<int>(index / cols), static_cast<int>(index % cols)};
    if (game.board().at(cell) == rules::Mark::none) return ai::Choice{cell, false};
  }
  return std::nullopt;
}

void RoomThinking::cancel_move(Effects& effects) {
  effects.cancel_thinking({serial_, std::exchange(move_number_, 0)});
}

// Hints -------------------------------------------------------------------------------------------

std::size_t RoomThinking::hints_of(ConnectionId connection) const {
  return static_cast<std::size_t>(
      std::ranges::count(hint_requests_, connection, &HintRequest::connection));
}

void RoomThinking::hint(const RoomGame& game, const RequestContext& context) {
  hint_requests_.push_back({context.player, context.connection, context.request_id});
  if (hint_number_ == 0) {
    hint_level_ = ai::Level::strong;
    hint_number_ = start(game, hint_level_, true, Copy::if_short, context.effects);
  }
}

void RoomThinking::hint_thought(const ThoughtResult& result, const RoomGame& game,
                                const RequestContext& context) {
  Effects& effects = context.effects;
  hint_number_ = 0;
  const bool is_too_large =
      result.kind == ThoughtResult::Kind::too_large && hint_level_ == ai::Level::strong;
  // A player of a lower level takes less memory.
  if (is_too_large) hint_level_ = ai::Level::suggester;
  if (is_too_large || result.kind == ThoughtResult::Kind::needs_whole_game) {
    hint_number_ = start(game, hint_level_, true, Copy::whole_game, effects);
    return;
  }
  const auto requests = std::exchange(hint_requests_, {});
  if (result.kind != ThoughtResult::Kind::choice) {
    const Problem why =
        result.kind == ThoughtResult::Kind::busy
            ? busy()
            : problem(v1::Error::CODE_NOT_ALLOWED, "This board is too large for hints here.");
    for (const HintRequest& request : requests) refuse(request, why, effects);
    return;
  }
  auto& message = effects.draft<v1::ServerMessage>();
  v1::Hinted& hinted = *message.mutable_hinted();
  describe(result.choice.cell, *hinted.mutable_cell());
  hinted.set_mark(describe(game.board().to_move()));
  hinted.set_game(game.number());
  hinted.set_ply(static_cast<std::uint32_t>(game.ply()));
  hinted.set_takebacks(game.takebacks());
  hinted.set_cannot_lose(result.choice.cannot_lose);
  const Body body = effects.encode(message);
  for (const HintRequest& request : requests)
    effects.send(request.connection, body, request.request_id);
}

void RoomThinking::leave(const Player& player, const RequestContext& context) {
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
    refuse(request,
           problem(v1::Error::CODE_STALE_REQUEST,
                   "The position that the hint was for is gone: ask again."),
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

void RoomThinking::taken_back(int ply, Effects& effects) {
  if (move_number_ != 0) cancel_move(effects);
  for (auto& [level, followed] : followed_) {
    followed.keep = std::min(followed.keep, static_cast<std::size_t>(ply));
  }
}

void RoomThinking::release(Effects& effects) {
  if (!used_) return;
  expect_no_move(effects);
  position_changed(effects);
  effects.release_ai(serial_);
  followed_.clear();
  used_ = false;
}

}  // namespace tictactoe::core
