#include "server/game/start_position.hpp"

#include <string>
#include <utility>

namespace tictactoe::server {

namespace {

Problem unusable(std::string sentence) {
  return problem(v1::Error::CODE_INVALID_OPTIONS, std::move(sentence));
}

}  // namespace

Parsed<StartPosition> start_position(const v1::GameRecord& game, std::uint32_t moves,
                                     const Limits& limits) {
  if (std::cmp_less(game.moves_size(), moves)) {
    return unusable("That game has no " + std::to_string(moves) + " moves.");
  }
  const auto rules = parse_rules(game.rules(), limits);
  if (!rules) return rules.error();
  const rules::Mark starter = parse_mark(game.starter());
  if (starter == rules::Mark::none)
    return unusable("The record of that game does not say who went first.");
  StartPosition position{rules::Game(*rules, starter), {}};
  const auto cols = static_cast<std::uint32_t>(rules->cols);
  const bool has_times = game.move_ms_size() == game.moves_size();
  for (int i = 0; std::cmp_less(i, moves); ++i) {
    const std::uint32_t cell = game.moves(i);
    if (position.board.play({static_cast<int>(cell / cols), static_cast<int>(cell % cols)})) {
      return unusable("Move " + std::to_string(i + 1) + " of that game can't be played.");
    }
    position.move_ms.push_back(has_times ? game.move_ms(i) : 0);
  }
  if (position.board.status() != rules::Status::ongoing) {
    return unusable("The game is over after that move: choose an earlier one.");
  }
  return position;
}

std::uint64_t game_asked_for(const v1::ClientMessage& request) {
  return request.has_create_room() ? request.create_room().options().from().game()
                                   : request.get_game().id();
}

}  // namespace tictactoe::server
