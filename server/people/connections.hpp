// The connections of a server: who is at the other end, and how long they may be silent.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "server/base/deadlines.hpp"
#include "server/base/effects.hpp"
#include "server/base/origin.hpp"
#include "server/limits/config.hpp"
#include "server/limits/fair_queue.hpp"
#include "server/limits/ledger.hpp"
#include "server/limits/parse.hpp"
#include "server/people/look_up_answer.hpp"
#include "server/people/players.hpp"

namespace tictactoe::server {

/// One connection.
struct Peer {
  const Player* player = nullptr;  // since the welcome
  Origin origin;
  Payers payers;  // charged for its requests
  Time opened;
  std::uint64_t pending = 0;       // its number in pending_, until the welcome
  std::uint64_t idle = 0;          // its number in idle_; 0: not idle
  Time last_heard;                 // since the welcome
  bool reading_paused = false;     // by the shell: its silence doesn't count
  bool waiting = false;            // for the directory, or for its place among the look-ups
  bool was_deferred = false;       // the shell knows that it is waiting
  bool follows_redirects = false;  // as its hello says
  bool was_confirmed = false;      // its hello was, before it was recorded
  Deadlines::Place deadline;       // of the hello, then of silence
  std::unique_ptr<v1::ClientMessage> question;  // a waiting question about records
  std::uint64_t question_number = 0;            // its number in the queue; 0: not queued
  using PositionFound = std::function<void(LookUpAnswer answer, Time now)>;
  std::unique_ptr<PositionFound> position_found;  // continues a CreateRoom; null: none
};

/// A connection to close because there are too many, and the answer to it.
struct Excess {
  ConnectionId connection;
  Problem problem;
};

/// Owns the peers and assigns their ids. A peer stays at its address until it is closed. All
/// operations cost O(log n).
class Connections {
 public:
  /// All must outlive it.
  Connections(const Limits& limits, Deadlines& deadlines, Ledger& ledger)
      : limits_(limits), deadlines_(deadlines), ledger_(ledger) {}

  /// Adds a connection, and sets the deadline of its hello.
  ConnectionId open(Origin origin, Time now);
  /// The connection to close because `opened` exceeds a limit; nothing if it does not. If its
  /// address has too many, it is the one idle longest there. If its network has too many, it is the
  /// one idle longest at the address with the most idle ones. If none is idle, it is `opened`. If
  /// the server has too many without a hello, it is the oldest one of the address with the most, in
  /// the network with the most.
  std::optional<Excess> excess(ConnectionId opened) const;
  void close(ConnectionId id);

  /// Null if the connection is closed.
  Peer* find(ConnectionId id) {
    if (id.slot >= slots_.size()) return nullptr;
    Slot& slot = slots_[id.slot];
    return slot.peer && slot.generation == id.generation ? &*slot.peer : nullptr;
  }
  const Peer* find(ConnectionId id) const { return const_cast<Connections*>(this)->find(id); }

  /// The hello was accepted. From now on the peer's silence is limited.
  void welcome(ConnectionId id, const Player& player, Time now);
  /// Restarts the time limit after a hello that failed through no fault of the peer. In total a
  /// peer has six times the limit, not counting the time during which it waits for the server.
  void restart_hello(ConnectionId id, Time now);
  /// Sets whether a connection without a hello is idle: then it gives way to a new one.
  void set_idle(ConnectionId id, bool is_idle);
  /// See Host::reading_paused.
  void reading_paused(ConnectionId id, bool paused, Time now);

  /// Returns the connection that missed this deadline, or sets its next one and returns nothing.
  std::optional<ConnectionId> check_deadline(const Deadline& deadline, Time now);

  std::size_t size() const { return size_; }
  /// Calls `visit(ConnectionId, const Peer&)` for each connection, in the order of slots.
  template <class Visit>
  void for_each(Visit visit) const {
    visit_from(0, slots_.size(), visit);
  }
  /// Visits at most `max` slots from `slot` on. Returns the next one; nothing at the end. O(max).
  template <class Visit>
  std::optional<std::uint32_t> visit_from(std::uint32_t slot, std::size_t max, Visit visit) const {
    for (; max > 0 && slot < slots_.size(); --max, ++slot) {
      if (slots_[slot].peer) visit(ConnectionId{slot, slots_[slot].generation}, *slots_[slot].peer);
    }
    if (slot >= slots_.size()) return std::nullopt;
    return slot;
  }

 private:
  struct Slot {
    std::uint32_t generation = 0;
    std::optional<Peer> peer;  // while there is a connection
  };

  void end_pending(Peer& peer);
  void end_idle(Peer& peer);
  /// The connection idle longest at an address or in its network; nothing if none is idle.
  std::optional<ConnectionId> longest_idle(PayerKind kind, Origin of) const;
  void watch_for_silence(Peer& peer, std::uint32_t slot);

  const Limits& limits_;
  Deadlines& deadlines_;
  Ledger& ledger_;
  std::deque<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::size_t size_ = 0;
  FairQueue<ConnectionId> pending_;  // without a hello
  FairQueue<ConnectionId> idle_;     // idle ones
};

}  // namespace tictactoe::server
