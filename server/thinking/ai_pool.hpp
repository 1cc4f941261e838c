// Decides what the AI threads do: whose position is followed next, which players stay in memory.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <utility>
#include <vector>

#include "common/ai/player.hpp"
#include "server/base/thought.hpp"
#include "server/base/time.hpp"
#include "server/limits/config.hpp"
#include "server/limits/fair_queue.hpp"

namespace tictactoe::server {

/// One AI player: each room has at most one of each level.
struct AiPlayerId {
  std::uint64_t room = 0;
  AiLevel level = {};  // NOLINT(readability-redundant-member-init)
  friend auto operator<=>(const AiPlayerId&, const AiPlayerId&) = default;
};

/// Makes a player of that level for an empty board. Called by AI threads, several at a time.
using MakePlayer = std::function<std::unique_ptr<ai::Player>(
    const AiLevel& level, const rules::Game& empty, std::uint64_t seed)>;
/// Of our levels. An engine gets the level that stands in for it.
std::unique_ptr<ai::Player> make_own_player(const AiLevel& level, const rules::Game& empty,
                                            std::uint64_t seed);

/// Work for any thread. AI players are created, used and freed in run() only, so that
/// their memory belongs to the threads that run it; everything else in a task is created and freed
/// by the thread that calls the pool.
class AiTask {
 public:
  /// Frees what is to be freed, brings the player to the position of the thought, and chooses if
  /// the player is ready. `nodes` limits the choice, see ai::Budget.
  void run(std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max());

 private:
  friend class AiPool;
  explicit AiTask(const MakePlayer& make_player) : make_player_(make_player) {}

  const MakePlayer& make_player_;
  std::vector<std::unique_ptr<ai::Player>> freed_;
  bool has_thought_ = false;  // otherwise it only frees
  Think think_;
  std::stop_token stop_;
  std::unique_ptr<ai::Player> player_;
  std::size_t to_undo_ = 0;   // plies of the player's position
  std::size_t followed_ = 0;  // of think_.moves
  std::optional<ai::Choice> choice_;
  std::size_t bytes_ = 0;        // of player_, afterwards
  std::size_t freed_bytes_ = 0;  // of freed_
};

/// The queue of thoughts and the AI players behind them, without threads or clocks. Networks take
/// turns, so that a network waits for at most one thought of each other network. While the move of
/// a room's AI waits, hints in that room get no time: their choice ends as soon as it can. A player
/// stays in memory until its room releases it, or until its memory is needed for another player;
/// then the least recently used one goes first. A player in the middle of a thought is never
/// evicted.
///
/// The sum of the estimated sizes of all players is never over the limits. Not thread-safe.
class AiPool {
 public:
  struct Answer {
    ThoughtId id;
    ThoughtResult result;
  };

  explicit AiPool(const AiLimits& limits, MakePlayer make_player = make_own_player)
      : limits_(limits), make_player_(std::move(make_player)) {}

  /// Its time ends at `due`.
  void think(const Think& think, Time due = Time::max());
  /// No answer comes any more.
  void cancel(ThoughtId id);
  /// When the time of a thought ends next; nothing if that of none does.
  std::optional<Time> next_due() const {
    return due_.empty() ? std::nullopt : std::optional(due_.begin()->first);
  }
  /// Thoughts whose time is over choose as soon as they can.
  void hurry(Time now);
  /// Frees the players of a room, and cancels its thoughts.
  void release(std::uint64_t room);
  /// Cancels all thoughts.
  void stop();

  /// What one thread should do next; null if there is nothing to do until another call.
  std::unique_ptr<AiTask> next();
  /// Takes a task back after run().
  void finish(std::unique_ptr<AiTask> task);

  /// Answers since the last call, in order.
  std::vector<Answer> take_answers() { return std::exchange(answers_, {}); }
  bool has_answers() const { return !answers_.empty(); }

