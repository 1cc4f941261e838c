#include "server/core/look_ups.hpp"

#include <cassert>
#include <memory>
#include <utility>

namespace tictactoe::core {

std::size_t LookUps::running_of(ConnectionId id) const {
  const auto found = running_.find(key(id));
  return found == running_.end() ? 0 : found->second.count;
}

bool LookUps::can_begin(ConnectionId from, const Peer& peer) const {
  return all_running_ < limits_.look_ups && running_of(from) < limits_.look_ups_per_connection &&
         !accounts_.is_full(*peer.payers.address, Holding::look_ups);
}

void LookUps::ask(ConnectionId from, const v1::ClientMessage& question, Effects& effects) {
  Peer& peer = *connections_.find(from);
  assert(!peer.question);
  if (can_begin(from, peer)) return begin(from, peer, question, effects);
  peer.question = std::make_unique<v1::ClientMessage>(question);
  peer.waiting = true;
  if (running_of(from) < limits_.look_ups_per_connection) {
    waiting_.push(peer.origin.address, from);
  }
}

void LookUps::begin(ConnectionId from, const Peer& peer, const v1::ClientMessage& question,
                    Effects& effects) {
  ++all_running_;
  Account& address = *peer.payers.address;
  accounts_.hold(address, Holding::look_ups);
  ++running_.try_emplace(key(from), Running{&address}).first->second.count;
  effects.look_up(from, question.request_id(), reader_number(*peer.player), question);
}

void LookUps::answered(ConnectionId from, Effects& effects) {
  --all_running_;
  const auto running = running_.find(key(from));
  accounts_.release(*running->second.address, Holding::look_ups);
  const bool was_full = running->second.count-- >= limits_.look_ups_per_connection;
  if (running->second.count == 0) running_.erase(running);
  const Peer* peer = connections_.find(from);
  if (was_full && peer != nullptr && peer->question) {
    waiting_.push(peer->origin.address, from);
  }
  begin_waiting(effects);
}

// As many as can begin. Few addresses are passed over: each has several questions running.
void LookUps::begin_waiting(Effects& effects) {
  std::size_t passed = 0;
  while (all_running_ < limits_.look_ups && passed < waiting_.addresses()) {
    passed = begin_next_of(waiting_.take_turn(), effects) ? 0 : passed + 1;
  }
}

// False if this address has as many as it can.
bool LookUps::begin_next_of(std::uint64_t address, Effects& effects) {
  const ConnectionId id = waiting_.front(address);
  Peer& peer = *connections_.find(id);
  if (!can_begin(id, peer)) return false;
  waiting_.pop(address);
  begin(id, peer, *std::exchange(peer.question, nullptr), effects);
  peer.waiting = false;
  if (std::exchange(peer.was_deferred, false)) effects.resume_reading(id);
  return true;
}

void LookUps::forget(ConnectionId from) {
  const Peer& peer = *connections_.find(from);
  if (peer.question) waiting_.erase(peer.origin.address, from);
}

}  // namespace tictactoe::core
