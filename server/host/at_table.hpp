// Requests of players in a room.
#pragma once

#include "server/host/social.hpp"

namespace tictactoe::server {

/// Handles every request that needs a room, and answers it: moves, chat, offers, hints, AI players,
/// invitations and lists of members.
class AtTable {
 public:
  /// All must outlive it.
  AtTable(Tables& tables, People& people, Replies& replies, Social& social)
      : tables_(tables), people_(people), replies_(replies), social_(social) {}

  /// Handles a request about the room that the player is in. Makes no heap call for a move.
  void handle(const RequestContext& context, const v1::ClientMessage& message);
  void get_snapshot(const RequestContext& context);

 private:
  void move(const RequestContext& context, const Room& room, const v1::Move& move);
  void list_members(const RequestContext& context, const Room& room,
                    const v1::ListMembers& request);
  void refuse_hint(const RequestContext& context);
  Refused change(const RequestContext& context, Room& room, const v1::ClientMessage& message);

  Tables& tables_;  // for the references below
  const Config& config_ = tables_.config;
  const Availability& availability_ = tables_.availability;
  Players& players_ = tables_.players;
  RoomTable& rooms_ = tables_.rooms;
  People& people_;
  Replies& replies_;
  Social& social_;
};

}  // namespace tictactoe::server
