// Players and rooms that are at another server of the same lobby.
#include <chrono>
#include <string>
#include <vector>

#include "server/core/describe.hpp"
#include "server/core/errors.hpp"
#include "server/core/host.hpp"

namespace tictactoe::core {

namespace {

std::string where_it_is(const Directory::Server& server) {
  return "What you asked for is at another server of this lobby: connect to " + server.address +
         ".";
}

}  // namespace

void Host::follow(const LobbyNews& news, Time now) {
  if (news.bans) follow(*news.bans, {now, effects_});
  for (const RoomElsewhere& room : news.rooms) feed_.changed(room);
  if (news.players) feed_.players_elsewhere(*news.players);
}

// The player of a client that can't follow stays here.
bool Host::is_elsewhere(const RequestContext& context,
                        const std::optional<Directory::Server>& server, bool is_unknown_now) {
  if (is_unknown_now) {
    refuse_for_now(context);
    return true;
  }
  if (!server) return false;
  if (context.player == nullptr) {
    redirect(context, *server);
  } else if (!connections_.find(context.connection)->follows_redirects) {
    refuse(context, problem(v1::Error::CODE_ELSEWHERE, where_it_is(*server)));
  } else {
    hand_over(context, *server);
  }
  return true;
}

// Who finds a room that is in no list, by its name, has guessed or knows it: guesses are counted
// here, too.
bool Host::is_elsewhere(const RequestContext& context, const Directory::FoundRoom& found) {
  if (found.elsewhere && !found.is_listed_elsewhere) {
    const Origin from = connections_.find(context.connection)->origin;
    if (const auto refused = count_name(false, from, context.now)) {
      refuse(context, *refused);
      return true;
    }
  }
  return is_elsewhere(context, found.elsewhere, found.is_unknown_now);
}

void Host::refuse_for_now(const RequestContext& context) {
  constexpr std::chrono::milliseconds retry_after{1000};
  if (context.player == nullptr) connections_.restart_hello(context.connection, context.now);
  refuse(context, {v1::Error::CODE_CANNOT_RECORD,
                   "One of the servers here is being replaced, or their database cannot be "
                   "reached: try again in a second.",
                   retry_after});
}

// Answers, and closes the connection.
void Host::redirect(const RequestContext& context, const Directory::Server& server) {
  const ConnectionId id = context.connection;
  auto& message = effects_.draft<v1::ServerMessage>();
  if (connections_.find(id)->follows_redirects) {
    describe(server, *message.mutable_redirect()->mutable_server());
  } else {
    *message.mutable_error() = closing_error(v1::Error::CODE_ELSEWHERE, where_it_is(server));
  }
  answer(context, message);
  effects_.close(id);
  forget_connection(id, context.now);
}

void Host::hand_over(const RequestContext& context, const Directory::Server& server) {
  if (const auto refused = cannot_record()) return refuse(context, *refused);
  const Player& player = *context.player;
  record_moved(player, server);
  redirect(context, server);
  directory_->hand_over_player(player.id);
  players_.erase(player);
  feed_.players_changed();
}

void Host::record_moved(const Player& player, const Directory::Server& to) {
  auto& record = effects_.draft<journal::v1::Record>();
  journal::v1::PlayerMoved& moved = *record.mutable_player_moved();
  describe(player, *moved.mutable_player());
  moved.set_stream(to.stream);
  effects_.record(record);
}

// Recorded at once, because nothing else here says that the player belongs to this server. If the
// server can't have the player, it forgets the player: otherwise all servers would say for ever
// that the player is here.
void Host::arrive(const journal::v1::Player& arrived, Time now) {
  if (players_.find(arrived.id()) != nullptr) return;
  std::string why = restore_player(arrived, now);
  if (!why.empty()) {
    return record_refused({RestoreReport::Kind::player, arrived.id(), std::move(why)}, 0);
  }
  record_player(*players_.find(arrived.id()));
}

// Rooms that go to another server -----------------------------------------------------------------

std::size_t Host::give_rooms(const Directory::Server& to, std::size_t most, Time now) {
  constexpr std::chrono::seconds new_ones_begin_there{1};
  constexpr std::size_t people_at_once = 64;  // each is written to and closed
  giving_ = Giving{to, now + new_ones_begin_there};
  if (cannot_record()) return 0;
  Farewell farewell;
  auto& redirect = effects_.draft<v1::ServerMessage>();
  describe(to, *redirect.mutable_redirect()->mutable_server());
  farewell.redirect = effects_.encode(redirect);
  auto& stopping = effects_.draft<v1::ServerMessage>();
  *stopping.mutable_error() =
      closing_error(v1::Error::CODE_SERVER_STOPPING, "The server is being stopped.");
  farewell.stopping = effects_.encode(stopping);
  std::size_t given = 0;
  for (std::size_t people = 0; given < most && people < people_at_once; ++given) {
    const Room* next = nullptr;
    rooms_.visit_after(0, [&](const Room& room) {
      next = &room;
      return false;
    });
    if (next == nullptr) break;
    people += give_room(*next, to, farewell, now);
  }
  if (given > 0) feed_.players_changed();
  return given;
}

// Returns how many people were in it. What asks for an answer from outside goes on without its
// connection, as if that had ended.
std::size_t Host::give_room(const Room& room, const Directory::Server& to, const Farewell& farewell,
                            Time now) {
  auto& record = effects_.draft<journal::v1::Record>();
  journal::v1::RoomMoved& moved = *record.mutable_room_moved();
  room.describe_to(*moved.mutable_room(), now);
  moved.set_stream(to.stream);
  std::vector<const Player*> people;
  for (const PlayerId id : room.seated()) {
    people.push_back(players_.find(id));
    describe(*people.back(), *moved.add_players());
  }
  effects_.record(record);
  for (const Player* watcher : room.watchers()) {
    people.push_back(watcher);
    record_moved(*watcher, to);
  }
  for (const Player* player : people) {
    if (!player->connection) continue;
    const ConnectionId id = *player->connection;
    const bool follows = connections_.find(id)->follows_redirects;
    effects_.send(id, follows ? farewell.redirect : farewell.stopping);
    effects_.close(id);
    forget_connection(id, now);
  }
  directory_->hand_over_room(room.serial());
  release_room(room, now);
  rooms_.give_away(room, effects_);
  for (const Player* player : people) {
    leave(*player);
    directory_->hand_over_player(player->id);
    players_.erase(*player);
  }
  return people.size();
}

}  // namespace tictactoe::core
