// Players: how they come, come back, and are forgotten.
#include <algorithm>
#include <utility>

#include "server/core/describe.hpp"
#include "server/core/errors.hpp"
#include "server/core/host.hpp"

namespace tictactoe::core {

namespace {

constexpr std::uint32_t protocol_version = 1;

std::string_view bytes_of(const Token& token) {
  return {reinterpret_cast<const char*>(token.data()), token.size()};
}

}  // namespace

void Host::hello(Peer& peer, const RequestContext& context, const v1::Hello& hello) {
  if (peer.player != nullptr) {
    return refuse(context, problem(v1::Error::CODE_ALREADY_WELCOME,
                                   "You have said hello already, as " + peer.player->name + "."));
  }
  if (std::ranges::find(hello.protocol_versions(), protocol_version) ==
      hello.protocol_versions().end()) {
    auto error = closing_error(v1::Error::CODE_VERSION_UNSUPPORTED,
                               "This server speaks version 1 of the protocol only.");
    error.add_supported_versions(protocol_version);
    return expel(context.connection, std::move(error), context.now, context.request_id);
  }
  if (auto refused = cannot_record()) return refuse(context, *refused);
  if (hello.token().size() == Token{}.size()) {
    if (Player* known = players_.find_by_hash(digest(hello.token()))) {
      return resume(peer, context, *known, hello);
    }
  }
  const auto name = parse_name(hello.name(), "player", config_.limits);
  if (!name) return refuse(context, name.error());
  const Token token = tokens_();
  Player* player = new_player(*name, digest(bytes_of(token)));
  if (player == nullptr) {
    return expel(context.connection,
                 closing_error(v1::Error::CODE_SERVER_FULL,
                               "This server knows as many players as it can: try again later."),
                 context.now, context.request_id);
  }
  welcome(peer, context, *player, &token);
}

Player* Host::new_player(const std::string& name, const std::string& token_hash) {
  if (players_.is_full()) {
    Player* idle = players_.longest_idle();
    if (idle == nullptr) return nullptr;
    forget_player(*idle);
  }
  Player& player = players_.add(name, token_hash, random_);
  if (config_.keeps_records) {
    auto& record = effects_.draft<journal::v1::Record>();
    journal::v1::Player& known = *record.mutable_player();
    known.set_id(player.id);
    known.set_name(player.name);
    known.set_token_hash(player.token_hash);
    effects_.record(record);
  }
  return &player;
}

void Host::welcome(Peer& peer, const RequestContext& context, Player& player, const Token* token) {
  deadlines_.end(peer.deadline);
  --pending_;
  peer.player = &player;
  peer.last_heard = context.now;
  watch_for_silence(peer, context.connection.slot);
  player.connection = context.connection;
  players_.changed(player);
  auto& message = effects_.draft<v1::ServerMessage>();
  v1::Welcome& welcome = *message.mutable_welcome();
  welcome.set_protocol_version(protocol_version);
  welcome.set_server_name(config_.server_name);
  welcome.set_software(config_.software);
  welcome.set_player_name(player.name);
  describe(config_, *welcome.mutable_limits());
  if (token != nullptr) welcome.set_token(token->data(), token->size());
  welcome.set_resumed(token == nullptr);
  if (player.room != nullptr) welcome.set_room(player.room->name());
  welcome.set_last_request_done(player.last_request_done);
  welcome.set_server_id(config_.server_id);
  answer(context, message);
}

void Host::resume(Peer& peer, const RequestContext& context, Player& player,
                  const v1::Hello& hello) {
  if (player.connection) {
    // Taken from it first, so that the seat does not fall to the old connection's end. Who only
    // watches has to come in again.
    const ConnectionId old = *std::exchange(player.connection, std::nullopt);
    if (player.room != nullptr && player.room->seat_of(&player) == rules::Mark::none) {
      vacate(player, context.without_request());
    }
    expel(old,
          closing_error(v1::Error::CODE_REPLACED,
                        "You have connected again from elsewhere: this connection ends."),
          context.now);
  }
  welcome(peer, context, player, nullptr);
  if (player.room == nullptr) return;
  const bool same_room = hello.room() == player.room->name();
  player.room->came_back(same_room ? hello.revision() : 0,
                         {context.now, effects_, &player, context.connection});
  settle(*player.room);
  charge(peer, v1::ClientMessage::kHello, player.room->ply());
}

void Host::goodbye(Peer& peer, const RequestContext& context) {
  Player& player = *peer.player;
  vacate(player, context);
  auto& message = effects_.draft<v1::ServerMessage>();
  message.mutable_left();
  answer(context, message);
  effects_.close(context.connection);
  forget(context.connection.slot);
  forget_player(player);
}

void Host::forget_player(Player& player) {
  if (config_.keeps_records) {
    auto& record = effects_.draft<journal::v1::Record>();
    record.set_player_forgotten(player.id);
    effects_.record(record);
  }
  players_.forget(player);
}

void Host::forget_idle(Time now) {
  constexpr int most_at_once = 64;
  for (int i = 0; i < most_at_once; ++i) {
    const auto due = players_.next_forgetting();
    if (!due || *due > now) return;
    forget_player(*players_.longest_idle());
  }
}

void Host::enter(Player& player, Room& room) {
  player.room = &room;
  players_.changed(player);
}

void Host::vacate(Player& player, const RequestContext& context) {
  if (player.room == nullptr) return;
  Room& room = *std::exchange(player.room, nullptr);
  room.leave(player, context);
  settle(room);
  players_.changed(player);
}

void Host::describe_to(v1::ServerInfo& info, int most) const {
  info.set_name(config_.server_name);
  info.set_software(config_.software);
  info.add_protocol_versions(protocol_version);
  info.set_players(static_cast<std::uint32_t>(people_ - pending_));
  lobby_.describe_to(info, most);
}

}  // namespace tictactoe::core
