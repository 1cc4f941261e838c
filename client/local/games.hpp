// The games that were finished since the program started.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::local {

/// Keeps the latest finished games in memory and answers queries about them, as a server does from
/// its records.
class Games {
 public:
  /// Maximum number of games kept, and of their moves in total. The latest game is always kept.
  static constexpr std::size_t max_games = 1'000;
  static constexpr int max_moves = 4'000'000;

  /// Numbers the game and dates it now.
  void add(v1::GameRecord game);
  /// Answers a ListGames with a GameList of at most `max_listed` games, and a GetGame, or a
  /// CreateRoom from a finished game, with a GameFound or an Error. O(games).
  v1::ServerMessage answer(const v1::ClientMessage& question, std::size_t max_listed) const;

 private:
  v1::GameList list(const v1::ListGames& request, std::size_t max_listed) const;

  std::uint64_t last_id_ = 0;
  int moves_ = 0;
  std::deque<v1::GameRecord> games_;  // the oldest first
};

}  // namespace tictactoe::local
