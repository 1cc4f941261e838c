#include "server/host/at_table.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "server/limits/request_costs.hpp"

namespace tictactoe::server {

namespace {

Problem in_no_room() {
  return problem(v1::Error::CODE_NOT_IN_ROOM, "You are not in a room: join, watch or create one.");
}

// A move that is answered by a snapshot costs what GetSnapshot does.
void charge_snapshot(const RequestContext& context) {
  Ledger::charge(context.peer->payers, Charge::requests,
                 cost_of(v1::ClientMessage::kGetSnapshot) - cost_of(v1::ClientMessage::kMove),
                 context.now);
}

}  // namespace

void AtTable::handle(const RequestContext& context, const v1::ClientMessage& message) {
  const bool changes = changes_something(message.request_case());
  if (changes) {
    if (const auto refused = availability_.cannot_record()) {
      return replies_.refuse(context, *refused);
    }
  }
  const Room* room = context.player->room;
  if (room == nullptr) return replies_.refuse(context, in_no_room());
  if (message.has_move()) return move(context, *room, message.move());
  if (message.has_list_members()) return list_members(context, *room, message.list_members());
  if (message.has_invite()) {
    const Refused refused = social_.invite(context, *room, message.invite().player());
    if (refused) replies_.refuse(context, *refused);
    return;
  }
  if (message.has_hint() &&
      room->state().thinking.hints_of(context.connection) >= config_.limits.hints_per_connection) {
    return refuse_hint(context);
  }
  const Refused refused = rooms_.change(
      *room, context, [&](Room& changed) { return change(context, changed, message); });
  if (changes || refused) replies_.finish(context, refused);
}

Refused AtTable::change(const RequestContext& context, Room& room,
                        const v1::ClientMessage& message) {
  switch (message.request_case()) {
    case v1::ClientMessage::kRematch:
      if (auto refused = availability_.no_new_games()) return refused;
      return availability_.begin_game(context, room,
                                      [&] { return room.requests().rematch(context); });
    case v1::ClientMessage::kResign:
      return room.requests().resign(message.resign(), context);
    case v1::ClientMessage::kOfferDraw:
      return room.requests().offer_draw(message.offer_draw(), context);
    case v1::ClientMessage::kAskTakeback:
      return room.requests().ask_takeback(message.ask_takeback(), context);
    case v1::ClientMessage::kDecline:
      return room.requests().decline(context);
    case v1::ClientMessage::kHint:
      return room.requests().hint(context);
    case v1::ClientMessage::kAddAi: {
      const auto level = room.state().parse_ai_level(message.add_ai().level());
      if (!level) return level.error();
      if (room.state().is_between_games()) {
        if (auto refused = availability_.no_new_games()) return refused;
      }
      return availability_.begin_game(context, room, [&] {
        return room.seating().add_ai(parse_mark(message.add_ai().seat()), *level, context);
      });
    }
    case v1::ClientMessage::kRemoveAi:
      return room.seating().remove_ai(parse_mark(message.remove_ai().seat()), context);
    case v1::ClientMessage::kChat:
      return social_.say(context, room, message.chat().text());
    default:
      return unknown_request();
  }
}

// The client knows this limit, so the refusal costs no tokens.
void AtTable::refuse_hint(const RequestContext& context) {
  Ledger::give_back(context.peer->payers, Charge::requests, cost_of(v1::ClientMessage::kHint));
  constexpr std::chrono::milliseconds wait{1'000};
  replies_.refuse_excess(context,
                         {v1::Error::CODE_RATE_LIMITED,
                          "You are already waiting for several hints. Try again later.", wait});
}

void AtTable::move(const RequestContext& context, const Room& room, const v1::Move& move) {
  if (room.state().has_played(move, *context.player)) {
    // The move was sent twice, perhaps because the answer was lost. It counts once.
    charge_snapshot(context);
    return room.output().send_snapshot(context);
  }
  const Refused refused = rooms_.change(
      room, context, [&](Room& changed) { return changed.requests().move(move, context); });
  if (!refused || refused->code != v1::Error::CODE_STALE_MOVE) {
    replies_.finish(context, refused);
    if (refused || context.player->played) return;
    players_.mark_played(*context.player);
    return people_.record(*context.player);
  }
  charge_snapshot(context);
  room.output().send_snapshot(*refused, context);
}

void AtTable::get_snapshot(const RequestContext& context) {
  const Room* room = context.player->room;
  if (room == nullptr) return replies_.refuse(context, in_no_room());
  room->output().send_snapshot(context);
}

void AtTable::list_members(const RequestContext& context, const Room& room,
                           const v1::ListMembers& request) {
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::MemberList& list = *message.mutable_member_list();
  if (request.after().empty()) {
    v1::RoomInfo info;
    room.output().describe_to(info, context.now);
    list.mutable_x()->Swap(info.mutable_x());
    list.mutable_o()->Swap(info.mutable_o());
  }
  std::vector<std::string_view> names;
  for (const Player* watcher : room.state().seats.watchers()) {
    if (watcher->name > request.after()) names.push_back(watcher->name);
  }
  const std::size_t count = std::min(names.size(), config_.limits.names_per_list);
  std::ranges::partial_sort(names, names.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t i = 0; i < count; ++i) list.add_watchers(std::string(names[i]));
  list.set_more(count < names.size());
  replies_.answer(context, message);
}

}  // namespace tictactoe::server
