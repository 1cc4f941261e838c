// From bytes to requests, and those of a room. How players enter and leave rooms is in
// host_lobby.cpp.
#include <cassert>
#include <utility>

#include "server/core/errors.hpp"
#include "server/core/host_answers.hpp"
#include "server/core/request_costs.hpp"

namespace tictactoe::core {

namespace {

Problem in_no_room() {
  return problem(v1::Error::CODE_NOT_IN_ROOM, "You are not in a room: join, watch or create one.");
}

Problem unknown_request() {
  return problem(v1::Error::CODE_UNKNOWN_REQUEST,
                 "This server does not know that request, or there was none.");
}

// Whether it changes what has to be recorded.
bool changes_something(v1::ClientMessage::RequestCase request) {
  switch (request) {
    case v1::ClientMessage::kWatchRoom:
    case v1::ClientMessage::kGetSnapshot:
    case v1::ClientMessage::kHint:
    case v1::ClientMessage::kListGames:
    case v1::ClientMessage::kGetGame:
    case v1::ClientMessage::kListMembers:
    case v1::ClientMessage::kSayInLobby:
    case v1::ClientMessage::kInvite:
    case v1::ClientMessage::REQUEST_NOT_SET:
      return false;
    default:
      return true;
  }
}

// A move that is answered by a snapshot costs what GetSnapshot does.
void charge_snapshot(const Payers& payers, Time now) {
  Ledger::charge(payers, Charge::requests,
                 cost_of(v1::ClientMessage::kGetSnapshot) - cost_of(v1::ClientMessage::kMove), now);
}

}  // namespace

// Answers -----------------------------------------------------------------------------------------

void Host::answer(const RequestContext& context, const v1::ServerMessage& message,
                  Durability durability) {
  effects_.send(context.connection, effects_.encode(message), context.request_id, durability);
}

void Host::refuse(const RequestContext& context, const Problem& problem) {
  auto& message = effects_.draft<v1::ServerMessage>();
  describe(problem, *message.mutable_error());
  effects_.counts.note_refusal(problem.code);
  if (const Peer* peer = connections_.find(context.connection)) {
    effects_.log.note("request refused", peer->origin, context.now, [&](LogEvent& event) {
      describe_connection(context.connection, *peer, event)
          .add("code", label_of(v1::Error::Code_Name(problem.code), "CODE_"));
    });
  }
  // Such an error may be needed while nothing can be recorded, and it reveals nothing.
  const bool immediate = problem.retry_after.count() > 0;
  answer(context, message, immediate ? Durability::immediate : Durability::after_records);
}

void Host::finish(const RequestContext& context, const Refused& refused) {
  if (refused) return refuse(context, *refused);
  players_.request_done(*context.player, context.request_id);
}

void Host::note_waiting(ConnectionId id) {
  Peer* peer = connections_.find(id);
  if (peer != nullptr) peer->was_deferred = peer->waiting;
}

// What is refused whatever is asked for -----------------------------------------------------------

Refused Host::over_rate(const Peer& peer, double cost, Time now) {
  const auto wait = ledger_.spend(peer.payers, Charge::requests, cost, now);
  if (!wait) return std::nullopt;
  return Problem{v1::Error::CODE_RATE_LIMITED,
                 "Too many requests: try again in " + std::to_string(wait->count()) + " ms.",
                 *wait};
}

bool Host::pays(ConnectionId id, Time now) {
  const Peer* peer = connections_.find(id);
  connections_.set_idle(id, false);
  return peer != nullptr && !over_rate(*peer, 1, now);
}

bool Host::pays_for_text(ConnectionId id, std::size_t bytes, std::uint64_t request_id, Time now) {
  Peer* peer = connections_.find(id);
  if (peer == nullptr) return false;
  // The request itself is charged when it is handled. Without a token for it nothing is converted.
  constexpr int request = 1;
  const std::size_t for_text = bytes / text_bytes_per_token;
  const double tokens = static_cast<double>(for_text) + request;
  if (const auto refused = over_rate(*peer, tokens, now)) {
    peer->last_heard = now;
    refuse_excess(*peer, {now, effects_, peer->player, id, request_id}, *refused);
    return false;
  }
  Ledger::give_back(peer->payers, Charge::requests, request);
  return true;
}

void Host::heard(ConnectionId id, Time now) {
  if (Peer* peer = connections_.find(id)) peer->last_heard = now;
}

bool Host::begins_handshake(ConnectionId id, Time now) {
  const Peer* peer = connections_.find(id);
  return peer != nullptr && !ledger_.spend(peer->payers, Charge::handshakes, 1, now);
}

void Host::controlled(ConnectionId id, Time now) {
  const Peer* peer = connections_.find(id);
  if (peer == nullptr) return;
  const auto refused = over_rate(*peer, 1, now);
  if (refused) refuse_excess(*peer, {now, effects_, peer->player, id, 0}, *refused);
}

void Host::charge_receivers(const Peer& peer, Time now) {
  const std::size_t receivers = effects_.take_receivers();
  const std::size_t tokens = receivers / receivers_per_token;
  if (tokens == 0) return;
  Ledger::charge(peer.payers, Charge::requests, static_cast<double>(tokens), now);
}

void Host::refuse_excess(const Peer& peer, const RequestContext& context, const Problem& problem) {
  if (!ledger_.spend(peer.payers, Charge::refusals, 1, context.now)) {
    return refuse(context, problem);
  }
  expel(context.connection,
        closing_error(v1::Error::CODE_FLOODING,
                      "You kept sending requests over the limit. The connection is closed."),
        context.now, context.request_id);
}

Refused Host::cannot_record() const {
  if (recording_ != Recording::stalled) return std::nullopt;
  constexpr std::chrono::milliseconds wait{1'000};
  return Problem{v1::Error::CODE_CANNOT_RECORD,
                 "The server can't record changes now, so nothing can be changed: try again in a "
                 "moment.",
                 wait};
}

Refused Host::no_new_games() const {
  if (draining_) {
    return problem(v1::Error::CODE_NO_NEW_GAMES, "The server will end soon: no new games.");
  }
  if (recording_ == Recording::low) {
    return problem(v1::Error::CODE_NO_NEW_GAMES,
                   "The server has hardly any space left to record games: there are no new ones "
                   "until its owner has freed some.");
  }
  return std::nullopt;
}

// Every game leaves a record on the disk.
Refused Host::too_many_games(const RequestContext& context) const {
  if (!config_.keeps_records) return std::nullopt;
  const Payers& payers = connections_.find(context.connection)->payers;
  const auto wait = Ledger::wait_for(payers, Charge::games, 1, context.now);
  if (!wait) return std::nullopt;
  return Problem{v1::Error::CODE_RATE_LIMITED,
                 "You, or all players at your address, have begun too many games: try again in " +
                     std::to_string(std::chrono::ceil<std::chrono::seconds>(*wait).count()) + " s.",
                 *wait};
}

// From bytes to requests --------------------------------------------------------------------------

const v1::ClientMessage* Host::parse(std::string_view body) {
  auto& message = effects_.draft<v1::ClientMessage>();
  return message.ParseFromArray(body.data(), static_cast<int>(body.size())) ? &message : nullptr;
}

void Host::received(ConnectionId from, const v1::ClientMessage* message, Time now) {
  Peer* peer = connections_.find(from);
  if (peer == nullptr) return;
  assert(!peer->waiting);
  peer->last_heard = now;
  const bool readable = message != nullptr;
  if (peer->player == nullptr && (!readable || !message->has_hello())) {
    return expel(from,
                 readable ? closing_error(v1::Error::CODE_HELLO_EXPECTED,
                                          "The first message of a connection must be a hello.")
                          : closing_error(v1::Error::CODE_MALFORMED_MESSAGE,
                                          "That is not a ClientMessage of tictactoe.v1."),
                 now, readable ? message->request_id() : 0);
  }
  const RequestContext context{now, effects_, peer->player, from,
                               readable ? message->request_id() : 0};
  const int cost = readable ? cost_of(message->request_case()) : 1;
  if (auto refused = over_rate(*peer, cost, now)) {
    refuse_excess(*peer, context, *refused);
  } else if (!readable) {
    refuse(context, problem(v1::Error::CODE_MALFORMED_MESSAGE,
                            "That is not a ClientMessage of tictactoe.v1, or a text in it is not "
                            "UTF-8. Nothing was done."));
  } else {
    const bool is_for_room = message->request_case() >= v1::ClientMessage::kMove;
    is_for_room ? handle_in_room(*peer, context, *message) : handle(*peer, context, *message);
    if (peer = connections_.find(from); peer != nullptr) charge_receivers(*peer, now);
  }
}

void Host::handle(Peer& peer, const RequestContext& context, const v1::ClientMessage& message) {
  const auto request = message.request_case();
  switch (request) {
    case v1::ClientMessage::kHello:
      hello(peer, context, message.hello());
      return note_waiting(context.connection);
    case v1::ClientMessage::kPing: {
      auto& pong = effects_.draft<v1::ServerMessage>();
      pong.mutable_pong();
      return answer(context, pong, Durability::immediate);
    }
    case v1::ClientMessage::kListRooms:
      list_rooms(context, message.list_rooms());
      return note_waiting(context.connection);
    case v1::ClientMessage::kListPlayers:
      list_players(context, message.list_players());
      return note_waiting(context.connection);
    case v1::ClientMessage::kWatchLobby:
      return watch_lobby(context, message.watch_lobby());
    case v1::ClientMessage::kSayInLobby: {
      const Refused refused = say_in_lobby(context, message.say_in_lobby().text());
      if (refused) refuse(context, *refused);
      return;
    }
    case v1::ClientMessage::kListGames:
    case v1::ClientMessage::kGetGame:
      look_up(context, message);
      return note_waiting(context.connection);
    case v1::ClientMessage::kGetSnapshot:
      return get_snapshot(context);
    default:
      break;
  }
  Refused refused = changes_something(request) ? cannot_record() : std::nullopt;
  if (!refused) refused = handle_lobby(context, message);
  if (refused) refuse(context, *refused);
  note_waiting(context.connection);
}

// What is asked of the room that the player is in -------------------------------------------------

void Host::get_snapshot(const RequestContext& context) {
  const Room* room = context.player->room;
  if (room == nullptr) return refuse(context, in_no_room());
  room->send_snapshot(context);
}

void Host::handle_in_room(const Peer& peer, const RequestContext& context,
                          const v1::ClientMessage& message) {
  const bool changes = changes_something(message.request_case());
  if (changes) {
    if (const auto refused = cannot_record()) return refuse(context, *refused);
  }
  const Room* room = context.player->room;
  if (room == nullptr) return refuse(context, in_no_room());
  if (message.has_move()) return move(*room, context, message.move());
  if (message.has_list_members()) return list_members(*room, context, message.list_members());
  if (message.has_invite()) {
    const Refused refused = invite(*room, context, message.invite().player());
    if (refused) refuse(context, *refused);
    return;
  }
  if (message.has_hint() &&
      room->hints_of(context.connection) >= config_.limits.hints_per_connection) {
    return refuse_hint(peer, context);
  }
  const Refused refused = rooms_.change(
      *room, context, [&](Room& changed) { return change_room(changed, message, context); });
  if (changes || refused) finish(context, refused);
}

// The client knows the limit, so that this costs no tokens.
void Host::refuse_hint(const Peer& peer, const RequestContext& context) {
  Ledger::give_back(peer.payers, Charge::requests, cost_of(v1::ClientMessage::kHint));
  constexpr std::chrono::milliseconds wait{1'000};
  refuse_excess(peer, context,
                {v1::Error::CODE_RATE_LIMITED,
                 "You are waiting for as many hints as you can: try again after them.", wait});
}

Refused Host::change_room(Room& room, const v1::ClientMessage& message,
                          const RequestContext& context) {
  switch (message.request_case()) {
    case v1::ClientMessage::kRematch:
      if (auto refused = no_new_games()) return refused;
      return begin_game(context, room, [&] { return room.rematch(context); });
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
      const auto level = room.parse_ai_level(message.add_ai().level());
      if (!level) return level.error();
      if (room.is_between_games()) {
        if (auto refused = no_new_games()) return refused;
      }
      return begin_game(context, room, [&] {
        return room.add_ai(parse_mark(message.add_ai().seat()), *level, context);
      });
    }
    case v1::ClientMessage::kRemoveAi:
      return room.remove_ai(parse_mark(message.remove_ai().seat()), context);
    case v1::ClientMessage::kChat: {
      const auto text = parse_chat(message.chat().text(), config_.limits);
      if (!text) return text.error();
      return say(room, *text, context);
    }
    default:
      return unknown_request();
  }
}

void Host::move(const Room& room, const RequestContext& context, const v1::Move& move) {
  if (room.has_played(move, *context.player)) {
    // It was sent twice, perhaps because the answer was lost. It is done, and stays one move.
    charge_snapshot(connections_.find(context.connection)->payers, context.now);
    return room.send_snapshot(context);
  }
  const Refused refused =
      rooms_.change(room, context, [&](Room& changed) { return changed.move(move, context); });
  if (!refused || refused->code != v1::Error::CODE_STALE_MOVE) {
    finish(context, refused);
    if (refused || context.player->played) return;
    players_.mark_played(*context.player);
    return record_player(*context.player);
  }
  charge_snapshot(connections_.find(context.connection)->payers, context.now);
  room.send_snapshot(*refused, context);
}

// Records of games --------------------------------------------------------------------------------

Problem Host::no_records() {
  return problem(v1::Error::CODE_NO_RECORDS, "This server keeps no records of games.");
}

void Host::look_up(const RequestContext& context, const v1::ClientMessage& message) {
  if (!config_.keeps_records) return refuse(context, no_records());
  look_ups_.ask(context.connection, message, effects_);
}

void Host::looked_up(ConnectionId from, std::uint64_t request_id, const LookUpAnswer& answer) {
  look_ups_.answered(from, effects_);
  if (connections_.find(from) == nullptr) return;
  effects_.send(from, effects_.copy(answer), request_id);
}

}  // namespace tictactoe::core
