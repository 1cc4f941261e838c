// Connections, time, and the beginning and end of a host. Players are in host_players.cpp, requests
// in host_requests.cpp.
#include "server/core/host.hpp"

#include <algorithm>
#include <utility>

#include "server/core/errors.hpp"

namespace tictactoe::core {

Host::Host(Config config, std::uint64_t seed, TokenSource tokens)
    : config_(std::move(config)),
      random_(seed),
      tokens_(std::move(tokens)),
      players_(config_),
      lobby_(config_) {}

// Connections -------------------------------------------------------------------------------------

Peer* Host::find(ConnectionId id) {
  if (id.slot >= slots_.size()) return nullptr;
  Slot& slot = slots_[id.slot];
  return slot.peer && slot.generation == id.generation ? &*slot.peer : nullptr;
}

ConnectionId Host::connected(std::uint64_t origin, Time now) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  const ConnectionId id{slot, ++slots_[slot].generation};
  const auto rate = static_cast<double>(config_.limits.requests_per_second);
  const auto burst = static_cast<double>(config_.limits.request_burst);
  constexpr double patience = 20;  // in case the burst is small
  Peer& peer = slots_[slot].peer.emplace(TokenBucket(rate, burst, now),
                                         TokenBucket(rate, 2 * burst + patience, now));
  peer.origin = origin;
  deadlines_.set(peer.deadline, {now + config_.limits.hello_timeout, Deadline::Kind::hello, slot});
  ++people_;
  ++pending_;
  ++by_origin_[origin];
  if (auto problem = too_many(peer)) {
    expel(id, closing_error(problem->code, std::move(problem->message)), now);
  }
  return id;
}

std::optional<Problem> Host::too_many(const Peer& peer) const {
  const Limits& limits = config_.limits;
  if (people_ > limits.connections) {
    return problem(v1::Error::CODE_SERVER_FULL,
                   "This server has as many connections as it can hold: try again later.");
  }
  const std::size_t from_there = by_origin_.at(peer.origin);
  if (limits.connections_per_address > 0 && from_there > limits.connections_per_address) {
    return problem(v1::Error::CODE_TOO_MANY_CONNECTIONS,
                   "There are as many connections from your address as it can have here: close one "
                   "of them first.");
  }
  if (pending_ > limits.pending_connections) {
    return problem(v1::Error::CODE_TOO_MANY_CONNECTIONS,
                   "Too many connections have not said hello yet: try again in a moment.");
  }
  return std::nullopt;
}

void Host::forget(std::uint32_t slot) {
  Peer& peer = *slots_[slot].peer;
  deadlines_.end(peer.deadline);
  if (peer.player == nullptr) --pending_;
  if (const auto from_there = by_origin_.find(peer.origin); --from_there->second == 0) {
    by_origin_.erase(from_there);
  }
  slots_[slot].peer.reset();
  free_slots_.push_back(slot);
  --people_;
}

void Host::disconnected(ConnectionId gone, Time now) {
  Peer* peer = find(gone);
  if (peer == nullptr) return;
  Player* player = peer->player;
  forget(gone.slot);
  if (player == nullptr || player->connection != gone) return;
  player->connection.reset();
  player->away_since = now;
  if (Room* room = player->room; room != nullptr && room->seat_of(player) != rules::Mark::none) {
    room->went_away(*player, {now, effects_});
    settle(*room);
  } else {
    vacate(*player, {now, effects_});
  }
  players_.changed(*player);
}

void Host::expel(ConnectionId id, v1::Error error, Time now, std::uint64_t request_id) {
  auto& message = effects_.draft<v1::ServerMessage>();
  *message.mutable_error() = std::move(error);
  effects_.send(id, effects_.encode(message), request_id);
  effects_.close(id);
  disconnected(id, now);
}

bool Host::is_waiting(ConnectionId) const {
  return false;
}

void Host::reading_paused(ConnectionId id, bool paused, Time now) {
  Peer* peer = find(id);
  if (peer == nullptr || peer->reading_paused == paused) return;
  peer->reading_paused = paused;
  if (peer->player == nullptr) return;
  peer->last_heard = now;
  watch_for_silence(*peer, id.slot);
}

void Host::cannot_read(ConnectionId from, wire::FrameFault fault, Time now) {
  if (find(from) == nullptr) return;
  const std::string limit = std::to_string(config_.limits.client_frame_bytes);
  expel(from,
        closing_error(v1::Error::CODE_MALFORMED_FRAME,
                      fault == wire::FrameFault::too_long
                          ? "That frame is too long: a message to this server has at most " +
                                limit + " bytes."
                          : "That is no frame: a message begins with its length as a varint of at "
                            "most 5 bytes."),
        now);
}

