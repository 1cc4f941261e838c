// Answers, charges and refusals of requests, and the end of connections.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "server/host/people.hpp"
#include "server/people/directory.hpp"
#include "server/people/request_context.hpp"

namespace tictactoe::server {

/// Names a connection, its address and its player in the log.
LogEvent& describe_connection(ConnectionId id, const Peer& peer, LogEvent& event);

Problem unknown_request();
/// Refuses to enter another room while in this one. Nothing else prevents it.
Problem in_another_room(const Room& own);

/// Answers, refuses, charges and suspends requests, and closes connections, for the whole host.
class Replies {
 public:
  /// Both must outlive it.
  Replies(Tables& tables, People& people) : tables_(tables), people_(people) {}

  void answer(const RequestContext& context, const v1::ServerMessage& message,
              Durability durability = Durability::after_records);
  /// Answers a request that is done and has no other answer.
  void answer_done(const RequestContext& context);
  /// Answers a player who has left the room.
  void answer_left(const RequestContext& context);
  void refuse(const RequestContext& context, const Problem& problem);
  /// Refuses a hello, and gives the client time for another one.
  void refuse_hello(const RequestContext& context, const Problem& problem);
  /// Refuses a request because the place of its player or room is not known at present.
  void refuse_for_now(const RequestContext& context);
  /// Refuses a request because there are too many, or closes the connection if that recurs too
  /// often.
  void refuse_excess(const RequestContext& context, const Problem& problem);
  /// Refuses a request that should have changed something, or notes that it is done.
  void finish(const RequestContext& context, const Refused& refused);

  /// Charges for a request. Refuses it if one of its payers has too few tokens.
  Refused charge(const Peer& peer, double cost, Time now);
  /// Charges for the announcements since the last call.
  void charge_receivers(const Peer& peer, Time now);

  /// Sends the reason, closes the connection and forgets it.
  void expel(ConnectionId id, v1::Error error, Time now, std::uint64_t request_id = 0);
  /// Closes a connection whose player stays connected elsewhere or is gone.
  void close(ConnectionId id, Time now);
  /// The connection is lost. `reason` is for the log.
  void disconnect(ConnectionId gone, Time now, std::string_view reason = {});

  /// Suspends a request until something outside the host answers. Returns the callback for the
  /// answer, which ends the wait and calls `next(const RequestContext&, T)`. If the connection has
  /// closed, the context has no peer; then `next` must release what was claimed for it.
  template <class T, class Next>
  Directory::Answer<T> when_answered(const RequestContext& context, Next next) {
    context.peer->waiting = true;
    return [this, id = context.connection, request_id = context.request_id, next = std::move(next)](
               T&& answer, Time now) {
      Peer* peer = connections_.find(id);
      if (peer != nullptr) peer->waiting = false;
      const Player* player = peer == nullptr ? nullptr : peer->player;
      next(RequestContext{now, effects_, player, id, request_id, peer}, std::move(answer));
      end_wait(id, now);
    };
  }
  /// Called when the handling of a request returns. If the connection is waiting, the shell stops
  /// reading it until ResumeReading.
  void defer_if_waiting(ConnectionId id);

 private:
  void end_wait(ConnectionId id, Time now);
  void forget(ConnectionId id, Time now);

  Tables& tables_;  // for the references below
  Effects& effects_ = tables_.effects;
  Ledger& ledger_ = tables_.ledger;
  Connections& connections_ = tables_.connections;
  Players& players_ = tables_.players;
  LobbyFeed& feed_ = tables_.feed;
  LookUps& look_ups_ = tables_.look_ups;
  People& people_;
};

}  // namespace tictactoe::server
