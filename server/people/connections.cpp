#include "server/people/connections.hpp"

#include <algorithm>

namespace tictactoe::server {

ConnectionId Connections::open(Origin origin, Time now) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  const ConnectionId id{slot, ++slots_[slot].generation};
  Peer& peer = slots_[slot].peer.emplace();
  peer.origin = origin;
  peer.payers = ledger_.hold(origin, Holding::connections, now);
  ledger_.hold(peer.payers, Holding::pending);
  peer.opened = now;
  peer.pending = pending_.push(origin, id);
  restart_hello(id, now);
  ++size_;
  return id;
}

std::optional<Excess> Connections::excess(ConnectionId opened) const {
  const auto one = [](ConnectionId id, v1::Error::Code code, std::string sentence) {
    return Excess{id, problem(code, std::move(sentence))};
  };
  if (size_ > limits_.connections) {
    return one(opened, v1::Error::CODE_SERVER_FULL,
               "This server has reached its connection limit. Try again later.");
  }
  constexpr auto code = v1::Error::CODE_TOO_MANY_CONNECTIONS;
  const Peer& peer = *find(opened);
  const Payers& payers = peer.payers;
  for (const Holding holding : {Holding::connections, Holding::pending}) {
    const Payer* over = ledger_.over(payers, holding);
    if (const auto idle =
            over != nullptr ? longest_idle(over->kind(), peer.origin) : std::nullopt) {
      return one(*idle, code, "Closed to make room for another connection from your network.");
    }
  }
  if (const Payer* over = ledger_.over(payers, Holding::connections)) {
    return one(opened, code,
               over->kind() == PayerKind::address
                   ? "Your address has reached its connection limit: close one first."
                   : "Your network has reached its connection limit: try again later.");
  }
  const bool has_too_many = ledger_.over(payers, Holding::pending) != nullptr;
  if (!has_too_many && pending_.size() <= limits_.pending_connections) return std::nullopt;
  return one(has_too_many ? opened : pending_.first(pending_.heaviest()), code,
             "Too many connections have not said hello yet: try again in a moment.");
}

void Connections::close(ConnectionId id) {
  Peer& peer = *find(id);
  deadlines_.end(peer.deadline);
  if (peer.player == nullptr) end_pending(peer);
  ledger_.release(peer.payers, Holding::connections);
  slots_[id.slot].peer.reset();
  free_slots_.push_back(id.slot);
  --size_;
}

void Connections::end_pending(Peer& peer) {
  end_idle(peer);
  pending_.erase(peer.origin, peer.pending);
  ledger_.release(peer.payers, Holding::pending);
}

void Connections::set_idle(ConnectionId id, bool is_idle) {
  Peer* const peer = find(id);
  if (peer == nullptr || peer->player != nullptr || (peer->idle != 0) == is_idle) return;
  if (!is_idle) return end_idle(*peer);
  peer->idle = idle_.push(peer->origin, id);
}

void Connections::end_idle(Peer& peer) {
  if (peer.idle != 0) idle_.erase(peer.origin, std::exchange(peer.idle, 0));
}

std::optional<ConnectionId> Connections::longest_idle(PayerKind kind, Origin of) const {
  if (kind == PayerKind::network && idle_.weight_of_network(of.network) > 0) {
    of = idle_.heaviest_in(of.network);
  }
  return idle_.weight_of(of) > 0 ? std::optional(idle_.first(of)) : std::nullopt;
}

void Connections::welcome(ConnectionId id, const Player& player, Time now) {
  Peer& peer = *find(id);
  deadlines_.end(peer.deadline);
  end_pending(peer);
  peer.player = &player;
  peer.payers.player = &ledger_.of(PayerKind::player, player.id, now);
  ledger_.hold(*peer.payers.player, Holding::connections);
  peer.last_heard = now;
  watch_for_silence(peer, id.slot);
}

// Deadlines ---------------------------------------------------------------------------------------

void Connections::restart_hello(ConnectionId id, Time now) {
  constexpr int max_times = 6;
  Peer& peer = *find(id);
  const Time last = peer.opened + max_times * limits_.hello_timeout;
  deadlines_.set(peer.deadline,
                 {std::min(now + limits_.hello_timeout, last), Deadline::Kind::hello, id.slot});
}

void Connections::reading_paused(ConnectionId id, bool paused, Time now) {
  Peer* peer = find(id);
  if (peer == nullptr || peer->reading_paused == paused) return;
  peer->reading_paused = paused;
  if (peer->player == nullptr) return;
  peer->last_heard = now;
  watch_for_silence(*peer, id.slot);
}

// The deadline is moved only when it is reached, so that a message costs only a note of its time.
void Connections::watch_for_silence(Peer& peer, std::uint32_t slot) {
  if (limits_.silence_timeout.count() == 0) return;
  if (peer.reading_paused) return deadlines_.end(peer.deadline);
  deadlines_.set(peer.deadline,
                 {peer.last_heard + limits_.silence_timeout, Deadline::Kind::silence, slot});
}

std::optional<ConnectionId> Connections::check_deadline(const Deadline& deadline, Time now) {
  const auto slot = static_cast<std::uint32_t>(deadline.key);
  const ConnectionId id{slot, slots_[slot].generation};
  Peer& peer = *slots_[slot].peer;
  if (deadline.kind == Deadline::Kind::hello) {
    if (!peer.waiting) return id;
    deadlines_.set(peer.deadline, {now + limits_.hello_timeout, Deadline::Kind::hello, slot});
    return std::nullopt;
  }
  if (peer.waiting) peer.last_heard = now;  // its frames are not delivered
  if (peer.last_heard + limits_.silence_timeout <= now) return id;
  watch_for_silence(peer, slot);
  return std::nullopt;
}

}  // namespace tictactoe::server
