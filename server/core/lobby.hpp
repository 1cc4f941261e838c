// All rooms of a server: by name, by serial, and those that wait for a player.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>

#include "common/wire/text.hpp"
#include "server/core/room.hpp"

namespace tictactoe::core {

/// Owns the rooms. A room stays where it is in memory until it is closed. Names are compared byte
/// by byte.
class Lobby {
 public:
  /// `config` must outlive the lobby.
  explicit Lobby(const Config& config) : config_(config) {}

  /// A new room, or why there can be none: the name is taken or there are too many.
  Parsed<Room*> create(std::string name, const rules::Rules& rules, std::string password,
                       std::uint64_t seed);
  void close(Room& room);

  /// Null where there is none. O(log rooms).
  Room* find(std::string_view name) const;
  Room* find(std::uint64_t serial) const;
  /// The room without a password that has had an open seat for longest; null where there is none.
  Room* longest_waiting() const;
  /// Must be called after anything that may have opened or filled a seat. O(log rooms).
  void seats_changed(const Room& room);
  /// A name that no room has, made from `base`, at most Limits::name_length long.
  std::string free_name(std::string_view base, std::mt19937_64& random) const;

  /// Rooms in the order of their names, from the first after `after`; at most
  /// Limits::rooms_per_list. O(log rooms + rooms looked at); `open_only` looks past full ones.
  void list(std::string_view after, bool open_only, v1::RoomList& out) const;

  std::size_t size() const { return by_name_.size(); }

 private:
  const Config& config_;
  std::map<std::string, std::unique_ptr<Room>, std::less<>> by_name_;
  std::unordered_map<std::uint64_t, Room*> by_serial_;
  // Rooms that Play may enter, and since when: a count of openings, not a time.
  std::map<std::uint64_t, Room*> waiting_;
  std::unordered_map<std::uint64_t, std::uint64_t> waiting_since_;  // serial -> key in waiting_
  std::uint64_t next_serial_ = 1;
  std::uint64_t next_opening_ = 1;
};

/// `base`, or, where `taken(base)`, the first of base-2 to base-9 that is not, or base with a
/// random number where many want to be called the same; with as much of `base` as `length` code
/// points leave room for. O(1) on average while less than half a million have that name.
template <class Taken>
std::string distinct_name(std::string_view base, std::size_t length, std::mt19937_64& random,
                          Taken taken) {
  std::string name(wire::first_code_points(base, length));
  for (std::uint64_t number = 2; taken(name); ++number) {
    const std::string suffix = "-" + std::to_string(number < 10 ? number : random() % 1'000'000);
    name = std::string(wire::first_code_points(base, length - suffix.size())) + suffix;
  }
  return name;
}

}  // namespace tictactoe::core
