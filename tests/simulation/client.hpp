// One client of a simulation: plays, watches, chats, makes mistakes, follows redirects, returns,
// sends again, and checks everything it gets.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
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
  EdgeWatch* watch;  ///< null with several servers
  const SharedStore& shared;
  History& history;
  Trace& trace;
  std::vector<bool> listens{};  ///< by server
  bool finishing = false;       ///< the faults have stopped: clients finish their games
  Time down{0};                 ///< time in which no server ran
  std::optional<Time> down_since{};
  /// The time in which some server ran. Holds are measured by it.
  Time uptime() const { return down_since.value_or(agenda.now()) - down; }

  std::uint64_t requests = 0;
  std::uint64_t redirects = 0;
  std::uint64_t returns = 0;                         ///< resumed after a lost connection
  std::uint64_t repeats = 0;                         ///< requests that were sent again
  std::map<std::uint64_t, std::uint64_t> answers{};  ///< by request * 1000 + error code
  std::map<std::string, std::uint32_t> names{};      ///< of players, with their clients
  std::vector<std::string> room_names{};             ///< some that clients have created
  /// Each line of chat has another text: where and at which revision it was said; 0: unknown.
  struct Said {
    Incarnation room = 0;
    std::uint64_t revision = 0;
  };
  std::unordered_map<std::string, Said> said{};
  std::set<std::string> not_said{};  ///< requests that count as not done, and were given up
  /// Finished games that somebody has seen, by room and number; what their records must contain.
  std::map<std::pair<Incarnation, std::uint32_t>, std::string> ended{};

  /// Checks what somebody sees. `ending`: the last update ended the game.
  void observe(const View& view, bool ending);
  void hear(const std::string& text, Said said_at);
  std::string some_room(Random& random) const;
};

/// What the record of a finished game must contain.
std::string key_of_game(const std::string& room, const std::vector<std::uint32_t>& moves);

/// Knows only what it got as bytes. Checks what must hold across connections, restarts and servers:
/// every request is answered once and in order, revisions never run backwards, names and held seats
/// are kept, what was acknowledged stays. Requests whose answers were lost are sent again, if the
/// server does not count them as done, or given up.
class Client final : public ClientEnd {
 public:
  Client(World& world, std::uint32_t number, Random random);

  /// Starts to act.
  void start() { wake_in(random_.between(Time(0), std::chrono::seconds(5))); }
  void got(Link link, std::string_view bytes) override;
  void heard_end(Link link) override;
  /// The program ends and starts again. It keeps only its token, if that.
  void restart();
  /// The program stops until then: it neither reads nor acts.
  void stop_until(Time time);
  /// From now on it only finishes its game and leaves.
  void finish();

  bool is_done() const { return done_; }
  std::string describe() const;

 private:
  using Request = v1::ClientMessage;

  // Connection.
  void wake();
  void wake_in(Time delay);
  void connect(std::uint32_t server);
  void say_hello();
  void abandon();
  void lost();
  void redirected(const v1::Redirect& redirect);
  void receive(const v1::ServerMessage& message, Incarnation room);
  void welcome(const v1::Welcome& welcome);
  void check_return(const v1::Welcome& welcome);
  void update(const v1::RoomUpdate& update, Incarnation room);
  void see(const v1::RoomSnapshot& snapshot, Incarnation room, bool entering);
  void note_seat(const v1::RoomSnapshot& snapshot, Incarnation room);
  bool enters(std::uint64_t request_id) const;
  void check_farewell() const;
  Incarnation room() const { return view_ ? view_->incarnation() : 0; }

  // Requests.
  void send(Request message);
  void send_as(std::uint64_t id, const Request& message);
  void note_request(const Request& request);
  /// Those that count as handled are; the others are sent again, or given up.
  void settle(std::uint64_t last_request_done);

  // Their answers, in client_answers.cpp.
  std::optional<Request> take_answered(const v1::ServerMessage& message, Incarnation room);
  void answered(std::uint64_t id, const Request& request, const v1::ServerMessage& message);
  void refused(const Request& request, const v1::Error& error);
  void move_to(const Request& request);
  void check_fairness(const v1::Error& error);
  void check_move_answer(const v1::Move& move, const v1::ServerMessage& message);

  // What to do next, in client_choice.cpp.
  Request choose();
  Request choose_in_lobby();
  Request choose_watching();
  Request choose_seated();
  Request choose_on_turn();
  std::optional<Request> choose_to_finish();
  Request create_room();
  Request chat();
  Request a_move(bool to_the_point);
  void misbehave();
  v1::Mark some_mark() { return static_cast<v1::Mark>(random_.below(3)); }

  World& world_;
  const std::uint32_t number_;
  Random random_;
  std::uint64_t wakes_ = 0;
  bool done_ = false;
  Time stopped_until_{0};

  // Kept across connections and restarts of the client.
  std::string name_;
  std::string token_;
  bool says_goodbye_ = false;  // and does not know yet whether it has
  bool is_garbled_ = false;    // some of its garbage may have been requests
  // The seat that the client knows of.
  struct Seat {
    std::string room;
    Incarnation incarnation = 0;
    bool certain = false;  // no request may have given it up
    Time grace{0};
  };
  std::optional<Seat> seat_;
  Time heard_at_{0};  // with a welcome, by the servers' uptime
  std::uint64_t next_request_ = 0;
  std::uint64_t acknowledged_ = 0;                  // the highest id of a request that was done
  std::map<std::uint64_t, Request> unanswered_;     // by id
  std::map<std::uint64_t, Request> lost_;           // their answers were lost
  std::map<Incarnation, std::uint64_t> revisions_;  // the highest known
  std::optional<std::pair<Incarnation, std::string>> acknowledged_chat_;
  std::set<std::uint64_t> judged_;  // requests that the server would have granted outside of a room
  std::uint64_t lines_ = 0;
  std::uint64_t games_ = 0;  // number of recorded games, as far as known

  // Of one connection.
  std::uint32_t server_ = 0;
  Link link_ = 0;
  bool welcome_ = false;
  bool sent_garbage_ = false;
  bool has_shut_ = false;     // its side, after a goodbye: every answer must come
  bool is_expelled_ = false;  // the server has said that it closes the connection
  bool has_calm_ = false;     // the faults had stopped when the last request was sent
  int redirects_ = 0;         // in a row
  std::unique_ptr<wire::FrameReader> reader_;
  Time last_heard_{0};
  Time wait_until_{0};
  std::size_t kept_chat_ = 20;
  std::optional<View> view_;
  bool follows_ = false;  // the view is from this connection: it misses no update
};

}  // namespace tictactoe::simulation
