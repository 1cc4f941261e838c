// Requests for which the directory is asked: how players enter and leave rooms, and lists. How they
// create rooms is in host_new_rooms.cpp.
#include <algorithm>
#include <utility>
#include <vector>

#include "server/core/host_passwords.hpp"
#include "server/core/name_rules.hpp"

namespace tictactoe::core {

namespace {

using Request = v1::ClientMessage;

Problem no_such_room() {
  return problem(v1::Error::CODE_ROOM_NOT_FOUND, "There is no room of that name.");
}

// Gives the same answer for an unlisted room as for one that does not exist.
Problem cannot_open(const Room* room) {
  if (room == nullptr || !room->is_listed()) return no_such_room();
  return problem(v1::Error::CODE_WRONG_PASSWORD, "That is not the password of this room.");
}

}  // namespace

Refused Host::handle_lobby(const RequestContext& context, const v1::ClientMessage& message) {
  switch (message.request_case()) {
    case Request::kGoodbye:
      goodbye(context);
      return std::nullopt;
    case Request::kCreateRoom:
      return create_room(context, message);
    case Request::kJoinRoom:
      join_room(context, message.join_room());
      return std::nullopt;
    case Request::kWatchRoom:
      return watch_room(context, message.watch_room());
    case Request::kPlay:
      return play(context);
    case Request::kLeaveRoom:
      return leave_room(context);
    default:
      return problem(v1::Error::CODE_UNKNOWN_REQUEST,
                     "This server does not know that request, or there was none.");
  }
}

Problem Host::in_another_room(const Room& room) {
  return problem(v1::Error::CODE_ALREADY_IN_ROOM,
                 "You are in the room \"" + room.name() + "\": leave it first.");
}

// Entering rooms ----------------------------------------------------------------------------------

Refused Host::sit(const RequestContext& context, const Room& room, rules::Mark seat) {
  const Refused refused = rooms_.change(room, context, [&](Room& changed) {
    return begin_game(context, changed, [&] { return changed.sit(seat, context); });
  });
  if (!refused) players_.enter(*context.player, room);
  return refused;
}

// `enter` is called with the room once the client may enter; otherwise this says why not. Neither
// the answers nor their time tell whether there is an unlisted room that the client can't enter: a
// name that is in no list is counted and has to wait as a password does. These attempts are counted
// apart from those at listed rooms, because people come back to rooms that are gone.
template <class Enter>
void Host::enter_with_password(const RequestContext& context, std::uint64_t serial,
                               const RoomCredentials& credentials, Enter enter) {
  const Room* room = rooms_.find(serial);
  const bool is_invited = room != nullptr && room->has_invited(*context.player);
  const bool is_listed = room != nullptr && room->is_listed();
  const bool is_open = room != nullptr && !room->needs_password();
  if (is_invited || (is_listed && is_open)) return finish(context, enter(context, *room));
  const Origin from = connections_.find(context.connection)->origin;
  if (credentials.password.empty()) {
    if (is_listed) return refuse(context, cannot_open(room));
    if (const auto refused = count_name(is_open, from, context.now)) {
      return refuse(context, *refused);
    }
    if (!is_open) return refuse(context, cannot_open(room));
    return finish(context, enter(context, *room));
  }
  const auto password = parse_password(credentials.password, config_.limits);
  if (!password) return refuse(context, password.error());
  const Secret secret = is_listed ? Secret{Secret::Of::room, serial}
                                  : Secret{Secret::Of::name, number_of(credentials.name)};
  if (is_open) {
    // A password that is not needed can't be wrong. It has to wait as one that is checked.
    if (const auto refused = begin_key_attempt(secret, from, context.now)) {
      return refuse(context, *refused);
    }
    end_attempt(secret, from, std::nullopt, context.now);
    return finish(context, enter(context, *room));
  }
  const auto refused = try_password(
      context, secret, *password, room == nullptr ? unused_key() : *room->password(),
      [this, serial, enter = std::move(enter)](const RequestContext& then, bool right) {
        const Room* found = rooms_.find(serial);
        if (found == nullptr && is_giving(then.now)) return refuse_for_now(then);
        if (found == nullptr || !right) return refuse(then, cannot_open(found));
        finish(then, enter(then, *found));
      });
  if (refused) refuse(context, *refused);
}

void Host::join_room(const RequestContext& context, const v1::JoinRoom& request) {
  directory_->find_room(normalized_name(request.name()), origin_of(context), context.now,
                        when_answered<Directory::FoundRoom>(
                            context, [this, request](const Peer* asking, const RequestContext& then,
                                                     const Directory::FoundRoom& found) {
                              if (asking == nullptr) return;
                              if (then.player->room == nullptr && is_elsewhere(then, found)) return;
                              join_found_room(then, found.serial, request);
                            }));
}

void Host::join_found_room(const RequestContext& context, std::uint64_t serial,
                           const v1::JoinRoom& request) {
  const Room* own = context.player->room;
  const rules::Mark seat = parse_mark(request.seat());
  if (own != nullptr) {
    return finish(context,
                  own->serial() == serial ? join(context, *own, seat) : in_another_room(*own));
  }
  enter_with_password(context, serial, {normalized_name(request.name()), request.password()},
                      [this, seat](const RequestContext& then, const Room& room) {
                        return join(then, room, seat);
                      });
}

Refused Host::join(const RequestContext& context, const Room& room, rules::Mark seat) {
  if (auto refused = cannot_record()) return refused;
  if (room.is_between_games()) {
    if (auto refused = no_new_games()) return refused;
  }
  return sit(context, room, seat);
}

Refused Host::watch_room(const RequestContext& context, const v1::WatchRoom& request) {
  if (context.player->room != nullptr) return in_another_room(*context.player->room);
  directory_->find_room(
      normalized_name(request.name()), origin_of(context), context.now,
      when_answered<Directory::FoundRoom>(
          context, [this, request](const Peer* asking, const RequestContext& then,
                                   const Directory::FoundRoom& found) {
            if (asking == nullptr || is_elsewhere(then, found)) return;
            enter_with_password(
                then, found.serial, {normalized_name(request.name()), request.password()},
                [this](const RequestContext& last, const Room& room) { return watch(last, room); });
          }));
  return std::nullopt;
}

Refused Host::watch(const RequestContext& context, const Room& room) {
  auto refused =
      rooms_.change(room, context, [&](Room& changed) { return changed.watch(context); });
  if (refused) return refused;
  players_.enter(*context.player, room);
  return std::nullopt;
}

Refused Host::play(const RequestContext& context) {
  if (context.player->room != nullptr) return in_another_room(*context.player->room);
  if (auto refused = no_new_games()) return refused;
  directory_->find_open_room(
      context.now,
      when_answered<Directory::FoundRoom>(
          context, [this](const Peer* asking, const RequestContext& then,
                          const Directory::FoundRoom& found) {
            if (asking == nullptr) return;
            // A client that can't be redirected plays here.
            if (asking->follows_redirects && is_elsewhere(then, found)) return;
            if (auto refused = cannot_change_now()) return refuse(then, *refused);
            const Room* room = rooms_.find(found.serial);
            // It may have been entered by others meanwhile.
            if (room == nullptr || !room->is_public() || !room->has_seat_for_newcomer()) {
              return open_for_play(then);
            }
            finish(then, sit(then, *room, rules::Mark::none));
          }));
  return std::nullopt;
}

void Host::open_for_play(const RequestContext& context) {
  const Player& player = *context.player;
  const RoomOptions options{{}, v1::AWAY_FORFEIT, config_.limits.default_grace};
  claim_room(context, {{player.name, {}, options, {}, 0, random_(), player.id}},
             Directory::Naming::similar);
}

Refused Host::leave_room(const RequestContext& context) {
  if (context.player->room == nullptr) {
    return problem(v1::Error::CODE_NOT_IN_ROOM, "You are not in a room.");
  }
  vacate(*context.player, context);
  auto& message = effects_.draft<v1::ServerMessage>();
  message.mutable_left();
  answer(context, message);
  players_.request_done(*context.player, context.request_id);
  return std::nullopt;
}

// Lists -------------------------------------------------------------------------------------------

void Host::list_rooms(const RequestContext& context, const v1::ListRooms& request) {
  directory_->list_rooms(
      request.after(), request.open_only(), context.now,
      when_answered<v1::RoomList>(
          context, [this](const Peer* asking, const RequestContext& then, v1::RoomList list) {
            if (asking == nullptr) return;
            auto& message = effects_.draft<v1::ServerMessage>();
            *message.mutable_room_list() = std::move(list);
            answer(then, message);
          }));
}

void Host::list_players(const RequestContext& context, const v1::ListPlayers& request) {
  directory_->list_players(
      request.after(), context.now,
      when_answered<v1::PlayerList>(context, [this](const Peer* asking, const RequestContext& then,
                                                    v1::PlayerList list) {
        if (asking == nullptr) return;
        // The directory hides the names of rooms with a password; this one the client knows.
        const Room* room = then.player->room;
        for (v1::PlayerInfo& info : *list.mutable_players()) {
          const Player* listed = room == nullptr ? nullptr : players_.find_connected(info.name());
          if (listed != nullptr && listed->room == room) info.set_room(room->name());
        }
        auto& message = effects_.draft<v1::ServerMessage>();
        *message.mutable_player_list() = std::move(list);
        answer(then, message);
      }));
}

void Host::list_members(const Room& room, const RequestContext& context,
                        const v1::ListMembers& request) {
  auto& message = effects_.draft<v1::ServerMessage>();
  v1::MemberList& list = *message.mutable_member_list();
  if (request.after().empty()) {
    v1::RoomInfo info;
    room.describe_to(info, context.now);
    list.mutable_x()->Swap(info.mutable_x());
    list.mutable_o()->Swap(info.mutable_o());
  }
  std::vector<std::string_view> names;
  for (const Player* watcher : room.watchers()) {
    if (watcher->name > request.after()) names.push_back(watcher->name);
  }
  const std::size_t count = std::min(names.size(), config_.limits.names_per_list);
  std::ranges::partial_sort(names, names.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t i = 0; i < count; ++i) list.add_watchers(std::string(names[i]));
  list.set_more(count < names.size());
  answer(context, message);
}

void Host::watch_lobby(const RequestContext& context, const v1::WatchLobby& request) {
  if (!request.stop()) return feed_.watch(context);
  feed_.stop(context.connection);
  auto& message = effects_.draft<v1::ServerMessage>();
  message.mutable_lobby_update()->set_stopped(true);
  answer(context, message);
}

}  // namespace tictactoe::core
