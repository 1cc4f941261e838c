// Watches the server's edge: requests, records, and frames.
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

/// Checks that a frame leaves only after all records before it are durable; that the call which
/// makes an update also records it; and that no queue exceeds its limit, by counting bytes in and
/// out. Assigns each room its incarnation, because names can be used again.
class EdgeWatch {
 public:
  EdgeWatch(std::size_t outbox_limit, const Agenda& agenda, History& history, Trace& trace)
      : outbox_limit_(outbox_limit), agenda_(agenda), history_(history), trace_(trace) {}

  // Reports of the server's shell, in order.
  void request(Link link, const v1::ClientMessage& message);
  /// A call of the host begins. Its effects follow.
  void call() {
    facts_.clear();
    resumes_ = false;
  }
  void recorded(std::string_view record);
  /// This number of records, from the first on, is durable.
  void durable(std::uint64_t count) { durable_ = count; }
  /// A frame with this number of bytes was queued. `waits`: until all records so far are durable.
  void pushed(Link link, std::size_t bytes, const v1::ServerMessage& message,
              std::uint64_t request_id, bool waits);
  /// The shell has cut off those for whom too much waits. This connection is still there.
  void check_queue(Link link);
  /// This number of bytes has left the machine.
  void released(Link link, std::size_t bytes);
  /// The queued frames and all records that were not durable are lost.
  void closed(Link link);
  void died();
  /// Until then players may come back, and their clocks stop.
  void started(Time everybody_back) { clocks_.started(everybody_back); }
  void stalled(bool is_stalled) {
    is_stalled ? clocks_.pause(agenda_.now()) : clocks_.resume(agenda_.now());
  }
  void forget(Link link) { taps_.erase(link); }

  /// The incarnation of the room of the next frame on this connection. Call it once for each frame,
  /// in order.
  Incarnation next_frame(Link link);

  std::uint64_t records() const { return recorded_; }
  /// The serial of the room in the records.
  std::uint64_t serial_of(Incarnation room) const { return serials_.at(room); }

 private:
  struct Frame {
    std::size_t unreleased = 0;
    std::uint64_t mark = 0;  // number of records when it was made
  };
  struct Tap {
    std::deque<Frame> queue;             // the last bytes have not left
    std::size_t bytes = 0;               // of the queue
    std::deque<Incarnation> on_the_way;  // not yet taken by the client
    Incarnation room = 0;
    std::string player;
    RateWatch rates;
    std::unordered_map<std::uint64_t, v1::ClientMessage::RequestCase> requests;
  };
  struct Facts {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> moves;  // ply, cell
    bool room = false;
    std::uint64_t serial = 0;  // with `room`
    std::uint32_t ply = 0;     // with `room`
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
  const Agenda& agenda_;
  History& history_;
  Trace& trace_;
  std::unordered_map<Link, Tap> taps_;
  /// A room, and the number of records when it was created.
  struct Opened {
    Incarnation room = 0;
    std::uint64_t mark = 0;
  };
  std::map<std::string, std::vector<Opened>> rooms_;
  std::vector<std::uint64_t> announced_{0};  // latest revision by incarnation
  std::vector<std::uint64_t> serials_{0};    // likewise
  ClockWatch clocks_;
  SeatWatch seats_;
  Facts facts_;
  bool resumes_ = false;  // then updates may have been recorded by earlier calls
  journal::v1::Record record_;
  std::uint64_t recorded_ = 0;
  std::uint64_t durable_ = 0;
};

}  // namespace tictactoe::simulation
