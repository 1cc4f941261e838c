#include "server/host/entering.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "server/limits/name_rules.hpp"
#include "server/limits/parse.hpp"
#include "server/limits/request_costs.hpp"

namespace tictactoe::server {

namespace {

Problem no_such_room() {
  return problem(v1::Error::CODE_ROOM_NOT_FOUND, "There is no room with that name.");
}

// The room that closes when this player leaves it; null if there is none.
const Room* closing_with(const Player& player) {
  return player.room != nullptr && player.room->closes_without(player) ? player.room : nullptr;
}

Problem closes_first() {
  return problem(v1::Error::CODE_ROOM_NOT_FOUND,
                 "You are alone in that room. It closes when you leave it.");
}

// The answer for an unlisted room is the same as for one that does not exist.
Problem wrong_password(const Room* room) {
  if (room == nullptr || !room->settings().is_listed()) return no_such_room();
  return problem(v1::Error::CODE_WRONG_PASSWORD, "Wrong password for this room.");
}

Problem no_password() {
  return problem(v1::Error::CODE_WRONG_PASSWORD, "This room has a password: enter it to join.");
}

}  // namespace

Refused Entering::sit(const RequestContext& context, const Room& room, rules::Mark seat) {
  if (const Room* own = context.player->room; own != nullptr && own != &room) {
    if (auto refused = availability_.cannot_begin_game(context, room)) return refused;
    if (auto refused = room.seating().cannot_sit(seat, *context.player)) return refused;
    return in_another_room(*own);
  }
  const Refused refused = rooms_.change(room, context, [&](Room& changed) {
    return availability_.begin_game(context, changed,
                                    [&] { return changed.seating().sit(seat, context); });
  });
  if (!refused) players_.enter(*context.player, room);
  return refused;
}

// Calls `enter` with the room once the client may enter, or says why it may not. Neither answers
// nor timing reveal whether an unlisted room exists that the client can't enter: a name that is not
// listed counts as an attempt, and waits like one. These attempts are counted apart from those at
// listed rooms, because people return to rooms that no longer exist.
template <class Enter>
void Entering::enter_with_password(const RequestContext& context, std::uint64_t serial,
                                   const auto& request, Enter enter) {
  const Room* room = rooms_.find(serial);
  const bool is_invited = room != nullptr && room->state().admits(*context.player);
  const bool is_listed = room != nullptr && room->settings().is_listed();
  const bool is_open = room != nullptr && !room->settings().needs_password();
  if (is_invited || (is_listed && is_open)) return replies_.finish(context, enter(context, *room));
  const Origin from = context.peer->origin;
  if (request.password().empty()) {
    if (is_listed) return replies_.refuse(context, no_password());
    if (const auto refused = passwords_.count_name(is_open, from, context.now)) {
      return replies_.refuse(context, *refused);
    }
    if (!is_open) return replies_.refuse(context, no_such_room());
    return replies_.finish(context, enter(context, *room));
  }
  const auto password = parse_password(request.password(), config_.limits);
  if (!password) return replies_.refuse(context, password.error());
  const Secret secret = is_listed
                            ? Secret{Secret::Of::room, serial}
                            : Secret{Secret::Of::name, number_of(normalized_name(request.name()))};
  if (is_open) {
    // A password that is not needed can't be wrong, but takes as long as any other.
    if (const auto refused = passwords_.begin_key_attempt(secret, from, context.now)) {
      return replies_.refuse(context, *refused);
    }
    passwords_.end_attempt(secret, from, std::nullopt, context.now);
    return replies_.finish(context, enter(context, *room));
  }
  const auto refused = passwords_.try_password(
      context, secret, *password,
      room == nullptr ? passwords_.unused_key() : *room->settings().password,
      [this, serial, enter = std::move(enter)](const RequestContext& then, bool right) {
        const Room* found = rooms_.find(serial);
        if (found == nullptr && handover_.is_giving(then.now)) return replies_.refuse_for_now(then);
        if (found == nullptr || !right) return replies_.refuse(then, wrong_password(found));
        replies_.finish(then, enter(then, *found));
      });
  if (refused) replies_.refuse(context, *refused);
}

// Calls `next(const RequestContext&, std::uint64_t serial)`, with 0 if there is no such room,
// unless the client has disconnected or was redirected. A client that has to wait because it has
// asked for too many rooms that don't exist is refused before a database is asked for one more.
template <class Next>
void Entering::find_room(const RequestContext& context, const std::string& name, Next next) {
  const std::string wanted = normalized_name(name);
  const Origin from = context.peer->origin;
  // Whether or not it is here: otherwise the answers would differ.
  const bool is_attempt = !rooms_.lists(wanted) && directory_.asks_for_room(wanted);
  if (is_attempt) {
    if (const auto refused = passwords_.begin_name(from, context.now)) {
      return replies_.refuse(context, *refused);
    }
  }
  directory_.find_room(
      wanted, from, context.now,
      replies_.when_answered<Directory::LocatedRoom>(
          context, [this, from, is_attempt, next = std::move(next)](
                       const RequestContext& then, const Directory::LocatedRoom& found) {
            if (is_attempt) passwords_.end_name(from);  // `next` counts it if there is no such room
            if (then.peer == nullptr || handover_.redirect_if_elsewhere(then, found)) return;
            next(then, found.serial);
          }));
}

void Entering::join_room(const RequestContext& context, const v1::JoinRoom& request) {
  find_room(context, request.name(),
            [this, request](const RequestContext& then, std::uint64_t serial) {
              const Room* own = then.player->room;
              const rules::Mark seat = parse_mark(request.seat());
              if (own != nullptr && own->serial() == serial) {
                return replies_.finish(then, join(then, *own, seat));
              }
              enter_with_password(then, serial, request,
                                  [this, seat](const RequestContext& last, const Room& room) {
                                    return join(last, room, seat);
                                  });
            });
}

Refused Entering::join(const RequestContext& context, const Room& room, rules::Mark seat) {
  if (auto refused = availability_.cannot_record()) return refused;
  if (room.state().is_between_games()) {
    if (auto refused = availability_.no_new_games()) return refused;
  }
  return sit(context, room, seat);
}

void Entering::watch_room(const RequestContext& context, const v1::WatchRoom& request) {
  find_room(
      context, request.name(), [this, request](const RequestContext& then, std::uint64_t serial) {
        const Room* own = then.player->room;
        if (own != nullptr && own->serial() == serial && own->closes_without(*then.player)) {
          return replies_.refuse(then, closes_first());
        }
        enter_with_password(
            then, serial, request,
            [this](const RequestContext& last, const Room& room) { return watch(last, room); });
      });
}

Refused Entering::watch(const RequestContext& context, const Room& room) {
  if (const Room* own = context.player->room) {
    const bool has_place = room.state().seats.is_watching(*context.player);
    if (auto refused = room.seating().cannot_watch(*context.player); refused && !has_place) {
      return refused;
    }
    return in_another_room(*own);
  }
  auto refused =
      rooms_.change(room, context, [&](Room& changed) { return changed.seating().watch(context); });
  if (refused) return refused;
  players_.enter(*context.player, room);
  return std::nullopt;
}

Refused Entering::leave_room(const RequestContext& context) {
  if (context.player->room == nullptr) {
    return problem(v1::Error::CODE_NOT_IN_ROOM, "You are not in a room.");
  }
  people_.leave_room(*context.player, context);
  replies_.answer_left(context);
  players_.request_done(*context.player, context.request_id);
  return std::nullopt;
}

Refused Entering::create_room(const RequestContext& context, const v1::ClientMessage& message) {
  const v1::CreateRoom& request = message.create_room();
  if (request.options().has_from()) return find_position(context, message);
  rules::Rules rules;
  if (request.has_rules()) {
    const auto wanted = parse_rules(request.rules(), config_.limits);
    if (!wanted) return wanted.error();
    rules = *wanted;
  }
  return create(context, request, rules, nullptr);
}

Refused Entering::create(const RequestContext& context, const v1::CreateRoom& request,
                         const rules::Rules& rules, std::shared_ptr<const StartPosition> position) {
  auto name = parse_name(request.name(), "room", config_.limits);
  if (!name) return name.error();
  const auto options = parse_options(request.options(), config_.limits);
  if (!options) return options.error();
  const auto password = parse_password(request.password(), config_.limits);
  if (!password) return password.error();
  if (auto refused = availability_.no_new_games()) return refused;
  NewRoom room{{*std::move(name), rules, *options, {}, 0, random_(), context.player->id},
               parse_mark(request.seat()),
               std::move(position)};
  // The password of a room that can't be opened yet needs no key.
  if (context.player->room != nullptr && !password->empty()) {
    if (auto refused = passwords_.no_place(context.peer->origin)) return refused;
  }
  if (context.player->room != nullptr || password->empty()) {
    claim_room(context, std::move(room), Directory::Naming::exact);
    return std::nullopt;
  }
  const PasswordKey with = passwords_.fresh_key();
  return passwords_.ask_key(context, *password, with,
                            [this, with, room = std::move(room)](
                                const RequestContext& then, const std::optional<std::string>& key) {
                              if (then.peer == nullptr) return;
                              if (!key) return replies_.refuse(then, too_many_passwords());
                              NewRoom closed = room;
                              closed.settings.password = std::make_shared<const PasswordKey>(
                                  PasswordKey{with.cost, with.salt, *key});
                              claim_room(then, std::move(closed), Directory::Naming::exact);
                            });
}

// Asks for the finished game in which the new room begins. The connection waits, so that its
// requests are handled in order.
Refused Entering::find_position(const RequestContext& context, const v1::ClientMessage& message) {
  const v1::GamePosition& from = message.create_room().options().from();
  if (auto refused = availability_.no_records()) return refused;
  const std::uint32_t max = config_.limits.moves_of_new_room;
  if (from.moves() > max) {
    return problem(v1::Error::CODE_INVALID_OPTIONS,
                   "A room can begin with at most " + std::to_string(max) + " moves.");
  }
  Peer& peer = *context.peer;
  const int cost = cost_of(v1::ClientMessage::kGetGame);
  if (auto refused = replies_.charge(peer, cost, context.now)) return refused;
  v1::ClientMessage question;  // without the password of the room
  question.set_request_id(message.request_id());
  *question.mutable_create_room()->mutable_options()->mutable_from() = from;
  peer.position_found = std::make_unique<Peer::PositionFound>(replies_.when_answered<LookUpAnswer>(
      context, [this, message](const RequestContext& then, const LookUpAnswer& answer) {
        const Refused refused = create_from(then, message.create_room(), answer);
        if (refused) replies_.refuse(then, *refused);
      }));
  look_ups_.ask(context.connection, question, context.effects);
  return std::nullopt;
}

Refused Entering::create_from(const RequestContext& context, const v1::CreateRoom& request,
                              const LookUpAnswer& answer) {
  auto& found = context.effects.draft<v1::ServerMessage>();
  if (!found.ParseFromString(answer) || !found.has_game_found()) {
    const v1::Error& error = found.error();
    return Problem{error.code(), error.message(),
                   std::chrono::milliseconds(error.retry_after_ms())};
  }
  auto position =
      start_position(found.game_found().game(), request.options().from().moves(), config_.limits);
  if (!position) return position.error();
  if (auto refused = availability_.cannot_record()) return refused;
  const rules::Rules rules = position->board.rules();
  return create(context, request, rules,
                std::make_shared<const StartPosition>(*std::move(position)));
}

void Entering::claim_room(const RequestContext& context, NewRoom room, Directory::Naming naming) {
  if (context.player->room != nullptr) return check_claim(context, room, naming);
  // A client that can't be redirected opens its room here.
  if (handover_.is_giving(context.now) && context.peer->follows_redirects) {
    return handover_.hand_over(context);
  }
  const std::string name = room.settings.name;
  const PlayerId creator = room.settings.creator;
  directory_.claim_room(
      name, naming, creator, context.peer->origin, context.now,
      replies_.when_answered<Parsed<Directory::RoomClaim>>(
          context, [this, room = std::move(room)](const RequestContext& then,
                                                  const Parsed<Directory::RoomClaim>& claim) {
            if (claim) return open_claimed(then, room, *claim);
            if (then.peer != nullptr) replies_.refuse(then, claim.error());
          }));
}

void Entering::open_claimed(const RequestContext& context, const NewRoom& room,
                            const Directory::RoomClaim& claim) {
  if (context.peer == nullptr) return directory_.drop_room(claim.serial);
  const Refused refused = cannot_open(context, room.settings.rules);
  if (!refused) return replies_.finish(context, open_and_sit(context, room, claim));
  directory_.drop_room(claim.serial);
  replies_.refuse(context, *refused);
}

// Answers a player who is in a room.
void Entering::check_claim(const RequestContext& context, const NewRoom& room,
                           Directory::Naming naming) {
  const Player& player = *context.player;
  const Room* closing = closing_with(player);
  directory_.check_claim(
      room.settings.name, naming, player.id, closing == nullptr ? 0 : closing->serial(),
      context.peer->origin, context.now,
      replies_.when_answered<Refused>(
          context, [this, rules = room.settings.rules, leave_first = in_another_room(*player.room)](
                       const RequestContext& then, const Refused& refused) {
            if (then.peer == nullptr) return;
            if (refused) return replies_.refuse(then, *refused);
            replies_.refuse(then, cannot_open(then, rules).value_or(leave_first));
          }));
}

Refused Entering::cannot_open(const RequestContext& context, const rules::Rules& rules) {
  if (auto refused = availability_.cannot_change_now()) return refused;
  auto refused = rooms_.without(closing_with(*context.player), context.now,
                                [&] { return too_many_rooms(*context.peer, rules); });
  return refused ? refused : availability_.too_many_games(context);
}

Refused Entering::too_many_rooms(const Peer& creator, const rules::Rules& rules) const {
  if (ledger_.full(creator.payers, Holding::rooms) != nullptr) {
    return problem(
        v1::Error::CODE_TOO_MANY_ROOMS,
        "Players from your network have reached their room limit. Join a room, or wait until "
        "one of theirs closes.");
  }
  if (!config_.limits.is_large(rules)) return std::nullopt;
  if (ledger_.full(creator.payers, Holding::large_boards) == nullptr &&
      rooms_.large_boards() < config_.limits.large_boards) {
    return std::nullopt;
  }
  return problem(
      v1::Error::CODE_TOO_MANY_ROOMS,
      "You, or all players together, have too many large boards. Choose a smaller one, or "
      "wait until a room with a large board closes.");
}

Refused Entering::open_and_sit(const RequestContext& context, const NewRoom& wanted,
                               const Directory::RoomClaim& claim) {
  RoomSettings settings = wanted.settings;
  settings.name = claim.name;
  settings.serial = claim.serial;
  settings.revision = claim.revision;
  settings.origin = context.player->origin;
  const Room& room = rooms_.open(std::move(settings), wanted.position.get(), context.now);
  context.effects.log.note(
      "room opened", room.settings().origin.value_or(Origin{}), context.now,
      [&](LogEvent& event) { event.add("room", room.name()).add("player", context.player->name); });
  Refused refused = sit(context, room, wanted.seat);
  if (refused || !wanted.position) return refused;
  room.output().record_first_moves(context);
  // Its end will leave a record, even if no game begins when somebody takes the other seat.
  const Payers& payers = context.peer->payers;
  Ledger::charge(payers, Charge::games, 1, context.now);
  Ledger::charge(payers, Charge::requests, room.state().game.ply() / recorded_moves_per_token,
                 context.now);
  return refused;
}

Refused Entering::play(const RequestContext& context) {
  if (auto refused = availability_.no_new_games()) return refused;
  // Another room than the one that the player has to leave for it.
  const Room* own = context.player->room;
  directory_.find_open_room(
      own == nullptr ? 0 : own->serial(), context.now,
      replies_.when_answered<Directory::LocatedRoom>(
          context, [this](const RequestContext& then, const Directory::LocatedRoom& found) {
            if (then.peer == nullptr) return;
            // A client that can't be redirected plays here.
            if (then.peer->follows_redirects && handover_.redirect_if_elsewhere(then, found)) {
              return;
            }
            if (auto refused = availability_.cannot_change_now()) {
              return replies_.refuse(then, *refused);
            }
            const Room* room = rooms_.find(found.serial);
            // Others may have entered it meanwhile.
            if (room == nullptr || !room->settings().is_public() ||
                !room->state().has_seat_for_newcomer()) {
              return create_for_play(then);
            }
            replies_.finish(then, sit(then, *room, rules::Mark::none));
          }));
  return std::nullopt;
}

void Entering::create_for_play(const RequestContext& context) {
  const Player& player = *context.player;
  const RoomOptions options{{}, v1::AWAY_FORFEIT, config_.limits.default_grace};
  claim_room(context, {{player.name, {}, options, {}, 0, random_(), player.id}},
             Directory::Naming::similar);
}

}  // namespace tictactoe::server
