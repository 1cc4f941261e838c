// Players: how they are welcomed, come back, and are forgotten.
#include <algorithm>
#include <utility>

#include "server/core/describe.hpp"
#include "server/core/errors.hpp"
#include "server/core/host_answers.hpp"
#include "server/core/request_costs.hpp"

namespace tictactoe::core {

namespace {

constexpr std::uint32_t protocol_version = 1;
constexpr const char* redirect_capability = "redirect";

std::string note_on_account(const std::string& name) {
  return "\"" + name +
         "\" is an account on this server: only a client that gives its password gets this name.";
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
  if (is_banned(context, peer.origin)) return;
  peer.follows_redirects =
      std::ranges::find(hello.capabilities(), redirect_capability) != hello.capabilities().end();
  if (hello.token().size() != Token{}.size()) return greet(context, hello);
  find_token(context, hello);
}

// True, and answered, if nobody can be welcomed now.
bool Host::refuse_hello(const RequestContext& context) {
  const auto refused = cannot_record();
  if (!refused) return false;
  // The client has to try again, and gets the time for that.
  connections_.restart_hello(context.connection, context.now);
  refuse(context, *refused);
  return true;
}

Refused Host::too_many_newcomers(const RequestContext& context) {
  const Payers& payers = connections_.find(context.connection)->payers;
  const auto wait = ledger_.spend(payers, Charge::newcomers, 1, context.now);
  if (!wait) return std::nullopt;
  return Problem{v1::Error::CODE_RATE_LIMITED,
                 "Too many new players come from your network: try again in " +
                     std::to_string(std::chrono::ceil<std::chrono::seconds>(*wait).count()) + " s.",
                 *wait};
}

void Host::register_player(const RequestContext& context, const std::string& name) {
  if (is_banned(context, name)) return;
  if (const auto refused = too_many_newcomers(context)) {
    connections_.restart_hello(context.connection, context.now);  // the client can try again
    return refuse(context, *refused);
  }
  const Token token = tokens_();
  const std::string hash = digest(bytes_of(token));
  directory_->claim_player(
      name, hash, origin_of(context), context.now,
      when_answered<Directory::Identity>(
          context, [this, name, token, hash](const Peer* asking, const RequestContext& then,
                                             const Directory::Identity& identity) {
            const bool is_login = logins_.find(name) != nullptr;
            welcome_newcomer(asking, then, identity, hash,
                             {&token, false, is_login ? note_on_account(name) : std::string()});
          }));
}

void Host::welcome_newcomer(const Peer* asking, const RequestContext& context,
                            const Directory::Identity& identity, const std::string& token_hash,
                            const Welcoming& how) {
  if (identity.id == 0) {
    if (asking != nullptr) refuse_for_now(context);
    return;
  }
  if (asking == nullptr || refuse_hello(context)) return directory_->drop_player(identity.id);
  const Player* player = add_player(identity, token_hash, context.now);
  if (player != nullptr) return welcome(context, *player, how);
  directory_->drop_player(identity.id);
  expel(context.connection,
        closing_error(v1::Error::CODE_SERVER_FULL,
                      "This server knows as many players as it can: try again later."),
        context.now, context.request_id);
}

// Null if there is no place for another player.
const Player* Host::add_player(const Directory::Identity& identity, const std::string& token_hash,
                               Time now) {
  if (players_.is_full() && !evict_player(now)) return nullptr;
  const Player& player = players_.add(identity.id, identity.name, token_hash, now);
  record_player(player);
  return &player;
}

void Host::record_player(const Player& player, bool has_new_token) {
  if (!config_.keeps_records) return;
  auto& record = effects_.draft<journal::v1::Record>();
  describe(player, *record.mutable_player());
  record.set_has_new_token(has_new_token);
  effects_.record(record);
}

// Makes place for a new player. False if everybody is needed. The name of a player who has played
// stays taken, or a stranger could have it at once. An account protects its name itself.
bool Host::evict_player(Time now) {
  const Player* idle = players_.first_to_forget();
  if (idle == nullptr) return false;
  const PlayerId id = idle->id;
  const bool keeps_name = idle->played && logins_.find(idle->name) == nullptr;
  record_forgotten(id);
  players_.erase(*idle);
  if (!keeps_name) {
    directory_->release_player(id);
    return true;
  }
  evicted_.emplace_back(now + config_.limits.name_hold, id);
  release_evicted(now);
  return true;
}

// A client that has shown that the name is its own need not wait for the end of that hold, and a
// player of another server may have claimed it.
bool Host::release_if_evicted(PlayerId id) {
  if (std::erase_if(evicted_, [&](const auto& held) { return held.second == id; }) == 0) {
    return false;
  }
  directory_->release_player(id);
  return true;
}

void Host::release_evicted(Time now) {
  while (!evicted_.empty() &&
         (evicted_.front().first <= now || evicted_.size() > config_.limits.evicted_names)) {
    directory_->release_player(evicted_.front().second);
    evicted_.pop_front();
  }
}

void Host::welcome(const RequestContext& context, const Player& player, const Welcoming& how) {
  connections_.welcome(context.connection, player, context.now);
  const Peer& peer = *connections_.find(context.connection);
  Payers pays;  // the address has paid for the hello already
  pays.player = peer.payers.player;
  Ledger::charge(pays, Charge::requests, cost_of(v1::ClientMessage::kHello), context.now);
  players_.connect(player, context.connection, peer.origin);
  const Login* login = logins_.find(player.name);
  players_.set_account(player, login == nullptr ? std::string() : login->id);
  feed_.players_changed();
  effects_.log.note("player joined", peer.origin, context.now, [&](LogEvent& event) {
    describe_connection(context.connection, peer, event).add("known", how.resumed ? "yes" : "no");
  });
  auto& message = effects_.draft<v1::ServerMessage>();
  v1::Welcome& welcome = *message.mutable_welcome();
  welcome.set_protocol_version(protocol_version);
  welcome.set_server_name(config_.server_name);
  welcome.set_software(config_.software);
  welcome.set_player_name(player.name);
  if (peer.follows_redirects) welcome.add_capabilities(redirect_capability);
  for (const Directory::Server& server : servers_) describe(server, *welcome.add_servers());
  describe(config_, *welcome.mutable_limits());
  if (how.token != nullptr) welcome.set_token(how.token->data(), how.token->size());
  welcome.set_resumed(how.resumed);
  welcome.set_account(login != nullptr);
  welcome.set_name_note(how.name_note);
  if (player.room != nullptr) welcome.set_room(player.room->name());
  welcome.set_last_request_done(player.last_request_done);
  welcome.set_server_id(config_.server_id);
  answer(context, message);
}

void Host::resume(const RequestContext& context, const Player& player, const v1::Hello& hello,
                  const Token* token) {
  if (is_banned(context, player.name)) return;
  if (player.connection) {
    // The player is separated from the old connection before that ends, so that the seat stays. A
    // watcher has to enter the room again.
    const ConnectionId old = *player.connection;
    players_.disconnect(player, context.now);
    if (player.room != nullptr && player.room->seat_of(&player) == rules::Mark::none) {
      vacate(player, context.without_request());
    }
    expel(old,
          closing_error(v1::Error::CODE_REPLACED,
                        "You have connected again from elsewhere: this connection ends."),
          context.now);
  }
  welcome(context, player, {token, true, {}});
  absences_.end(player.id);
  if (player.room == nullptr) return;
  const std::uint64_t seen = hello.room() == player.room->name() ? hello.revision() : 0;
  const RequestContext news{context.now, effects_, &player, context.connection};
  rooms_.change(*player.room, news, [&](Room& room) { room.came_back(seen, news); });
}

void Host::goodbye(const RequestContext& context) {
  const Player& player = *context.player;
  vacate(player, context);
  auto& message = effects_.draft<v1::ServerMessage>();
  message.mutable_left();
  answer(context, message);
  effects_.close(context.connection);
  const Peer& peer = *connections_.find(context.connection);
  effects_.log.note("connection closed", peer.origin, context.now, [&](LogEvent& event) {
    describe_connection(context.connection, peer, event).add("reason", "the player has left");
  });
  forget_connection(context.connection, context.now);
  forget_player(player);
  feed_.players_changed();
}

void Host::record_forgotten(PlayerId player) {
  if (!config_.keeps_records) return;
  auto& record = effects_.draft<journal::v1::Record>();
  record.set_player_forgotten(player);
  effects_.record(record);
}

void Host::forget_player(const Player& player) {
  record_forgotten(player.id);
  directory_->release_player(player.id);
  players_.erase(player);
}

void Host::leave(const Player& player) {
  players_.leave(player);
  absences_.end(player.id);
}

void Host::vacate(const Player& player, const RequestContext& context) {
  if (player.room == nullptr) return;
  const Room& left = *player.room;
  leave(player);
  rooms_.change(left, context, [&](Room& room) { room.leave(player, context); });
}

void Host::describe_to(v1::ServerInfo& info, int most) const {
  info.set_name(config_.server_name);
  info.set_software(config_.software);
  info.add_protocol_versions(protocol_version);
  info.set_players(static_cast<std::uint32_t>(players_.connected()));
  // Those who don't know the server's password learn no names.
  rooms_.describe_to(info, config_.server_password_hash.empty() ? most : 0);
}

}  // namespace tictactoe::core
