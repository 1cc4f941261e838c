// Keeps the clocks of every game a second time, from messages of the server.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "tests/simulation/random.hpp"
#include "tests/simulation/violation.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::simulation {

/// Checks that a clock runs exactly during the turns of a person, but waits for a first move for 20
/// seconds, that a move adds the right time, that only a side without time loses on time, and that
/// it can't move any more. Gets each update and each snapshot in order, when the server makes it.
class ClockWatch {
 public:
  void observe(Incarnation room, const v1::RoomSnapshot& snapshot, Time now);
  void observe(Incarnation room, const v1::RoomUpdate& update, Time now);
  void opened(Incarnation room) { new_rooms_.insert(room); }
  /// The server has restarted: until then, the clocks of absent players stop in the restored rooms.
  void started(Time until) {
    rooms_.clear();
    new_rooms_.clear();
    everybody_back_ = until;
    paused_ = false;
  }
  /// While nothing can be recorded, all clocks stand still.
  void pause(Time now);
  void resume(Time now);
  /// Call it if changes of the room were not observed.
  void lose_track(Incarnation room) { rooms_.erase(room); }

 private:
  struct Clock {
    v1::TimeControl control;
    std::uint64_t revision = 0;
    Time at{0};
    std::array<std::int64_t, 2> left{};  // milliseconds, X and O, at `at`
    v1::Mark turn = v1::MARK_NONE;
    std::array<bool, 2> free{};  // an AI plays there
    std::array<bool, 2> away{};
    std::uint32_t ply = 0;
    bool is_first = false;   // a first move is due
    std::int64_t grace = 0;  // milliseconds for which its clock still waits, at `at`
    bool is_new = false;     // since the server started
  };

  static std::size_t index(v1::Mark side) { return side == v1::MARK_X ? 0 : 1; }
  static bool is_free(const v1::Occupant& occupant) { return !occupant.ai_level().empty(); }
  static std::int64_t full(const v1::TimeControl& control) {
    return control.move_ms() > 0 ? control.move_ms() : control.game_ms();
  }
  /// Advances the clock to now.
  void run(Clock& clock, Time now) const;
  static void apply(Clock& clock, const v1::RoomUpdate& update, Incarnation room);
  static void update_grace(Clock& clock);
  static void compare(Clock& clock, const v1::Clocks& shown, Incarnation room);

  std::unordered_map<Incarnation, Clock> rooms_;
  std::unordered_set<Incarnation> new_rooms_;  // of this process of the server
  Time everybody_back_{0};
  bool paused_ = false;
  Time paused_since_{0};
};

}  // namespace tictactoe::simulation
