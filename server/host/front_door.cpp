#include "server/host/front_door.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "server/game/describe.hpp"
#include "server/limits/errors.hpp"
#include "server/limits/name_rules.hpp"
#include "server/limits/request_costs.hpp"

namespace tictactoe::server {

namespace {

constexpr const char* redirect_capability = "redirect";
constexpr const char* notice_capability = "notice-at-hello";

bool has_capability(const v1::Hello& hello, const char* capability) {
  return std::ranges::find(hello.capabilities(), capability) != hello.capabilities().end();
}

std::string note_on_account(const std::string& name) {
  return "The name \"" + name + "\" belongs to an account on this server.";
}

}  // namespace

void FrontDoor::hello(const RequestContext& context, const v1::Hello& hello) {
  Peer& peer = *context.peer;
  if (peer.player != nullptr) {
    return replies_.refuse(context,
                           problem(v1::Error::CODE_ALREADY_WELCOME,
                                   "You have already said hello, as " + peer.player->name + "."));
  }
  if (std::ranges::find(hello.protocol_versions(), protocol_version) ==
      hello.protocol_versions().end()) {
    auto error = closing_error(v1::Error::CODE_VERSION_UNSUPPORTED,
                               "This server only speaks version 1 of the protocol.");
    error.add_supported_versions(protocol_version);
    return replies_.expel(context.connection, std::move(error), context.now, context.request_id);
  }
  if (banning_.expel_if_banned(context, peer.origin)) return;
  peer.follows_redirects = has_capability(hello, redirect_capability);
  peer.was_confirmed = has_capability(hello, notice_capability);
  if (peer.was_confirmed) confirm(context);
  if (hello.token().size() != Token{}.size()) return greet(context, hello);
  find_by_token(context, hello);
}

// The answer may wait for a database and for the disk. A client that knows this waits longer.
void FrontDoor::confirm(const RequestContext& context) {
  auto& message = context.effects.draft<v1::ServerMessage>();
  message.mutable_notice()->set_kind(v1::Notice::KIND_HELLO_RECEIVED);
  context.effects.send(context.connection, context.effects.encode(message), 0,
                       Durability::immediate);
}

// Calls `next(const RequestContext&, const Player*)` with the player, or null, unless the client
// has disconnected or the player is elsewhere.
template <class Next>
Directory::Answer<Directory::LocatedPlayer> FrontDoor::when_found(const RequestContext& context,
                                                                  Next next) {
  return replies_.when_answered<Directory::LocatedPlayer>(
      context, [this, next = std::move(next)](const RequestContext& then,
                                              const Directory::LocatedPlayer& found) {
        if (found.adopted) restoring_.adopt(*found.adopted, then.now);
        if (then.peer == nullptr) return;
        if (handover_.redirect_if_elsewhere(then, found.elsewhere, found.is_unknown_now)) return;
        next(then, players_.find(found.id));
      });
}

// The token of a logged-in player has another hash. See logins.hpp.
void FrontDoor::find_by_token(const RequestContext& context, const v1::Hello& hello) {
  const Login* login = logins_.find(normalized_name(hello.name()));
  if (login == nullptr) return find_by_plain_token(context, hello);
  directory_.find_player(
      login_token_hash(hello.token(), *login), context.peer->origin, context.now,
      when_found(context, [this, hello](const RequestContext& then, const Player* known) {
        if (known != nullptr) return resume_by_token(then, *known, hello);
        // The password of an account takes precedence over the token of another player.
        hello.account_password().empty() ? find_by_plain_token(then, hello) : greet(then, hello);
      }));
}

void FrontDoor::find_by_plain_token(const RequestContext& context, const v1::Hello& hello) {
  directory_.find_player(
      digest(hello.token()), context.peer->origin, context.now,
      when_found(context, [this, hello](const RequestContext& then, const Player* known) {
        // The name may have become a login.
        if (known == nullptr || logins_.find(known->name) != nullptr) return greet(then, hello);
        resume_by_token(then, *known, hello);
      }));
}

void FrontDoor::greet(const RequestContext& context, const v1::Hello& hello) {
  if (const auto refused = availability_.cannot_record()) {
    return replies_.refuse_hello(context, *refused);
  }
  if (const auto refused = check_server_password(context, hello)) {
    return replies_.refuse(context, *refused);
  }
  const auto name = parse_player_name(hello.name(), config_.limits);
  if (!name) return replies_.refuse(context, name.error());
  const Login* login = logins_.find(*name);
  if (login == nullptr || hello.account_password().empty()) return register_player(context, *name);
  if (const auto refused = check_account(context, *login, hello)) {
    replies_.refuse(context, *refused);
  }
}

Refused FrontDoor::check_server_password(const RequestContext& context, const v1::Hello& hello) {
  if (config_.server_password_hash.empty()) return std::nullopt;
  if (hello.server_password().empty()) {
    return problem(v1::Error::CODE_SERVER_PASSWORD,
                   "This server needs a password (Hello.server_password).");
  }
  constexpr Secret secret{Secret::Of::server, 0};
  const Origin from = context.peer->origin;
  if (auto refused = passwords_.begin_attempt(secret, from, context.now)) return refused;
  const bool right = are_equal(digest(hello.server_password()), config_.server_password_hash);
  passwords_.end_attempt(secret, from, right, context.now);
  if (right) return std::nullopt;
  return problem(v1::Error::CODE_SERVER_PASSWORD, "Wrong server password.");
}

Refused FrontDoor::check_account(const RequestContext& context, const Login& login,
                                 const v1::Hello& hello) {
  const auto password = parse_password(hello.account_password(), config_.limits);
  if (!password) return password.error();
  return passwords_.try_password(
      context, {Secret::Of::account, number_of(login.name)}, *password, login.key,
      [this, hello](const RequestContext& then, bool right) {
        if (right) return log_in(then, hello);
        replies_.refuse(then, problem(v1::Error::CODE_ACCOUNT_PASSWORD,
                                      "Wrong password for the account \"" + hello.name() + "\"."));
      });
}

void FrontDoor::log_in(const RequestContext& context, const v1::Hello& hello) {
  const Login* login = logins_.find(normalized_name(hello.name()));
  if (login == nullptr) return greet(context, hello);  // it was removed meanwhile
  const Token token = tokens_();
  const std::string hash = login_token_hash(bytes_of(token), *login);
  directory_.log_in(
      login->name, hash, context.peer->origin, context.now,
      replies_.when_answered<Directory::LocatedPlayer>(
          context, [this, hello, token, hash, name = login->name](
                       const RequestContext& then, const Directory::LocatedPlayer& found) {
            if (found.adopted) restoring_.adopt(*found.adopted, then.now);
            const bool is_unknown =
                found.is_unknown_now || (found.adopted && players_.find(found.id) == nullptr);
            if (found.elsewhere || is_unknown) {
              if (then.peer != nullptr) {
                handover_.redirect_if_elsewhere(then, found.elsewhere, is_unknown);
              }
              return;
            }
            if (people_.release_held_name(found.id) && then.peer != nullptr) {
              return log_in(then, hello);
            }
            const Player* known = players_.find(found.id);
            if (known == nullptr) {
              return welcome_newcomer(then, {found.id, name}, hash, {&token, false, {}});
            }
            directory_.renew_token(known->id, hash);
            players_.renew(*known, hash);
            people_.record(*known, true);
            if (then.peer != nullptr) resume(then, *known, hello, &token);
          }));
}

Refused FrontDoor::charge_newcomer(const RequestContext& context) {
  const auto wait = ledger_.spend(context.peer->payers, Charge::newcomers, 1, context.now);
  if (!wait) return std::nullopt;
  return Problem{v1::Error::CODE_RATE_LIMITED,
                 "There are too many new players from your network. Try again in " +
                     std::to_string(std::chrono::ceil<std::chrono::seconds>(*wait).count()) + " s.",
                 *wait};
}

void FrontDoor::register_player(const RequestContext& context, const std::string& name) {
  if (banning_.expel_if_banned(context, name)) return;
  if (const auto refused = charge_newcomer(context)) {
    return replies_.refuse_hello(context, *refused);
  }
  const Token token = tokens_();
  const std::string hash = digest(bytes_of(token));
  directory_.claim_player(
      name, hash, context.peer->origin, context.now,
      replies_.when_answered<Directory::Identity>(
          context, [this, name, token, hash](const RequestContext& then,
                                             const Directory::Identity& identity) {
            const bool is_login = logins_.find(name) != nullptr;
            welcome_newcomer(then, identity, hash,
                             {&token, false, is_login ? note_on_account(name) : std::string()});
          }));
}

void FrontDoor::welcome_newcomer(const RequestContext& context, const Directory::Identity& identity,
                                 const std::string& token_hash, const Welcoming& how) {
  if (identity.id == 0) {
    if (context.peer != nullptr) replies_.refuse_for_now(context);
    return;
  }
  if (context.peer == nullptr) return directory_.drop_player(identity.id);
  if (const auto refused = availability_.cannot_record()) {
    directory_.drop_player(identity.id);
    return replies_.refuse_hello(context, *refused);
  }
  const Player* player = people_.add(identity, token_hash, context.now);
  if (player != nullptr) return welcome(context, *player, how);
  directory_.drop_player(identity.id);
  replies_.expel(context.connection,
                 closing_error(v1::Error::CODE_SERVER_FULL,
                               "This server has reached its player limit. Try again later."),
                 context.now, context.request_id);
}

void FrontDoor::welcome(const RequestContext& context, const Player& player, const Welcoming& how) {
  connections_.welcome(context.connection, player, context.now);
  const Peer& peer = *context.peer;
  Payers pays;  // the address has paid for the hello already
  pays.player = peer.payers.player;
  Ledger::charge(pays, Charge::requests, cost_of(v1::ClientMessage::kHello), context.now);
  people_.connect(player, context.connection, peer.origin);
  context.effects.log.note("player joined", peer.origin, context.now, [&](LogEvent& event) {
    describe_connection(context.connection, peer, event).add("known", how.resumed ? "yes" : "no");
  });
  auto& message = context.effects.draft<v1::ServerMessage>();
  v1::Welcome& welcome = *message.mutable_welcome();
  welcome.set_protocol_version(protocol_version);
  welcome.set_server_name(config_.server_name);
  welcome.set_software(config_.software);
  welcome.set_player_name(player.name);
  if (peer.follows_redirects) welcome.add_capabilities(redirect_capability);
  if (peer.was_confirmed) welcome.add_capabilities(notice_capability);
  for (const Directory::LobbyServer& server : servers_) describe(server, *welcome.add_servers());
  describe(config_, *welcome.mutable_limits());
  if (how.token != nullptr) welcome.set_token(how.token->data(), how.token->size());
  welcome.set_resumed(how.resumed);
  welcome.set_account(logins_.find(player.name) != nullptr);
  welcome.set_name_note(how.name_note);
  if (player.room != nullptr) welcome.set_room(player.room->name());
  welcome.set_last_request_done(player.last_request_done);
  welcome.set_server_id(config_.server_id);
  replies_.answer(context, message);
}

void FrontDoor::resume_by_token(const RequestContext& context, const Player& player,
                                const v1::Hello& hello) {
  if (const auto refused = availability_.cannot_record()) {
    return replies_.refuse_hello(context, *refused);
  }
  resume(context, player, hello, nullptr);
}

void FrontDoor::resume(const RequestContext& context, const Player& player, const v1::Hello& hello,
                       const Token* token) {
  if (banning_.expel_if_banned(context, player.name)) return;
  if (player.connection) {
    // Disconnecting the player before the old connection ends keeps the seat. A watcher must
    // re-enter.
    const ConnectionId old = *player.connection;
    players_.disconnect(player, context.now);
    if (player.room != nullptr &&
        player.room->state().seats.seat_of(&player) == rules::Mark::none) {
      people_.leave_room(player, context.without_request());
    }
    replies_.expel(
        old,
        closing_error(v1::Error::CODE_REPLACED,
                      "You have connected from somewhere else, so this connection is closed."),
        context.now);
  }
  welcome(context, player, {token, true, {}});
  people_.end_hold(player);
  if (player.room == nullptr) return;
  const std::uint64_t seen = hello.room() == player.room->name() ? hello.revision() : 0;
  const RequestContext news{context.now, context.effects, &player, context.connection};
  rooms_.change(*player.room, news, [&](Room& room) { room.seating().came_back(seen, news); });
}

void FrontDoor::goodbye(const RequestContext& context) {
  const Player& player = *context.player;
  people_.leave_room(player, context);
  replies_.answer_left(context);
  const Peer& peer = *context.peer;
  context.effects.log.note("connection closed", peer.origin, context.now, [&](LogEvent& event) {
    describe_connection(context.connection, peer, event).add("reason", "the player has left");
  });
  replies_.close(context.connection, context.now);
  people_.forget(player);
  feed_.players_changed();
}

}  // namespace tictactoe::server
