// Players and rooms that belong to another server of the same lobby, or go there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/host/passwords.hpp"
#include "server/people/directory.hpp"

namespace tictactoe::server {

inline constexpr const char* stopping_sentence = "The server is being stopped.";

/// Sends clients to other servers, and ends all connections when this server stops.
class Handover {
 public:
  /// All must outlive it.
  Handover(Tables& tables, People& people, Replies& replies, Passwords& passwords)
      : tables_(tables), people_(people), replies_(replies), passwords_(passwords) {}

  /// If the player or room of a request is at another server, redirects the client there with its
  /// player. If nobody knows where it is now, refuses the request. Returns whether it has answered.
  /// A client that can't be redirected is refused, and its player stays.
  bool redirect_if_elsewhere(const RequestContext& context,
                             const std::optional<Directory::Server>& server, bool is_unknown_now);
  /// Also counts guesses at the names of unlisted rooms.
  bool redirect_if_elsewhere(const RequestContext& context, const Directory::FoundRoom& found);

  /// See Host::give_rooms().
  std::size_t give_rooms(const Directory::Server& to, std::size_t max, Time now);
  bool is_giving(Time now) const { return receiver_ && now < giving_until_; }
  /// Redirects a client that wants a new room to the server that receives this one's rooms.
  void hand_over(const RequestContext& context) { hand_over(context, *receiver_); }

  /// See Host::stop().
  bool stop(Time now, const std::vector<Directory::Server>& others, const std::string& why);

 private:
  /// What clients are told before their connections are closed.
  struct Farewell {
    std::vector<Body> redirects;
    Body stopping;  ///< to clients that can't be redirected
  };

  void redirect(const RequestContext& context, const Directory::Server& server);
  void hand_over(const RequestContext& context, const Directory::Server& server);
  void record_moved(const Player& player, const Directory::Server& to);
  Farewell write_farewell(const std::vector<Directory::Server>& others, const std::string& why);
  /// `durability`: of the error.
  void say(const Farewell& farewell, ConnectionId to, Durability durability);
  std::size_t give_room(const Room& room, const Farewell& farewell, Time now);

  Tables& tables_;  // for the references below
  Effects& effects_ = tables_.effects;
  const Availability& availability_ = tables_.availability;
  Connections& connections_ = tables_.connections;
  Players& players_ = tables_.players;
  LobbyFeed& feed_ = tables_.feed;
  RoomTable& rooms_ = tables_.rooms;
  Directory& directory_ = *tables_.directory;
  People& people_;
  Replies& replies_;
  Passwords& passwords_;
  std::optional<Directory::Server> receiver_;  // of this server's rooms
  Time giving_until_;
  std::uint64_t stopped_room_ = 0;  // the last one whose clocks are recorded
  std::uint32_t stopped_slot_ = 0;  // connections before it are closed
};

}  // namespace tictactoe::server
