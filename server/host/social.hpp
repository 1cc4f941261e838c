// Lists, chat and invitations: how players see and reach each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "server/host/replies.hpp"
#include "server/people/invitations.hpp"

namespace tictactoe::server {

/// Lists of rooms and players, chat, and invitations.
class Social {
 public:
  /// Both must outlive it.
  Social(Tables& tables, Replies& replies) : tables_(tables), replies_(replies) {}

  void list_rooms(const RequestContext& context, const v1::ListRooms& request);
  void list_players(const RequestContext& context, const v1::ListPlayers& request);
  void watch_lobby(const RequestContext& context, const v1::WatchLobby& request);

  /// Sends a line of chat to everybody in the room.
  Refused say(const RequestContext& context, Room& room, const std::string& said);
  Refused say_in_lobby(const RequestContext& context, const std::string& said);
  Refused invite(const RequestContext& context, const Room& room, const std::string& player);

 private:
  Refused charge_chat(const RequestContext& context, std::uint64_t room, std::size_t receivers);
  Refused count_invitation(const RequestContext& context, const Player& guest);

  Tables& tables_;  // for the references below
  const Config& config_ = tables_.config;
  Ledger& ledger_ = tables_.ledger;
  const Players& players_ = tables_.players;
  LobbyFeed& feed_ = tables_.feed;
  RoomTable& rooms_ = tables_.rooms;
  Directory& directory_ = *tables_.directory;
  Replies& replies_;
  Invitations invitations_{config_.limits};
};

}  // namespace tictactoe::server
