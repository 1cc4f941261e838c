// One client of a simulation: plays, watches, chats, makes mistakes, and checks everything it gets.
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

/// State that all clients share.
struct World {
  const Plan& plan;
  Agenda& agenda;
  Network& network;
  EdgeWatch& watch;
  History& history;
  Trace& trace;
  bool finishing = false;  ///< the faults have stopped: clients finish their games
  bool listening = false;  ///< the server runs
  Time up_before{0};       ///< time that earlier processes of the server ran
  Time up_since{0};        ///< while it runs
  /// The total time that the server has run. Its holds are measured by it.
  Time uptime() const { return up_before + (listening ? agenda.now() - up_since : Time(0)); }

  std::uint64_t requests = 0;
  std::map<std::uint64_t, std::uint64_t> answers{};  // by request * 1000 + error code
  std::vector<std::string> room_names{};             // some that clients have created
};

/// Knows only what it got as bytes. Checks what must hold across connections and restarts: every
/// request is answered, a held seat is kept, acknowledged moves stay. Sends moves again whose
/// answers were lost.
class Client {
 public:
  Client(World& world, std::uint32_t number, Random random);

  /// Starts to act.
  void start();
  void got(Link link, std::string_view bytes);
  void heard_end(Link link);
  /// The program ends and starts again. It keeps only its token.
  void restart();
  /// The program stops until then: it neither reads nor acts.
  void stop_until(Time time);
  /// From now on it only finishes its game and leaves.
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
  void check_fairness(const v1::Error& error);
  void check_move_answer(const v1::Move& move, const v1::ServerMessage& message);
  void send(v1::ClientMessage message);
  void send_again();
  void check_farewell() const;

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

  // Kept across connections and restarts of the client.
  std::string name_;
  std::string token_;
  // The seat that the client knows of.
  struct Seat {
    std::string room;
    Incarnation incarnation = 0;
    bool certain = false;  // no request may have given it up
    Time grace{0};
  };
  std::optional<Seat> seat_;
  Time lost_at_{0};  // by the server's uptime

  // Of one connection.
  Link link_ = 0;
  bool welcome_ = false;
  bool sent_garbage_ = false;  // on this connection
  bool says_goodbye_ = false;  // and has shut its side: every answer must come
  bool is_expelled_ = false;   // the server has said that it closes the connection
  bool has_calm_ = false;      // the faults had stopped when the last request was sent
  std::unique_ptr<wire::FrameReader> reader_;
  std::map<std::uint64_t, Request> unanswered_;  // by request id
  Time last_heard_{0};
  Time wait_until_{0};  // as the server said in retry_after_ms
  std::uint64_t next_request_ = 0;
  std::size_t kept_chat_ = 20;
  std::uint64_t games_ = 0;  // number of recorded games, as far as known

  std::optional<View> view_;
  bool follows_ = false;                // the view is from this connection: it misses no update
  std::deque<v1::Move> to_send_again_;  // moves whose answers were lost
};

}  // namespace tictactoe::simulation
