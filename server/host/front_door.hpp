// Hello and goodbye: identifies clients and welcomes their players.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "server/host/handover.hpp"
#include "server/host/restoring.hpp"
#include "server/people/directory.hpp"

namespace tictactoe::server {

inline constexpr std::uint32_t protocol_version = 1;

/// Identifies a client by its token or by the password of an account; any other client is a new
/// player. The server's password guards new players and accounts, not tokens.
class FrontDoor {
 public:
  /// All must outlive it.
  FrontDoor(Tables& tables, People& people, Replies& replies, Passwords& passwords,
            Banning& banning, Handover& handover, Restoring& restoring)
      : tables_(tables),
        people_(people),
        replies_(replies),
        passwords_(passwords),
        banning_(banning),
        handover_(handover),
        restoring_(restoring) {}

  /// See Host::set_servers().
  void set_servers(std::vector<Directory::LobbyServer> servers) { servers_ = std::move(servers); }

  void hello(const RequestContext& context, const v1::Hello& hello);
  void goodbye(const RequestContext& context);

 private:
  /// How a player is welcomed.
  struct Welcoming {
    const Token* token = nullptr;  // null unless the player gets a new one
    bool resumed = false;
    std::string name_note = {};  // NOLINT(readability-redundant-member-init)
  };

  void find_by_token(const RequestContext& context, const v1::Hello& hello);
  void find_by_plain_token(const RequestContext& context, const v1::Hello& hello);
  template <class Next>
  Directory::Answer<Directory::LocatedPlayer> when_found(const RequestContext& context, Next next);
  static void confirm(const RequestContext& context);
  void greet(const RequestContext& context, const v1::Hello& hello);
  Refused check_server_password(const RequestContext& context, const v1::Hello& hello);
  Refused check_account(const RequestContext& context, const Login& login, const v1::Hello& hello);
  void log_in(const RequestContext& context, const v1::Hello& hello);
  Refused charge_newcomer(const RequestContext& context);
  void register_player(const RequestContext& context, const std::string& name);
  void welcome_newcomer(const RequestContext& context, const Directory::Identity& identity,
                        const std::string& token_hash, const Welcoming& how);
  void welcome(const RequestContext& context, const Player& player, const Welcoming& how);
  void resume_by_token(const RequestContext& context, const Player& player, const v1::Hello& hello);
  void resume(const RequestContext& context, const Player& player, const v1::Hello& hello,
              const Token* new_token);

  Tables& tables_;  // for the references below
  const Config& config_ = tables_.config;
  TokenSource& tokens_ = tables_.tokens;
  Ledger& ledger_ = tables_.ledger;
  const Availability& availability_ = tables_.availability;
  Connections& connections_ = tables_.connections;
  Players& players_ = tables_.players;
  const Logins& logins_ = tables_.logins;
  LobbyFeed& feed_ = tables_.feed;
  RoomTable& rooms_ = tables_.rooms;
  Directory& directory_ = *tables_.directory;
  People& people_;
  Replies& replies_;
  Passwords& passwords_;
  Banning& banning_;
  Handover& handover_;
  Restoring& restoring_;
  std::vector<Directory::LobbyServer> servers_;  // of this lobby
};

}  // namespace tictactoe::server
