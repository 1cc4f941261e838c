#include "server/core/board_space.hpp"

#include <algorithm>
#include <cassert>

#include "common/rules/game.hpp"

namespace tictactoe::core {

namespace {

std::size_t bytes_of(const std::unordered_map<std::uint64_t, std::size_t>& all, std::uint64_t id) {
  const auto found = all.find(id);
  return found == all.end() ? 0 : found->second;
}

void give_back(std::unordered_map<std::uint64_t, std::size_t>& all, std::uint64_t id,
               std::size_t bytes) {
  const auto found = all.find(id);
  assert(found != all.end() && found->second >= bytes);
  found->second -= bytes;
  if (found->second == 0) all.erase(found);
}

}  // namespace

std::size_t most_board_bytes(const rules::Rules& rules, int max_moves) {
  const auto moves = static_cast<std::size_t>(std::min(rules.cells(), max_moves));
  // A vector that grows holds at most twice its elements.
  return rules::Game::most_memory(rules, moves) + 2 * sizeof(std::uint32_t) * moves;
}

std::size_t BoardSpace::counted(const rules::Rules& rules) const {
  const std::size_t bytes = most_board_bytes(rules, limits_.moves_per_game);
  return bytes <= limits_.small_board_bytes ? 0 : bytes;
}

void BoardSpace::hold(const rules::Rules& rules, const std::optional<Origin>& creator) {
  const std::size_t bytes = counted(rules);
  if (bytes == 0) return;
  all_ += bytes;
  if (!creator) return;
  of_address_[creator->address] += bytes;
  of_network_[creator->network] += bytes;
}

void BoardSpace::release(const rules::Rules& rules, const std::optional<Origin>& creator) {
  const std::size_t bytes = counted(rules);
  if (bytes == 0) return;
  assert(all_ >= bytes);
  all_ -= bytes;
  if (!creator) return;
  give_back(of_address_, creator->address, bytes);
  give_back(of_network_, creator->network, bytes);
}

Refused BoardSpace::too_little(const rules::Rules& rules,
                               const std::optional<Origin>& creator) const {
  const std::size_t wanted = counted(rules);
  if (wanted == 0) return std::nullopt;
  const std::size_t of_address = wanted + (creator ? bytes_of(of_address_, creator->address) : 0);
  const std::size_t of_network = wanted + (creator ? bytes_of(of_network_, creator->network) : 0);
  if (limits_.limits_addresses() &&
      (of_address > limits_.board_bytes_per_address ||
       of_network > limits_.network_factor * limits_.board_bytes_per_address)) {
    return problem(v1::Error::CODE_TOO_MANY_ROOMS,
                   "Players from your network have as many large boards as they can have here: "
                   "choose a smaller one, or wait until one of those rooms closes.");
  }
  if (all_ + wanted <= limits_.board_bytes) return std::nullopt;
  return problem(v1::Error::CODE_TOO_MANY_ROOMS,
                 "This server has as many large boards as it can: choose a smaller one, or wait "
                 "until a room with a large one closes.");
}

}  // namespace tictactoe::core