void Host::refuse(const RequestContext& context, const Problem& problem) {
  auto& message = effects_.draft<v1::ServerMessage>();
  v1::Error& error = *message.mutable_error();
  error.set_code(problem.code);
  error.set_message(problem.message);
  error.set_retry_after_ms(static_cast<std::uint32_t>(problem.retry_after.count()));
  // Those who may have to wait for long must hear of it, and learn nothing by it.
  const bool tells_nothing = problem.retry_after.count() > 0;
  answer(context, message, tells_nothing ? Durability::immediate : Durability::after_records);
}

void Host::answer(const RequestContext& context, const v1::ServerMessage& message,
                  Durability durability) {
  effects_.send(context.connection, effects_.encode(message), context.request_id, durability);
}

// Deadlines ---------------------------------------------------------------------------------------

std::optional<Time> Host::next_deadline() const {
  std::optional<Time> next = players_.next_forgetting();
  if (!deadlines_.empty() && (!next || deadlines_.first().at < *next)) {
    next = deadlines_.first().at;
  }
  return next;
}

void Host::deadline_reached(Time now) {
  // Only what is due already, and not too much of it: an AI without a delay is due again as soon as
  // it has played, and must not keep everybody else waiting. The rest is due at once.
  constexpr std::size_t most_at_once = 64;
  due_.clear();
  deadlines_.take_due(now, most_at_once, due_);
  for (const Deadline& deadline : due_) {
    const auto slot = static_cast<std::uint32_t>(deadline.key);
    switch (deadline.kind) {
      case Deadline::Kind::hello:
        expel({slot, slots_[slot].generation},
              closing_error(v1::Error::CODE_HELLO_EXPECTED, "There was no hello in time."), now);
        break;
      case Deadline::Kind::silence:
        check_silence(slot, now);
        break;
      case Deadline::Kind::room:
        room_deadline(deadline.key, now);
        break;
    }
  }
  forget_idle(now);
}

// One deadline a connection, moved only when it is reached: a message costs no more than a note of
// when it came.
void Host::watch_for_silence(Peer& peer, std::uint32_t slot) {
  if (config_.limits.silence_timeout.count() == 0) return;
  if (peer.reading_paused) return deadlines_.end(peer.deadline);
  deadlines_.set(peer.deadline,
                 {peer.last_heard + config_.limits.silence_timeout, Deadline::Kind::silence, slot});
}

void Host::check_silence(std::uint32_t slot, Time now) {
  Peer& peer = *slots_[slot].peer;
  if (peer.last_heard + config_.limits.silence_timeout > now) return watch_for_silence(peer, slot);
  expel({slot, slots_[slot].generation},
        closing_error(v1::Error::CODE_SILENT,
                      "Nothing has come from you for " +
                          std::to_string(config_.limits.silence_timeout / std::chrono::seconds(1)) +
                          " seconds: ping now and then."),
        now);
}

void Host::room_deadline(std::uint64_t serial, Time now) {
  Room* room = lobby_.find(serial);
  if (room == nullptr) return;
  if (recording_ == Recording::stalled) {
    // What it would do has to be written down; clocks that have run out are dealt with then.
    constexpr std::chrono::seconds until_next_try{1};
    return set_room_deadline(*room, now + until_next_try);
  }
  for (const PlayerId id : room->deadline_reached({now, effects_})) {
    Player* player = players_.find(id);
    player->room = nullptr;
    players_.changed(*player);
  }
  settle(*room);
}

void Host::thought(ThoughtId id, const ThoughtResult& result, Time now) {
  Room* room = lobby_.find(id.room);
  if (room == nullptr) return;
  room->thought(id.number, result, {now, effects_});
  settle(*room);
}

void Host::set_room_deadline(Room& room, std::optional<Time> due) {
  if (due) {
    deadlines_.set(room.listing.deadline, {*due, Deadline::Kind::room, room.serial()});
  } else {
    deadlines_.end(room.listing.deadline);
  }
}

void Host::settle(Room& room) {
  const std::uint64_t serial = room.serial();
  set_room_deadline(room, room.empty() ? std::nullopt : room.next_deadline());
  if (draining_ && !(room.is_running() && !room.empty())) running_.erase(serial);
  if (!room.empty()) return lobby_.seats_changed(room);
  room.stop_thinking(effects_);
  if (config_.keeps_records) {
    auto& record = effects_.draft<journal::v1::Record>();
    record.set_room_closed(serial);
    effects_.record(record);
  }
  lobby_.close(room);
}

