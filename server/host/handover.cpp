#include "server/host/handover.hpp"

#include <chrono>
#include <limits>
#include <string>

#include "server/game/describe.hpp"
#include "server/limits/errors.hpp"

namespace tictactoe::server {

namespace {

constexpr std::uint64_t all_rooms = std::numeric_limits<std::uint64_t>::max();

std::string where_it_is(const Directory::LobbyServer& server) {
  return "That is on another server of this lobby: connect to " + server.address + ".";
}

}  // namespace

bool Handover::redirect_if_elsewhere(const RequestContext& context,
                                     const std::optional<Directory::LobbyServer>& server,
                                     bool is_unknown_now) {
  if (is_unknown_now) {
    replies_.refuse_for_now(context);
    return true;
  }
  if (!server) return false;
  if (context.player == nullptr) {
    redirect(context, *server);
  } else if (!context.peer->follows_redirects) {
    replies_.refuse(context, problem(v1::Error::CODE_ELSEWHERE, where_it_is(*server)));
  } else if (context.player->room != nullptr) {
    replies_.refuse(context, in_another_room(*context.player->room));
  } else {
    hand_over(context, *server);
  }
  return true;
}

bool Handover::redirect_if_elsewhere(const RequestContext& context,
                                     const Directory::LocatedRoom& found) {
  if (found.elsewhere && !found.is_listed_elsewhere) {
    if (const auto refused = passwords_.count_name(false, context.peer->origin, context.now)) {
      replies_.refuse(context, *refused);
      return true;
    }
  }
  return redirect_if_elsewhere(context, found.elsewhere, found.is_unknown_now);
}

// Answers and closes the connection.
void Handover::redirect(const RequestContext& context, const Directory::LobbyServer& server) {
  auto& message = effects_.draft<v1::ServerMessage>();
  if (context.peer->follows_redirects) {
    describe(server, *message.mutable_redirect()->mutable_server());
  } else {
    *message.mutable_error() = closing_error(v1::Error::CODE_ELSEWHERE, where_it_is(server));
  }
  replies_.answer(context, message);
  replies_.close(context.connection, context.now);
}

void Handover::hand_over(const RequestContext& context, const Directory::LobbyServer& server) {
  if (const auto refused = availability_.cannot_record()) return replies_.refuse(context, *refused);
  const Player& player = *context.player;
  record_moved(player, server);
  redirect(context, server);
  directory_.hand_over_player(player.id);
  players_.erase(player);
  feed_.players_changed();
}

void Handover::record_moved(const Player& player, const Directory::LobbyServer& to) {
  auto& record = effects_.draft<journal::v1::Record>();
  journal::v1::PlayerMoved& moved = *record.mutable_player_moved();
  describe(player, *moved.mutable_player());
  moved.set_stream(to.stream);
  effects_.record(record);
}

Handover::Farewell Handover::write_farewell(const std::vector<Directory::LobbyServer>& others,
                                            const std::string& why) {
  Farewell farewell;
  for (const Directory::LobbyServer& other : others) {
    auto& message = effects_.draft<v1::ServerMessage>();
    describe(other, *message.mutable_redirect()->mutable_server());
    farewell.redirects.push_back(effects_.encode(message));
  }
  auto& message = effects_.draft<v1::ServerMessage>();
  *message.mutable_error() = closing_error(v1::Error::CODE_SERVER_STOPPING, why);
  farewell.stopping = effects_.encode(message);
  return farewell;
}

void Handover::say(const Farewell& farewell, ConnectionId to, Durability durability) {
  const Peer& peer = *connections_.find(to);
  const auto& [redirects, stopping] = farewell;
  const bool follows = peer.follows_redirects && peer.player != nullptr && !redirects.empty();
  effects_.send(to, follows ? redirects[to.slot % redirects.size()] : stopping, 0,
                follows ? Durability::after_records : durability);
}

std::size_t Handover::give_rooms(const Directory::LobbyServer& to, std::size_t max, Time now) {
  constexpr std::chrono::seconds new_rooms_follow{1};
  constexpr std::size_t people_at_once = 64;  // each is written to and closed
  receiver_ = to;
  giving_until_ = now + new_rooms_follow;
  if (availability_.cannot_record()) return 0;
  const Farewell farewell = write_farewell({to}, stopping_sentence);
  std::size_t given = 0;
  for (std::size_t people = 0; given < max && people < people_at_once; ++given) {
    const Room* next = nullptr;
    rooms_.visit_after(0, [&](const Room& room) {
      next = &room;
      return false;
    });
    if (next == nullptr) break;
    people += give_room(*next, farewell, now);
  }
  if (given > 0) feed_.players_changed();
  return given;
}

// Returns how many people were in it. Their open requests continue as if they had disconnected.
std::size_t Handover::give_room(const Room& room, const Farewell& farewell, Time now) {
  auto& record = effects_.draft<journal::v1::Record>();
  journal::v1::RoomMoved& moved = *record.mutable_room_moved();
  room.output().describe_to(*moved.mutable_room(), now);
  moved.set_stream(receiver_->stream);
  std::vector<const Player*> people;
  for (const PlayerId id : room.state().seats.seated()) {
    people.push_back(players_.find(id));
    describe(*people.back(), *moved.add_players());
  }
  effects_.record(record);
  for (const Player* watcher : room.state().seats.watchers()) {
    people.push_back(watcher);
    record_moved(*watcher, *receiver_);
  }
  for (const Player* player : people) {
    if (!player->connection) continue;
    const ConnectionId id = *player->connection;
    say(farewell, id, Durability::after_records);
    replies_.close(id, now);
  }
  directory_.hand_over_room(room.serial());
  rooms_.give_away(room, {now, effects_});
  for (const Player* player : people) {
    people_.note_left(*player);
    directory_.hand_over_player(player->id);
    players_.erase(*player);
  }
  return people.size();
}

bool Handover::stop(Time now, const std::vector<Directory::LobbyServer>& others,
                    const std::string& why) {
  constexpr std::size_t rooms_at_once = 64;
  constexpr std::size_t peers_at_once = 8;  // each is written to and closed
  const RequestContext context{now, effects_};
  if (stopped_room_ != all_rooms) {
    const auto last = rooms_.change_after(stopped_room_, rooms_at_once, context, [&](Room& room) {
      room.output().record_clocks(context);
    });
    stopped_room_ = last.value_or(all_rooms);
    if (last) return true;
  }
  const Farewell farewell = write_farewell(others, why);
  const auto next =
      connections_.visit_from(stopped_slot_, peers_at_once, [&](ConnectionId id, const Peer&) {
        connections_.find(id)->position_found = nullptr;
        // The error depends on no record, but frames that wait for one still go first.
        say(farewell, id, Durability::immediate);
        effects_.close(id);
      });
  stopped_slot_ = next.value_or(stopped_slot_);
  if (!next) effects_.log.note_left_out();
  return next.has_value();
}

}  // namespace tictactoe::server
