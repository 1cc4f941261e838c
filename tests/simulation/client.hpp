// One client of a simulation: plays, watches, talks and errs, and doubts everything it is told.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/wire/frame.hpp"
#include "tests/simulation/agenda.hpp"
#include "tests/simulation/edge_watch.hpp"
#include "tests/simulation/history.hpp"
#include "tests/simulation/network.hpp"
#include "tests/simulation/plan.hpp"
#include "tests/simulation/trace.hpp"
#include "tests/simulation/view.hpp"
#include "tictactoe/v1/client.pb.h"

namespace tictactoe::simulation {

/// What all clients share.
struct World {
  const Plan& plan;
  Agenda& agenda;
  Network& network;
  EdgeWatch& watch;
  History& history;
  Trace& trace;
  bool finishing = false;  ///< the faults have stopped: games are brought to their ends
  bool listening = false;  ///< the server runs
  Time up_before{0};       ///< time that the server ran, in its earlier lives
  Time up_since{0};        ///< while it runs
  /// How long the server has run in all: what it counts waits by.
  Time uptime() const { return up_before + (listening ? agenda.now() - up_since : Time(0)); }

  std::uint64_t requests = 0;
  std::map<std::uint64_t, std::uint64_t> answers{};  // by kind * 1000 + code of an error
  std::vector<std::string> room_names{};             // some that clients have opened
};

/// Everything a client believes comes from the bytes that it got. What must be true across
/// connections and restarts is checked here: an answer for every request, a seat that is still
/// one's own, moves that were acknowledged. Moves whose answers were lost are sent again.
class Client {
 public:
  Client(World& world, std::uint32_t number, Random random);

  /// Begins to act.
  void start();
  void got(Link link, std::string_view bytes);
  void heard_end(Link link);
  /// The program ends and begins anew: what it was doing is forgotten, the token is not.
  void restart();
  /// The program stands still until then: it neither reads nor acts.
  void stop_until(Time time);
  /// From now on it only finishes its games and goes.
  void finish();

  Link link() const { return link_; }
  bool is_done() const { return done_; }
  std::string describe() const;

 private:
  struct Request {
    v1::ClientMessage message;
  };

  // Connection.
  void wake();
  void wake_in(Time delay);
  void connect();
  void abandon();
  void lost();
  void receive(const v1::ServerMessage& message, Incarnation room);
  void answered(const Request& request, const v1::ServerMessage& message);
  void refused(const Request& request, const v1::Error& error);
  void welcome(const v1::Welcome& welcome);
  void see(const v1::RoomSnapshot& snapshot, Incarnation room, bool entering);
  bool enters(std::uint64_t request_id) const;
  void check_move_answer(const v1::Move& move, const v1::ServerMessage& message);
  void send(v1::ClientMessage message);
  void send_again();

  // What to do next, in client_choice.cpp.
  v1::ClientMessage choose();
  v1::ClientMessage choose_in_lobby();
  v1::ClientMessage choose_watching();
  v1::ClientMessage choose_seated();
  v1::ClientMessage choose_on_turn();
  std::optional<v1::ClientMessage> choose_to_finish();
  v1::ClientMessage create_room();
  v1::ClientMessage a_move(bool to_the_point);
  void misbehave();
  std::string some_room();
  v1::Mark some_mark() { return static_cast<v1::Mark>(random_.below(3)); }

  World& world_;
  std::uint32_t number_;
  Random random_;
  std::uint64_t wakes_ = 0;
  bool done_ = false;
  Time stopped_until_{0};

  // Outlives connections, and restarts of the client.
  std::string name_;
  std::string token_;
  // The seat that was told of and not given up by any request whose answer may have been lost.
  struct Seat {
    std::string room;
    Incarnation incarnation = 0;
    bool certain = false;  // nothing was asked that could have ended it
    Time grace{0};
  };
  std::optional<Seat> seat_;
  Time lost_at_{0};  // by the server's uptime

  // Of one connection.
  Link link_ = 0;
  bool welcome_ = false;
  bool sent_garbage_ = false;  // on this connection
  std::unique_ptr<wire::FrameReader> reader_;
  std::map<std::uint64_t, Request> unanswered_;  // by request id
  Time last_heard_{0};
  Time wait_until_{0};  // as the server has asked for
  std::uint64_t next_request_ = 0;
  std::size_t kept_chat_ = 20;
  std::uint64_t games_ = 0;  // records there are, as far as known

  std::optional<View> view_;
  bool follows_ = false;                // the view was told by this connection: it misses no update
  std::deque<v1::Move> to_send_again_;  // moves whose answers were lost
};

}  // namespace tictactoe::simulation
