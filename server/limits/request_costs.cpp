#include "server/limits/request_costs.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace tictactoe::server {
namespace {

using Case = v1::ClientMessage;

// A request that is not listed costs 1.
constexpr std::array listed{
    std::pair{Case::kListRooms, 4},  std::pair{Case::kCreateRoom, 8},
    std::pair{Case::kJoinRoom, 4},   std::pair{Case::kWatchRoom, 4},
    std::pair{Case::kPlay, 8},       std::pair{Case::kGetSnapshot, 4},
    std::pair{Case::kListGames, 8},  std::pair{Case::kGetGame, 8},
    std::pair{Case::kWatchLobby, 8}, std::pair{Case::kListPlayers, 4},
    std::pair{Case::kSayInLobby, 2}, std::pair{Case::kChat, 2},
    std::pair{Case::kHint, 4},       std::pair{Case::kListMembers, 4},
    std::pair{Case::kInvite, 4},
};

constexpr std::size_t max_case = Case::kInvite;

// By field number.
constexpr auto table = [] {
  std::array<int, max_case + 1> costs{};
  costs.fill(1);
  for (const auto& [request, tokens] : listed) costs[request] = tokens;
  return costs;
}();

}  // namespace

int cost_of(v1::ClientMessage::RequestCase request) {
  return table[request <= max_case ? request : Case::REQUEST_NOT_SET];
}

void describe_costs(v1::Limits& out) {
  for (const auto& [request, tokens] : listed) {
    v1::RequestCost& described = *out.add_costs();
    described.set_request(static_cast<std::uint32_t>(request));
    described.set_tokens(static_cast<std::uint32_t>(tokens));
    if (request == Case::kCreateRoom) described.set_moves_per_token(recorded_moves_per_token);
  }
}

bool changes_something(v1::ClientMessage::RequestCase request) {
  switch (request) {
    case v1::ClientMessage::kWatchRoom:
    case v1::ClientMessage::kGetSnapshot:
    case v1::ClientMessage::kHint:
    case v1::ClientMessage::kListGames:
    case v1::ClientMessage::kGetGame:
    case v1::ClientMessage::kListMembers:
    case v1::ClientMessage::kSayInLobby:
    case v1::ClientMessage::kInvite:
    case v1::ClientMessage::REQUEST_NOT_SET:
      return false;
    default:
      return true;
  }
}

}  // namespace tictactoe::server
