// One room: two seats, watchers, and one game after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/base/deadlines.hpp"
#include "server/game/audience.hpp"
#include "server/game/room_game.hpp"
#include "server/game/room_settings.hpp"
#include "server/game/room_thinking.hpp"
#include "server/game/seats.hpp"
#include "server/limits/config.hpp"
#include "server/people/request_context.hpp"

namespace tictactoe::server {

/// The authority on one room. A request either succeeds or is refused. If it succeeds, the room
/// records what must last, announces the change to everybody in it with one RoomUpdate (the copy
/// for the client who asked has the request id), and increments the revision. Requests are those of
/// `context.player`. A call costs O(people in the room); a snapshot also O(moves).
class Room {
 public:
  /// `config` must outlive the room.
  Room(RoomSettings settings, const Config& config);

  /// Finds a player by id; null if there is none.
  using FindPlayer = std::function<const Player*(PlayerId)>;
  /// The room's entries in tables of its owner, which the room does not use.
  struct Listing {
    Deadlines::Place deadline;
    std::uint64_t waiting_since = 0;  ///< number of its opening; 0: not waiting
    std::uint64_t changed_at = 0;     ///< number of its last change; 0: in no log
    bool is_open = false;             ///< in the list of open rooms
  };
  Listing listing;

  /// Loads a saved room. The people on its seats are away, its clock stands as saved, and its
  /// revision is higher than any that was announced. Null if the saved room is invalid.
  static std::unique_ptr<Room> load(const journal::v1::SavedRoom& saved, const Config& config,
                                    const FindPlayer& find_player, Time now);

  /// Begins the first game from this position. Requires a new room.
  void begin_from(const StartPosition& position) { game_.begin_from(position); }

  const std::string& name() const { return settings_.name; }
  std::uint64_t serial() const { return settings_.serial; }
  PlayerId creator() const { return settings_.creator; }
  const std::optional<Origin>& origin() const { return settings_.origin; }
  std::uint64_t revision() const { return audience_.revision(); }
  /// Null if everybody may enter.
  const PasswordKey* password() const { return settings_.password.get(); }
  bool needs_password() const { return settings_.password != nullptr; }
  /// Whether others may see this room.
  bool is_listed() const { return !settings_.options.unlisted; }
  /// Whether Play may enter it, and others may see who is in it.
  bool is_public() const { return is_listed() && !needs_password(); }
  bool has_open_seat() const { return seats_.has_open_seat(); }
  /// Whether a person who joins gets a seat at once.
  bool has_seat_for_newcomer() const {
    return has_open_seat() ||
           (is_between_games() && yielding_seat(rules::Mark::none) != rules::Mark::none);
  }
  /// True if nobody watches or has a seat. AIs don't count.
  bool empty() const { return seats_.empty(); }
  /// True if somebody in the room is connected.
  bool is_inhabited() const { return !audience_.empty(); }
  const rules::Rules& rules() const { return settings_.rules; }
  int ply() const { return game_.ply(); }
  v1::Phase phase() const;
  /// True if both seats are taken and the game is not over.
  bool is_running() const { return phase() == v1::PHASE_PLAYING; }
  /// Whether the next player to sit down starts a new game instead of continuing one.
  bool is_between_games() const { return ply() == 0 || game_.is_over(); }
  /// `none` for watchers and for players who are not in this room.
  rules::Mark seat_of(const Player* player) const { return seats_.seat_of(player); }
  /// The people on seats, present or away.
  std::vector<PlayerId> seated() const { return seats_.seated(); }
  /// The watchers, in no particular order.
  const std::vector<const Player*>& watchers() const { return seats_.watchers(); }
  void describe_to(v1::RoomInfo& info, Time now) const;
  /// For the journal: everything except moves and chat.
  void describe_to(journal::v1::Room& out, Time now) const;
  /// Answers with a snapshot.
  void send_snapshot(const RequestContext& context) const;
  /// Answers with an error that contains a snapshot.
  void send_snapshot(const Problem& problem, const RequestContext& context) const;