// Beginning and end -------------------------------------------------------------------------------

RestoreReport Host::restore(const journal::v1::Saved& saved, Time now) {
  RestoreReport report;
  for (const journal::v1::Player& player : saved.players()) {
    std::string why = restore_player(player, now);
    if (why.empty()) continue;
    report.refused.push_back({RestoreReport::Kind::player, player.id(), std::move(why)});
  }
  std::vector<Room*> rooms;
  for (const journal::v1::SavedRoom& room : saved.rooms()) {
    auto restored =
        Room::restore(room, config_, [&](PlayerId id) { return players_.find(id); }, now);
    Room* const entered = restored ? lobby_.restore(std::move(restored)) : nullptr;
    if (entered == nullptr) {
      report.refused.push_back({RestoreReport::Kind::room, room.room().serial(),
                                "The room \"" + room.room().name() + "\" is not valid."});
      continue;
    }
    rooms.push_back(entered);
    for (const PlayerId id : entered->seated()) players_.find(id)->room = entered;
  }
  for (const journal::v1::Player& player : saved.players()) {
    if (const Player* restored = players_.find(player.id())) players_.changed(*restored);
  }
  for (const RestoreReport::Refused& refused : report.refused) record_refused(refused);
  // Rooms that only watchers held open are closed: these have to come in again anyway.
  for (Room* room : rooms) {
    room->record_room({now, effects_});
    settle(*room);
  }
  return report;
}

// Returns why the player was refused; empty if not.
std::string Host::restore_player(const journal::v1::Player& player, Time now) {
  constexpr std::size_t hash_bytes = 32;
  const auto name = parse_name(player.name(), "player", Limits{});
  if (!name) return name.error().message;
  if (*name != player.name()) return "The player's name begins or ends with blanks.";
  if (player.token_hash().size() != hash_bytes) return "The token's hash has the wrong length.";
  Player* restored = players_.restore(player.id(), player.name(), player.token_hash());
  if (restored == nullptr) return "The player's number, name or token is in use already.";
  restored->away_since = now;
  return {};
}

void Host::record_refused(const RestoreReport::Refused& refused) {
  const bool is_player = refused.kind == RestoreReport::Kind::player;
  if (is_player) {
    players_.reserve(refused.id);
  } else {
    lobby_.reserve(refused.id);
  }
  // Of two with one number, the other was taken.
  const bool taken =
      is_player ? players_.find(refused.id) != nullptr : lobby_.find(refused.id) != nullptr;
  if (taken || !config_.keeps_records) return;
  auto& record = effects_.draft<journal::v1::Record>();
  if (is_player) {
    record.set_player_forgotten(refused.id);
  } else {
    record.set_room_closed(refused.id);
  }
  effects_.record(record);
}

void Host::recording(Recording recording, Time now) {
  if (recording == recording_) return;
  if (recording == Recording::stalled) lobby_.for_each([&](Room& room) { room.pause(now); });
  const bool goes_on = recording_ == Recording::stalled;
  recording_ = recording;
  if (!goes_on) return;
  lobby_.for_each([&](Room& room) {
    room.resume(now);
    set_room_deadline(room, room.next_deadline());
  });
}

void Host::drain(std::chrono::milliseconds within, Time now) {
  draining_ = true;
  drained_at_ = now + within;
  lobby_.for_each([&](const Room& room) {
    if (room.is_running()) running_.insert(room.serial());
  });
  auto& message = effects_.draft<v1::ServerMessage>();
  v1::Notice& notice = *message.mutable_notice();
  notice.set_kind(v1::Notice::KIND_DRAINING);
  notice.set_message("The server will end soon: no new games.");
  notice.set_within_ms(static_cast<std::uint32_t>(within.count()));
  const Body body = effects_.encode(message);
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    const auto& [generation, peer] = slots_[slot];
    if (peer && peer->player != nullptr) effects_.send({slot, generation}, body);
  }
}

void Host::stop(Time now) {
  lobby_.for_each([&](Room& room) { room.record_clocks({now, effects_}); });
  auto& message = effects_.draft<v1::ServerMessage>();
  *message.mutable_error() =
      closing_error(v1::Error::CODE_SERVER_STOPPING, "The server is being stopped.");
  const Body body = effects_.encode(message);
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    if (!slots_[slot].peer) continue;
    const ConnectionId id{slot, slots_[slot].generation};
    effects_.send(id, body);
    effects_.close(id);
  }
}

}  // namespace tictactoe::core
