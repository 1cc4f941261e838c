// Handing players and rooms over to other servers of the lobby.
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

/// Redirects clients to other servers, and ends all connections when this server stops.
class Handover {
 public:
  /// All must outlive it.
  Handover(Tables& tables, People& people, Replies& replies, Passwords& passwords)
      : tables_(tables), people_(people), replies_(replies), passwords_(passwords) {}

  /// Redirects the client with its player if the player or room of a request is at another server.
  /// Refuses the request if its place is not known at present, or if the client can't be
  /// redirected; then its player stays. A player in a room has to leave it first. Returns whether
  /// it has answered.
  bool redirect_if_elsewhere(const RequestContext& context,
                             const std::optional<Directory::LobbyServer>& server,
                             bool is_unknown_now);
  /// Also counts guesses at the names of unlisted rooms.
  bool redirect_if_elsewhere(const RequestContext& context, const Directory::LocatedRoom& found);

  /// See Host::give_rooms().
  std::size_t give_rooms(const Directory::LobbyServer& to, std::size_t max, Time now);
  bool is_giving(Time now) const { return receiver_ && now < giving_until_; }
  /// Redirects a client that wants a new room to the server that receives this one's rooms.
  void hand_over(const RequestContext& context) { hand_over(context, *receiver_); }

  /// See Host::stop().
  bool stop(Time now, const std::vector<Directory::LobbyServer>& others, const std::string& why);

 private:
  /// The last messages to clients before their connections close.
  struct Farewell {
    std::vector<Body> redirects;
    Body stopping;  ///< for clients that can't be redirected
  };

  void redirect(const RequestContext& context, const Directory::LobbyServer& server);
  void hand_over(const RequestContext& context, const Directory::LobbyServer& server);
  void record_moved(const Player& player, const Directory::LobbyServer& to);
  Farewell write_farewell(const std::vector<Directory::LobbyServer>& others,
                          const std::string& why);
  /// Sends the last message. `durability` is that of the error.
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
  std::optional<Directory::LobbyServer> receiver_;  // of this server's rooms
  Time giving_until_;
  std::uint64_t stopped_room_ = 0;  // the last one whose clocks are recorded
  std::uint32_t stopped_slot_ = 0;  // connections before it are closed
};

}  // namespace tictactoe::server
