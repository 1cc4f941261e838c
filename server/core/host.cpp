#include "server/core/host.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "server/core/describe.hpp"

namespace tictactoe::core {
namespace {

constexpr std::uint32_t protocol_version = 1;

Problem problem(v1::Error::Code code, std::string message) {
  return {code, std::move(message), {}};
}

v1::Error closing_error(v1::Error::Code code, std::string message) {
  v1::Error error;
  error.set_code(code);
  error.set_message(std::move(message));
  error.set_closing(true);
  return error;
}

}  // namespace

Host::Host(Config config, std::uint64_t seed)
    : config_(std::move(config)), random_(seed), lobby_(config_) {}

// Connections -------------------------------------------------------------------------------------

Host::Peer* Host::find(ConnectionId id) {
  if (id.slot >= peers_.size()) return nullptr;
  Peer& peer = peers_[id.slot];
  return peer.present && peer.generation == id.generation ? &peer : nullptr;
}

ConnectionId Host::connected(Time now) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(peers_.size()));
    peers_.emplace_back();
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  Peer& peer = peers_[slot];
  const std::uint32_t generation = peer.generation + 1;
  peer = Peer{};
  peer.generation = generation;
  peer.present = true;
  peer.tokens = config_.limits.request_burst;
  peer.refilled = now;
  peer.hello_due = now + config_.limits.hello_timeout;
  deadlines_.insert({peer.hello_due, Deadline::Kind::hello, slot});
  ++people_;
  const ConnectionId id{slot, generation};
  if (people_ > config_.limits.connections) {
    expel(id,
          closing_error(v1::Error::CODE_SERVER_FULL,
                        "This server has as many connections as it can hold: try again later."),
          now);
  }
  return id;
}

void Host::forget(Peer& peer, std::uint32_t slot) {
  if (peer.welcome) {
    names_.erase(peer.name);
  } else {
    deadlines_.erase({peer.hello_due, Deadline::Kind::hello, slot});
  }
  peer.present = false;
  peer.name = {};
  free_slots_.push_back(slot);
  --people_;
}

void Host::disconnected(ConnectionId gone, Time now) {
  Peer* peer = find(gone);
  if (peer == nullptr) return;
  vacate(*peer, gone, now);
  forget(*peer, gone.slot);
}

