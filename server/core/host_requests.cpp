// What players ask for, and what it costs them.
#include <algorithm>
#include <utility>

#include "server/core/errors.hpp"
#include "server/core/host.hpp"

namespace tictactoe::core {

namespace {

Problem in_another_room(const Room& room) {
  return problem(v1::Error::CODE_ALREADY_IN_ROOM,
                 "You are in the room \"" + room.name() + "\": leave it first.");
}

Problem no_such_room() {
  return problem(v1::Error::CODE_ROOM_NOT_FOUND, "There is no room of that name.");
}

Problem in_no_room() {
  return problem(v1::Error::CODE_NOT_IN_ROOM, "You are not in a room: join, watch or create one.");
}

Problem wrong_password() {
  return problem(v1::Error::CODE_WRONG_PASSWORD, "That is not the password of this room.");
}

bool changes_nothing(const v1::ClientMessage& message) {
  switch (message.request_case()) {
    case v1::ClientMessage::kWatchRoom:
    case v1::ClientMessage::kGetSnapshot:
    case v1::ClientMessage::kHint:
    case v1::ClientMessage::kListGames:
    case v1::ClientMessage::kGetGame:
    case v1::ClientMessage::REQUEST_NOT_SET:
      return true;
    default:
      return false;
  }
}

}  // namespace

// What is refused whatever is asked for -----------------------------------------------------------

Refused Host::over_rate(Peer& peer, double cost, Time now) const {
  if (config_.limits.requests_per_second == 0 || peer.tokens.take(cost, now)) return std::nullopt;
  const auto wait = peer.tokens.wait_for(cost, now);
  return Problem{v1::Error::CODE_RATE_LIMITED,
                 "Too many requests: try again in " + std::to_string(wait.count()) + " ms.", wait};
}

Refused Host::cannot_record() const {
  if (recording_ != Recording::stalled) return std::nullopt;
  constexpr std::chrono::milliseconds wait{1'000};
  return Problem{v1::Error::CODE_CANNOT_RECORD,
                 "The server can't write down what happens just now, so nothing can be changed: "
                 "try again in a moment.",
                 wait};
}

Refused Host::no_new_games() const {
  if (draining_) {
    return problem(v1::Error::CODE_NO_NEW_GAMES, "The server will end soon: no new games.");
  }
  if (recording_ == Recording::low) {
    return problem(v1::Error::CODE_NO_NEW_GAMES,
                   "The server has hardly any space left to write games down: no new ones until "
                   "its owner has made room.");
  }
  return std::nullopt;
}

// From bytes to requests --------------------------------------------------------------------------

void Host::received(ConnectionId from, std::string_view body, Time now) {
  Peer* peer = find(from);
  if (peer == nullptr) return;
  peer->last_heard = now;
  auto& message = effects_.draft<v1::ClientMessage>();
  const bool readable = message.ParseFromArray(body.data(), static_cast<int>(body.size()));
  if (peer->player == nullptr && (!readable || !message.has_hello())) {
    return expel(from,
                 readable ? closing_error(v1::Error::CODE_HELLO_EXPECTED,
                                          "The first message of a connection must be a hello.")
                          : closing_error(v1::Error::CODE_MALFORMED_MESSAGE,
                                          "That is not a ClientMessage of tictactoe.v1."),
                 now, readable ? message.request_id() : 0);
  }
  const RequestContext context{now, effects_, peer->player, from,
                               readable ? message.request_id() : 0};
  const int cost = readable ? cost_of(message.request_case()).tokens : 1;
  if (auto refused = over_rate(*peer, cost, now)) {
    if (!peer->refusals.take(1, now)) {
      return expel(from,
                   closing_error(v1::Error::CODE_FLOODING,
                                 "You go on asking although it is too much: this connection ends."),
                   now, context.request_id);
    }
    refuse(context, *refused);
  } else if (!readable) {
    refuse(context, problem(v1::Error::CODE_MALFORMED_MESSAGE,
                            "That is not a ClientMessage of tictactoe.v1, or a text in it is not "
                            "UTF-8. Nothing was done."));
  } else {
    handle(*peer, context, message);
  }
}

void Host::handle(Peer& peer, const RequestContext& context, const v1::ClientMessage& message) {
  if (message.has_hello()) return hello(peer, context, message.hello());
  if (message.has_list_rooms()) return list_rooms(context, message.list_rooms());
  if (message.has_ping()) {
    auto& pong = effects_.draft<v1::ServerMessage>();
    pong.mutable_pong();
    return answer(context, pong, Durability::immediate);
  }
  Player& player = *peer.player;
  Refused refused = changes_nothing(message) ? std::nullopt : cannot_record();
  if (!refused) {
    if (message.has_goodbye()) return goodbye(peer, context);
    if (message.request_case() < v1::ClientMessage::kMove) {
      refused = handle_lobby(peer, context, message);
    } else if (player.room == nullptr) {
      refused = in_no_room();
    } else if (message.has_move()) {
      refused = move(peer, *player.room, context, message.move());
    } else {
      refused = handle_room(*player.room, message, context);
      settle(*player.room);
    }
  }
  if (refused) refuse(context, *refused);
}

// Ways into a room, and out of it.
Refused Host::handle_lobby(Peer& peer, const RequestContext& context,
                           const v1::ClientMessage& message) {
  Player& player = *peer.player;
  const auto entered = [&](Refused refused) {
    if (!refused) charge(peer, message.request_case(), player.room->ply());
    return refused;
  };
  switch (message.request_case()) {
    case v1::ClientMessage::kCreateRoom:
      return create_room(player, context, message.create_room());
    case v1::ClientMessage::kJoinRoom:
      return entered(join_room(player, context, message.join_room()));
    case v1::ClientMessage::kWatchRoom:
      return entered(watch_room(player, context, message.watch_room()));
    case v1::ClientMessage::kPlay:
      return entered(play(player, context));
    case v1::ClientMessage::kLeaveRoom:
      return leave_room(player, context);
    case v1::ClientMessage::kGetSnapshot:
      if (player.room == nullptr) return in_no_room();
      player.room->send_snapshot(context);
      return entered(std::nullopt);
    case v1::ClientMessage::kListGames:
    case v1::ClientMessage::kGetGame:
      return look_up(peer, context, message);
    default:
      return problem(v1::Error::CODE_UNKNOWN_REQUEST,
                     "This server does not know that request, or there was none.");
  }
}

// What is asked of the room that one is in.
Refused Host::handle_room(Room& room, const v1::ClientMessage& message,
                          const RequestContext& context) {
  switch (message.request_case()) {
    case v1::ClientMessage::kRematch:
      if (auto refused = no_new_games()) return refused;
      return room.rematch(context);
    case v1::ClientMessage::kResign:
      return room.resign(message.resign(), context);
    case v1::ClientMessage::kOfferDraw:
      return room.offer_draw(message.offer_draw(), context);
    case v1::ClientMessage::kAskTakeback:
      return room.ask_takeback(message.ask_takeback(), context);
    case v1::ClientMessage::kDecline:
      return room.decline(context);
    case v1::ClientMessage::kHint:
      return room.hint(context);
    case v1::ClientMessage::kAddAi: {
      const auto level = parse_ai_level(message.add_ai().level());
      if (!level) return level.error();
      if (room.is_between_games()) {
        if (auto refused = no_new_games()) return refused;
      }
      return room.add_ai(parse_mark(message.add_ai().seat()), *level, context);
    }
    case v1::ClientMessage::kRemoveAi:
      return room.remove_ai(parse_mark(message.remove_ai().seat()), context);
    case v1::ClientMessage::kChat: {
      const auto text = parse_chat(message.chat().text(), config_.limits);
      if (!text) return text.error();
      return room.chat(*text, context);
    }
    default:
      return problem(v1::Error::CODE_UNKNOWN_REQUEST, "This server does not know that request.");
  }
}

Refused Host::move(Peer& peer, Room& room, const RequestContext& context, const v1::Move& move) {
  if (room.has_played(move, *context.player)) {
    // The answer was lost, or it was sent twice: it is done, and stays one move.
    charge(peer, v1::ClientMessage::kMove, room.ply());
    room.send_snapshot(context);
    return std::nullopt;
  }
  auto refused = room.move(move, context);
  settle(room);
  if (!refused || refused->code != v1::Error::CODE_STALE_MOVE) return refused;
  charge(peer, v1::ClientMessage::kMove, room.ply());
  auto& message = effects_.draft<v1::ServerMessage>();
  message.mutable_error()->set_code(refused->code);
  message.mutable_error()->set_message(refused->message);
  room.describe_to(*message.mutable_error()->mutable_state(), context.player, context.now);
  answer(context, message);
  return std::nullopt;
}

void Host::list_rooms(const RequestContext& context, const v1::ListRooms& request) {
  auto& message = effects_.draft<v1::ServerMessage>();
  lobby_.list(request.after(), request.open_only(), context.now, *message.mutable_room_list());
  answer(context, message);
}

Refused Host::look_up(Peer& peer, const RequestContext& context, const v1::ClientMessage& message) {
  if (!config_.keeps_records) {
    return problem(v1::Error::CODE_NO_RECORDS, "This server keeps no records of games.");
  }
  if (look_ups_ >= config_.limits.look_ups ||
      peer.look_ups >= config_.limits.look_ups_per_connection) {
    constexpr std::chrono::milliseconds wait{1'000};
    return Problem{v1::Error::CODE_RATE_LIMITED,
                   "Too many questions about records wait already: try again in a moment.", wait};
  }
  ++look_ups_;
  ++peer.look_ups;
  effects_.look_up(context.connection, context.request_id, message);
  return std::nullopt;
}

void Host::looked_up(ConnectionId from, std::uint64_t request_id, v1::ServerMessage answer) {
  --look_ups_;
  Peer* peer = find(from);
  if (peer == nullptr) return;
  --peer->look_ups;
  charge(*peer, v1::ClientMessage::kGetGame, answer.game_found().game().moves_size());
  if (answer.ByteSizeLong() > config_.limits.server_frame_bytes) {
    // Of the longest games there are, the moves fit, and the times beside them don't.
    answer.mutable_game_found()->mutable_game()->clear_move_ms();
  }
  effects_.send(from, effects_.encode(answer), request_id);
}

// Entering and leaving ----------------------------------------------------------------------------

Refused Host::create_room(Player& player, const RequestContext& context,
                          const v1::CreateRoom& request) {
  if (player.room != nullptr) return in_another_room(*player.room);
  auto name = parse_name(request.name(), "room", config_.limits);
  if (!name) return name.error();
  rules::Rules rules;
  if (request.has_rules()) {
    const auto wanted = parse_rules(request.rules(), config_.limits);
    if (!wanted) return wanted.error();
    rules = *wanted;
  }
  const auto options = parse_options(request.options(), config_.limits);
  if (!options) return options.error();
  const auto password = parse_password(request.password(), config_.limits);
  if (!password) return password.error();
  RoomSettings settings{*std::move(name), rules, *options, {}, 0, random_(), player.id};
  settings.password_digest = password_digest(*password, settings.seed);
  return open_and_sit(player, context, std::move(settings), parse_mark(request.seat()));
}

Refused Host::open_and_sit(Player& player, const RequestContext& context, RoomSettings settings,
                           rules::Mark seat) {
  if (auto refused = no_new_games()) return refused;
  const auto created = lobby_.create(std::move(settings));
  if (!created) return created.error();
  return sit(player, **created, seat, context);
}

Refused Host::sit(Player& player, Room& room, rules::Mark seat, const RequestContext& context) {
  auto refused = room.sit(seat, context);
  if (refused) return refused;
  enter(player, room);
  settle(room);
  return std::nullopt;
}

Refused Host::join_room(Player& player, const RequestContext& context,
                        const v1::JoinRoom& request) {
  Room* room = lobby_.find(trimmed(request.name()));
  if (player.room != nullptr && player.room != room) return in_another_room(*player.room);
  if (room == nullptr) return no_such_room();
  if (player.room == nullptr && !room->opens_with(request.password())) return wrong_password();
  if (room->is_between_games()) {
    if (auto refused = no_new_games()) return refused;
  }
  return sit(player, *room, parse_mark(request.seat()), context);
}

Refused Host::watch_room(Player& player, const RequestContext& context,
                         const v1::WatchRoom& request) {
  if (player.room != nullptr) return in_another_room(*player.room);
  Room* room = lobby_.find(trimmed(request.name()));
  if (room == nullptr) return no_such_room();
  if (!room->opens_with(request.password())) return wrong_password();
  auto refused = room->watch(context);
  if (refused) return refused;
  enter(player, *room);
  settle(*room);
  return std::nullopt;
}

Refused Host::play(Player& player, const RequestContext& context) {
  if (player.room != nullptr) return in_another_room(*player.room);
  if (auto refused = no_new_games()) return refused;
  if (Room* room = lobby_.longest_waiting()) {
    return sit(player, *room, rules::Mark::none, context);
  }
  const RoomOptions options{{}, v1::AWAY_FORFEIT, config_.limits.default_grace};
  return open_and_sit(
      player, context,
      {lobby_.free_name(player.name, random_), {}, options, {}, 0, random_(), player.id},
      rules::Mark::none);
}

Refused Host::leave_room(Player& player, const RequestContext& context) {
  if (player.room == nullptr) {
    return problem(v1::Error::CODE_NOT_IN_ROOM, "You are not in a room.");
  }
  vacate(player, context);
  auto& message = effects_.draft<v1::ServerMessage>();
  message.mutable_left();
  answer(context, message);
  return std::nullopt;
}

}  // namespace tictactoe::core
