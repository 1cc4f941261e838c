// What players say to each other, and invitations.
#include <algorithm>

#include "server/core/host.hpp"
#include "server/core/name_rules.hpp"

namespace tictactoe::core {

// Chat --------------------------------------------------------------------------------------------

// What is said costs also the room, so that many players together stay under its limit. One player,
// address or network has only a part of that, so that the others can talk.
Refused Host::over_chat_rate(const RequestContext& context, std::uint64_t room,
                             std::size_t receivers) {
  const auto refused = [](const std::string& what, std::chrono::milliseconds wait) {
    return Problem{v1::Error::CODE_RATE_LIMITED,
                   what + ": try again in " + std::to_string(wait.count()) + " ms.", wait};
  };
  const auto cost = static_cast<double>(receivers);
  const Payers& payers = connections_.find(context.connection)->payers;
  if (const auto wait = ledger_.spend(payers, Charge::chat, cost, context.now)) {
    return refused("You, or all players at your address, have said too much", *wait);
  }
  Payer& payer = ledger_.of(Level::room, room, context.now);
  if (const auto wait = ledger_.spend(payer, Charge::chat, cost, context.now)) {
    Ledger::give_back(payers, Charge::chat, cost);
    return refused(std::string("There are too many chat messages in ") +
                       (room == 0 ? "the lobby" : "this room"),
                   *wait);
  }
  return std::nullopt;
}

Refused Host::say(Room& room, const std::string& text, const RequestContext& context) {
  if (auto refused = over_chat_rate(context, room.serial(), room.receivers())) return refused;
  return room.chat(text, context);
}

Refused Host::say_in_lobby(const RequestContext& context, const std::string& said) {
  if (!config_.lobby_chat) {
    return problem(v1::Error::CODE_NOT_ALLOWED, "There is no chat in the lobby of this server.");
  }
  if (!feed_.is_watching(context.connection)) {
    return problem(v1::Error::CODE_NOT_ALLOWED,
                   "Only clients that watch the lobby can talk there: watch it first.");
  }
  const auto text = parse_chat(said, config_.limits);
  if (!text) return text.error();
  constexpr std::uint64_t lobby = 0;  // no room has this serial
  // At once no more lines than are kept: otherwise some would reach nobody.
  const std::size_t kept = std::max<std::size_t>(config_.limits.kept_chat, 1);
  const std::size_t least = config_.limits.chat_receivers_burst / kept;
  if (auto refused = over_chat_rate(context, lobby, std::max(feed_.watchers(), least))) {
    return refused;
  }
  feed_.say(context.player->name, *text);
  effects_.count_receivers(feed_.watchers());
  auto& message = effects_.draft<v1::ServerMessage>();
  message.mutable_done();
  answer(context, message);
  return std::nullopt;
}

// Invitations -------------------------------------------------------------------------------------

// Refused if too many were sent by the player or from the address, or have gone to the guest.
Refused Host::over_invitations(const Player& guest, const RequestContext& context) {
  const auto too_many = [](const std::string& who, std::chrono::milliseconds wait) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(wait);
    return Problem{
        v1::Error::CODE_RATE_LIMITED,
        "Too many invitations " + who + ": try again in " + std::to_string(seconds.count()) + " s.",
        wait};
  };
  const Peer& sender = *connections_.find(context.connection);
  if (const auto wait = ledger_.spend(sender.payers, Charge::inviting, 1, context.now)) {
    return too_many("have come from you or your address", *wait);
  }
  if (const auto wait =
          invitations_.send(guest.id, context.player->id, sender.origin, context.now)) {
    Ledger::give_back(sender.payers, Charge::inviting, 1);
    return too_many("have gone to \"" + guest.name + "\"", *wait);
  }
  return std::nullopt;
}

Refused Host::invite(const Room& room, const RequestContext& context, const std::string& player) {
  const std::string name = normalized_name(player);
  const Player* guest = players_.find_connected(name);
  if (guest == nullptr) {
    return problem(v1::Error::CODE_PLAYER_NOT_FOUND,
                   "No player of that name is connected: choose a name in the list of players.");
  }
  if (guest->room == &room) {
    return problem(v1::Error::CODE_ALREADY_IN_ROOM,
                   guest == context.player ? "You are in this room already: invite another player."
                                           : "\"" + name + "\" is in this room already.");
  }
  if (auto refused = room.not_allowed(context.player)) return refused;
  if (auto refused = over_invitations(*guest, context)) return refused;
  rooms_.change(room, context, [&](Room& changed) { changed.invite(*guest); });
  auto& message = effects_.draft<v1::ServerMessage>();
  v1::Invited& invited = *message.mutable_invited();
  invited.set_from(context.player->name);
  room.describe_to(*invited.mutable_room(), context.now);
  effects_.send(*guest->connection, effects_.encode(message));
  auto& done = effects_.draft<v1::ServerMessage>();
  done.mutable_done();
  answer(context, done);
  return std::nullopt;
}

}  // namespace tictactoe::core
