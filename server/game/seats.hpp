// The people and AIs of a room: on its two seats, watching, or waiting for a seat.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "common/rules/types.hpp"
#include "server/base/thought.hpp"
#include "server/people/request_context.hpp"

namespace tictactoe::server {

inline constexpr std::array<rules::Mark, 2> both_sides{rules::Mark::x, rules::Mark::o};

/// Finds a player by id; null if there is none.
using FindPlayer = std::function<const Player*(PlayerId)>;

/// Seats, watchers, requests for seats and rematches, and the score. Knows no board. Lookups cost
/// O(1), finding or removing a watcher O(watchers).
class Seats {
 public:
  struct Seat {
    v1::Occupant::Kind kind = v1::Occupant::KIND_OPEN;
    bool wants_rematch = false;
    bool stood_in = false;           // an AI plays for an absent person
    const Player* player = nullptr;  // with KIND_PERSON
    AiLevel level = {};  // of an AI or its stand-in. NOLINT(readability-redundant-member-init)
    // When the absence of a person has consequences; nothing while present.
    std::optional<Time> away_until = {};  // NOLINT(readability-redundant-member-init)
  };
  static Seat person(const Player& player) {
    return {.kind = v1::Occupant::KIND_PERSON, .player = &player};
  }
  static Seat ai(const AiLevel& level) { return {.kind = v1::Occupant::KIND_AI, .level = level}; }

  Seat& operator[](rules::Mark side) { return seats_[index(side)]; }
  const Seat& operator[](rules::Mark side) const { return seats_[index(side)]; }
  bool is_open(rules::Mark side) const { return (*this)[side].kind == v1::Occupant::KIND_OPEN; }
  bool has_ai(rules::Mark side) const { return (*this)[side].kind == v1::Occupant::KIND_AI; }
  bool has_person(rules::Mark side) const {
    return (*this)[side].kind == v1::Occupant::KIND_PERSON;
  }
  /// Whether an AI sits there, or plays for an absent person.
  bool ai_plays(rules::Mark side) const { return has_ai(side) || (*this)[side].stood_in; }
  bool is_away(rules::Mark side) const { return (*this)[side].away_until.has_value(); }
  bool has_open_seat() const { return is_open(rules::Mark::x) || is_open(rules::Mark::o); }
  /// The first open seat; `none` if both are taken.
  rules::Mark first_open() const;
  bool has_seated_person() const {
    return has_person(rules::Mark::x) || has_person(rules::Mark::o);
  }
  /// True if no person sits or watches.
  bool empty() const { return watchers_.empty() && !has_seated_person(); }
  /// Whether nobody but this player sits or watches. O(watchers).
  bool has_only(const Player& player) const;
  /// The seat of a player; `none` for a watcher, for somebody who is not here, and for null.
  rules::Mark seat_of(const Player* player) const;
  std::vector<PlayerId> seated() const;

  const std::vector<const Player*>& watchers() const { return watchers_; }
  std::uint32_t watcher_count() const { return static_cast<std::uint32_t>(watchers_.size()); }
  /// The number of watchers for whom `is_counted(const Player&)` is true. O(watchers).
  template <class Predicate>
  std::size_t count_watchers(Predicate is_counted) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        watchers_, [&](const Player* watcher) { return is_counted(*watcher); }));
  }
  void add_watcher(const Player& player) { watchers_.push_back(&player); }
  bool is_watching(const Player& player) const {
    return std::ranges::find(watchers_, &player) != watchers_.end();
  }
  /// Removes the player's place among the watchers and request for a seat, if any.
  void remove_watcher(const Player& player);

  /// Asks for the seat of an AI, which becomes free after this game. Whoever asks watches until
  /// then.
  struct SeatRequest {
    const Player* player;
    rules::Mark wanted;  ///< `none`: either seat
  };
  /// The oldest first.
  const std::vector<SeatRequest>& seat_requests() const { return seat_requests_; }
  bool requests_seat(const Player* player) const {
    return std::ranges::find(seat_requests_, player, &SeatRequest::player) != seat_requests_.end();
  }
  void add_seat_request(const Player& player, rules::Mark wanted) {
    seat_requests_.push_back({&player, wanted});
  }

  /// Gives the seat to another occupant. The score starts again if the opponents have changed.
  void change(rules::Mark side, const Seat& occupant);
  void clear_rematch_wishes();
  bool all_want_rematch() const;
  /// When an absence first has consequences; nothing if nobody is away.
  std::optional<Time> away_due() const;

  const v1::Score& score() const { return score_; }
  bool has_score() const { return score_.x() + score_.o() + score_.draws() > 0; }
  /// Counts a finished game; `none` for a draw.
  void count_win(rules::Mark winner);

  void describe_seat(rules::Mark side, Time now, v1::Occupant& out) const;

  /// Gives the seat to its saved occupant; a person is away then. Returns false if that is invalid.
  bool load(rules::Mark side, const journal::v1::Seat& saved, const FindPlayer& find_player);
  void load_score(const v1::Score& score) { score_ = score; }

 private:
  static std::size_t index(rules::Mark side) { return side == rules::Mark::x ? 0 : 1; }
  /// Differs between any two occupants, even if they have the same name.
  std::uint64_t occupant_key(rules::Mark side) const;
  bool load_ai(rules::Mark side, const journal::v1::Seat& saved);

  std::array<Seat, 2> seats_;
  std::vector<const Player*> watchers_;
  std::vector<SeatRequest> seat_requests_;
  v1::Score score_;
  std::array<std::uint64_t, 2> score_of_{};  // occupant_key of the sides that the score is of
};

}  // namespace tictactoe::server
