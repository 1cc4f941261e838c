// The templates of Host, for the files that implement it.
#pragma once

#include <utility>

#include "server/core/host.hpp"

namespace tictactoe::core {

template <class T, class Next>
Directory::Answer<T> Host::when_answered(const RequestContext& context, Next next) {
  connections_.find(context.connection)->waiting = true;
  return [this, id = context.connection, request_id = context.request_id, next = std::move(next)](
             T&& answer, Time now) {
    Peer* peer = connections_.find(id);
    if (peer != nullptr) peer->waiting = false;
    next(peer,
         RequestContext{now, effects_, peer == nullptr ? nullptr : peer->player, id, request_id},
         std::move(answer));
    peer = connections_.find(id);  // it may be closed, or wait again
    if (peer != nullptr) charge_receivers(*peer, now);
    if (peer != nullptr && !peer->waiting && std::exchange(peer->was_deferred, false)) {
      effects_.resume_reading(id);
    }
  };
}

template <class Change>
Refused Host::begin_game(const RequestContext& context, const Room& room, Change change) {
  if (!room.is_between_games()) return change();
  if (auto refused = too_many_games(context)) return refused;
  Refused refused = change();
  if (!refused && room.is_running() && config_.keeps_records) {
    const Payers& payers = connections_.find(context.connection)->payers;
    Ledger::charge(payers, Charge::games, 1, context.now);
  }
  return refused;
}

}  // namespace tictactoe::core
