// Decodes rows of records for compaction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "server/records/compaction.hpp"
#include "tictactoe/journal/v1/journal.pb.h"

namespace tictactoe::records {

/// Adds the records of one row after the other to a Compaction. Keeps its memory between rows. Most
/// records are moves, states of rooms, and finished games. The latter two stay encoded: only the
/// last one of many states of a room counts, and games are kept as they are.
class RecordMerger {
 public:
  /// Decodes a row, see for_each_record(), which was appended at `unix_ms`. Returns false if it has
  /// something that is no record, or one that Compaction can't take. O(size). `row` must stay until
  /// add_to().
  bool decode(std::string_view row, std::uint64_t unix_ms);
  /// Adds the records of the row, which was appended to `stream`. Called at most once after each
  /// decode() that has succeeded.
  void add_to(Compaction& state, StreamId stream);

 private:
  struct Item {
    enum class Kind : std::uint8_t { move, room, game, other };
    Kind kind = Kind::other;
    std::size_t index = 0;     // of moves_, games_ or others_
    std::uint64_t serial = 0;  // with Kind::room
    std::string_view room;     // with Kind::room, encoded
    std::uint64_t requester = 0;
    std::uint64_t request_done = 0;
  };

  bool decode_record(std::string_view encoded);
  bool decode_other(std::string_view encoded);

  std::uint64_t unix_ms_ = 0;
  std::vector<Item> items_;
  std::vector<KeptGame> games_;
  std::vector<journal::v1::Move> moves_;  // reused
  std::size_t moves_used_ = 0;
  std::vector<journal::v1::Record> others_;  // reused
  std::size_t others_used_ = 0;
};

}  // namespace tictactoe::records
