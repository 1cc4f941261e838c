// What a server learns about the other servers of its lobby.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tictactoe/journal/v1/journal.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::server {

/// A listed room of another server, as that server publishes it.
struct RoomElsewhere {
  std::string name;
  std::uint64_t stream = 0;                  ///< of its server
  std::shared_ptr<const v1::RoomInfo> info;  ///< null: no longer listed there
};

/// Connected players of other servers, by name.
using PlayersElsewhere = std::map<std::string, v1::PlayerInfo>;

/// What was said in the lobby at one server.
struct SaidInLobby {
  std::uint64_t lines = 0;  ///< said so far
  v1::LobbyUpdate last;     ///< only `chat`: the last lines
};

/// Changes since the last news.
struct LobbyNews {
  std::optional<journal::v1::Saved> bans;  ///< all of them, if one has changed
  std::vector<RoomElsewhere> rooms;
  std::optional<std::size_t> players = std::nullopt;  ///< connected to the others
  std::size_t servers = 1;                            ///< that share the lobby; with `players`
  std::vector<v1::ChatSaid> said;                     ///< in the lobby, at the others
};

}  // namespace tictactoe::server
