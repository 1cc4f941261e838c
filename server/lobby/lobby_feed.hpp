// Sends changes of the list of rooms to the clients that watch the lobby. See v1::WatchLobby.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "server/base/deadlines.hpp"
#include "server/game/room.hpp"
#include "server/lobby/lobby_news.hpp"
#include "server/people/connections.hpp"
#include "server/people/request_context.hpp"

namespace tictactoe::server {

class RoomTable;

/// A log of changes, where each listed room has at most one entry, and the place of each watcher in
/// it. A watcher takes the same memory however many rooms change and however slowly it reads; the
/// log takes one entry for each room that has changed, also on another server of the lobby, and for
/// each of the last Limits::rooms that were closed; of what is said, the latest Limits::kept_chat
/// lines are kept. Messages are sent in rounds, one message for each watcher, Limits::lobby_update
/// apart, in slices of bounded work. Watchers at the same place share one encoded message. The
/// first of them pays for a page of the whole list.
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

  /// Answers with the first page. The connection watches until stop().
  void watch(const RequestContext& context);
  /// Nothing happens if it does not watch.
  void stop(ConnectionId id);
  std::size_t watchers() const { return watchers_.size(); }
  bool is_watching(ConnectionId id) const {
    const auto found = watchers_.find(id.slot);
    return found != watchers_.end() && found->second.id == id;
  }

  /// O(log rooms), and O(1) while nobody watches.
  void changed(Room& room) {
    if (!watchers_.empty() && room.is_listed()) note_change(room);
  }
  void closed(const Room& room);
  /// The same for a room of another server.
  void changed(const RoomElsewhere& room);
  /// The number of connected players has changed.
  void players_changed();
  /// So many are connected to other servers.
  void players_elsewhere(std::size_t players);
  /// Tells all watchers what that player has said.
  void say(const std::string& from, const std::string& text);

  /// Sends a slice of the round that is due.
  void deadline_reached(Time now, Effects& effects);

 private:
  struct Change {
    Room* room = nullptr;  // null: it is closed, or elsewhere
    std::string name;      // of such a room
  };
  struct Elsewhere {
    std::shared_ptr<const v1::RoomInfo> info;
    std::uint64_t changed_at = 0;  // as in Room::Listing
  };
  /// What a watcher knows.
  struct Place {
    bool begun = false;             // it has the first page
    bool paging = true;             // it does not have all pages
    std::uint64_t last_serial = 0;  // of the pages so far
    std::string last_elsewhere;     // name of the last room of another server on them
    std::uint64_t seen = 0;         // number of the last change that it knows
    std::uint32_t players = 0;
    std::uint64_t heard = 0;  // number of the last line of chat that it knows
    friend bool operator==(const Place&, const Place&) = default;
  };
  struct Watcher {
    ConnectionId id;
    Place place;
    Time next_at;  // not before
  };
  /// A message that was made in this slice, for all at the same place.
  struct Page {
    Place before;
    Place after;
    Body body;
    bool lists = false;  // it has a part of the whole list
  };

  void note_change(Room& room);
  /// An entry becomes the latest one, or a new one is made.
  void note_change(std::uint64_t& changed_at, Change change);
  void note_closed(const std::string& name);
  /// Goes on with the whole list.
  void write_page(Place& place, Time now, v1::LobbyUpdate& update) const;
  void write_change(const Change& change, Time now, v1::LobbyUpdate& update) const;
  std::size_t count_players() const { return players_.connected() + players_elsewhere_; }
  bool is_full(const v1::LobbyUpdate& update) const;
  bool is_behind(const Place& place) const;
  /// Fills in the next message for that place, and moves the place.
  void write(Place& place, Time now, v1::LobbyUpdate& update) const;
  const Page& page_for(const Place& place, Time now, Effects& effects);
  /// True if the watcher has all there is.
  bool serve(Watcher& watcher, Time now, Effects& effects);
  /// Something has changed: has another round begin at that time if none is due before.
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
  std::deque<std::uint64_t> closed_;  // numbers of the changes that closed a room
  std::deque<v1::ChatSaid> chat_;     // the latest lines
  std::uint64_t last_line_ = 0;       // number of the last of them
  std::uint64_t last_change_ = 0;
  std::uint64_t forgotten_ = 0;  // changes up to this number may be missing

  Deadlines::Place deadline_;
  Time next_round_;
  bool in_round_ = false;
  bool round_left_some_ = false;  // a watcher of this round does not have all there is
  std::uint32_t next_slot_ = 0;   // of this round
  std::vector<Page> pages_;       // of this slice; reused
};

}  // namespace tictactoe::server
