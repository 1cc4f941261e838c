// Stands at the server's edge and counts: what goes in, what is recorded, what comes out.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tests/simulation/clock_watch.hpp"
#include "tests/simulation/history.hpp"
#include "tests/simulation/network.hpp"
#include "tests/simulation/rate_watch.hpp"
#include "tests/simulation/seat_watch.hpp"
#include "tests/simulation/trace.hpp"
#include "tests/simulation/violation.hpp"
#include "tictactoe/journal/v1/journal.pb.h"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::simulation {

/// Checks that no frame leaves before everything that was recorded until it was made is durable;
/// that what a frame tells was recorded by the same call that made it; and that no queue is over
/// its limit, by adding up what goes in and out. Gives each room its incarnation: on the wire a
/// room has only its name, which can be used again.
class EdgeWatch {
 public:
  EdgeWatch(std::size_t outbox_limit, bool keeps_records, const Agenda& agenda, History& history,
            Trace& trace)
      : outbox_limit_(outbox_limit),
        keeps_records_(keeps_records),
        agenda_(agenda),
        history_(history),
        trace_(trace) {}

  // The server's shell reports what it does, in order.
  void request(Link link, const v1::ClientMessage& message);
  /// A call to the host begins: its effects follow.
  void call() {
    facts_.clear();
    resumes_ = false;
  }
  void recorded(std::string_view record);
  /// So many records in all, from the first on, will survive anything.
  void durable(std::uint64_t count) { durable_ = count; }
  /// A frame of so many bytes was queued. `waits`: not before what was recorded until now is safe.
  void pushed(Link link, std::size_t bytes, const v1::ServerMessage& message,
              std::uint64_t request_id, bool waits);
  /// The shell has cut off those for whom too much waits. This connection is still there.
  void check_queue(Link link);
  /// So many bytes have left the machine.
  void released(Link link, std::size_t bytes);
  /// What was queued is gone, and with it all records that were not durable.
  void closed(Link link);
  void died();
  /// Until then everybody may come back, and no clock runs against them.
  void started(Time everybody_back) { clocks_.started(everybody_back); }
  void stalled(bool is_stalled) { clocks_.blind(is_stalled); }
  void forget(Link link) { taps_.erase(link); }

  /// The incarnation of the room that the next whole frame on this connection is about. Each frame
  /// is taken once, in order.
  Incarnation next_frame(Link link);
  /// Whose name it is; for people.
  const std::string& name(Incarnation room) const { return room_names_[room]; }

  std::uint64_t records() const { return recorded_; }

 private:
  struct Frame {
    std::size_t unreleased = 0;
    std::uint64_t mark = 0;  // records there were when it was made
  };
  struct Tap {
    std::deque<Frame> queue;             // not all of which has left
    std::size_t bytes = 0;               // of the queue
    std::deque<Incarnation> on_the_way;  // not taken by the client yet
    Incarnation room = 0;
    std::string player;
    RateWatch rates;
    std::unordered_map<std::uint64_t, v1::ClientMessage::RequestCase> requests;
  };
  struct Facts {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> moves;  // ply, cell
    bool room = false;
    std::uint32_t ply = 0;  // with `room`
    bool undone = false;
    bool chat = false;
    bool game_finished = false;
    void clear() { *this = {}; }
  };

  Incarnation latest(const std::string& name) const;
  Incarnation room_of(Tap& tap, const v1::ServerMessage& message, std::uint64_t request_id);
  Incarnation snapshot_of(Tap& tap, const v1::RoomSnapshot& snapshot, std::uint64_t request_id);
  void check_recorded(const v1::RoomUpdate& update, Incarnation room) const;

  std::size_t outbox_limit_;
  bool keeps_records_;
  const Agenda& agenda_;
  History& history_;
  Trace& trace_;
  std::unordered_map<Link, Tap> taps_;
  /// A room of that name, opened when there were so many records.
  struct Opened {
    Incarnation room = 0;
    std::uint64_t mark = 0;
  };
  std::map<std::string, std::vector<Opened>> rooms_;
  std::vector<std::string> room_names_{""};
  std::vector<std::uint64_t> announced_{0};  // latest revision by incarnation
  ClockWatch clocks_;
  SeatWatch seats_;
  Facts facts_;
  bool resumes_ = false;  // then what is told may have been recorded by earlier calls
  journal::v1::Record record_;
  std::uint64_t recorded_ = 0;
  std::uint64_t durable_ = 0;
};

}  // namespace tictactoe::simulation
