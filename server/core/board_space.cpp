#include "server/core/board_space.hpp"

#include "common/rules/game.hpp"
#include "server/core/encoded_moves.hpp"

namespace tictactoe::core {

std::size_t most_board_bytes(const rules::Rules& rules) {
  const auto cells = static_cast<std::size_t>(rules.rows) * static_cast<std::size_t>(rules.cols);
  // A vector that grows holds at most twice its elements.
  constexpr std::size_t times_of_moves = 2 * sizeof(std::uint32_t);
  return rules::Game::most_memory(rules, cells) +
         (times_of_moves + EncodedMoves::most_bytes_per_move) * cells;
}

Refused no_board_space(const rules::Rules& rules, const std::optional<Origin>& creator,
                       const RoomTable& rooms, const Limits& limits) {
  const std::size_t wanted = most_board_bytes(rules);
  if (wanted <= limits.small_board_bytes) return std::nullopt;
  std::size_t all = wanted;
  std::size_t of_address = wanted;
  std::size_t of_network = wanted;
  rooms.visit_all([&](const Room& room) {
    const std::size_t bytes = most_board_bytes(room.rules());
    if (bytes <= limits.small_board_bytes) return;
    all += bytes;
    if (!creator || !room.origin()) return;
    if (room.origin()->address == creator->address) of_address += bytes;
    if (room.origin()->network == creator->network) of_network += bytes;
  });
  if (limits.limits_addresses() &&
      (of_address > limits.board_bytes_per_address ||
       of_network > limits.network_factor * limits.board_bytes_per_address)) {
    return problem(v1::Error::CODE_TOO_MANY_ROOMS,
                   "Players from your network have as many large boards as they can have here: "
                   "choose a smaller one, or wait until one of those rooms closes.");
  }
  if (all <= limits.board_bytes) return std::nullopt;
  return problem(v1::Error::CODE_TOO_MANY_ROOMS,
                 "This server has as many large boards as it can: choose a smaller one, or wait "
                 "until a room with a large one closes.");
}

}  // namespace tictactoe::core