  /// Seats a newcomer or a watcher of this room. `none` means the first open seat or, without one,
  /// that of an AI that yields it. If the AI yields it only after this game, the player watches
  /// until then. Answers with a snapshot.
  Refused sit(rules::Mark wanted, const RequestContext& context);
  /// Adds a watcher. Requires a player who is not in this room. Answers with a snapshot.
  Refused watch(const RequestContext& context);
  /// Removes a player from the room. The player gets only answers to open requests.
  void leave(const Player& player, const RequestContext& context);
  /// Removes and returns everybody in the room, and sends them nothing.
  std::vector<const Player*> dismiss(const RequestContext& context);
  /// A seated player has lost the connection. Holds the seat, see v1::AwayPolicy.
  void went_away(const Player& player, const RequestContext& context);
  /// Ends the hold of an absent player's seat early.
  void end_hold(const Player& player, const RequestContext& context);
  /// A seated player has a new connection. Sends it the updates after revision `seen` (0: saw
  /// none), or a snapshot if that is shorter or not all those updates are kept.
  void came_back(std::uint64_t seen, const RequestContext& context);

  Refused move(const v1::Move& move, const RequestContext& context);
  /// Whether the move names a position of this game in which the player made exactly this move.
  bool has_played(const v1::Move& move, const Player& player) const;
  Refused rematch(const RequestContext& context);
  Refused resign(const v1::Resign& request, const RequestContext& context);
  Refused offer_draw(const v1::OfferDraw& request, const RequestContext& context);
  Refused ask_takeback(const v1::AskTakeback& request, const RequestContext& context);
  Refused decline(const RequestContext& context);
  /// The level of this name if this game offers it, see server::parse_ai_level().
  Parsed<AiLevel> parse_ai_level(std::string_view name) const;
  Refused add_ai(rules::Mark wanted, const AiLevel& level, const RequestContext& context);
  Refused remove_ai(rules::Mark wanted, const RequestContext& context);
  Refused chat(const std::string& text, const RequestContext& context);
  /// The number of connected people in the room.
  std::size_t receivers() const { return audience_.size(); }
  /// Why `player` may not decide about AIs, rematches and invitations here.
  Refused not_allowed(const Player* player) const;
  /// Lets this player enter once without the password. Requires a player who is not in this room.
  void admit_once(const Player& guest);
  bool admits(const Player& player) const {
    return std::ranges::find(admitted_, player.id) != admitted_.end();
  }
  /// The number of hints that a connection waits for.
  std::size_t hints_of(ConnectionId connection) const {
    return thinking_ ? thinking_->hints_of(connection) : 0;
  }
  /// Asks for a hint, which is sent later.
  Refused hint(const RequestContext& context);

  /// When to call deadline_reached(); nothing if nothing is due.
  std::optional<Time> next_deadline() const;
  /// Does what is due. Returns the players who lost their seats.
  std::vector<PlayerId> deadline_reached(const RequestContext& context);
  /// The result of a Think of this room. Ignored if outdated.
  void thought(std::uint64_t number, const ThoughtResult& result, const RequestContext& context);
  /// Cancels all thoughts and frees the AI players. Called when a game ends, when the room closes,
  /// and when nobody in it is connected and no side is to move.
  void stop_thinking(Effects& effects) {
    if (thinking_) thinking_->release(effects);
  }
  /// Like stop_thinking(), but leaves hint requests unanswered: the room moves to another server,
  /// where the clients repeat them.
  void give_up(Effects& effects) {
    if (thinking_) thinking_->give_up(effects);
  }
  /// Stops the clocks until resume(), because nothing can be recorded.
  void pause(Time now);
  void resume(Time now);
  /// Records the clocks if one runs. Called before the server stops.
  void record_clocks(const RequestContext& context);
  /// Records everything except moves and chat.
  void record_room(const RequestContext& context);
  /// Records the moves with which the room began.
  void record_first_moves(const RequestContext& context) const;

 private:
  /// Whether the room is recorded together with an update.
  enum class Keep : std::uint8_t { nothing, room };

