// The players that a server knows, connected or away.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "server/base/effects.hpp"
#include "server/base/index.hpp"
#include "server/base/origin.hpp"
#include "server/limits/config.hpp"

namespace tictactoe::server {

class Room;

/// Identifies a player for as long as the server knows it; 0 for nobody.
using PlayerId = std::uint64_t;

/// Largest id that is accepted from a journal, so that counting up from it can't overflow.
inline constexpr std::uint64_t max_loaded_id = std::uint64_t{1} << 62;

/// A player who has said hello. Changed only by Players.
struct Player {
  PlayerId id = 0;
  std::string name;                        ///< unique, also while the player is away
  std::string token_hash;                  ///< of the secret that identifies the player
  std::string account_id;                  ///< of the player's account, see Login; empty: none
  std::optional<ConnectionId> connection;  ///< nothing while away
  const Room* room = nullptr;              ///< where the player sits or watches
  Time away_since;                         ///< while away
  std::optional<Origin> origin;            ///< of the last connection; unknown after a restart
  /// Has made a move in any game.
  bool played = false;
  /// The largest id of the player's completed requests that changed something. The welcome reports
  /// it. It is never used to refuse a request: a client may count from 1 on each connection.
  std::uint64_t last_request_done = 0;
};

/// Identifies a player in the records of private games, as long as the player keeps the token or,
/// with an account, the account. Unlike the id, it is never reused. Not 0.
std::uint64_t reader_number(const Player& player);

/// Owns the players. A player who is away and has no seat is idle: kept for Limits::name_hold, or
/// until another player needs the place. Players who have never played are forgotten first. A
/// player stays at its address until it is erased. All operations cost at most O(log players).
class Players {
 public:
  /// `config` must outlive it.
  explicit Players(const Config& config) : config_(config) {}

  /// The player with this id; null if there is none.
  const Player* find(PlayerId id) const;
  /// The connected player with this name; null if there is none.
  const Player* find_connected(std::string_view name) const;
  bool is_full() const { return by_id_.size() >= config_.limits.players; }
  std::size_t size() const { return by_id_.size(); }
  std::size_t connected() const { return connected_.size(); }

  /// Adds a player who is away from `now` on. Requires an unused id.
  const Player& add(PlayerId id, const std::string& name, const std::string& token_hash, Time now);
  void erase(const Player& player);

  void connect(const Player& player, ConnectionId connection, Origin origin);
  void set_account(const Player& player, const std::string& id) { own(player).account_id = id; }
  /// Replaces the player's token.
  void renew(const Player& player, const std::string& token_hash) {
    own(player).token_hash = token_hash;
  }
  void disconnect(const Player& player, Time now);
  /// Sets where the player was connected before a restart.
  void set_origin(const Player& player, Origin origin) { own(player).origin = origin; }
  void enter(const Player& player, const Room& room);
  void leave(const Player& player);
  /// The player has made their first move.
  void mark_played(const Player& player);
  /// Notes that a request of this player that changed something is done.
  void request_done(const Player& player, std::uint64_t request_id) {
    Player& changed = own(player);
    if (request_id > changed.last_request_done) changed.last_request_done = request_id;
  }

  /// The player idle longest; null if nobody is idle.
  const Player* longest_idle() const;
  /// The player to forget first: the one idle longest among those who have never played or, if
  /// there are none, among all. Null if nobody is idle.
  const Player* first_to_forget() const;
  /// When the longest idle player is to be forgotten.
  std::optional<Time> next_forgetting() const;

  /// Calls `visit(const Player&)` for the connected players in the order of their names, starting
  /// after `after`, until it returns false.
  template <class Visit>
  void visit_connected(std::string_view after, Visit visit) const {
    for (auto next = connected_.upper_bound(after); next != connected_.end(); ++next) {
      if (!visit(**next)) return;
    }
  }

 private:
  // Every player was created by this table.
  static Player& own(const Player& player) { return const_cast<Player&>(player); }
  void update_idleness(const Player& player);

  const Config& config_;
  std::map<PlayerId, Player> by_id_;
  Index<Player, &Player::name> connected_;
  using Idle = std::set<std::pair<Time, PlayerId>>;
  Idle never_played_;  // idle players who have never played
  Idle played_;        // idle players who have played
};

}  // namespace tictactoe::server
