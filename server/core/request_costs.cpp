#include "server/core/request_costs.hpp"

#include <array>
#include <cstddef>

namespace tictactoe::core {
namespace {

using Case = v1::ClientMessage;

constexpr int moves_for_one = 1'000;
// Those with which a room begins are recorded again.
constexpr int recorded_moves_for_one = 50;

// A request that is not listed costs 1.
constexpr std::array listed{
    RequestCost{Case::kHello, 1, moves_for_one},
    RequestCost{Case::kListRooms, 4, 0},
    RequestCost{Case::kCreateRoom, 8, recorded_moves_for_one},
    RequestCost{Case::kJoinRoom, 4, moves_for_one},
    RequestCost{Case::kWatchRoom, 4, moves_for_one},
    RequestCost{Case::kPlay, 8, moves_for_one},
    RequestCost{Case::kGetSnapshot, 4, moves_for_one},
    RequestCost{Case::kListGames, 8, 0},
    RequestCost{Case::kGetGame, 8, moves_for_one},
    RequestCost{Case::kWatchLobby, 8, 0},
    RequestCost{Case::kListPlayers, 4, 0},
    RequestCost{Case::kSayInLobby, 2, 0},
    RequestCost{Case::kMove, 1, moves_for_one},
    RequestCost{Case::kChat, 2, 0},
    RequestCost{Case::kHint, 4, moves_for_one},
    RequestCost{Case::kListMembers, 4, 0},
    RequestCost{Case::kInvite, 4, 0},
};

constexpr std::size_t largest_case = Case::kInvite;

// By field number.
constexpr auto table = [] {
  std::array<RequestCost, largest_case + 1> costs{};
  for (std::size_t number = 0; number <= largest_case; ++number) {
    costs[number] = {static_cast<Case::RequestCase>(number), 1, 0};
  }
  for (const RequestCost& cost : listed) costs[cost.request] = cost;
  return costs;
}();

}  // namespace

const RequestCost& cost_of(v1::ClientMessage::RequestCase request) {
  return table[request <= largest_case ? request : Case::REQUEST_NOT_SET];
}

int cost_of_moves(v1::ClientMessage::RequestCase request, int moves) {
  const int per_token = cost_of(request).moves_per_token;
  return per_token == 0 ? 0 : moves / per_token;
}

void describe_costs(v1::Limits& out) {
  for (const RequestCost& cost : listed) {
    v1::RequestCost& described = *out.add_costs();
    described.set_request(static_cast<std::uint32_t>(cost.request));
    described.set_tokens(static_cast<std::uint32_t>(cost.tokens));
    described.set_moves_per_token(static_cast<std::uint32_t>(cost.moves_per_token));
  }
}

}  // namespace tictactoe::core
