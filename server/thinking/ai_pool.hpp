// Schedules the work of the AI threads and the memory of AI players.
#pragma once

#include <chrono>
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

namespace tictactoe::thinking {

/// Identifies an AI player. Each room has at most one of each level.
struct AiPlayerId {
  std::uint64_t room = 0;
  server::AiLevel level = {};  // NOLINT(readability-redundant-member-init)
  friend auto operator<=>(const AiPlayerId&, const AiPlayerId&) = default;
};

/// Makes a player of this level for an empty board. Called by AI threads, several at a time.
using MakePlayer = std::function<std::unique_ptr<ai::Player>(
    const server::AiLevel& level, const rules::Game& empty, std::uint64_t seed)>;
/// Makes a player of one of our levels. For an engine, of the level that stands in for it.
std::unique_ptr<ai::Player> make_own_player(const server::AiLevel& level, const rules::Game& empty,
                                            std::uint64_t seed);

/// Work for one thread. AI players are created, used and freed only in run(), so that their memory
/// belongs to the threads that call it. Everything else in a task is created and freed by the
/// thread that calls the pool.
class AiTask {
 public:
  /// Frees players, brings the player to the position of the thought, and makes it choose if it is
  /// ready. `nodes` limits the choice, see ai::Budget.
  void run(std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max());

 private:
  friend class AiPool;
  explicit AiTask(const MakePlayer& make_player) : make_player_(make_player) {}

  const MakePlayer& make_player_;
  std::vector<std::unique_ptr<ai::Player>> freed_;
  bool has_thought_ = false;  // otherwise it only frees players
  server::Think think_;
  std::stop_token stop_;
  std::unique_ptr<ai::Player> player_;
  std::size_t to_undo_ = 0;   // plies of the player's position to undo
  std::size_t followed_ = 0;  // plies of think_.moves played so far
  std::optional<ai::Choice> choice_;
  std::size_t bytes_ = 0;        // memory of player_ afterwards
  std::size_t freed_bytes_ = 0;  // of freed_
};

/// The queue of thoughts and the AI players behind them, without threads or clocks. Networks are
/// served round robin, so a network waits for at most one thought of each other network. While the
/// move of a room's AI waits, hints in that room get no time: they end as soon as possible. A
/// player stays in memory until its room releases it or another player needs its memory; then the
/// least recently used one is freed first, but never one in the middle of a thought.
///
/// The sum of the estimated sizes of all players never exceeds the limits. Not thread-safe.
class AiPool {
 public:
  struct Answer {
    server::ThoughtId id;
    server::ThoughtResult result;
  };

  explicit AiPool(const server::AiLimits& limits, MakePlayer make_player = make_own_player)
      : limits_(limits), make_player_(std::move(make_player)) {}

  /// The deadline of a thought queued now, with `time` per thought. Graded levels get ten times as
  /// much: a node count limits them, so they play equally well on slow machines. Engines get all
  /// the time: they have limits of their own, which begin when a thread asks them.
  static server::Time due_of(const server::Think& think, server::Time now,
                             std::chrono::milliseconds time);
  /// Queues a thought, whose time ends at `due`.
  void think(const server::Think& think, server::Time due = server::Time::max());
  /// Cancels a thought. It gets no answer.
  void cancel(server::ThoughtId id);
  /// When the next thought runs out of time; nothing if no thought has a limit.
  std::optional<server::Time> next_due() const {
    return due_.empty() ? std::nullopt : std::optional(due_.begin()->first);
  }
  /// Makes thoughts that have run out of time choose as soon as possible.
  void hurry(server::Time now);
  /// Frees the players of a room and cancels its thoughts.
  void release(std::uint64_t room);
  /// Cancels all thoughts.
  void stop();

  /// The next task for one thread; null if there is none until another call.
  std::unique_ptr<AiTask> next();
  /// Takes a task back after run().
  void finish(std::unique_ptr<AiTask> task);

  /// Returns the answers since the last call, in order.
  std::vector<Answer> take_answers() { return std::exchange(answers_, {}); }
  bool has_answers() const { return !answers_.empty(); }