  rules::Mark to_move() const;
  /// Why `side` may not resign, offer or ask now. First ends the game if time has run out.
  template <class Request>
  Refused check_in_play(rules::Mark side, const Request& request, const RequestContext& context);
  void announce_hint(const RequestContext& context);
  /// Why `side` may not ask the other side again so soon.
  Refused not_asked_again(rules::Mark side, bool may_ask, const RequestContext& context) const;
  void describe_to(v1::RoomSnapshot& snapshot, const Player* viewer, Time now) const;
  void describe_clocks(Time now, v1::Clocks& out) const;
  void announce(v1::ServerMessage& message, const RequestContext& context, Keep keep);

  // Seats.
  void change_seat(rules::Mark side, const Seats::Seat& occupant, const RequestContext& context);
  /// Announces a change of a seat that has just been made. `before` is its former occupant.
  void announce_seat(rules::Mark side, const v1::Occupant& before, v1::ServerMessage& message,
                     const RequestContext& context);
  void announce_watcher(const std::string& name, bool joined, const RequestContext& context);
  /// Why this seat is not open.
  Refused no_seat(rules::Mark wanted) const;
  /// The seat of an AI that yields to a person who wants `wanted`; `none` if there is none.
  rules::Mark yielding_seat(rules::Mark wanted) const;
  Refused wait_for_seat(rules::Mark wanted, const RequestContext& context);
  /// Why this player can't become a watcher.
  Refused no_place_to_watch(const Player& player) const;
  bool waits_for_seat(const Player* player) const;
  /// The game is over: seats the people who wait for the seats of AIs. If both are people, they
  /// also ask for the next game.
  void seat_waiting(const RequestContext& context);
  void seat_newcomer(rules::Mark side, const Player& player, const RequestContext& context);
  Time away_until(rules::Mark side, Time now, bool stood_in) const;
  /// Shortens the holds of seats to what they would be if they began now.
  void shorten_holds(Time now);
  void load_hold(rules::Mark side, const journal::v1::Seat& saved, Time now);
  bool waits_after_restart(rules::Mark side, Time now) const;
  /// Ends an absence that has lasted too long. Returns whether the seat is now open.
  bool end_absence(rules::Mark side, const RequestContext& context);
  void lose_seat(rules::Mark side, const RequestContext& context);
  void free_ai_if_unneeded(Effects& effects);
  RoomThinking& thinking();

  // The game.
  Refused check_move(const v1::Move& move, rules::Mark side, const RequestContext& context);
  void play(const ai::Choice& choice, const RequestContext& context);
  void end(rules::Mark winner, v1::Outcome::Reason reason, const RequestContext& context);
  void conclude(v1::RoomUpdate& update, const RequestContext& context);
  void log_end(const v1::Outcome& outcome, const RequestContext& context) const;
  bool end_by_time(const RequestContext& context);
  void take_back(rules::Mark by, const RequestContext& context);
  void start_new_game(const RequestContext& context);
  /// A seat was taken. Begins the next game if the last one is over.
  void begin_if_over(const RequestContext& context);
  /// Sets the clock and the AI for the side to move. Called after changes of that side or of seats.
  void prepare_next_move(const RequestContext& context);
  void announce_declined(rules::Mark by, const RequestContext& context);

  RoomSettings settings_;
  const Config& config_;
  RoomGame game_;
  Seats seats_;
  Audience audience_;
  std::unique_ptr<RoomThinking> thinking_;  // null until an AI plays or a hint is asked for
  std::uint64_t recorded_revision_ = 0;
  std::vector<v1::ChatSaid> chat_;  // the latest lines
  std::vector<PlayerId> admitted_;  // invited players who have not come; the latest
  struct SeatWish {
    const Player* player;
    rules::Mark wanted;
  };
  std::vector<SeatWish> waiting_;  // watchers who get the seats of AIs after this game
  std::optional<Time>
      restart_until_;  // until then clocks wait for the people from before the restart
  std::optional<Time> paused_since_;
};

}  // namespace tictactoe::server
