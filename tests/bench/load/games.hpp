// Random games in many rooms at once, as fast as they go or at a given rate.
#pragma once

#include <array>
#include <optional>

#include "tests/bench/load/gathering.hpp"
#include "tests/bench/load/report.hpp"
#include "tests/bench/load/server_process.hpp"

namespace tictactoe::load {

struct GamesPlan {
  GatheringPlan gathering;
  std::chrono::duration<double> warm_up{1};
  std::chrono::duration<double> seconds{5};
  /// Moves a second in all rooms together, whether they were answered or not (an open loop); 0: a
  /// room's next move follows its last at once.
  double rate = 0;
  /// Requests that a player sends at once: a move, and pings behind it. At least 1.
  std::size_t in_flight = 1;
  /// Measured from outside, if given.
  const ServerProcess* server = nullptr;
  bool progress = true;
};

/// Plays and measures. With watchers, a room goes on once its last watcher has seen its last
/// update.
class Games {
 public:
  /// `protocol` outlives it.
  Games(const std::vector<Target>& targets, const GamesPlan& plan, Protocol& protocol);

  /// Throws Failure if the server makes an error, or a room stops.
  Report run();

 private:
  /// All that is counted, at one moment.
  struct Counts {
    Clock::time_point time;
    std::uint64_t moves = 0;
    std::uint64_t updates = 0;
    std::uint64_t games = 0;
    std::uint64_t received_bytes = 0;
    std::uint64_t sent_bytes = 0;
    std::uint64_t segments = 0;
    Clock::duration idle{0};
    double own_cpu = 0;
    std::optional<Usage> server;
  };
  /// Of a room, beside what Room knows.
  struct Progress {
    std::size_t behind = 0;                 // members who have not seen the latest update
    Clock::time_point acted;                // when somebody did something last
    std::array<Clock::time_point, 3> sent;  // by seat: when its move was sent, or should have been
    std::uint64_t moves = 0;                // sent
    std::uint64_t answered = 0;             // of them, since the warm-up

    Clock::time_point& sent_by(v1::Mark seat) { return sent[static_cast<std::size_t>(seat)]; }
  };

  /// Of a connection: the ids of those of its pings that were not answered.
  struct Pings {
    std::uint64_t next = 1;
    std::uint64_t last = 0;

    bool all_answered() const { return next > last; }
  };

  void take(Gathering::Member& member, std::string_view body, Clock::time_point now);
  /// Whether this is the next answer to a ping that is expected.
  bool take_pong(const Gathering::Member& member, std::string_view body);
  void go_on(std::size_t room);
  void send(Connection& actor, const std::string& request);
  bool can_act(std::size_t room);
  Clock::time_point due(std::size_t room) const;
  void release_due(Clock::time_point now);
  void play_for(std::chrono::duration<double> time, const char* what);
  void come_to_rest();
  void look_for_standstill(Clock::time_point now) const;
  Counts counts() const;
  Report report(const Counts& before, const Counts& after) const;
  void add_server(Report& report, const Counts& before, const Counts& after) const;
  void add_generator(Report& report, const Counts& before, const Counts& after) const;

  GamesPlan plan_;
  Protocol& protocol_;
  Gathering gathering_;
  std::vector<Progress> progress_;
  std::vector<Pings> pings_;  // by connection
  Exchange ping_;             // reused, like the next two
  std::vector<std::string> ping_requests_;
  std::vector<std::string_view> requests_;
  Histogram latency_;
  std::uint64_t moves_ = 0;    // answered
  std::uint64_t updates_ = 0;  // received
  bool ending_ = false;
  // With a rate: move number n of all is that of room n % rooms, due at schedule_begin_ + n / rate.
  Clock::time_point schedule_begin_;
  std::uint64_t released_ = 0;
};

}  // namespace tictactoe::load
