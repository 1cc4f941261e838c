#include "server/host/host.hpp"

#include <cassert>
#include <chrono>
#include <utility>

#include "server/host/owner.hpp"
#include "server/limits/errors.hpp"
#include "server/limits/request_costs.hpp"

namespace tictactoe::server {

Host::Host(Config config, std::uint64_t seed, TokenSource tokens, const ChooseDirectory& choose)
    : tables_(std::move(config), seed, std::move(tokens), choose) {}

void Host::apply(const LobbyNews& news, Time now) {
  if (news.bans) banning_.share(*news.bans, now);
  for (const RoomElsewhere& room : news.rooms) tables_.feed.changed(room);
  if (news.players) tables_.feed.players_elsewhere(*news.players, news.servers);
  if (!tables_.config.lobby_chat) return;
  for (const v1::ChatSaid& line : news.said) tables_.feed.hear(line);
}

void Host::change_settings(const Config& wanted) {
  tables_.config.server_name = wanted.server_name;
  tables_.config.lobby_chat = wanted.lobby_chat;
  tables_.config.ai_delay = wanted.ai_delay;
  tables_.config.ai_pace = wanted.ai_pace;
  tables_.config.server_password_hash = wanted.server_password_hash;
  tables_.config.limits.default_grace = wanted.limits.default_grace;
  tables_.config.limits.name_hold = wanted.limits.name_hold;
  tables_.config.limits.rooms = wanted.limits.rooms;
  tables_.config.limits.rooms_per_player = wanted.limits.rooms_per_player;
  tables_.config.limits.watchers_per_room = wanted.limits.watchers_per_room;
  tables_.config.limits.requests_per_second = wanted.limits.requests_per_second;
  tables_.config.limits.request_burst = wanted.limits.request_burst;
  tables_.ledger.follow_limits();
}

ConnectionId Host::connected(Origin origin, Time now) {
  const ConnectionId id = tables_.connections.open(origin, now);
  ++tables_.effects.counts.connections;
  tables_.effects.log.note("connection opened", origin, now, [&](LogEvent& event) {
    describe_connection(id, *tables_.connections.find(id), event);
  });
  if (auto excess = tables_.connections.excess(id)) {
    replies_.expel(excess->connection, closing_error(std::move(excess->problem)), now);
  }
  return id;
}

bool Host::is_waiting(ConnectionId id) const {
  const Peer* peer = tables_.connections.find(id);
  return peer != nullptr && peer->waiting;
}

void Host::cannot_read(ConnectionId from, wire::FrameFault fault, Time now) {
  if (tables_.connections.find(from) == nullptr) return;
  const auto sentence = [&]() -> std::string {
    switch (fault) {
      case wire::FrameFault::too_long:
        return "That frame is too long: a message to this server has at most " +
               std::to_string(tables_.config.limits.client_frame_bytes) + " bytes.";
      case wire::FrameFault::bad_length:
        return "That is not a frame: a message begins with its length as a varint of at most 5 "
               "bytes.";
      case wire::FrameFault::bad_websocket:
        break;
    }
    return "That breaks the WebSocket protocol (RFC 6455).";
  };
  replies_.expel(from, closing_error(v1::Error::CODE_MALFORMED_FRAME, sentence()), now);
}

std::optional<Time> Host::next_deadline() const {
  std::optional<Time> next = tables_.players.next_forgetting();
  if (!tables_.deadlines.empty() && (!next || tables_.deadlines.first().at < *next)) {
    next = tables_.deadlines.first().at;
  }
  return next;
}

void Host::deadline_reached(Time now) {
  // Does a slice of what is due, because there can be much: an AI without a delay is due again as
  // soon as it has played, and the end of each silent watcher is announced to all others. The next
  // slice is due at once.
  constexpr int max_at_once = 32;
  constexpr std::size_t max_effects = 256;
  for (int i = 0; i < max_at_once && tables_.effects.list().size() < max_effects; ++i) {
    const auto due = tables_.deadlines.take_due(now);
    if (!due || !handle_due(*due, now)) break;
  }
  people_.forget_idle(now);
}

// Returns false after a slice whose next slice may be due at once.
bool Host::handle_due(const Deadline& deadline, Time now) {
  switch (deadline.kind) {
    case Deadline::Kind::lobby:
      tables_.feed.deadline_reached(now, tables_.effects);
      return false;
    case Deadline::Kind::notice:
      tables_.notices.deadline_reached(now, tables_.effects);
      return false;
    case Deadline::Kind::room:
      room_deadline(deadline.key, now);
      return true;
    case Deadline::Kind::hello:
    case Deadline::Kind::silence:
      break;
  }
  if (const auto overdue = tables_.connections.check_deadline(deadline, now)) {
    expel_overdue(*overdue, deadline.kind, now);
  }
  return true;
}

void Host::expel_overdue(ConnectionId id, Deadline::Kind kind, Time now) {
  if (kind == Deadline::Kind::hello) {
    return replies_.expel(
        id, closing_error(v1::Error::CODE_HELLO_EXPECTED, "No hello arrived in time."), now);
  }
  const auto limit = tables_.config.limits.silence_timeout / std::chrono::seconds(1);
  replies_.expel(id,
                 closing_error(v1::Error::CODE_SILENT,
                               "Nothing was received from you for " + std::to_string(limit) +
                                   " seconds. Send a ping from time to time."),
                 now);
}

void Host::room_deadline(std::uint64_t serial, Time now) {
  const Room* room = tables_.rooms.find(serial);
  if (room == nullptr) return;
  if (tables_.availability.journal_health == JournalHealth::stalled) {
    // What is due must be recorded, so it is done when that is possible again.
    constexpr std::chrono::seconds until_next_try{1};
    return tables_.rooms.postpone(*room, now + until_next_try);
  }
  const RequestContext context{now, tables_.effects};
  tables_.rooms.change(*room, context, [&](Room& changed) {
    for (const PlayerId id : changed.deadline_reached(context)) {
      people_.note_left(*tables_.players.find(id));
    }
  });
}

void Host::thought(ThoughtId id, const ThoughtResult& result, Time now) {
  const Room* room = tables_.rooms.find(id.room);
  if (room == nullptr) return;
  const RequestContext context{now, tables_.effects};
  tables_.rooms.change(*room, context,
                       [&](Room& changed) { changed.thought(id.number, result, context); });
}

void Host::set_journal_health(JournalHealth health, Time now) {
  const JournalHealth before = std::exchange(tables_.availability.journal_health, health);
  if (health == before) return;
  const RequestContext context{now, tables_.effects};
  if (health == JournalHealth::stalled) {
    tables_.rooms.change_all(context, [&](Room& room) { room.pause(now); });
  } else if (before == JournalHealth::stalled) {
    tables_.rooms.change_all(context, [&](Room& room) { room.resume(now); });
  }
}

void Host::owner_asks(const admin::v1::Request& request, Time now, admin::v1::Response& response) {
  Owner(tables_, people_, replies_, banning_, now, response).asks(request);
}

void Host::drain(std::chrono::milliseconds within, Time now) {
  tables_.availability.draining = true;
  drained_at_ = now + within;
  tables_.rooms.start_draining();
  tables_.notices.send(v1::Notice::KIND_DRAINING,
                       "The server will stop soon. No new games can start.",
                       static_cast<std::uint32_t>(within.count()), now, tables_.effects);
}

bool Host::stop(Time now, const std::vector<Directory::LobbyServer>& others,
                const std::string& why) {
  // From now on answers begin nothing, as nobody would learn of it.
  tables_.availability.draining = true;
  return handover_.stop(now, others, why);
}

bool Host::pay(ConnectionId id, Time now) {
  const Peer* peer = tables_.connections.find(id);
  tables_.connections.set_idle(id, false);
  return peer != nullptr && !replies_.charge(*peer, 1, now);
}

bool Host::pay_for_text(ConnectionId id, std::size_t bytes, std::uint64_t request_id, Time now) {
  Peer* peer = tables_.connections.find(id);
  if (peer == nullptr) return false;
  // The request itself is charged when it is handled. Without a token, the text is not converted.
  constexpr std::size_t request = 1;
  const auto tokens = static_cast<double>(bytes / text_bytes_per_token + request);
  if (const auto refused = replies_.charge(*peer, tokens, now)) {
    peer->last_heard = now;
    replies_.refuse_excess({now, tables_.effects, peer->player, id, request_id, peer}, *refused);
    return false;
  }
  Ledger::give_back(peer->payers, Charge::requests, request);
  return true;
}

void Host::heard(ConnectionId id, Time now) {
  if (Peer* peer = tables_.connections.find(id)) peer->last_heard = now;
}

bool Host::begin_handshake(ConnectionId id, Time now) {
  const Peer* peer = tables_.connections.find(id);
  return peer != nullptr && !tables_.ledger.spend(peer->payers, Charge::handshakes, 1, now);
}

void Host::controlled(ConnectionId id, Time now) {
  Peer* peer = tables_.connections.find(id);
  if (peer == nullptr) return;
  const auto refused = replies_.charge(*peer, 1, now);
  if (refused) replies_.refuse_excess({now, tables_.effects, peer->player, id, 0, peer}, *refused);
}

const v1::ClientMessage* Host::parse(std::string_view body) {
  auto& message = tables_.effects.draft<v1::ClientMessage>();
  return message.ParseFromArray(body.data(), static_cast<int>(body.size())) ? &message : nullptr;
}

void Host::received(ConnectionId from, const v1::ClientMessage* message, Time now) {
  Peer* peer = tables_.connections.find(from);
  if (peer == nullptr) return;
  assert(!peer->waiting);
  peer->last_heard = now;
  const bool readable = message != nullptr;
  const std::uint64_t request_id = readable ? message->request_id() : 0;
  if (peer->player == nullptr && (!readable || !message->has_hello())) {
    return replies_.expel(from,
                          readable
                              ? closing_error(v1::Error::CODE_HELLO_EXPECTED,
                                              "The first message of a connection must be a hello.")
                              : closing_error(v1::Error::CODE_MALFORMED_MESSAGE,
                                              "That is not a ClientMessage of tictactoe.v1."),
                          now, request_id);
  }
  const RequestContext context{now, tables_.effects, peer->player, from, request_id, peer};
  const int cost = readable ? cost_of(message->request_case()) : 1;
  if (auto refused = replies_.charge(*peer, cost, now)) {
    replies_.refuse_excess(context, *refused);
  } else if (!readable) {
    replies_.refuse(context,
                    problem(v1::Error::CODE_MALFORMED_MESSAGE,
                            "That is not a ClientMessage of tictactoe.v1, or a text in it is not "
                            "UTF-8. Nothing was done."));
  } else {
    const bool is_for_room = message->request_case() >= v1::ClientMessage::kMove;
    is_for_room ? at_table_.handle(context, *message) : handle(context, *message);
    peer = tables_.connections.find(from);  // it may be closed
    if (peer != nullptr) replies_.charge_receivers(*peer, now);
  }
}

void Host::handle(const RequestContext& context, const v1::ClientMessage& message) {
  const auto request = message.request_case();
  switch (request) {
    case v1::ClientMessage::kHello:
      front_door_.hello(context, message.hello());
      return replies_.defer_if_waiting(context.connection);
    case v1::ClientMessage::kPing: {
      auto& pong = tables_.effects.draft<v1::ServerMessage>();
      pong.mutable_pong();
      return replies_.answer(context, pong, Durability::immediate);
    }
    case v1::ClientMessage::kListRooms:
      social_.list_rooms(context, message.list_rooms());
      return replies_.defer_if_waiting(context.connection);
    case v1::ClientMessage::kListPlayers:
      social_.list_players(context, message.list_players());
      return replies_.defer_if_waiting(context.connection);
    case v1::ClientMessage::kWatchLobby:
      return social_.watch_lobby(context, message.watch_lobby());
    case v1::ClientMessage::kSayInLobby: {
      const Refused refused = social_.say_in_lobby(context, message.say_in_lobby().text());
      if (refused) replies_.refuse(context, *refused);
      return;
    }
    case v1::ClientMessage::kListGames:
    case v1::ClientMessage::kGetGame:
      if (const auto refused = tables_.availability.no_records()) {
        return replies_.refuse(context, *refused);
      }
      tables_.look_ups.ask(context.connection, message, tables_.effects);
      return replies_.defer_if_waiting(context.connection);
    case v1::ClientMessage::kGetSnapshot:
      return at_table_.get_snapshot(context);
    default:
      break;
  }
  Refused refused =
      changes_something(request) ? tables_.availability.cannot_record() : std::nullopt;
  if (!refused) refused = handle_move_between_rooms(context, message);
  if (refused) replies_.refuse(context, *refused);
  replies_.defer_if_waiting(context.connection);
}

Refused Host::handle_move_between_rooms(const RequestContext& context,
                                        const v1::ClientMessage& message) {
  switch (message.request_case()) {
    case v1::ClientMessage::kGoodbye:
      front_door_.goodbye(context);
      return std::nullopt;
    case v1::ClientMessage::kCreateRoom:
      return entering_.create_room(context, message);
    case v1::ClientMessage::kJoinRoom:
      entering_.join_room(context, message.join_room());
      return std::nullopt;
    case v1::ClientMessage::kWatchRoom:
      entering_.watch_room(context, message.watch_room());
      return std::nullopt;
    case v1::ClientMessage::kPlay:
      return entering_.play(context);
    case v1::ClientMessage::kLeaveRoom:
      return entering_.leave_room(context);
    default:
      return unknown_request();
  }
}

void Host::looked_up(ConnectionId from, std::uint64_t request_id, const LookUpAnswer& answer) {
  tables_.look_ups.answered(from, tables_.effects);
  if (tables_.connections.find(from) == nullptr) return;
  tables_.effects.send(from, tables_.effects.copy(answer), request_id);
}

void Host::position_found(ConnectionId from, const LookUpAnswer& answer, Time now) {
  tables_.look_ups.answered(from, tables_.effects);
  Peer* peer = tables_.connections.find(from);
  if (peer == nullptr || peer->position_found == nullptr) return;
  const auto go_on = std::exchange(peer->position_found, nullptr);
  (*go_on)(answer, now);
}

void Host::describe_to(v1::ServerInfo& info, int max) const {
  info.set_name(tables_.config.server_name);
  info.set_software(tables_.config.software);
  info.add_protocol_versions(protocol_version);
  info.set_players(static_cast<std::uint32_t>(tables_.players.connected()));
  // A server with a password reveals no names until the password is given.
  tables_.rooms.describe_to(info, tables_.config.server_password_hash.empty() ? max : 0);
}

}  // namespace tictactoe::server
