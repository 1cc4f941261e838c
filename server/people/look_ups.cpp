#include "server/people/look_ups.hpp"

#include <cassert>
#include <memory>
#include <optional>
#include <utility>

namespace tictactoe::server {

std::size_t LookUps::running_of(ConnectionId id) const {
  const auto found = running_.find(key(id));
  return found == running_.end() ? 0 : found->second.count;
}

Payers LookUps::payers_of(const Peer& peer) {
  return {peer.payers.address, peer.payers.network, nullptr};
}

bool LookUps::can_begin(ConnectionId from, const Peer& peer) const {
  return all_running_ < limits_.look_ups && running_of(from) < limits_.look_ups_per_connection &&
         ledger_.full(payers_of(peer), Holding::look_ups) == nullptr;
}

void LookUps::ask(ConnectionId from, const v1::ClientMessage& question, Effects& effects) {
  Peer& peer = *connections_.find(from);
  assert(!peer.question);
  if (can_begin(from, peer)) return begin(from, peer, question, effects);
  peer.question = std::make_unique<v1::ClientMessage>(question);
  peer.waiting = true;
  if (running_of(from) < limits_.look_ups_per_connection) wait(from, peer);
}

void LookUps::wait(ConnectionId from, Peer& peer) {
  peer.question_number = waiting_.push(peer.origin, from);
}

void LookUps::begin(ConnectionId from, const Peer& peer, const v1::ClientMessage& question,
                    Effects& effects) {
  ++all_running_;
  const Payers payers = payers_of(peer);
  ledger_.hold(payers, Holding::look_ups);
  ++running_.try_emplace(key(from), Running{payers}).first->second.count;
  effects.look_up(from, question.request_id(), reader_number(*peer.player), question);
}

void LookUps::answered(ConnectionId from, Effects& effects) {
  --all_running_;
  const auto running = running_.find(key(from));
  ledger_.release(running->second.payers, Holding::look_ups);
  const bool was_full = running->second.count-- >= limits_.look_ups_per_connection;
  if (running->second.count == 0) running_.erase(running);
  Peer* peer = connections_.find(from);
  if (was_full && peer != nullptr && peer->question) wait(from, *peer);
  begin_waiting(effects);
}

// Begins as many as possible. Skips a network at its limit as a whole.
void LookUps::begin_waiting(Effects& effects) {
  const auto network_can_go = [this](ConnectionId id) {
    return !ledger_.is_full(*connections_.find(id)->payers.network, Holding::look_ups);
  };
  const auto can_go = [this](ConnectionId id) { return can_begin(id, *connections_.find(id)); };
  while (all_running_ < limits_.look_ups) {
    const std::optional<ConnectionId> next = waiting_.pop_if(network_can_go, can_go);
    if (!next) return;
    Peer& peer = *connections_.find(*next);
    peer.question_number = 0;
    begin(*next, peer, *std::exchange(peer.question, nullptr), effects);
    if (peer.position_found) continue;  // it waits for the answer
    peer.waiting = false;
    if (std::exchange(peer.was_deferred, false)) effects.resume_reading(*next);
  }
}

void LookUps::forget(ConnectionId from) {
  const Peer& peer = *connections_.find(from);
  if (peer.question_number != 0) waiting_.erase(peer.origin, peer.question_number);
}

}  // namespace tictactoe::server
