// Events: connections that come and go, time, recording, and the end of a host. Players are in
// host_players.cpp, requests in host_requests.cpp and host_lobby.cpp, restoring in
// host_restore.cpp.
#include "server/core/host.hpp"

#include <limits>
#include <utility>

#include "server/core/describe.hpp"
#include "server/core/errors.hpp"
#include "server/core/local_directory.hpp"

namespace tictactoe::core {

namespace {

constexpr Secret any_name{Secret::Of::name, 0};
constexpr std::uint64_t all_rooms = std::numeric_limits<std::uint64_t>::max();

Problem too_many_attempts(Secret::Of of, std::chrono::milliseconds wait) {
  return {v1::Error::CODE_RATE_LIMITED,
          std::string("Too many wrong ") +
              (of == Secret::Of::name ? "names and passwords of rooms" : "passwords") +
              " have come from your address: try again in " +
              std::to_string(std::chrono::ceil<std::chrono::seconds>(wait).count()) + " s.",
          wait};
}

}  // namespace

Host::Host(Config config, std::uint64_t seed, TokenSource tokens, const ChooseDirectory& choose)
    : config_(std::move(config)),
      random_(seed),
      tokens_(std::move(tokens)),
      ledger_(config_.limits),
      absences_(config_.limits, ledger_),
      invitations_(config_.limits),
      connections_(config_.limits, deadlines_, ledger_),
      players_(config_),
      feed_(config_.limits, rooms_, players_, connections_, deadlines_),
      notices_(connections_, deadlines_),
      rooms_(config_, deadlines_, feed_,
             [this](Room& room, const RequestContext& context) { closing(room, context); }),
      look_ups_(config_.limits, ledger_, connections_),
      directory_(std::make_unique<LocalDirectory>(config_, players_, rooms_, logins_, random_())),
      keys_(config_.limits),
      attempts_(config_.limits.attempts),
      room_attempts_(config_.limits.room_attempts),
      name_attempts_(config_.limits.name_attempts) {
  if (choose) directory_ = choose(std::move(directory_));
}

void Host::closing(Room& room, const RequestContext& context) {
  room.stop_thinking(effects_);
  if (config_.keeps_records) {
    auto& record = context.draft_record();
    record.set_room_closed(room.serial());
    record.set_closed_revision(room.revision());
    effects_.record(record);
  }
  effects_.log.note("room closed", room.origin().value_or(Origin{}), context.now,
                    [&](LogEvent& event) { event.add("room", room.name()); });
  release_room(room, context.now);
  directory_->release_room(room.serial(), room.revision());
}

// Connections -------------------------------------------------------------------------------------

LogEvent& Host::describe_connection(ConnectionId id, const Peer& peer, LogEvent& event) {
  event.add("connection", std::to_string(id.slot) + "." + std::to_string(id.generation));
  event.add("address", to_text(peer.origin.address));
  if (peer.player != nullptr) event.add("player", peer.player->name);
  return event;
}

void Host::change_settings(const Config& wanted) {
  config_.server_name = wanted.server_name;
  config_.lobby_chat = wanted.lobby_chat;
  config_.ai_delay = wanted.ai_delay;
  config_.server_password_hash = wanted.server_password_hash;
  config_.limits.default_grace = wanted.limits.default_grace;
  config_.limits.name_hold = wanted.limits.name_hold;
  config_.limits.rooms = wanted.limits.rooms;
  config_.limits.rooms_per_player = wanted.limits.rooms_per_player;
  config_.limits.watchers_per_room = wanted.limits.watchers_per_room;
  config_.limits.requests_per_second = wanted.limits.requests_per_second;
  config_.limits.request_burst = wanted.limits.request_burst;
  ledger_.follow_limits();
}

ConnectionId Host::connected(Origin origin, Time now) {
  const ConnectionId id = connections_.open(origin, now);
  ++effects_.counts.connections;
  effects_.log.note("connection opened", origin, now, [&](LogEvent& event) {
    describe_connection(id, *connections_.find(id), event);
  });
  if (auto excess = connections_.excess(id)) {
    expel(excess->connection, closing_error(std::move(excess->problem)), now);
  }
  return id;
}

void Host::disconnected(ConnectionId gone, Time now, std::string_view reason) {
  const Peer* peer = connections_.find(gone);
  if (peer == nullptr) return;
  if (!reason.empty()) {
    effects_.log.note("connection closed", peer->origin, now, [&](LogEvent& event) {
      describe_connection(gone, *peer, event).add("reason", std::string(reason));
    });
  }
  const Player* player = peer->player;
  if (player != nullptr && player->connection == gone) went_away(*player, now);
  forget_connection(gone, now);
}

void Host::went_away(const Player& player, Time now) {
  players_.disconnect(player, now);
  feed_.players_changed();
  if (player.room == nullptr) return;
  const RequestContext context{now, effects_};
  if (player.room->seat_of(&player) == rules::Mark::none) return vacate(player, context);
  rooms_.change(*player.room, context, [&](Room& room) { room.went_away(player, context); });
  absences_.begin(player, now);
  limit_absences(player.id, now);
}

void Host::limit_absences(PlayerId latest, Time now) {
  if (recording_ == Recording::stalled) return;  // the next absence ends two holds
  constexpr int most_at_once = 2;
  for (int i = 0; i < most_at_once; ++i) {
    const Player* loser = players_.find(absences_.one_too_many(latest));
    if (loser == nullptr) return;
    const RequestContext context{now, effects_};
    rooms_.change(*loser->room, context, [&](Room& room) {
      room.end_hold(*loser, context);
      leave(*loser);
    });
  }
}

void Host::forget_connection(ConnectionId id, Time now) {
  charge_receivers(*connections_.find(id), now);
  look_ups_.forget(id);
  feed_.stop(id);
  connections_.close(id);
}

void Host::expel(ConnectionId id, v1::Error error, Time now, std::uint64_t request_id) {
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
  disconnected(id, now);
}

bool Host::is_waiting(ConnectionId id) const {
  const Peer* peer = connections_.find(id);
  return peer != nullptr && peer->waiting;
}

void Host::reading_paused(ConnectionId id, bool paused, Time now) {
  connections_.reading_paused(id, paused, now);
}

void Host::cannot_read(ConnectionId from, wire::FrameFault fault, Time now) {
  if (connections_.find(from) == nullptr) return;
  const auto sentence = [&]() -> std::string {
    switch (fault) {
      case wire::FrameFault::too_long:
        return "That frame is too long: a message to this server has at most " +
               std::to_string(config_.limits.client_frame_bytes) + " bytes.";
      case wire::FrameFault::bad_length:
        return "That is no frame: a message begins with its length as a varint of at most 5 bytes.";
      case wire::FrameFault::bad_websocket:
        break;
    }
    return "That breaks the WebSocket protocol (RFC 6455).";
  };
  expel(from, closing_error(v1::Error::CODE_MALFORMED_FRAME, sentence()), now);
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
  // Not too much of what is due: an AI without a delay is due again as soon as it has played, and
  // the end of each of many silent watchers is told to all others. The rest is due at once.
  constexpr int most_at_once = 32;
  constexpr std::size_t most_effects = 256;
  for (int i = 0; i < most_at_once && effects_.list().size() < most_effects; ++i) {
    const auto due = deadlines_.take_due(now);
    if (!due || !handle_due(*due, now)) break;
  }
  forget_idle(now);
}

// False after a slice of work whose next slice may be due at once.
bool Host::handle_due(const Deadline& deadline, Time now) {
  switch (deadline.kind) {
    case Deadline::Kind::lobby:
      feed_.deadline_reached(now, effects_);
      return false;
    case Deadline::Kind::notice:
      notices_.deadline_reached(now, effects_);
      return false;
    case Deadline::Kind::room:
      room_deadline(deadline.key, now);
      return true;
    case Deadline::Kind::hello:
    case Deadline::Kind::silence:
      break;
  }
  if (const auto overdue = connections_.overdue(deadline, now)) {
    expel_overdue(*overdue, deadline.kind, now);
  }
  return true;
}

void Host::expel_overdue(ConnectionId id, Deadline::Kind kind, Time now) {
  if (kind == Deadline::Kind::hello) {
    return expel(id, closing_error(v1::Error::CODE_HELLO_EXPECTED, "There was no hello in time."),
                 now);
  }
  const auto limit = config_.limits.silence_timeout / std::chrono::seconds(1);
  expel(id,
        closing_error(v1::Error::CODE_SILENT, "Nothing has come from you for " +
                                                  std::to_string(limit) +
                                                  " seconds: ping now and then."),
        now);
}

void Host::room_deadline(std::uint64_t serial, Time now) {
  const Room* room = rooms_.find(serial);
  if (room == nullptr) return;
  if (recording_ == Recording::stalled) {
    // What it would do has to be recorded. It is done when that is possible again.
    constexpr std::chrono::seconds until_next_try{1};
    return rooms_.postpone(*room, now + until_next_try);
  }
  const RequestContext context{now, effects_};
  rooms_.change(*room, context, [&](Room& changed) {
    for (const PlayerId id : changed.deadline_reached(context)) leave(*players_.find(id));
  });
}

void Host::thought(ThoughtId id, const ThoughtResult& result, Time now) {
  const Room* room = rooms_.find(id.room);
  if (room == nullptr) return;
  const RequestContext context{now, effects_};
  rooms_.change(*room, context,
                [&](Room& changed) { changed.thought(id.number, result, context); });
}

void Host::forget_idle(Time now) {
  release_evicted(now);
  constexpr int most_at_once = 64;
  for (int i = 0; i < most_at_once; ++i) {
    const auto due = players_.next_forgetting();
    if (!due || *due > now) return;
    forget_player(*players_.longest_idle());
  }
}

// Passwords ---------------------------------------------------------------------------------------

void Host::key_derived(std::uint64_t id, const std::string& key, Time now) {
  keys_.derived(id, key, now, effects_);
}

Attempts* Host::attempts_at_all(Secret::Of of) {
  if (of == Secret::Of::room) return &room_attempts_;
  return of == Secret::Of::name ? &name_attempts_ : nullptr;
}

Refused Host::begin_attempt(Secret secret, Origin from, Time now) {
  auto wait = attempts_.begin(secret, from, now);
  if (Attempts* all = attempts_at_all(secret.of); all != nullptr && !wait) {
    wait = all->begin({secret.of, 0}, from, now);
    if (wait) attempts_.withdrawn(secret, from);
  }
  if (!wait) return std::nullopt;
  return too_many_attempts(secret.of, *wait);
}

Refused Host::begin_key_attempt(Secret secret, Origin from, Time now) {
  if (!keys_.has_place(from)) return too_many_passwords();
  return begin_attempt(secret, from, now);
}

void Host::end_attempt(Secret secret, Origin from, std::optional<bool> right, Time now) {
  Attempts* all = attempts_at_all(secret.of);
  if (right == false) {
    attempts_.failed(secret, from, now);
    if (all != nullptr) all->failed({secret.of, 0}, from, now);
    return;
  }
  right ? attempts_.succeeded(secret, from) : attempts_.withdrawn(secret, from);
  // A right password is no reason to forget wrong ones that were tried at other rooms.
  if (all != nullptr) all->withdrawn({secret.of, 0}, from);
}

Refused Host::count_name(bool is_right, Origin from, Time now) {
  if (!config_.limits.limits_addresses()) return std::nullopt;
  if (const auto wait = name_attempts_.begin(any_name, from, now)) {
    return too_many_attempts(Secret::Of::name, *wait);
  }
  is_right ? name_attempts_.withdrawn(any_name, from) : name_attempts_.failed(any_name, from, now);
  return std::nullopt;
}

PasswordKey Host::fresh_key() {
  return {config_.key_cost, std::string(bytes_of(tokens_())), {}};
}

PasswordKey Host::unused_key() const {
  return {config_.key_cost, std::string(Token{}.size(), '\0'), {}};
}

// Recording and the end ---------------------------------------------------------------------------

void Host::recording(Recording recording, Time now) {
  if (recording == recording_) return;
  const bool was_stalled = recording_ == Recording::stalled;
  recording_ = recording;
  const RequestContext context{now, effects_};
  if (recording == Recording::stalled) {
    rooms_.change_all(context, [&](Room& room) { room.pause(now); });
  } else if (was_stalled) {
    rooms_.change_all(context, [&](Room& room) { room.resume(now); });
  }
}

void Host::drain(std::chrono::milliseconds within, Time now) {
  draining_ = true;
  drained_at_ = now + within;
  rooms_.start_draining();
  notices_.send(v1::Notice::KIND_DRAINING, "The server will end soon: no new games.",
                static_cast<std::uint32_t>(within.count()), now, effects_);
}

bool Host::stop(Time now, const std::vector<Directory::Server>& others, const std::string& why) {
  constexpr std::size_t rooms_at_once = 64;
  constexpr std::size_t peers_at_once = 8;  // each is written to and closed
  draining_ = true;  // what is answered from now on begins nothing, as nobody would be told
  const RequestContext context{now, effects_};
  if (stopped_room_ != all_rooms) {
    const auto last = rooms_.change_after(stopped_room_, rooms_at_once, context,
                                          [&](Room& room) { room.record_clocks(context); });
    stopped_room_ = last.value_or(all_rooms);
    if (last) return true;
  }
  auto& message = effects_.draft<v1::ServerMessage>();
  *message.mutable_error() = closing_error(v1::Error::CODE_SERVER_STOPPING, why);
  const Body stopping = effects_.encode(message);
  std::vector<Body> redirects;
  for (const Directory::Server& other : others) {
    auto& redirect = effects_.draft<v1::ServerMessage>();
    describe(other, *redirect.mutable_redirect()->mutable_server());
    redirects.push_back(effects_.encode(redirect));
  }
  const auto next =
      connections_.visit_from(stopped_slot_, peers_at_once, [&](ConnectionId id, const Peer& peer) {
        connections_.find(id)->position_found = nullptr;
        const bool follows = peer.follows_redirects && peer.player != nullptr && !redirects.empty();
        // It tells of no record. Frames that wait for one still go first.
        effects_.send(id, follows ? redirects[id.slot % redirects.size()] : stopping, 0,
                      follows ? Durability::after_records : Durability::immediate);
        effects_.close(id);
      });
  stopped_slot_ = next.value_or(stopped_slot_);
  if (!next) effects_.log.note_left_out();
  return next.has_value();
}

}  // namespace tictactoe::core
