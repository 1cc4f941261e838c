// Questions and commands of the server's owner.
#pragma once

#include <string>
#include <utility>

#include "server/host/banning.hpp"
#include "tictactoe/admin/v1/admin.pb.h"

namespace tictactoe::server {

/// Answers one request, see Host::owner_asks(). Changes are recorded and announced as usual.
class Owner {
 public:
  /// All must outlive it.
  Owner(Tables& tables, People& people, Replies& replies, Banning& banning, Time now,
        admin::v1::Response& response)
      : tables_(tables),
        people_(people),
        replies_(replies),
        banning_(banning),
        now_(now),
        response_(response) {}

  void asks(const admin::v1::Request& request);

 private:
  void status();
  void players(const admin::v1::ListPlayers& request);
  void rooms(const admin::v1::ListRooms& request);
  void room(const std::string& name);
  void kick(const admin::v1::Kick& request);
  void say(const std::string& said);
  void close_room(const std::string& name);
  void ban(const admin::v1::SetBan& request);
  void unban(journal::v1::BanSubject subject);
  void bans(const admin::v1::ListBans& request);

  void describe(const Room& room, admin::v1::RoomSummary& summary) const;
  /// Answers and returns null if nothing has this name.
  const Room* find_room(const std::string& name);
  /// Answers and returns true if nothing can be changed now.
  bool fail_if_stalled();
  void fail(std::string sentence) {
    response_.mutable_failure()->set_sentence(std::move(sentence));
  }
  void done(std::string sentence) { response_.mutable_done()->set_sentence(std::move(sentence)); }

  Tables& tables_;
  People& people_;
  Replies& replies_;
  Banning& banning_;
  Time now_;
  admin::v1::Response& response_;
};

}  // namespace tictactoe::server
