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
#include "server/game/room.hpp"
#include "server/limits/config.hpp"
#include "server/limits/ledger.hpp"
#include "server/lobby/lobby_feed.hpp"
#include "tictactoe/v1/discovery.pb.h"

namespace tictactoe::server {

/// Owns the rooms. A room stays at its address until it is closed. Rooms change only in change(),
/// which afterwards brings everything up to date that depends on them: their deadlines, the lists
/// of open rooms and of those that wait for a player, the feed of the lobby, and the games that
/// draining waits for. It closes empty rooms, and records that. Rooms are held in the
/// ledger for the origins of their creators. All operations cost O(log rooms) unless
/// they say otherwise.
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

  /// The serial is not in use. With a `position` the first game begins there.
  const Room& open(RoomSettings settings, const StartPosition* position, Time now);
  const Room& add(std::unique_ptr<Room> room, Time now);
  /// Removes a room without closing it: it continues at another server.
  void give_away(const Room& room, const RequestContext& context);

  /// Calls `change(Room&)` and returns its result. The room may be closed afterwards.
  template <class Change>
  auto change(const Room& room, const RequestContext& context, Change change) {
    // Every room belongs to this table, which made it.
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
  /// The same for every room, in the order of their serials. O(rooms).
  template <class Change>
  void change_all(const RequestContext& context, Change change) {
    change_after(0, rooms_.size(), context, change);
  }
  /// The same for at most `most` rooms whose serials come after `serial`. Returns the last of them;
  /// nothing if there are no more. O(log rooms + most).
  template <class Change>
  std::optional<std::uint64_t> change_after(std::uint64_t serial, std::size_t most,
                                            const RequestContext& context, Change change) {
    auto next = rooms_.upper_bound(serial);
    for (; most > 0 && next != rooms_.end(); --most) {
      Room& room = *next->second;
      serial = next->first;
      ++next;  // the room may be closed
      change(room);
      update(room, context);
    }
    if (next == rooms_.end()) return std::nullopt;
    return serial;
  }

  /// Null if there is none.
  const Room* find(std::uint64_t serial) const;
  /// Calls `visit(const Room&)` for the rooms in the order of their serials, from the first after
  /// `serial`, until it returns false. True if it did. O(log rooms + visits).
  template <class Visit>
  bool visit_after(std::uint64_t serial, Visit visit) const {
    for (auto next = rooms_.upper_bound(serial); next != rooms_.end(); ++next) {
      if (!visit(*next->second)) return true;
    }
    return false;
  }
  /// The same for the listed rooms only.
  template <class Visit>
  bool visit_listed(std::uint64_t serial, Visit visit) const {
    return visit_rooms(listed_, serial, visit);
  }
  /// The same in the order of the bytes of their names. `open_only`: only public rooms with a seat
  /// for a newcomer.
  template <class Visit>
  bool visit_listed(std::string_view name, bool open_only, Visit visit) const {
    return visit_rooms(open_only ? open_ : listed_by_name_, name, visit);
  }
  /// Whether there is a listed room of exactly that name.
  bool lists(std::string_view name) const { return listed_by_name_.contains(name); }
  /// The public room with somebody present whose seat has been open longest; null if there is none.
  /// O(1).
  const Room* longest_waiting() const;
  /// Fills in how many listed rooms there are, and which can be entered: first those without a
  /// password, the longest waiting first, then some with one. At most `most`. O(most), however many
  /// rooms there are: only the first few hundred rooms are searched for those with a password.
  void describe_to(v1::ServerInfo& info, int most) const;
  std::size_t size() const { return rooms_.size(); }
  /// Rooms with a large board, see Limits::is_large().
  std::size_t large_boards() const { return large_boards_; }

  /// Ignores the deadlines of that room until then, or until its next change.
  void postpone(const Room& room, Time until);

  /// From now on the games that are being played are counted.
  void start_draining();
  /// Games that were being played when draining began and still are.
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
  void close(Room& room, const RequestContext& context);
  void remove(Room& room, Time now);
  /// Calls `visit(Origin, Holding)` for all that a room holds.
  template <class Visit>
  void visit_holdings(const Room& room, Visit visit) const;

  const Config& config_;
  Deadlines& deadlines_;
  Ledger& ledger_;
  LobbyFeed& feed_;
  Closing closing_;
  std::map<std::uint64_t, std::unique_ptr<Room>> rooms_;  // by serial
  // Of them, those that are listed. A list looks only at the rooms that it shows, so that no number
  // of other rooms makes it slower.
  Index<Room, &Room::serial> listed_;
  Index<Room, &Room::name> listed_by_name_;
  Index<Room, &Room::name> open_;  // public, with a seat for a newcomer
  // Rooms that Play may enter, and since when: a count of openings, not a time.
  std::map<std::uint64_t, const Room*> waiting_;
  std::uint64_t next_opening_ = 1;
  std::size_t large_boards_ = 0;
  bool draining_ = false;
  std::unordered_set<std::uint64_t> running_;  // serials
};

}  // namespace tictactoe::server