void Host::expel(ConnectionId id, v1::Error error, Time now, std::uint64_t request_id) {
  v1::ServerMessage message;
  *message.mutable_error() = std::move(error);
  effects_.send(id, effects_.encode(message), request_id);
  effects_.close(id);
  disconnected(id, now);
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

void Host::stop() {
  v1::ServerMessage message;
  *message.mutable_error() =
      closing_error(v1::Error::CODE_SERVER_STOPPING, "The server is being stopped.");
  const Body body = effects_.encode(message);
  for (std::uint32_t slot = 0; slot < peers_.size(); ++slot) {
    if (!peers_[slot].present) continue;
    const ConnectionId id{slot, peers_[slot].generation};
    effects_.send(id, body);
    effects_.close(id);
  }
}

// Deadlines ---------------------------------------------------------------------------------------

std::optional<Time> Host::next_deadline() const {
  if (deadlines_.empty()) return std::nullopt;
  return deadlines_.begin()->at;
}

void Host::deadline_reached(Time now) {
  // Only what is due already, and not too much of it: an AI without a delay is due again as soon as
  // it has played, and must not keep everybody else waiting. The rest is due at once.
  constexpr std::size_t most_at_once = 64;
  std::vector<Deadline> due;
  for (const Deadline& deadline : deadlines_) {
    if (deadline.at > now || due.size() == most_at_once) break;
    due.push_back(deadline);
  }
  for (const Deadline& deadline : due) {
    if (!deadlines_.contains(deadline)) continue;  // an earlier one of these has ended it
    if (deadline.kind == Deadline::Kind::hello) {
      const auto slot = static_cast<std::uint32_t>(deadline.key);
      expel({slot, peers_[slot].generation},
            closing_error(v1::Error::CODE_HELLO_EXPECTED, "There was no hello in time."), now);
    } else if (Room* room = lobby_.find(deadline.key)) {
      room->play_ai(now, effects_);
      settle(*room);
    }
  }
}

void Host::thought(ThoughtId id, ai::Choice choice, Time now) {
  Room* room = lobby_.find(id.room);
  if (room == nullptr) return;
  room->thought(id.number, choice, now, effects_);
  settle(*room);
}

void Host::settle(Room& room) {
  const std::uint64_t serial = room.serial();
  const std::optional<Time> due = room.empty() ? std::nullopt : room.ai_due();
  const auto known = ai_deadlines_.find(serial);
  if (known != ai_deadlines_.end() && known->second != due) {
    deadlines_.erase({known->second, Deadline::Kind::ai, serial});
    ai_deadlines_.erase(known);
  }
  if (due && deadlines_.insert({*due, Deadline::Kind::ai, serial}).second) {
    ai_deadlines_.emplace(serial, *due);
  }
  if (room.empty()) {
    room.stop_thinking(effects_);
    lobby_.close(room);
  } else {
    lobby_.seats_changed(room);
  }
}

// Requests ----------------------------------------------------------------------------------------

Refused Host::over_rate(Peer& peer, Time now) {
  const double rate = config_.limits.requests_per_second;
  if (rate <= 0) return std::nullopt;
  const double waited = std::chrono::duration<double>(now - peer.refilled).count();
  peer.tokens = std::min<double>(config_.limits.request_burst, peer.tokens + waited * rate);
  peer.refilled = now;
  if (peer.tokens >= 1) {
    peer.tokens -= 1;
    return std::nullopt;
  }
  const auto wait = std::chrono::milliseconds(
      static_cast<std::int64_t>(std::ceil((1 - peer.tokens) / rate * 1000)));
  return Problem{v1::Error::CODE_RATE_LIMITED,
                 "Too many requests: try again in " + std::to_string(wait.count()) + " ms.", wait};
}

void Host::refuse(Asker asker, const Problem& problem) {
  v1::ServerMessage message;
  v1::Error& error = *message.mutable_error();
  error.set_code(problem.code);
  error.set_message(problem.message);
  error.set_retry_after_ms(static_cast<std::uint32_t>(problem.retry_after.count()));
  effects_.send(asker.connection, effects_.encode(message), asker.request_id);
}

void Host::received(ConnectionId from, std::string_view body, Time now) {
  Peer* peer = find(from);
  if (peer == nullptr) return;
  const bool readable = message_.ParseFromArray(body.data(), static_cast<int>(body.size()));
  if (!peer->welcome && (!readable || !message_.has_hello())) {
    expel(from,
          readable ? closing_error(v1::Error::CODE_HELLO_EXPECTED,
                                   "The first message of a connection must be a hello.")
                   : closing_error(v1::Error::CODE_MALFORMED_MESSAGE,
                                   "That is not a ClientMessage of tictactoe.v1."),
          now, readable ? message_.request_id() : 0);
    return;
  }
  const Asker asker{from, readable ? message_.request_id() : 0};
  if (auto refused = over_rate(*peer, now)) {
    refuse(asker, *refused);
  } else if (!readable) {
    refuse(asker, problem(v1::Error::CODE_MALFORMED_MESSAGE,
                          "That is not a ClientMessage of tictactoe.v1, or a text in it is not "
                          "UTF-8. Nothing was done."));
  } else {
    handle(*peer, asker, message_, now);
  }
}

void Host::handle(Peer& peer, Asker asker, const v1::ClientMessage& message, Time now) {
  if (message.has_hello()) {
    hello(peer, asker, message.hello(), now);
  } else if (message.has_ping()) {
    v1::ServerMessage pong;
    pong.mutable_pong();
    effects_.send(asker.connection, effects_.encode(pong), asker.request_id);
  } else if (message.has_list_rooms()) {
    list_rooms(asker, message.list_rooms());
  } else if (auto refused = message.request_case() < v1::ClientMessage::kMove
                                ? handle_lobby(peer, asker, message, now)
                                : handle_room(peer, asker, message, now)) {
    refuse(asker, *refused);
  }
}

// Ways into a room, and out of it.
Refused Host::handle_lobby(Peer& peer, Asker asker, const v1::ClientMessage& message, Time now) {
  switch (message.request_case()) {
    case v1::ClientMessage::kCreateRoom:
      return create_room(peer, asker, message.create_room(), now);
    case v1::ClientMessage::kJoinRoom:
      return join_room(peer, asker, message.join_room(), now);
    case v1::ClientMessage::kWatchRoom:
      return watch_room(peer, asker, message.watch_room());
    case v1::ClientMessage::kPlay:
      return play(peer, asker, now);
    case v1::ClientMessage::kLeaveRoom:
      return leave_room(peer, asker, now);
    case v1::ClientMessage::kGetSnapshot:
      if (peer.room == nullptr) break;
      peer.room->send_snapshot(asker, effects_);
      return std::nullopt;
    default:
      return problem(v1::Error::CODE_UNKNOWN_REQUEST,
                     "This server does not know that request, or there was none.");
  }
  return problem(v1::Error::CODE_NOT_IN_ROOM, "You are not in a room: join, watch or create one.");
}

// What is asked of the room that one is in.
Refused Host::handle_room(Peer& peer, Asker asker, const v1::ClientMessage& message, Time now) {
  if (peer.room == nullptr) {
    return problem(v1::Error::CODE_NOT_IN_ROOM,
                   "You are not in a room: join, watch or create one.");
  }
  Room& room = *peer.room;
  Refused refused;
  switch (message.request_case()) {
    case v1::ClientMessage::kMove:
      refused = room.move(message.move(), asker, now, effects_);
      break;
    case v1::ClientMessage::kRematch:
      refused = room.rematch(asker, now, effects_);
      break;
    case v1::ClientMessage::kHint:
      refused = room.hint(asker, effects_);
      break;
    case v1::ClientMessage::kAddAi: {
      const auto level = parse_ai_level(message.add_ai().level());
      if (!level) return level.error();
      refused = room.add_ai(parse_mark(message.add_ai().seat()), *level, asker, now, effects_);
      break;
    }
    case v1::ClientMessage::kRemoveAi:
      refused = room.remove_ai(parse_mark(message.remove_ai().seat()), asker, now, effects_);
      break;
    case v1::ClientMessage::kChat: {
      const auto text = parse_chat(message.chat().text(), config_.limits);
      if (!text) return text.error();
      refused = room.chat(*text, asker, effects_);
      break;
    }
    default:
      return problem(v1::Error::CODE_UNKNOWN_REQUEST, "This server does not know that request.");
  }
  settle(room);
  return refused;
}

void Host::hello(Peer& peer, Asker asker, const v1::Hello& hello, Time now) {
  if (peer.welcome) {
    return refuse(asker, problem(v1::Error::CODE_ALREADY_WELCOME,
                                 "You have said hello already, as " + peer.name + "."));
  }
  if (std::ranges::find(hello.protocol_versions(), protocol_version) ==
      hello.protocol_versions().end()) {
    auto error = closing_error(v1::Error::CODE_VERSION_UNSUPPORTED,
                               "This server speaks version 1 of the protocol only.");
    error.add_supported_versions(protocol_version);
    return expel(asker.connection, std::move(error), now, asker.request_id);
  }
  const auto name = parse_name(hello.name(), "player", config_.limits);
  if (!name) return refuse(asker, name.error());

  deadlines_.erase({peer.hello_due, Deadline::Kind::hello, asker.connection.slot});
  peer.welcome = true;
  peer.name = distinct_name(*name, config_.limits.name_length, random_,
                            [&](const std::string& taken) { return names_.contains(taken); });
  names_.insert(peer.name);
  v1::ServerMessage message;
  v1::Welcome& welcome = *message.mutable_welcome();
  welcome.set_protocol_version(protocol_version);
  welcome.set_server_name(config_.server_name);
  welcome.set_software(config_.software);
  welcome.set_player_name(peer.name);
  describe(config_.limits, *welcome.mutable_limits());
  effects_.send(asker.connection, effects_.encode(message), asker.request_id);
}

void Host::list_rooms(Asker asker, const v1::ListRooms& request) {
  v1::ServerMessage message;
  lobby_.list(request.after(), request.open_only(), *message.mutable_room_list());
  effects_.send(asker.connection, effects_.encode(message), asker.request_id);
}

// Entering and leaving ----------------------------------------------------------------------------

namespace {

Problem in_another_room(const Room& room) {
  return problem(v1::Error::CODE_ALREADY_IN_ROOM,
                 "You are in the room \"" + room.name() + "\": leave it first.");
}

}  // namespace

Refused Host::create_room(Peer& peer, Asker asker, const v1::CreateRoom& request, Time now) {
  if (peer.room != nullptr) return in_another_room(*peer.room);
  auto name = parse_name(request.name(), "room", config_.limits);
  if (!name) return name.error();
  const auto rules = parse_rules(request, config_.limits);
  if (!rules) return rules.error();
  auto password = parse_password(request.password(), config_.limits);
  if (!password) return password.error();
  return open_and_sit(peer, asker, *std::move(name), *rules, *std::move(password),
                      parse_mark(request.seat()), now);
}

Refused Host::open_and_sit(Peer& peer, Asker asker, std::string name, const rules::Rules& rules,
                           std::string password, rules::Mark seat, Time now) {
  const auto created = lobby_.create(std::move(name), rules, std::move(password), random_());
  if (!created) return created.error();
  peer.room = *created;
  const auto refused = peer.room->sit(person(peer, asker.connection), seat, asker, now, effects_);
  settle(*peer.room);
  return refused;
}

Refused Host::join_room(Peer& peer, Asker asker, const v1::JoinRoom& request, Time now) {
  Room* room = lobby_.find(trimmed(request.name()));
  if (peer.room != nullptr && peer.room != room) return in_another_room(*peer.room);
  if (room == nullptr) {
    return problem(v1::Error::CODE_ROOM_NOT_FOUND, "There is no room of that name.");
  }
  if (peer.room == nullptr && !room->opens_with(request.password())) {
    return problem(v1::Error::CODE_WRONG_PASSWORD, "That is not the password of this room.");
  }
  auto refused =
      room->sit(person(peer, asker.connection), parse_mark(request.seat()), asker, now, effects_);
  if (refused) return refused;
  peer.room = room;
  settle(*room);
  return std::nullopt;
}

Refused Host::watch_room(Peer& peer, Asker asker, const v1::WatchRoom& request) {
  if (peer.room != nullptr) return in_another_room(*peer.room);
  Room* room = lobby_.find(trimmed(request.name()));
  if (room == nullptr) {
    return problem(v1::Error::CODE_ROOM_NOT_FOUND, "There is no room of that name.");
  }
  if (!room->opens_with(request.password())) {
    return problem(v1::Error::CODE_WRONG_PASSWORD, "That is not the password of this room.");
  }
  if (auto refused = room->watch(person(peer, asker.connection), asker, effects_)) return refused;
  peer.room = room;
  return std::nullopt;
}

Refused Host::play(Peer& peer, Asker asker, Time now) {
  if (peer.room != nullptr) return in_another_room(*peer.room);
  if (Room* room = lobby_.longest_waiting()) {
    auto refused =
        room->sit(person(peer, asker.connection), rules::Mark::none, asker, now, effects_);
    if (refused) return refused;
    peer.room = room;
    settle(*room);
    return std::nullopt;
  }
  return open_and_sit(peer, asker, lobby_.free_name(peer.name, random_), rules::Rules{}, {},
                      rules::Mark::none, now);
}

Refused Host::leave_room(Peer& peer, Asker asker, Time now) {
  if (peer.room == nullptr) {
    return problem(v1::Error::CODE_NOT_IN_ROOM, "You are not in a room.");
  }
  vacate(peer, asker.connection, now);
  v1::ServerMessage message;
  message.mutable_left();
  effects_.send(asker.connection, effects_.encode(message), asker.request_id);
  return std::nullopt;
}

void Host::vacate(Peer& peer, ConnectionId id, Time now) {
  if (peer.room == nullptr) return;
  Room& room = *std::exchange(peer.room, nullptr);
  room.leave(id, now, effects_);
  settle(room);
}

}  // namespace tictactoe::core
