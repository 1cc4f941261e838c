// Creating, entering and leaving rooms.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>

#include "server/game/start_position.hpp"
#include "server/host/handover.hpp"
#include "server/host/passwords.hpp"
#include "server/room/room_settings.hpp"

namespace tictactoe::server {

/// Each function answers its request, unless it returns a refusal, which the caller must send.
///
/// A player in another room can't enter one. Such a request is judged as if the player had left,
/// and refused with in_another_room() if nothing else is wrong. It makes no changes and claims
/// nothing.
class Entering {
 public:
  /// All must outlive it.
  Entering(Tables& tables, People& people, Replies& replies, Passwords& passwords,
           Handover& handover)
      : tables_(tables),
        people_(people),
        replies_(replies),
        passwords_(passwords),
        handover_(handover) {}

  Refused create_room(const RequestContext& context, const v1::ClientMessage& message);
  void join_room(const RequestContext& context, const v1::JoinRoom& request);
  void watch_room(const RequestContext& context, const v1::WatchRoom& request);
  /// Enters the room that has waited longest, or creates one.
  Refused play(const RequestContext& context);
  Refused leave_room(const RequestContext& context);

 private:
  struct NewRoom {
    RoomSettings settings;
    rules::Mark seat = rules::Mark::none;
    std::shared_ptr<const StartPosition> position = nullptr;  // null: empty board
  };

  Refused create(const RequestContext& context, const v1::CreateRoom& request,
                 const rules::Rules& rules, std::shared_ptr<const StartPosition> position);
  Refused find_position(const RequestContext& context, const v1::ClientMessage& message);
  Refused create_from(const RequestContext& context, const v1::CreateRoom& request,
                      const LookUpAnswer& answer);
  void create_for_play(const RequestContext& context);
  void claim_room(const RequestContext& context, NewRoom room, Directory::Naming naming);
  void open_claimed(const RequestContext& context, const NewRoom& room,
                    const Directory::RoomClaim& claim);
  void check_claim(const RequestContext& context, const NewRoom& room, Directory::Naming naming);
  Refused cannot_open(const RequestContext& context, const rules::Rules& rules);
  Refused too_many_rooms(const Peer& creator, const rules::Rules& rules) const;
  Refused open_and_sit(const RequestContext& context, const NewRoom& wanted,
                       const Directory::RoomClaim& claim);

  template <class Next>
  void find_room(const RequestContext& context, const std::string& name, Next next);
  template <class Enter>
  void enter_with_password(const RequestContext& context, std::uint64_t serial, const auto& request,
                           Enter enter);
  Refused join(const RequestContext& context, const Room& room, rules::Mark seat);
  Refused sit(const RequestContext& context, const Room& room, rules::Mark seat);
  Refused watch(const RequestContext& context, const Room& room);

  Tables& tables_;  // for the references below
  const Config& config_ = tables_.config;
  std::mt19937_64& random_ = tables_.random;
  Ledger& ledger_ = tables_.ledger;
  const Availability& availability_ = tables_.availability;
  Players& players_ = tables_.players;
  RoomTable& rooms_ = tables_.rooms;
  LookUps& look_ups_ = tables_.look_ups;
  Directory& directory_ = *tables_.directory;
  People& people_;
  Replies& replies_;
  Passwords& passwords_;
  Handover& handover_;
};

}  // namespace tictactoe::server
