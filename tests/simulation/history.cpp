#include "tests/simulation/history.hpp"

#include <algorithm>
#include <span>

namespace tictactoe::simulation {

namespace {

std::string place(const View& view) {
  return " in \"" + view.room().name() + "\", game " + std::to_string(view.room().game()) +
         ", revision " + std::to_string(view.room().revision());
}

}  // namespace

void History::observe(const View& view, bool ending) {
  Room& room = rooms_[view.incarnation()];
  const auto [known, is_new] = room.contents.emplace(view.room().revision(), view.content());
  require(
      known->second == view.content(), Checker::history,
      [&] {
        return "two clients see different content at one revision" + place(view) + ": " +
               view.room().ShortDebugString();
      },
      view.incarnation());
  if (!is_new) return;
  ++states_;
  check_end(view, ending);
  check_nothing_gone(room, view);
}

void History::check_end(const View& view, bool ending) {
  view.check_board();
  if (view.room().outcome().reason() > v1::Outcome::REASON_BOARD_FULL) check_reason(view, ending);
}

void History::check_reason(const View& view, bool ending) {
  const v1::Outcome& outcome = view.room().outcome();
  const v1::Mark loser = View::other(outcome.winner());
  const auto verdict = [&](bool holds, const char* otherwise) {
    require(holds, Checker::outcome, [&] { return otherwise + place(view); }, view.incarnation());
  };
  const bool won = outcome.winner() != v1::MARK_NONE;
  // Later the seat may have another occupant.
  const auto requested = [&](v1::Mark side, RequestKind kind) {
    return ending ? has_requested(view, side, kind)
                  : anybody_requested(view.incarnation(), view.room().game(), kind);
  };
  switch (outcome.reason()) {
    case v1::Outcome::REASON_RESIGNED:
      return verdict(won && requested(loser, RequestKind::resign), "nobody resigned");
    case v1::Outcome::REASON_AGREED:
      return verdict(!won && requested(v1::MARK_X, RequestKind::draw) &&
                         requested(v1::MARK_O, RequestKind::draw),
                     "a draw without the consent of both");
    case v1::Outcome::REASON_TIME:
    case v1::Outcome::REASON_FORFEIT:
      return verdict(won, "a draw by time or absence");
    default:
      verdict(false, "an end without a reason on the board");
  }
}

bool History::has_requested(const View& view, v1::Mark seat, RequestKind kind) const {
  const v1::Occupant& occupant = view.occupant(seat);
  return requests_.contains({view.incarnation(), kind, view.room().game(), occupant.name()}) ||
         requests_.contains({view.incarnation(), kind, 0, occupant.name()});
}

bool History::anybody_requested(Incarnation room, std::uint32_t game, RequestKind kind) const {
  for (const std::uint32_t which : {std::uint32_t{0}, game}) {
    const auto found = requests_.lower_bound({room, kind, which, ""});
    if (found != requests_.end() && std::get<0>(*found) == room && std::get<1>(*found) == kind &&
        std::get<2>(*found) == which) {
      return true;
    }
  }
  return false;
}

void History::check_nothing_gone(Room& room, const View& view) {
  State now{view.room().revision(),
            view.room().game(),
            {view.room().moves().begin(), view.room().moves().end()}};
  const bool is_latest = now.revision > room.latest.revision;
  if (room.latest.revision != 0) {
    is_latest ? compare(room.latest, now, view) : compare(now, room.latest, view);
  }
  const auto outcome = room.outcomes.find(now.game);
  if (view.room().has_outcome()) {
    if (outcome == room.outcomes.end()) {
      ++games_;
      ++ends_[view.room().outcome().reason()];
      room.outcomes.emplace(now.game, view.room().outcome());
    } else {
      require(
          outcome->second.SerializeAsString() == view.room().outcome().SerializeAsString(),
          Checker::outcome, [&] { return "one game has ended in two ways" + place(view); },
          view.incarnation());
    }
  } else {
    require(
        outcome == room.outcomes.end() || !is_latest, Checker::permanence,
        [&] { return "a finished game goes on" + place(view); }, view.incarnation());
  }
  if (is_latest) room.latest = std::move(now);
}

void History::compare(const State& earlier, const State& later, const View& view) const {
  require(
      earlier.game <= later.game, Checker::permanence,
      [&] { return "an earlier game is back" + place(view); }, view.incarnation());
  if (earlier.game != later.game) return;
  const bool all_there =
      earlier.moves.size() <= later.moves.size() &&
      std::ranges::equal(
          earlier.moves,
          std::span(later.moves).first(std::min(earlier.moves.size(), later.moves.size())));
  const bool taken_back = anybody_requested(view.incarnation(), later.game, RequestKind::takeback);
  require(
      all_there || taken_back, Checker::permanence,
      [&] { return "a known move is gone" + place(view); }, view.incarnation());
}

}  // namespace tictactoe::simulation
