// How players create rooms, also such that begin with a position of a finished game.
#include <utility>

#include "server/core/host_passwords.hpp"
#include "server/core/request_costs.hpp"

namespace tictactoe::core {

Refused Host::create_room(const RequestContext& context, const v1::ClientMessage& message) {
  const v1::CreateRoom& request = message.create_room();
  if (context.player->room != nullptr) return in_another_room(*context.player->room);
  if (request.options().has_from()) return find_position(context, message);
  rules::Rules rules;
  if (request.has_rules()) {
    const auto wanted = parse_rules(request.rules(), config_.limits);
    if (!wanted) return wanted.error();
    rules = *wanted;
  }
  return create_room(context, request, rules, nullptr);
}

Refused Host::create_room(const RequestContext& context, const v1::CreateRoom& request,
                          const rules::Rules& rules,
                          std::shared_ptr<const StartPosition> position) {
  auto name = parse_name(request.name(), "room", config_.limits);
  if (!name) return name.error();
  const auto options = parse_options(request.options(), config_.limits);
  if (!options) return options.error();
  const auto password = parse_password(request.password(), config_.limits);
  if (!password) return password.error();
  if (auto refused = no_new_games()) return refused;
  NewRoom room{{*std::move(name), rules, *options, {}, 0, random_(), context.player->id},
               parse_mark(request.seat()),
               std::move(position)};
  if (password->empty()) {
    claim_room(context, std::move(room), Directory::Naming::exact);
    return std::nullopt;
  }
  const PasswordKey with = fresh_key();
  return ask_key(
      context, *password, with,
      [this, with, room = std::move(room)](const Peer* asking, const RequestContext& then,
                                           const std::optional<std::string>& key) {
        if (asking == nullptr) return;
        if (!key) return refuse(then, too_many_passwords());
        NewRoom closed = room;
        closed.settings.password =
            std::make_shared<const PasswordKey>(PasswordKey{with.cost, with.salt, *key});
        claim_room(then, std::move(closed), Directory::Naming::exact);
      });
}

void Host::claim_room(const RequestContext& context, NewRoom room, Directory::Naming naming) {
  // Who can't go there begins here.
  const bool can_follow = connections_.find(context.connection)->follows_redirects;
  if (is_giving(context.now) && can_follow) return hand_over(context, giving_->to);
  const std::string name = room.settings.name;
  const PlayerId creator = room.settings.creator;
  directory_->claim_room(
      name, naming, creator, origin_of(context), context.now,
      when_answered<Parsed<Directory::RoomClaim>>(
          context, [this, room = std::move(room)](const Peer* asking, const RequestContext& then,
                                                  const Parsed<Directory::RoomClaim>& claim) {
            if (!claim) {
              if (asking != nullptr) refuse(then, claim.error());
              return;
            }
            Refused refused = cannot_change_now();
            if (!refused && asking != nullptr) {
              refused = too_many_rooms(*asking, room.settings.rules);
            }
            if (!refused && asking != nullptr) refused = too_many_games(then);
            if (asking == nullptr || refused) {
              directory_->drop_room(claim->serial);
              if (asking != nullptr) refuse(then, *refused);
              return;
            }
            finish(then, open_and_sit(then, room, *claim));
          }));
}

// A request that was accepted may have to be refused when the directory has answered.
Refused Host::cannot_change_now() const {
  if (auto refused = cannot_record()) return refused;
  return no_new_games();
}

Refused Host::too_many_rooms(const Peer& creator, const rules::Rules& rules) const {
  if (ledger_.full(creator.payers, Holding::rooms) != nullptr) {
    return problem(v1::Error::CODE_TOO_MANY_ROOMS,
                   "Players from your network have created as many rooms as they can have here. "
                   "Join one, or wait until one of them closes.");
  }
  if (!config_.limits.is_large(rules)) return std::nullopt;
  if (ledger_.full(creator.payers, Holding::large_boards) == nullptr &&
      rooms_.large_boards() < config_.limits.large_boards) {
    return std::nullopt;
  }
  return problem(
      v1::Error::CODE_TOO_MANY_ROOMS,
      "There are as many large boards as this server allows you, or all players together. "
      "Choose a smaller board, or wait until a room with a large one closes.");
}

void Host::hold_room(const Room& room, Time now) {
  if (!room.origin()) return;
  ledger_.hold(*room.origin(), Holding::rooms, now);
  if (config_.limits.is_large(room.rules())) {
    ledger_.hold(*room.origin(), Holding::large_boards, now);
  }
}

void Host::release_room(const Room& room, Time now) {
  if (!room.origin()) return;
  ledger_.release(*room.origin(), Holding::rooms, now);
  if (config_.limits.is_large(room.rules())) {
    ledger_.release(*room.origin(), Holding::large_boards, now);
  }
}

Refused Host::open_and_sit(const RequestContext& context, const NewRoom& wanted,
                           const Directory::RoomClaim& claim) {
  RoomSettings settings = wanted.settings;
  settings.name = claim.name;
  settings.serial = claim.serial;
  settings.revision = claim.revision;
  settings.origin = context.player->origin;
  const Room& room = rooms_.open(std::move(settings), wanted.position.get());
  hold_room(room, context.now);
  effects_.log.note(
      "room opened", room.origin().value_or(Origin{}), context.now,
      [&](LogEvent& event) { event.add("room", room.name()).add("player", context.player->name); });
  Refused refused = sit(context, room, wanted.seat);
  if (refused || !wanted.position) return refused;
  room.record_first_moves(context);
  // Its end will leave a record, though no game begins when somebody takes the other seat.
  const Payers& payers = connections_.find(context.connection)->payers;
  Ledger::charge(payers, Charge::games, 1, context.now);
  Ledger::charge(payers, Charge::requests, room.ply() / recorded_moves_per_token, context.now);
  return refused;
}

// Positions of finished games ---------------------------------------------------------------------

// Asks for the game. The connection waits, so that its requests are handled in order.
Refused Host::find_position(const RequestContext& context, const v1::ClientMessage& message) {
  const v1::GamePosition& from = message.create_room().options().from();
  if (!config_.keeps_records) return no_records();
  const std::uint32_t most = config_.limits.moves_of_new_room;
  if (from.moves() > most) {
    return problem(v1::Error::CODE_INVALID_OPTIONS,
                   "A room can begin with at most " + std::to_string(most) + " moves.");
  }
  Peer& peer = *connections_.find(context.connection);
  const int cost = cost_of(v1::ClientMessage::kGetGame);
  if (auto refused = over_rate(peer, cost, context.now)) return refused;
  v1::ClientMessage question;  // without the password of the room
  question.set_request_id(message.request_id());
  *question.mutable_create_room()->mutable_options()->mutable_from() = from;
  peer.position_found = std::make_unique<Peer::PositionFound>(when_answered<LookUpAnswer>(
      context, [this, message](const Peer* /*asking*/, const RequestContext& then,
                               const LookUpAnswer& answer) {
        const Refused refused = create_from(then, message.create_room(), answer);
        if (refused) refuse(then, *refused);
      }));
  look_ups_.ask(context.connection, question, effects_);
  return std::nullopt;
}

void Host::position_found(ConnectionId from, const LookUpAnswer& answer, Time now) {
  look_ups_.answered(from, effects_);
  Peer* peer = connections_.find(from);
  if (peer == nullptr || peer->position_found == nullptr) return;
  const auto go_on = std::exchange(peer->position_found, nullptr);
  (*go_on)(answer, now);
}

Refused Host::create_from(const RequestContext& context, const v1::CreateRoom& request,
                          const LookUpAnswer& answer) {
  auto& found = effects_.draft<v1::ServerMessage>();
  if (!found.ParseFromString(answer) || !found.has_game_found()) {
    const v1::Error& error = found.error();
    return Problem{error.code(), error.message(),
                   std::chrono::milliseconds(error.retry_after_ms())};
  }
  auto position =
      start_position(found.game_found().game(), request.options().from().moves(), config_.limits);
  if (!position) return position.error();
  if (auto refused = cannot_record()) return refused;
  const rules::Rules rules = position->board.rules();
  return create_room(context, request, rules,
                     std::make_shared<const StartPosition>(*std::move(position)));
}

}  // namespace tictactoe::core
