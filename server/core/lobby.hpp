// All rooms of a server: by name, by serial, and those that wait for a player.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>

#include "server/core/room.hpp"
#include "tictactoe/v1/discovery.pb.h"

namespace tictactoe::core {

/// Owns the rooms. A room stays where it is in memory until it is closed. Names are compared byte
/// by byte.
class Lobby {
 public:
  /// `config` must outlive the lobby.
  explicit Lobby(const Config& config) : config_(&config) {}

  /// A new room, whose serial is given here, or why there can be none: the name is taken or there
  /// are too many, of all or of this creator.
  Parsed<Room*> create(RoomSettings settings);
  /// One from a journal; null if its name or serial is another's already.
  Room* restore(std::unique_ptr<Room> room);
  /// No new room gets this serial, nor a smaller one.
  void reserve(std::uint64_t serial);
  void close(Room& room);

  /// Null where there is none. O(log rooms).
  Room* find(std::string_view name) const;
  Room* find(std::uint64_t serial) const;
  /// The room without a password that has had an open seat for longest, and somebody in it who is
  /// not away; null where there is none.
  Room* longest_waiting() const;
  /// Must be called after anything that may have opened or filled a seat. O(log rooms), and O(1)
  /// where nothing has.
  void seats_changed(Room& room);
  /// A name that no room has, made from `base`, at most Limits::name_length long.
  std::string free_name(std::string_view base, std::mt19937_64& random) const;

  /// Rooms in the order of their names, from the first after `after`; at most
  /// Limits::rooms_per_list. O(log rooms + rooms looked at); `open_only` looks past full ones.
  void list(std::string_view after, bool open_only, Time now, v1::RoomList& out) const;

  /// Counts, and rooms to play in, for those who look for a server. Those without a password come
  /// first, the longest waiting of them first. Lists no more than `most` and looks for rooms with a
  /// password only among the first few hundred names: O(most), however many rooms there are.
  void describe_to(v1::ServerInfo& info, int most) const;

  std::size_t size() const { return by_name_.size(); }
  /// `visit(Room&)` for each room, in the order of their names.
  template <class Visit>
  void for_each(Visit visit) {
    for (auto& [name, room] : by_name_) visit(*room);
  }

 private:
  Room& insert(std::unique_ptr<Room> room);

  const Config* config_;
  std::map<std::string, std::unique_ptr<Room>, std::less<>> by_name_;
  std::unordered_map<std::uint64_t, Room*> by_serial_;
  // Rooms that Play may enter, and since when: a count of openings, not a time.
  std::map<std::uint64_t, Room*> waiting_;
  std::unordered_map<PlayerId, std::size_t> created_;  // rooms there are, by creator
  std::uint64_t next_serial_ = 1;
  // Highest of all rooms that are closed: one of the same name must not begin below, or who comes
  // back would be told the wrong room's news.
  std::uint64_t last_revision_ = 0;
  std::uint64_t next_opening_ = 1;
};

}  // namespace tictactoe::core