  /// Bytes of all players, as far as they can grow in the thoughts in progress.
  std::size_t bytes() const { return bytes_; }
  std::size_t queued() const { return queued_.thoughts; }
  std::size_t players() const { return entries_.size(); }

 private:
  struct Thought {
    Think think;
    Time due;
    std::stop_source stop;
    bool begun = false;  // memory is reserved for it
    bool cancelled = false;
  };
  struct Entry {
    std::unique_ptr<ai::Player> player;  // null if there is none, or while a task has it
    std::shared_ptr<const std::vector<rules::Cell>> position;  // that the player is at
    std::size_t plies_ever = 0;  // that this player has followed, also those taken back
    std::size_t bytes = 0;       // counted in bytes_
    std::uint64_t network = 0;   // of the room's creator
    std::uint64_t used = 0;      // key in idle_; 0: it is not there
    std::uint64_t place = 0;     // number in ready_; 0: it is not there
    bool lent = false;
    bool released = false;  // while lent: the player is to be freed
    std::deque<Thought> thoughts;
  };
  /// Thoughts that wait, and the bytes of their games.
  struct Queued {
    std::size_t thoughts = 0;
    std::size_t bytes = 0;
  };
  bool has_place(const Think& think) const;
  Thought* find(ThoughtId id);
  /// In the order in which they lose their places to others of the room.
  std::vector<AiPlayerId> players_of(std::uint64_t room) const;
  /// The hints of a room are chosen as soon as possible: a move waits.
  void hurry_hints(std::uint64_t room);
  /// What to do instead of this thought, which is a room's next one: a move if this is a hint.
  AiPlayerId first_of_room(const AiPlayerId& next);
  /// The number of plies that the position of the player and that of the thought share.
  static std::size_t shared_plies(const Entry& entry, const Think& think);
  /// Reserves memory for the first thought. Returns false if others have it.
  bool begin(const AiPlayerId& id, AiTask& task);
  bool make_place(const AiPlayerId& id, std::size_t needed, AiTask& task);
  /// Whether it has a player that no thought is in the middle of.
  static bool can_be_evicted(const Entry& entry) {
    return entry.player && !entry.lent && (entry.thoughts.empty() || !entry.thoughts.front().begun);
  }
  /// The player to evict for another: the least recently used one without a thought, or the newest
  /// one in the queue of the network with the most. Nothing if there is none. O(players).
  std::optional<AiPlayerId> least_needed() const;
  std::size_t other_bytes_in_room(const AiPlayerId& id) const;
  void lend(Entry& entry, AiTask& task);
  void finish_thought(Entry& entry, AiTask& task);
  void answer(Entry& entry, const ai::Choice& choice);
  void pop(Entry& entry, std::size_t index);
  /// Marks the player to be freed by the next task that runs. It counts until then.
  void free_player(Entry& entry);
  void take_freed(AiTask& task);
  void make_ready(const AiPlayerId& id);
  void end_ready(Entry& entry);
  /// Brings idle_ up to date after a change, and removes the entry if nothing is left of it.
  void update(const AiPlayerId& id);

  /// An upper bound of what a player takes after so many plies and while it chooses.
  std::size_t most_memory(const Think& think, std::size_t plies) const;

  AiLimits limits_;
  MakePlayer make_player_;
  std::map<AiPlayerId, Entry> entries_;
  std::set<std::pair<Time, ThoughtId>> due_;  // of the thoughts that have to be hurried
  FairQueue<AiPlayerId> ready_;               // have a thought and are not lent, by network
  std::vector<AiPlayerId> no_memory_;         // the same, which next() has tried in this call
  std::map<std::uint64_t, AiPlayerId> idle_;  // have a player and no thought, by last use
  std::vector<std::unique_ptr<ai::Player>> to_free_;
  std::size_t to_free_bytes_ = 0;
  std::size_t bytes_ = 0;
  Queued queued_;
  std::map<std::uint64_t, Queued> queued_by_network_;  // none is empty
  std::uint64_t uses_ = 0;
  std::vector<Answer> answers_;
};

}  // namespace tictactoe::server
