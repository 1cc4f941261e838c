// The connections of a server: who is at the other end, and how long it may be silent.
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
  Payers payers;  // for what it asks for
  Time opened;
  std::uint64_t pending = 0;       // its number among the pending connections, until the welcome
  std::uint64_t idle = 0;          // its number among the idle ones; 0: it is not idle
  Time last_heard;                 // since the welcome
  bool reading_paused = false;     // by the shell, so its silence does not count
  bool waiting = false;            // for the directory, or for its turn to ask about records
  bool was_deferred = false;       // the shell knows that it waits
  bool follows_redirects = false;  // as its hello says
  Deadlines::Place deadline;       // of the hello, then of silence
  std::unique_ptr<v1::ClientMessage> question;  // about records, that waits
  std::uint64_t question_number = 0;            // among those that wait for others; 0: it does not
  using PositionFound = std::function<void(LookUpAnswer answer, Time now)>;
  std::unique_ptr<PositionFound> position_found;  // goes on with a CreateRoom; null: there is none
};

/// A connection to close because there are too many, and the answer it gets.
struct Excess {
  ConnectionId connection;
  Problem problem;
};

/// Owns the peers and assigns their ids. A peer stays at its address until it is closed. All
/// operations are O(log n).
class Connections {
 public:
  /// All must outlive it.
  Connections(const Limits& limits, Deadlines& deadlines, Ledger& ledger)
      : limits_(limits), deadlines_(deadlines), ledger_(ledger) {}

  /// Adds a connection, which has to say hello in time.
  ConnectionId open(Origin origin, Time now);
  /// The connection to close because `opened` exceeds a limit; nothing if it does not. If its
  /// address has too many, that is the one idle longest there; if its network has too many, the one
  /// idle longest at the address that has the most idle ones; if none is idle, `opened` itself. If
  /// the server has too many without a hello, it is the oldest one of the address with the most, in
  /// the network with the most.
  std::optional<Excess> excess(ConnectionId opened) const;
  void close(ConnectionId id);

  /// Null if that connection is closed.
  Peer* find(ConnectionId id) {
    if (id.slot >= slots_.size()) return nullptr;
    Slot& slot = slots_[id.slot];
    return slot.peer && slot.generation == id.generation ? &*slot.peer : nullptr;
  }
  const Peer* find(ConnectionId id) const { return const_cast<Connections*>(this)->find(id); }

  /// The hello was accepted. From now on the limit is on the peer's silence.
  void welcome(ConnectionId id, const Player& player, Time now);
  /// Restarts the time for a hello that failed through no fault of the peer. In all a peer has six
  /// times that time, not counting the time that it waits for the server.
  void restart_hello(ConnectionId id, Time now);
  /// An idle connection without a hello gives way to a new one. Does nothing after the hello.
  void set_idle(ConnectionId id, bool is_idle);
  /// See Host::reading_paused.
  void reading_paused(ConnectionId id, bool paused, Time now);

  /// The connection that has missed this deadline; nothing, after setting its next deadline, if it
  /// has not.
  std::optional<ConnectionId> overdue(const Deadline& deadline, Time now);

  std::size_t size() const { return size_; }
  /// Calls `visit(ConnectionId, const Peer&)` for each connection, in the order of slots.
  template <class Visit>
  void for_each(Visit visit) const {
    visit_from(0, slots_.size(), visit);
  }
  /// Visits at most `most` slots from `slot` on. Returns the next slot; nothing after the last one.
  /// O(most).
  template <class Visit>
  std::optional<std::uint32_t> visit_from(std::uint32_t slot, std::size_t most, Visit visit) const {
    for (; most > 0 && slot < slots_.size(); --most, ++slot) {
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
  /// Of an address, or of the network around it.
  std::optional<ConnectionId> longest_idle(Level level, Origin of) const;
  void watch_for_silence(Peer& peer, std::uint32_t slot);

  const Limits& limits_;
  Deadlines& deadlines_;
  Ledger& ledger_;
  std::deque<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::size_t size_ = 0;
  FairQueue<ConnectionId> pending_;  // without a hello
  FairQueue<ConnectionId> idle_;     // of these
};

}  // namespace tictactoe::server
