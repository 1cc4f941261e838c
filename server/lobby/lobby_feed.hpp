// Sends changes of the list of rooms to clients that watch the lobby. See v1::WatchLobby.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "server/base/deadlines.hpp"
#include "server/lobby/lobby_news.hpp"
#include "server/people/connections.hpp"
#include "server/people/request_context.hpp"
#include "server/room/room.hpp"

namespace tictactoe::server {

class RoomTable;

/// A log of changes with at most one entry per listed room, and the position of each watcher in it.
/// A watcher takes constant memory, however many rooms change and however slowly it reads. The log
/// has one entry for each changed room, including those of other servers, and for each of the last
/// Limits::rooms closed ones. Also keeps the latest Limits::kept_chat lines of chat of all servers,
/// and those of this one.
///
/// Messages are sent in rounds that are Limits::lobby_update apart, in slices of bounded work. In a
/// round, each watcher gets one message. Watchers at the same position share one encoded message. A
/// page of the whole list is charged to the first of them.
class LobbyFeed {
 public:
  /// All must outlive it.
  LobbyFeed(const Limits& limits, const RoomTable& rooms, const Players& players,
            Connections& connections, Deadlines& deadlines)
      : limits_(limits),
        rooms_(rooms),
        players_(players),
        connections_(connections),
        deadlines_(deadlines) {}

  /// Answers with the first page. The connection watches until stop(). With `boards` it also gets
  /// small boards, at most 60 bytes each.
  void watch(const RequestContext& context, bool boards);
  /// No effect if it is not watching.
  void stop(ConnectionId id);
  std::size_t watchers() const { return watchers_.size(); }
  bool is_watching(ConnectionId id) const {
    const auto found = watchers_.find(id.slot);
    return found != watchers_.end() && found->second.id == id;
  }

  /// A room has changed. O(log rooms), and O(1) while nobody watches.
  void changed(Room& room) {
    if (!watchers_.empty() && room.settings().is_listed()) note_change(room);
  }
  void closed(const Room& room);
  /// A room of another server has changed or closed.
  void changed(const RoomElsewhere& room);
  /// The number of connected players has changed.
  void players_changed();
  /// Sets the number of servers in the lobby, and of players connected to the others.
  void players_elsewhere(std::size_t players, std::size_t servers);
  /// Sends a line of chat to all watchers, and keeps it for the other servers.
  void say(const std::string& from, const std::string& text);
  /// Sends a line that was said on another server.
  void hear(const v1::ChatSaid& line);
  const SaidInLobby& said() const { return said_; }
  /// An estimate: each server of the lobby may have as many watchers as this one.
  std::size_t receivers() const { return watchers_.size() * servers_; }

  /// Sends the next slice of the round that is due.
  void deadline_reached(Time now, Effects& effects);

 private:
  struct Change {
    Room* room = nullptr;  // null: closed, or of another server
    std::string name;      // of the room if `room` is null
  };
  struct Elsewhere {
    std::shared_ptr<const v1::RoomInfo> info;
    std::uint64_t changed_at = 0;  // as in Room::Listing
  };
  /// The position of a watcher: what it has been sent.
  struct Place {
    bool begun = false;             // it was sent the first page
    bool paging = true;             // some pages are still to be sent
    bool boards = false;            // it is sent boards
    std::uint64_t last_serial = 0;  // the last on the pages so far
    std::string last_elsewhere{};   // the last room of another server on the pages so far
    std::uint64_t seen = 0;         // number of the last change it was sent
    std::uint32_t players = 0;
    std::uint64_t heard = 0;  // number of the last line of chat it was sent
    friend bool operator==(const Place&, const Place&) = default;
  };
  struct Watcher {
    ConnectionId id;
    Place place;
    Time next_at;  // the earliest time of its next message
  };
  /// A message encoded in this slice, for all watchers at the same position.
  struct Page {
    Place before;
    Place after;
    Body body;
    bool lists = false;  // it contains a part of the whole list
  };

  void note_change(Room& room);
  /// Moves an entry to the end of the log, or adds one.
  void note_change(std::uint64_t& changed_at, Change change);
  void note_closed(const std::string& name);
  /// Writes the next page of the whole list.
  void write_page(Place& place, Time now, v1::LobbyUpdate& update) const;
  void write_change(const Change& change, const Place& place, Time now,
                    v1::LobbyUpdate& update) const;
  std::size_t count_players() const { return players_.connected() + players_elsewhere_; }
  /// Messages with boards have fewer rooms, so that they fit in a frame.
  bool is_full(const v1::LobbyUpdate& update, const Place& place) const;
  static void add_room(const Room& room, const Place& place, Time now, v1::LobbyUpdate& update);
  bool is_behind(const Place& place) const;
  /// Writes the next message for this position, and advances the position.
  void write(Place& place, Time now, v1::LobbyUpdate& update) const;
  const Page& page_for(const Place& place, Time now, Effects& effects);
  /// Sends one message to a watcher. Returns whether it is then up to date.
  bool serve(Watcher& watcher, Time now, Effects& effects);
  /// Something has changed. Has another round begin at `at` unless one is due earlier.
  void expect_round(Time at);
  void schedule(Time at);
  void forget_changes();

  const Limits& limits_;
  const RoomTable& rooms_;
  const Players& players_;
  Connections& connections_;
  Deadlines& deadlines_;

  std::map<std::uint32_t, Watcher> watchers_;   // by slot
  std::map<std::uint64_t, Change> changes_;     // by number
  std::map<std::string, Elsewhere> elsewhere_;  // rooms of other servers by name
  std::size_t players_elsewhere_ = 0;
  std::size_t servers_ = 1;
  std::deque<std::uint64_t> closed_;  // numbers of the changes that closed a room
  std::deque<v1::ChatSaid> chat_;     // the latest lines
  SaidInLobby said_;                  // those of this server
  std::uint64_t last_line_ = 0;       // of the latest line
  std::uint64_t last_change_ = 0;
  std::uint64_t forgotten_ = 0;  // changes up to this number may be missing from the log

  Deadlines::Place deadline_;
  Time next_round_;
  bool in_round_ = false;
  bool round_left_some_ = false;  // a watcher of this round is not up to date
  std::uint32_t next_slot_ = 0;   // of this round
  std::vector<Page> pages_;       // of this slice; reused
};

}  // namespace tictactoe::server
