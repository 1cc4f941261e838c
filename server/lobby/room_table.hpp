// All open rooms of a server.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <utility>

#include "server/base/deadlines.hpp"
#include "server/base/index.hpp"
#include "server/limits/config.hpp"
#include "server/limits/ledger.hpp"
#include "server/lobby/lobby_feed.hpp"
#include "server/room/room.hpp"
#include "tictactoe/v1/discovery.pb.h"

namespace tictactoe::server {

/// Owns the rooms. A room stays at its address until it is closed. Rooms change only in change(),
/// which then updates everything that depends on them: their deadlines, the lists of open rooms and
/// of rooms that wait for a player, the lobby feed, and the games that draining waits for. It
/// closes empty rooms, and records that. The ledger charges rooms to the origins of their creators.
/// All operations cost O(log rooms) unless they say otherwise.
class RoomTable {
 public:
  /// Called for a room that is about to be closed, to release its name.
  using Closing = std::function<void(const Room& room)>;

  /// All must outlive it.
  RoomTable(const Config& config, Deadlines& deadlines, Ledger& ledger, LobbyFeed& feed,
            Closing closing)
      : config_(config),
        deadlines_(deadlines),
        ledger_(ledger),
        feed_(feed),
        closing_(std::move(closing)) {}

  /// Opens a room. Requires an unused serial. With a `position` the first game begins there.
  const Room& open(RoomSettings settings, const StartPosition* position, Time now);
  const Room& add(std::unique_ptr<Room> room, Time now);
  /// Removes a room without closing it: another server continues it.
  void give_away(const Room& room, const RequestContext& context);

  /// Calls `change(Room&)` and returns its result. The room may be closed afterwards.
  template <class Change>
  auto change(const Room& room, const RequestContext& context, Change change) {
    // Every room was created by this table.
    Room& own = const_cast<Room&>(room);
    if constexpr (std::is_void_v<std::invoke_result_t<Change, Room&>>) {
      change(own);
      update(own, context);
    } else {
      auto result = change(own);
      update(own, context);
      return result;
    }
  }
  /// Like change(), for every room in the order of the serials. O(rooms).
  template <class Change>
  void change_all(const RequestContext& context, Change change) {
    change_after(0, rooms_.size(), context, change);
  }
  /// Like change(), for at most `max` rooms in the order of the serials, starting after `serial`.
  /// Returns the serial of the last one; nothing if no rooms are left. O(log rooms + max).
  template <class Change>
  std::optional<std::uint64_t> change_after(std::uint64_t serial, std::size_t max,
                                            const RequestContext& context, Change change) {
    auto next = rooms_.upper_bound(serial);
    for (; max > 0 && next != rooms_.end(); --max) {
      Room& room = *next->second;
      serial = next->first;
      ++next;  // the room may be closed
      change(room);
      update(room, context);
    }
    if (next == rooms_.end()) return std::nullopt;
    return serial;
  }

  /// The room with this serial; null if there is none.
  const Room* find(std::uint64_t serial) const;
  /// Calls `visit(const Room&)` for the rooms in the order of the serials, starting after `serial`,
  /// until it returns false. Returns whether it did. O(log rooms + visits).
  template <class Visit>
  bool visit_after(std::uint64_t serial, Visit visit) const {
    for (auto next = rooms_.upper_bound(serial); next != rooms_.end(); ++next) {
      if (!visit(*next->second)) return true;
    }
    return false;
  }
  /// Like visit_after(), for listed rooms only.
  template <class Visit>
  bool visit_listed(std::uint64_t serial, Visit visit) const {
    return visit_rooms(listed_, serial, visit);
  }
  /// Like visit_after(), for listed rooms in the byte order of their names. `open_only`: only
  /// public rooms with a seat for a newcomer.
  template <class Visit>
  bool visit_listed(std::string_view name, bool open_only, Visit visit) const {
    return visit_rooms(open_only ? open_ : listed_by_name_, name, visit);
  }
  /// Whether a listed room has exactly this name.
  bool lists(std::string_view name) const { return listed_by_name_.contains(name); }
  /// The public room that has waited longest for a player: with somebody present and an open seat,
  /// and not with the serial `except`. Null if there is none. O(1).
  const Room* longest_waiting(std::uint64_t except) const;
  /// Writes the number of listed rooms, and at most `max` rooms that can be entered: first those
  /// without a password, the longest waiting first, then some with one. O(max), however many rooms
  /// there are: only the first few hundred are searched for those with a password.
  void describe_to(v1::ServerInfo& info, int max) const;
  std::size_t size() const { return rooms_.size(); }
  /// Calls `check()` and returns its result, as if this room were closed: its creator does not hold
  /// it, and its board does not count. Null: as it is.
  template <class Check>
  auto without(const Room* room, Time now, Check check) {
    if (room == nullptr) return check();
    release_holdings(*room, now);
    auto result = check();
    hold_holdings(*room, now);
    return result;
  }
  /// Rooms with a large board, see Limits::is_large().
  std::size_t large_boards() const { return large_boards_; }

  /// Ignores the deadlines of a room until `until` or its next change.
  void postpone(const Room& room, Time until);

  /// Starts counting the games in progress.
  void start_draining();
  /// Games in progress since draining began.
  std::size_t running() const { return running_.size(); }

 private:
  template <class Rooms, class Key, class Visit>
  static bool visit_rooms(const Rooms& rooms, const Key& after, Visit visit) {
    for (auto next = rooms.upper_bound(after); next != rooms.end(); ++next) {
      if (!visit(**next)) return true;
    }
    return false;
  }

  void update(Room& room, const RequestContext& context);
  void set_deadline(Room& room, std::optional<Time> due);
  void update_waiting(Room& room, bool waits);
  void update_open(Room& room, bool is_open);
  void update_later(Room& room, bool is_later);
  void close(Room& room, const RequestContext& context);
  void remove(Room& room, Time now);
  void hold_holdings(const Room& room, Time now);
  void release_holdings(const Room& room, Time now);
  /// Calls `visit(Origin, Holding)` for everything that a room holds.
  template <class Visit>
  void visit_holdings(const Room& room, Visit visit) const;

  const Config& config_;
  Deadlines& deadlines_;
  Ledger& ledger_;
  LobbyFeed& feed_;
  Closing closing_;
  std::map<std::uint64_t, std::unique_ptr<Room>> rooms_;  // by serial
  // The listed rooms. A list visits only the rooms that it shows: others don't make it slower.
  Index<Room, &Room::serial> listed_;
  Index<Room, &Room::name> listed_by_name_;
  Index<Room, &Room::name> open_;   // public, with a seat for a newcomer
  Index<Room, &Room::name> later_;  // public, with people, and a seat only after this game
  // Rooms that Play may enter, by the number of their opening (a counter, not a time).
  std::map<std::uint64_t, const Room*> waiting_;
  std::uint64_t next_opening_ = 1;
  std::size_t large_boards_ = 0;
  bool draining_ = false;
  std::unordered_set<std::uint64_t> running_;  // serials
};

}  // namespace tictactoe::server
