// One client of several servers: plays, follows redirects, resumes at other servers, sends again,
// and checks everything it gets.
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
#include "tests/simulation/history.hpp"
#include "tests/simulation/lobby_plan.hpp"
#include "tests/simulation/network.hpp"
#include "tests/simulation/trace.hpp"
#include "tests/simulation/view.hpp"
#include "tictactoe/v1/client.pb.h"

namespace tictactoe::simulation {

/// State that all clients share.
struct LobbyWorld {
  const LobbyPlan& plan;
  Agenda& agenda;
  SharedStore& shared;
  History& history;
  Trace& trace;
  std::vector<std::unique_ptr<Network>> networks{};  ///< by server
  std::vector<bool> listens{};                       ///< by server
  bool finishing = false;

  std::uint64_t requests = 0;
  std::uint64_t redirects = 0;
  std::uint64_t returns = 0;                         ///< resumed after a lost connection
  std::uint64_t repeats = 0;                         ///< requests that were sent again
  std::map<std::uint64_t, std::uint64_t> answers{};  ///< by request * 1000 + error code
  std::map<std::string, std::uint32_t> names{};      ///< of players, with their clients
  std::vector<std::string> room_names{};
  /// Each line of chat has another text: where and at which revision it was said; 0: unknown.
  struct Said {
    Incarnation room = 0;
    std::uint64_t revision = 0;
  };
  std::unordered_map<std::string, Said> said{};
  std::set<std::string> not_said{};  ///< requests that count as not done, and were given up
  /// Finished games that somebody has seen, by room and number; what their records must contain.
  std::map<std::pair<Incarnation, std::uint32_t>, std::string> ended{};

  /// Checks what somebody sees.
  void observe(const View& view, bool ending);
  void hear(const std::string& text, Said said_at);
};

/// What identifies a finished game in the history.
std::string key_of_game(const std::string& room, const std::vector<std::uint32_t>& moves);

class LobbyClient {
 public:
  LobbyClient(LobbyWorld& world, std::uint32_t number, Random random);

  void start() { wake_in(random_.between(Time(0), std::chrono::seconds(5))); }
  void got(std::uint32_t server, Link link, std::string_view bytes);
  void heard_end(std::uint32_t server, Link link);
  /// From now on it only leaves.
  void finish() { wake_in(random_.between(Time(0), std::chrono::seconds(2))); }
  bool is_done() const { return done_; }
  std::string describe() const;

 private:
  struct Seat {
    std::string room;
    Incarnation incarnation = 0;
    bool certain = false;  // no request may have given it up
  };

  void wake();
  void wake_in(Time delay);
  void connect(std::uint32_t server);
  void say_hello();
  void abandon();
  void lost();
  void receive(const v1::ServerMessage& message);
  void welcome(const v1::Welcome& welcome);
  void redirected(const v1::Redirect& redirect);
  void refused(const v1::ClientMessage& request, const v1::Error& error);
  void see(const v1::RoomSnapshot& snapshot);
  void update(const v1::RoomUpdate& update);
  void note_acknowledged(const v1::ClientMessage& request, const v1::ServerMessage& answer);
  void send(v1::ClientMessage message);
  void send_as(std::uint64_t id, const v1::ClientMessage& message);
  /// Those that count as handled are; the others are sent again, or given up.
  void settle(std::uint64_t last_request_done);

  v1::ClientMessage choose();
  v1::ClientMessage choose_in_lobby();
  v1::ClientMessage choose_in_room();
  v1::ClientMessage a_move();
  v1::ClientMessage chat();

  LobbyWorld& world_;
  const std::uint32_t number_;
  Random random_;
  std::uint64_t wakes_ = 0;
  bool done_ = false;

  std::string name_;
  std::string token_;
  bool says_goodbye_ = false;
  std::optional<Seat> seat_;
  Time heard_at_{0};  // of the last connection with a welcome
  std::uint64_t next_request_ = 0;
  std::uint64_t acknowledged_ = 0;  // the highest id of a request that was done
  std::map<std::uint64_t, v1::ClientMessage> unanswered_;  // by id
  std::map<std::uint64_t, v1::ClientMessage> lost_;        // their answers were lost
  std::map<Incarnation, std::uint64_t> revisions_;         // the highest known
  std::optional<std::pair<Incarnation, std::string>> acknowledged_chat_;
  std::uint64_t lines_ = 0;

  std::uint32_t server_ = 0;
  Link link_ = 0;
  bool welcome_ = false;
  std::uint64_t hello_ = 0;
  int redirects_ = 0;  // in a row
  std::unique_ptr<wire::FrameReader> reader_;
  Time last_heard_{0};
  Time wait_until_{0};
  std::size_t kept_chat_ = 20;
  std::optional<View> view_;
};

}  // namespace tictactoe::simulation
