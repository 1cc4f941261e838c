#include "server/host/replies.hpp"

#include <chrono>
#include <string>
#include <utility>

#include "server/game/describe.hpp"
#include "server/limits/errors.hpp"
#include "server/limits/request_costs.hpp"

namespace tictactoe::server {

Problem unknown_request() {
  return problem(v1::Error::CODE_UNKNOWN_REQUEST,
                 "This server does not know that request, or there was none.");
}

Problem in_another_room(const Room& own) {
  return problem(v1::Error::CODE_ALREADY_IN_ROOM,
                 "You are in the room \"" + own.name() + "\": leave it first.");
}

LogEvent& describe_connection(ConnectionId id, const Peer& peer, LogEvent& event) {
  event.add("connection", std::to_string(id.slot) + "." + std::to_string(id.generation));
  event.add("address", to_text(peer.origin.address));
  if (peer.player != nullptr) event.add("player", peer.player->name);
  return event;
}

void Replies::answer(const RequestContext& context, const v1::ServerMessage& message,
                     Durability durability) {
  effects_.send(context.connection, effects_.encode(message), context.request_id, durability);
}

void Replies::answer_done(const RequestContext& context) {
  auto& message = effects_.draft<v1::ServerMessage>();
  message.mutable_done();
  answer(context, message);
}

void Replies::answer_left(const RequestContext& context) {
  auto& message = effects_.draft<v1::ServerMessage>();
  message.mutable_left();
  answer(context, message);
}

void Replies::refuse(const RequestContext& context, const Problem& problem) {
  auto& message = effects_.draft<v1::ServerMessage>();
  describe(problem, *message.mutable_error());
  effects_.counts.note_refusal(problem.code);
  if (const Peer* peer = connections_.find(context.connection)) {
    effects_.log.note("request refused", peer->origin, context.now, [&](LogEvent& event) {
      describe_connection(context.connection, *peer, event)
          .add("code", label_of(v1::Error::Code_Name(problem.code), "CODE_"));
    });
  }
  // Immediate: this error may be needed while nothing can be recorded, and it reveals nothing.
  const bool immediate = problem.retry_after.count() > 0;
  answer(context, message, immediate ? Durability::immediate : Durability::after_records);
}

void Replies::refuse_hello(const RequestContext& context, const Problem& problem) {
  connections_.restart_hello(context.connection, context.now);
  refuse(context, problem);
}

void Replies::refuse_for_now(const RequestContext& context) {
  constexpr std::chrono::milliseconds retry_after{1000};
  const Problem problem{v1::Error::CODE_CANNOT_RECORD,
                        "One of the servers here is being replaced, or their database cannot be "
                        "reached: try again in a second.",
                        retry_after};
  context.player == nullptr ? refuse_hello(context, problem) : refuse(context, problem);
}

void Replies::finish(const RequestContext& context, const Refused& refused) {
  if (refused) return refuse(context, *refused);
  players_.request_done(*context.player, context.request_id);
}

void Replies::expel(ConnectionId id, v1::Error error, Time now, std::uint64_t request_id) {
  ++effects_.counts.expulsions.at(static_cast<std::size_t>(error.code()));
  if (const Peer* peer = connections_.find(id)) {
    effects_.log.note("connection closed", peer->origin, now, [&](LogEvent& event) {
      describe_connection(id, *peer, event)
          .add("code", label_of(v1::Error::Code_Name(error.code()), "CODE_"))
          .add("reason", error.message());
    });
  }
  auto& message = effects_.draft<v1::ServerMessage>();
  *message.mutable_error() = std::move(error);
  effects_.send(id, effects_.encode(message), request_id);
  effects_.close(id);
  disconnect(id, now);
}

void Replies::disconnect(ConnectionId gone, Time now, std::string_view reason) {
  const Peer* peer = connections_.find(gone);
  if (peer == nullptr) return;
  if (!reason.empty()) {
    effects_.log.note("connection closed", peer->origin, now, [&](LogEvent& event) {
      describe_connection(gone, *peer, event).add("reason", std::string(reason));
    });
  }
  const Player* player = peer->player;
  if (player != nullptr && player->connection == gone) people_.disconnect(*player, now);
  forget(gone, now);
}

void Replies::close(ConnectionId id, Time now) {
  effects_.close(id);
  forget(id, now);
}

void Replies::forget(ConnectionId id, Time now) {
  charge_receivers(*connections_.find(id), now);
  look_ups_.forget(id);
  feed_.stop(id);
  connections_.close(id);
}

void Replies::end_wait(ConnectionId id, Time now) {
  Peer* peer = connections_.find(id);  // it may be closed, or wait again
  if (peer == nullptr) return;
  charge_receivers(*peer, now);
  if (!peer->waiting && std::exchange(peer->was_deferred, false)) effects_.resume_reading(id);
}

void Replies::defer_if_waiting(ConnectionId id) {
  Peer* peer = connections_.find(id);
  if (peer != nullptr) peer->was_deferred = peer->waiting;
}

Refused Replies::charge(const Peer& peer, double cost, Time now) {
  const auto wait = ledger_.spend(peer.payers, Charge::requests, cost, now);
  if (!wait) return std::nullopt;
  return Problem{v1::Error::CODE_RATE_LIMITED,
                 "Too many requests: try again in " + std::to_string(wait->count()) + " ms.",
                 *wait};
}

void Replies::refuse_excess(const RequestContext& context, const Problem& problem) {
  if (!ledger_.spend(context.peer->payers, Charge::refusals, 1, context.now)) {
    return refuse(context, problem);
  }
  expel(context.connection,
        closing_error(v1::Error::CODE_FLOODING,
                      "You kept sending requests over the limit. The connection is closed."),
        context.now, context.request_id);
}

void Replies::charge_receivers(const Peer& peer, Time now) {
  const std::size_t receivers = effects_.take_receivers();
  const std::size_t tokens = receivers / receivers_per_token;
  if (tokens == 0) return;
  Ledger::charge(peer.payers, Charge::requests, static_cast<double>(tokens), now);
}

}  // namespace tictactoe::server
