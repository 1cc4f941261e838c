// How much of a journal was set aside, for people.
#pragma once

#include <array>
#include <string>
#include <utility>

namespace tictactoe::store {

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
      if (!text.empty()) text += ", ";
      std::string noun = what;
      if (count > 1) noun.insert(noun.starts_with("line") ? 4 : noun.size(), "s");
      text += std::to_string(count) + " " + noun;
    }
    return text;
  }
};

}  // namespace tictactoe::store
