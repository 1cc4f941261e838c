#include "server/host/social.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "server/limits/name_rules.hpp"

namespace tictactoe::server {

void Social::list_rooms(const RequestContext& context, const v1::ListRooms& request) {
  auto answer = [this](const RequestContext& then, v1::RoomList list) {
    if (then.peer == nullptr) return;
    auto& message = then.effects.draft<v1::ServerMessage>();
    *message.mutable_room_list() = std::move(list);
    replies_.answer(then, message);
  };
  directory_.list_rooms(request.after(), request.open_only(), context.now,
                        replies_.when_answered<v1::RoomList>(context, answer));
}

void Social::list_players(const RequestContext& context, const v1::ListPlayers& request) {
  auto answer = [this](const RequestContext& then, v1::PlayerList list) {
    if (then.peer == nullptr) return;
    // The directory hides the names of rooms with a password, but the client knows its own room.
    const Room* room = then.player->room;
    for (v1::PlayerInfo& info : *list.mutable_players()) {
      const Player* listed = room == nullptr ? nullptr : players_.find_connected(info.name());
      if (listed != nullptr && listed->room == room) info.set_room(room->name());
    }
    auto& message = then.effects.draft<v1::ServerMessage>();
    *message.mutable_player_list() = std::move(list);
    replies_.answer(then, message);
  };
  directory_.list_players(request.after(), context.now,
                          replies_.when_answered<v1::PlayerList>(context, answer));
}

void Social::watch_lobby(const RequestContext& context, const v1::WatchLobby& request) {
  if (!request.stop()) return feed_.watch(context, request.boards());
  feed_.stop(context.connection);
  auto& message = context.effects.draft<v1::ServerMessage>();
  message.mutable_lobby_update()->set_stopped(true);
  replies_.answer(context, message);
}

// A line is also charged to the room, or to the lobby with 0, so that many players together stay
// within its limit. A player, address or network has only a share, so that others can talk.
Refused Social::charge_chat(const RequestContext& context, std::uint64_t room,
                            std::size_t receivers) {
  const auto refused = [](const std::string& what, std::chrono::milliseconds wait) {
    return Problem{v1::Error::CODE_RATE_LIMITED,
                   what + ": try again in " + std::to_string(wait.count()) + " ms.", wait};
  };
  const auto cost = static_cast<double>(receivers);
  const Payers& payers = context.peer->payers;
  if (const auto wait = ledger_.spend(payers, Charge::chat, cost, context.now)) {
    return refused("You or others at your address have sent too many messages", *wait);
  }
  Payer& payer = ledger_.of(PayerKind::room, room, context.now);
  if (const auto wait = ledger_.spend(payer, Charge::chat, cost, context.now)) {
    Ledger::give_back(payers, Charge::chat, cost);
    return refused(
        std::string("Too many chat messages in ") + (room == 0 ? "the lobby" : "this room"), *wait);
  }
  return std::nullopt;
}

Refused Social::say(const RequestContext& context, Room& room, const std::string& said) {
  const auto text = parse_chat(said, config_.limits);
  if (!text) return text.error();
  if (auto refused = charge_chat(context, room.serial(), room.output().audience().size()))
    return refused;
  room.output().say(*text, context);
  return std::nullopt;
}

Refused Social::say_in_lobby(const RequestContext& context, const std::string& said) {
  if (!config_.lobby_chat) {
    return problem(v1::Error::CODE_NOT_ALLOWED, "Chat in the lobby is turned off on this server.");
  }
  if (!feed_.is_watching(context.connection)) {
    return problem(v1::Error::CODE_NOT_ALLOWED,
                   "Only clients that watch the lobby can chat there: watch it first.");
  }
  const auto text = parse_chat(said, config_.limits);
  if (!text) return text.error();
  constexpr std::uint64_t lobby = 0;  // no room has this serial
  // No burst has more lines than are kept, or else some would reach nobody.
  const std::size_t kept = std::max<std::size_t>(config_.limits.kept_chat, 1);
  const std::size_t min_receivers = config_.limits.chat_receivers_burst / kept;
  if (auto refused = charge_chat(context, lobby, std::max(feed_.receivers(), min_receivers))) {
    return refused;
  }
  feed_.say(context.player->name, *text);
  context.effects.count_receivers(feed_.watchers());
  replies_.answer_done(context);
  return std::nullopt;
}

// Refuses an invitation if the player or address has sent too many, or the guest received too many.
Refused Social::count_invitation(const RequestContext& context, const Player& guest) {
  const auto too_many = [](const std::string& who, std::chrono::milliseconds wait) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(wait);
    return Problem{
        v1::Error::CODE_RATE_LIMITED,
        "Too many invitations " + who + ": try again in " + std::to_string(seconds.count()) + " s.",
        wait};
  };
  const Peer& sender = *context.peer;
  if (const auto wait = ledger_.spend(sender.payers, Charge::inviting, 1, context.now)) {
    return too_many("have been sent from your address", *wait);
  }
  if (const auto wait =
          invitations_.send(guest.id, context.player->id, sender.origin, context.now)) {
    Ledger::give_back(sender.payers, Charge::inviting, 1);
    return too_many("have been sent to \"" + guest.name + "\"", *wait);
  }
  return std::nullopt;
}

Refused Social::invite(const RequestContext& context, const Room& room, const std::string& player) {
  const std::string name = normalized_name(player);
  const Player* guest = players_.find_connected(name);
  if (guest == nullptr) {
    return problem(
        v1::Error::CODE_PLAYER_NOT_FOUND,
        "No player with that name is connected to this server. Players of other servers can join "
        "by the name of the room.");
  }
  if (guest->room == &room) {
    return problem(v1::Error::CODE_ALREADY_IN_ROOM,
                   guest == context.player ? "You are in this room already: invite another player."
                                           : "\"" + name + "\" is in this room already.");
  }
  if (auto refused = room.state().not_allowed(context.player)) return refused;
  if (auto refused = count_invitation(context, *guest)) return refused;
  rooms_.change(room, context, [&](Room& changed) { changed.seating().admit_once(*guest); });
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::Invited& invited = *message.mutable_invited();
  invited.set_from(context.player->name);
  room.output().describe_to(*invited.mutable_room(), context.now);
  context.effects.send(*guest->connection, context.effects.encode(message));
  replies_.answer_done(context);
  return std::nullopt;
}

}  // namespace tictactoe::server
