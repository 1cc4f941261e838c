#include "server/game/seats.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "server/base/planted.hpp"
#include "server/game/ai_levels.hpp"
#include "server/game/game_clock.hpp"

namespace tictactoe::server {

using rules::Mark;

Mark Seats::first_open() const {
  if (is_open(Mark::x)) return Mark::x;
  return is_open(Mark::o) ? Mark::o : Mark::none;
}

Mark Seats::seat_of(const Player* player) const {
  if (player == nullptr) return Mark::none;
  for (const Mark side : both_sides) {
    if ((*this)[side].player == player) return side;
  }
  return Mark::none;
}

bool Seats::has_only(const Player& player) const {
  const auto is_it = [&](const Player* each) { return each == &player; };
  return std::ranges::all_of(watchers_, is_it) && std::ranges::all_of(both_sides, [&](Mark side) {
           return !has_person(side) || is_it((*this)[side].player);
         });
}

std::vector<PlayerId> Seats::seated() const {
  std::vector<PlayerId> players;
  for (const Mark side : both_sides) {
    if (has_person(side)) players.push_back((*this)[side].player->id);
  }
  return players;
}

std::uint64_t Seats::occupant_key(Mark side) const {
  constexpr std::uint64_t an_ai = std::uint64_t{1} << 63;
  const Seat& seat = (*this)[side];
  if (has_ai(side) && seat.level.engine.empty()) {
    return an_ai | static_cast<std::uint64_t>(seat.level.level);
  }
  if (has_ai(side)) return an_ai | std::hash<std::string>()(seat.level.engine);
  return seat.player->id;
}

void Seats::remove_watcher(const Player& player) {
  std::erase(watchers_, &player);
  std::erase_if(seat_requests_, [&](const SeatRequest& each) { return each.player == &player; });
}

void Seats::change(Mark side, const Seat& occupant) {
  (*this)[side] = occupant;
  if (is_open(side)) return;
  const std::uint64_t key = occupant_key(side);
  if (std::exchange(score_of_[index(side)], key) != key) score_.Clear();
}

void Seats::clear_rematch_wishes() {
  for (Seat& seat : seats_) seat.wants_rematch = false;
}

bool Seats::all_want_rematch() const {
  return std::ranges::all_of(
      both_sides, [&](Mark side) { return (*this)[side].wants_rematch || ai_plays(side); });
}

std::optional<Time> Seats::away_due() const {
  std::optional<Time> due;
  for (const Seat& seat : seats_) {
    if (seat.away_until && (!due || *seat.away_until < *due)) due = seat.away_until;
  }
  return due;
}

void Seats::count_win(Mark winner) {
  const std::uint32_t games = planted(Mistake::double_score) ? 2 : 1;
  if (winner == Mark::x) score_.set_x(score_.x() + games);
  if (winner == Mark::o) score_.set_o(score_.o() + games);
  if (winner == Mark::none) score_.set_draws(score_.draws() + games);
}

void Seats::describe_seat(Mark side, Time now, v1::Occupant& out) const {
  const Seat& seat = (*this)[side];
  out.set_kind(seat.kind);
  if (has_person(side)) out.set_name(seat.player->name);
  if (ai_plays(side)) out.set_ai_level(seat.level.name());
  if (has_ai(side)) out.set_name(ai_player_name(seat.level));
  if (seat.away_until) {
    out.set_away(true);
    out.set_away_ms_left(
        milliseconds_rounded_up(std::max(*seat.away_until - now, GameClock::Duration{})));
  }
}

bool Seats::load_ai(Mark side, const journal::v1::Seat& saved) {
  const auto level = parse_saved_ai_level(saved.ai_level());
  if (level) (*this)[side].level = *level;
  return level.has_value();
}

bool Seats::load(Mark side, const journal::v1::Seat& saved, const FindPlayer& find_player) {
  Seat& seat = (*this)[side];
  switch (saved.kind()) {
    case v1::Occupant::KIND_OPEN:
      break;
    case v1::Occupant::KIND_PERSON: {
      const Player* player = find_player(saved.player());
      if (player == nullptr || player->room != nullptr) return false;
      if (seat_of(player) != Mark::none) return false;
      seat.player = player;
      break;
    }
    case v1::Occupant::KIND_AI:
      if (!load_ai(side, saved)) return false;
      break;
    default:
      return false;
  }
  seat.kind = saved.kind();
  seat.wants_rematch = saved.wants_rematch();
  if (!is_open(side)) score_of_[index(side)] = occupant_key(side);
  return true;
}

}  // namespace tictactoe::server
