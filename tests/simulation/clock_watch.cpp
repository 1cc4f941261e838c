#include "tests/simulation/clock_watch.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

namespace tictactoe::simulation {

using std::chrono::milliseconds;

namespace {

// Messages have whole milliseconds, so each step may be off by one.
constexpr std::int64_t tolerance = 3;
constexpr std::int64_t first_move_grace = 20'000;

}  // namespace

void ClockWatch::pause(Time now) {
  for (auto& [room, clock] : rooms_) run(clock, now);
  if (!paused_) paused_since_ = now;
  paused_ = true;
}

void ClockWatch::resume(Time now) {
  for (auto& [room, clock] : rooms_) run(clock, now);
  // The time to come back after a restart stands still as well.
  if (paused_ && everybody_back_ > paused_since_) everybody_back_ += now - paused_since_;
  paused_ = false;
}

void ClockWatch::observe(Incarnation room, const v1::RoomSnapshot& snapshot, Time now) {
  if (!snapshot.has_clocks()) return;
  const auto known = rooms_.find(room);
  if (known != rooms_.end() && known->second.revision == snapshot.revision()) {
    run(known->second, now);
    compare(known->second, snapshot.clocks(), room);
    return;
  }
  Clock& clock = rooms_[room];
  clock.control = snapshot.options().time();
  clock.revision = snapshot.revision();
  clock.at = now;
  clock.left = {snapshot.clocks().x_ms(), snapshot.clocks().o_ms()};
  clock.turn = snapshot.turn();
  clock.free = {is_free(snapshot.x()), is_free(snapshot.o())};
  clock.is_new = new_rooms_.contains(room);
  clock.away = {snapshot.x().away(), snapshot.o().away()};
  clock.ply = static_cast<std::uint32_t>(snapshot.moves_size());
  update_grace(clock);
  clock.grace = snapshot.clocks().starts_in_ms();
}

void ClockWatch::observe(Incarnation room, const v1::RoomUpdate& update, Time now) {
  const auto known = rooms_.find(room);
  if (known == rooms_.end()) return;
  Clock& clock = known->second;
  if (update.revision() != clock.revision + 1) return lose_track(room);
  clock.revision = update.revision();
  run(clock, now);
  apply(clock, update, room);
  clock.turn = update.turn();
  update_grace(clock);
  compare(clock, update.clocks(), room);
}

void ClockWatch::run(Clock& clock, Time now) const {
  const Time from = std::exchange(clock.at, now);
  if (paused_ || clock.turn == v1::MARK_NONE || clock.free[index(clock.turn)]) return;
  const bool waits = clock.away[index(clock.turn)] && !clock.is_new;
  const Time begin = waits ? std::max(from, everybody_back_) : from;
  const std::int64_t passed = std::max(now - begin, Time(0)) / milliseconds(1);
  const std::int64_t waited = std::min(passed, clock.grace);
  clock.grace -= waited;
  clock.left[index(clock.turn)] -= passed - waited;
}

void ClockWatch::update_grace(Clock& clock) {
  const bool is_first = clock.turn != v1::MARK_NONE && clock.ply == 0;
  if (is_first != std::exchange(clock.is_first, is_first)) {
    clock.grace = is_first ? first_move_grace : 0;
  }
}

void ClockWatch::apply(Clock& clock, const v1::RoomUpdate& update, Incarnation room) {
  if (update.has_move_played()) {
    std::int64_t& left = clock.left[index(update.move_played().mark())];
    require(left >= -tolerance, Checker::outcome, "a move of a side that has run out of time",
            room);
    left = clock.control.move_ms() > 0 ? full(clock.control) : left + clock.control.increment_ms();
    clock.ply = update.move_played().ply();
  }
  if (update.has_taken_back()) clock.ply = update.taken_back().ply();
  if (update.has_game_started()) {
    clock.left.fill(full(clock.control));
    clock.ply = 0;
  }
  // Each turn has its full time, also a repeated one.
  if (update.has_taken_back() && clock.control.move_ms() > 0) clock.left.fill(full(clock.control));
  if (update.has_seat_changed()) {
    const std::size_t seat = index(update.seat_changed().seat());
    clock.free[seat] = is_free(update.seat_changed().occupant());
    clock.away[seat] = update.seat_changed().occupant().away();
  }
  if (update.game_ended().outcome().reason() == v1::Outcome::REASON_TIME) {
    require(
        clock.left[index(clock.turn)] <= tolerance, Checker::outcome,
        [&] {
          return "lost by time, with " + std::to_string(clock.left[index(clock.turn)]) + " ms left";
        },
        room);
  }
}

void ClockWatch::compare(Clock& clock, const v1::Clocks& shown, Incarnation room) {
  const std::array<std::int64_t, 2> now{shown.x_ms(), shown.o_ms()};
  for (const std::size_t side : {0U, 1U}) {
    const std::int64_t expected = std::max<std::int64_t>(clock.left[side], 0);
    require(
        std::abs(now[side] - expected) <= tolerance, Checker::outcome,
        [&] {
          return std::string(side == 0 ? "X" : "O") + "'s clock shows " +
                 std::to_string(now[side]) + " ms instead of " + std::to_string(expected);
        },
        room);
  }
  clock.left = now;
  require(
      std::abs(shown.starts_in_ms() - clock.grace) <= tolerance, Checker::outcome,
      [&] {
        return "a clock starts in " + std::to_string(shown.starts_in_ms()) + " ms instead of " +
               std::to_string(clock.grace);
      },
      room);
  clock.grace = shown.starts_in_ms();
}

}  // namespace tictactoe::simulation
