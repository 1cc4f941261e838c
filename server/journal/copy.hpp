// Copies a whole record store to another one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "server/records/record_store.hpp"

namespace tictactoe::records {

struct Copied {
  std::uint64_t players = 0;
  std::uint64_t rooms = 0;
  std::uint64_t moves = 0;  // of the rooms' games
  std::uint64_t lines = 0;  // of chat
  std::uint64_t games = 0;  // finished
  /// SHA-256 of the content in hexadecimal digits: the same for two stores with the same content.
  std::string digest;

  bool operator==(const Copied& other) const {
    return players == other.players && rooms == other.rooms && moves == other.moves &&
           lines == other.lines && games == other.games && digest == other.digest;
  }
};

/// Copies everything from one store to another. Each is a directory or a PostgreSQL database, and
/// no server may use it. The target must be empty; it gets everything or nothing. Then reads the
/// target and compares it with the source. Calls `progress` again and again, with what has been
/// done so far and whether it is comparing. A server can't tell the copy from the original. A
/// fault's reason is a sentence. O(size of the store), with its players, rooms and chat in memory.
Result<Copied> copy_store(const std::string& from, const std::string& to,
                          const std::function<void(const Copied&, bool comparing)>& progress);

}  // namespace tictactoe::records
