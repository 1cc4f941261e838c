// How much of a journal was set aside, for people.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "server/records/record_store.hpp"

namespace tictactoe::records {

/// Adds a clause to others, if it is not empty.
inline void add_clause(std::string& clauses, const std::string& clause) {
  if (!clause.empty()) clauses += (clauses.empty() ? "" : ", ") + clause;
}

struct SetAsideCounts {
  int players = 0;
  int rooms = 0;
  int moves = 0;
  int lines = 0;  // of chat
  int bans = 0;
  int commits = 0;  // whose records were not compacted yet

  bool any() const { return players + rooms + moves + lines + bans + commits > 0; }

  /// A clause such as "2 players and 1 room"; empty if there is nothing.
  std::string clause() const {
    const std::array<std::pair<int, const char*>, 6> counts{{{players, "player"},
                                                             {rooms, "room"},
                                                             {moves, "move"},
                                                             {lines, "line of chat"},
                                                             {bans, "ban"},
                                                             {commits, "commit"}}};
    std::string text;
    for (const auto& [count, what] : counts) {
      if (count == 0) continue;
      std::string noun = what;
      if (count > 1) noun.insert(noun.starts_with("line") ? 4 : noun.size(), "s");
      add_clause(text, std::to_string(count) + " " + noun);
    }
    return text;
  }
};

/// Compacts everything. Returns a clause as in LoadedStream. May take long.
inline Result<std::string> compact_all(RecordStore& store) {
  std::string set_aside;
  for (;;) {
    const auto step = store.compact();
    if (!step) return step.error();
    add_clause(set_aside, step->set_aside);
    if (!step->in_progress && step->uncompacted_bytes == 0) return set_aside;
  }
}

}  // namespace tictactoe::records
