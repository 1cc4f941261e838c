// A compaction that is under way.
#pragma once

#include <string>
#include <vector>

#include "server/records/record_merger.hpp"
#include "server/records/set_aside.hpp"
#include "server/records/sqlite/store.hpp"

namespace tictactoe::records {

// What is done of it is also in the table `compaction`, so that it goes on after a restart without
// doing anything twice.
struct SqliteStore::Progress {
  enum class Phase : std::uint8_t { merge, players, rooms, games };
  struct DamagedRow {
    std::uint64_t id = 0;
    std::string records;
  };

  std::uint64_t through = 0;  // the last row that it takes
  std::uint64_t merged = 0;   // up to this row
  Phase phase = Phase::merge;
  Compaction state;
  std::vector<DamagedRow> damaged;
  RecordMerger merger;

  std::uint64_t player = 0;   // all before this one are done
  std::uint64_t room = 0;     // likewise
  std::uint64_t games = 0;    // how many are done
  std::size_t rows_left = 0;  // that this step may change
  std::size_t bytes = 0;      // of records; known at the end
  SetAsideCounts set_aside;
};

}  // namespace tictactoe::records