  /// Bytes of all players, including what they can grow in the thoughts in progress.
  std::size_t bytes() const { return bytes_; }
  std::size_t queued() const { return queued_.thoughts; }
  std::size_t players() const { return entries_.size(); }

 private:
  struct Thought {
    server::Think think;
    server::Time due;
    std::stop_source stop;
    bool begun = false;  // memory is reserved for it
    bool cancelled = false;
  };
  struct Entry {
    std::unique_ptr<ai::Player> player;  // null if there is none or a task has it
    std::shared_ptr<const std::vector<rules::Cell>> position;  // of the player
    std::size_t plies_ever = 0;  // followed so far, including those taken back
    std::size_t bytes = 0;       // counted in bytes_
    std::uint64_t network = 0;   // of the room's creator
    std::uint64_t used = 0;      // key in idle_; 0: not there
    std::uint64_t place = 0;     // number in ready_; 0: not there
    bool lent = false;
    bool released = false;  // while lent: free the player afterwards
    std::deque<Thought> thoughts;
  };
  /// Waiting thoughts, and the bytes of their games.
  struct Queued {
    std::size_t thoughts = 0;
    std::size_t bytes = 0;
  };
  bool has_place(const server::Think& think) const;
  Thought* find(server::ThoughtId id);
  /// The players of a room, in the order in which they lose their places to others of the room.
  std::vector<AiPlayerId> players_of(std::uint64_t room) const;
  /// Makes the hints of a room end as soon as possible, because a move waits.
  void hurry_hints(std::uint64_t room);
  /// The thought to run first in the room of `next`: a move, if `next` is a hint.
  AiPlayerId first_of_room(const AiPlayerId& next);
  /// The number of plies that the positions of the player and of the thought share.
  static std::size_t shared_plies(const Entry& entry, const server::Think& think);
  /// Reserves memory for the first thought. Returns false if there is none left.
  bool begin(const AiPlayerId& id, AiTask& task);
  bool make_place(const AiPlayerId& id, std::size_t needed, AiTask& task);
  /// Whether it has a player that is not in the middle of a thought.
  static bool can_be_evicted(const Entry& entry) {
    return entry.player && !entry.lent && (entry.thoughts.empty() || !entry.thoughts.front().begun);
  }
  /// The player to evict for another: the least recently used one without a thought or, if there is
  /// none, the newest in the queue of the network with the most. Nothing if there is none.
  /// O(players).
  std::optional<AiPlayerId> least_needed() const;
  std::size_t other_bytes_in_room(const AiPlayerId& id) const;
  void lend(Entry& entry, AiTask& task);
  void finish_thought(Entry& entry, AiTask& task);
  void answer(Entry& entry, const ai::Choice& choice);
  void pop(Entry& entry, std::size_t index);
  /// Has the player freed by the next task that runs. It counts until then.
  void free_player(Entry& entry);
  void take_freed(AiTask& task);
  void make_ready(const AiPlayerId& id);
  void end_ready(Entry& entry);
  /// Updates idle_ after a change, and removes the entry if it is empty.
  void update(const AiPlayerId& id);

  /// An upper bound of a player's memory after this many plies and while it chooses.
  std::size_t max_memory(const server::Think& think, std::size_t plies) const;

  server::AiLimits limits_;
  MakePlayer make_player_;
  std::map<AiPlayerId, Entry> entries_;
  std::set<std::pair<server::Time, server::ThoughtId>> due_;  // of thoughts with a time limit
  server::FairQueue<AiPlayerId> ready_;  // not lent and with a thought; by network
  std::vector<AiPlayerId>
      no_memory_;  // like ready_, but next() found no memory for them in this call
  std::map<std::uint64_t, AiPlayerId> idle_;  // with a player and without a thought; by last use
  std::vector<std::unique_ptr<ai::Player>> to_free_;
  std::size_t to_free_bytes_ = 0;
  std::size_t bytes_ = 0;
  Queued queued_;
  std::map<std::uint64_t, Queued> queued_by_network_;  // none is empty
  std::uint64_t uses_ = 0;
  std::vector<Answer> answers_;
};

}  // namespace tictactoe::thinking
