// One room: two seats, watchers, and one game after the other.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/ai/player.hpp"
#include "common/rules/game.hpp"
#include "server/core/config.hpp"
#include "server/core/effects.hpp"
#include "server/core/parse.hpp"

namespace tictactoe::core {

/// Somebody with a connection, in a seat or watching.
struct Person {
  ConnectionId connection;
  std::string name;
};

/// A request of a connection: what the answer is sent to.
struct Asker {
  ConnectionId connection;
  std::uint64_t request_id = 0;
};

/// What a room calls done: nothing, or why not. A refused request left the room as it was and has
/// sent nothing.
using Refused = std::optional<Problem>;

struct RoomSettings {
  std::string name;
  rules::Rules rules;
  std::string password;  ///< empty: everybody may enter
  /// Number of the room on this server, never used again.
  std::uint64_t serial = 0;
  std::uint64_t seed = 0;  ///< of what its AIs draw
};

/// The authority on one room. Each request either succeeds, tells everybody in the room by one
/// RoomUpdate (the asker's carries the request id) and counts the revision up, or is refused.
/// Costs O(people in the room) a call, plus what an AI takes for its choice (see ai::Player).
class Room {
 public:
  /// `config` must outlive the room.
  Room(RoomSettings settings, const Config& config);

  const std::string& name() const { return settings_.name; }
  std::uint64_t serial() const { return settings_.serial; }
  bool needs_password() const { return !settings_.password.empty(); }
  /// A room without a password opens with any.
  bool opens_with(std::string_view password) const;
  bool has_open_seat() const;
  /// Nobody is left in it, whatever AIs there are.
  bool empty() const;
  /// The seat of that person; `none` for one who watches or is not here.
  rules::Mark seat_of(ConnectionId person) const;
  void describe_to(v1::RoomInfo& info) const;
  /// Sends all there is to know to somebody who is in the room. O(plies).
  void send_snapshot(Asker to, Effects& effects) const;

  /// Takes a seat (`none`: whichever is open, X first); for a newcomer, or for one who watches
  /// here. Answered by a snapshot.
  Refused sit(const Person& person, rules::Mark wanted, Asker asker, Time now, Effects& effects);
  /// For a newcomer. Answered by a snapshot.
  Refused watch(const Person& person, Asker asker, Effects& effects);
  /// Takes somebody out of the room; a seat falls open. Sends them nothing.
  void leave(ConnectionId person, Time now, Effects& effects);

  Refused move(const v1::Move& move, Asker asker, Time now, Effects& effects);
  Refused rematch(Asker asker, Time now, Effects& effects);
  Refused add_ai(rules::Mark wanted, ai::Level level, Asker asker, Time now, Effects& effects);
  Refused remove_ai(rules::Mark wanted, Asker asker, Time now, Effects& effects);
  Refused chat(const std::string& text, Asker asker, Effects& effects);
  Refused hint(Asker asker, Effects& effects);

  /// When an AI of this room wants to play; nothing while it is not its turn.
  std::optional<Time> ai_due() const { return ai_due_; }
  /// The time of ai_due has come: the AI plays, or begins to think where that takes long.
  void play_ai(Time now, Effects& effects);
  /// What an AI has thought of. Dropped where nobody waits for it any more.
  void thought(std::uint64_t number, ai::Choice choice, Time now, Effects& effects);
  /// Calls back what an AI is thinking about, if it is: the room is about to close.
  void stop_thinking(Effects& effects);

 private:
  struct Seat {
    v1::Occupant::Kind kind = v1::Occupant::KIND_OPEN;
    Person person;                           // with KIND_PERSON
    ai::Level level = ai::Level::suggester;  // with KIND_AI
    bool wants_rematch = false;
  };
  static constexpr std::array<rules::Mark, 2> both_sides{rules::Mark::x, rules::Mark::o};

  Seat& seat(rules::Mark side) { return seats_[side == rules::Mark::x ? 0 : 1]; }
  const Seat& seat(rules::Mark side) const { return seats_[side == rules::Mark::x ? 0 : 1]; }
  bool is_open(rules::Mark side) const { return seat(side).kind == v1::Occupant::KIND_OPEN; }
  bool has_ai(rules::Mark side) const { return seat(side).kind == v1::Occupant::KIND_AI; }
  bool has_seated_person() const;
  v1::Phase phase() const;
  rules::Mark turn() const;
  const Person* find(ConnectionId person) const;
  /// Why `asker` may not decide about AIs and rematches here; nothing where they may.
  Refused not_allowed(ConnectionId asker) const;
  static void describe_seat(const Seat& seat, v1::Occupant& out);

  void announce(v1::ServerMessage& message, Effects& effects, Asker asker = {},
                ConnectionId but_not = {});
  void change_seat(rules::Mark side, Seat occupant, Effects& effects, Asker asker = {},
                   ConnectionId but_not = {});
  void announce_watcher(const std::string& name, bool joined, Effects& effects,
                        ConnectionId but_not = {});
  void remove_watcher(ConnectionId person);
  void play(ai::Choice choice, Asker asker, Effects& effects);
  void start_new_game(Effects& effects, Asker asker = {}, ConnectionId but_not = {});
  /// A seat was filled: where the last game is over, the newcomer's game begins.
  void begin_if_over(Effects& effects, ConnectionId but_not = {});
  /// After anything that may have changed whose turn it is, or who sits there.
  void schedule_ai(Time now, Effects& effects);
  /// The mind of that level, which has followed the game so far.
  ai::Player& mind(ai::Level level);

  RoomSettings settings_;
  const Config& config_;
  rules::Game game_;
  std::uint32_t game_number_ = 1;
  std::uint64_t revision_ = 0;
  std::array<Seat, 2> seats_;
  std::vector<Person> watchers_;
  std::optional<Time> ai_due_;
  // One a level, made when first needed in a game; serves both seats and hints. While one thinks it
  // belongs to whoever lets it.
  std::array<std::shared_ptr<ai::Player>, std::size(ai_levels)> minds_;
  struct Thinking {
    std::uint64_t number;
    ai::Level level;
  };
  std::optional<Thinking> thinking_;
  std::uint64_t thoughts_ = 0;
};

}  // namespace tictactoe::core
