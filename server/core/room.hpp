// One room: two seats, watchers, and one game after the other.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/ai/player.hpp"
#include "common/rules/game.hpp"
#include "server/core/config.hpp"
#include "server/core/deadlines.hpp"
#include "server/core/effects.hpp"
#include "server/core/game_clock.hpp"
#include "server/core/kept_updates.hpp"
#include "server/core/parse.hpp"
#include "server/core/players.hpp"
#include "server/core/request_context.hpp"

namespace tictactoe::core {

/// What a room calls done: nothing, or why not. A refused request left the room as it was and has
/// sent nothing.
using Refused = std::optional<Problem>;

struct RoomSettings {
  std::string name;
  rules::Rules rules;
  RoomOptions options;
  std::string password_digest;  ///< salted with `seed`; empty: everybody may enter
  /// Number of the room on this server, never used again while it runs.
  std::uint64_t serial = 0;
  std::uint64_t seed = 0;  ///< of what its AIs draw
  PlayerId creator = 0;
  std::uint64_t revision = 0;  ///< that it begins with
};

/// The authority on one room. Each request either succeeds, writes down what must last, tells
/// everybody in the room by one RoomUpdate (the asker's carries the request id) and counts the
/// revision up, or is refused. Costs O(people in the room) a context, plus what an AI takes for its
/// choice (see ai::Player).
class Room {
 public:
  /// `config` must outlive the room.
  Room(RoomSettings settings, const Config& config);

  /// Finds a player of a journal; null where there is none.
  using FindPlayer = std::function<const Player*(PlayerId)>;
  /// Where the host and the lobby find this room again among theirs. The room itself has no use for
  /// it.
  struct Listing {
    Deadlines::Place deadline;
    std::uint64_t waiting_since = 0;  ///< number of its opening; 0: it is not waiting
    std::uint64_t changed_at = 0;     ///< number of its last change; 0: it is in no log
  };
  Listing listing;

  /// A room as a journal has it: who sat there is away, its clock goes on from `now`, and its
  /// revision is one that nobody has seen. Null where the parts make no sense.
  static std::unique_ptr<Room> restore(const journal::v1::SavedRoom& saved, const Config& config,
                                       const FindPlayer& find_player, Time now);

  const std::string& name() const { return settings_.name; }
  std::uint64_t serial() const { return settings_.serial; }
  PlayerId creator() const { return settings_.creator; }
  std::uint64_t revision() const { return revision_; }
  bool needs_password() const { return !settings_.password_digest.empty(); }
  /// A room without a password opens with any.
  bool opens_with(std::string_view password) const;
  bool has_open_seat() const;
  /// Nobody is left who watches or has a seat, whatever AIs there are.
  bool empty() const;
  /// Somebody in it has a connection.
  bool is_inhabited() const;
  const rules::Rules& rules() const { return settings_.rules; }
  int ply() const { return game_.ply(); }
  /// A game goes on that would be lost if the server ended.
  bool is_running() const { return phase() == v1::PHASE_PLAYING && ply() > 0; }
  /// Whether the next who takes a seat begins a new game, rather than going on with one.
  bool is_between_games() const { return ply() == 0 || phase() == v1::PHASE_FINISHED; }
  /// The seat of that player; `none` for one who watches or is not here.
  rules::Mark seat_of(const Player* player) const;
  void describe_to(v1::RoomInfo& info, Time now) const;
  /// All there is to know, as `viewer` may see it. O(plies).
  void describe_to(v1::RoomSnapshot& snapshot, const Player* viewer, Time now) const;
  /// The same sent to the asker.
  void send_snapshot(const RequestContext& context) const;
  /// Everybody who sits here, away or not.
  std::vector<PlayerId> seated() const;
  /// Everybody who watches, in no order.
  const std::vector<const Player*>& watchers() const { return watchers_; }

  /// Takes a seat (`none`: whichever is open, X first); for a newcomer, or for one who watches
  /// here. Answered by a snapshot.
  Refused sit(const Player& player, rules::Mark wanted, const RequestContext& context);
  /// For a newcomer. Answered by a snapshot.
  Refused watch(const Player& player, const RequestContext& context);
  /// Takes somebody out of the room; a seat falls open. Sends them nothing.
  void leave(const Player& player, const RequestContext& context);
  /// The connection of somebody who sits here is lost: the seat is held, see v1::AwayPolicy.
  void went_away(const Player& player, const RequestContext& context);
  /// They have another connection. They are sent what they missed since revision `seen` (0:
  /// nothing was seen), or a snapshot where that is shorter or something is missing.
  void came_back(const Player& player, std::uint64_t seen, const RequestContext& context);

  Refused move(const v1::Move& move, const RequestContext& context);
  /// Whether that move names a position of this game in which the player has played just that.
  bool has_played(const v1::Move& move, const Player& player) const;
  Refused rematch(const RequestContext& context);
  Refused resign(const v1::Resign& request, const RequestContext& context);
  Refused offer_draw(const v1::OfferDraw& request, const RequestContext& context);
  Refused ask_takeback(const v1::AskTakeback& request, const RequestContext& context);
  Refused decline(const RequestContext& context);
  Refused add_ai(rules::Mark wanted, ai::Level level, const RequestContext& context);
  Refused remove_ai(rules::Mark wanted, const RequestContext& context);
  Refused chat(const std::string& text, const RequestContext& context);
  Refused hint(const RequestContext& context);

  /// When something is due here: an AI wants to play, a clock runs out, or somebody has been away
  /// for long.
  std::optional<Time> next_deadline() const;
  /// Does what is due. Returns the players who have lost their seats by that.
  std::vector<PlayerId> deadline_reached(const RequestContext& context);
  /// What an AI has thought of. Dropped where nobody waits for it any more.
  void thought(std::uint64_t number, ai::Choice choice, const RequestContext& context);
  /// Calls back what an AI is thinking about, if it is: the room is about to close.
  void stop_thinking(Effects& effects);
  /// For so long nothing could be written down, and so nothing done: it counts for nobody.
  void stood_still(Time::duration time, Time now);
  /// Writes down how the clocks stand: the server is about to end.
  void record_clocks(const RequestContext& context);
  /// Writes down all but moves and chat.
  void record_room(const RequestContext& context);

 private:
  struct Seat {
    v1::Occupant::Kind kind = v1::Occupant::KIND_OPEN;
    const Player* player = nullptr;          // with KIND_PERSON
    ai::Level level = ai::Level::suggester;  // with KIND_AI
    bool wants_rematch = false;
    // While a person is away: when that has consequences, and whether an AI plays for them.
    std::optional<Time> away_until = {};  // NOLINT(readability-redundant-member-init)
    bool stood_in = false;
  };
  static constexpr std::array<rules::Mark, 2> both_sides{rules::Mark::x, rules::Mark::o};
  /// Whether an update is worth a record of the room beside it.
  enum class Keep : std::uint8_t { nothing, room };

  static std::size_t index(rules::Mark side) { return side == rules::Mark::x ? 0 : 1; }
  Seat& seat(rules::Mark side) { return seats_[index(side)]; }
  const Seat& seat(rules::Mark side) const { return seats_[index(side)]; }
  bool is_open(rules::Mark side) const { return seat(side).kind == v1::Occupant::KIND_OPEN; }
  bool has_ai(rules::Mark side) const { return seat(side).kind == v1::Occupant::KIND_AI; }
  bool has_person(rules::Mark side) const { return seat(side).kind == v1::Occupant::KIND_PERSON; }
  bool ai_plays(rules::Mark side) const { return has_ai(side) || seat(side).stood_in; }
  bool has_seated_person() const;
  /// Tells one occupant from another, whatever they are called.
  std::uint64_t occupant_key(rules::Mark side) const;
  v1::Phase phase() const;
  rules::Mark turn() const;
  /// Why `player` may not decide about AIs and rematches here; nothing where they may.
  Refused not_allowed(const Player* player) const;
  /// Why that side can't resign, offer or ask just now.
  template <class Request>
  Refused not_in_play(rules::Mark side, const Request& request, const RequestContext& context);
  void describe_seat(rules::Mark side, Time now, v1::Occupant& out) const;
  void describe_outcome(v1::Outcome& out) const;
  void describe_clocks(Time now, v1::Clocks& out) const;

  // Telling and writing down.
  void announce(v1::ServerMessage& message, const RequestContext& context, Keep keep,
                const Player* but_not = nullptr);
  /// True, and sent, where all updates after `seen` are at hand and not longer than a snapshot.
  bool send_missed(std::uint64_t seen, std::size_t snapshot_bytes,
                   const RequestContext& context) const;
  void record_game(const RequestContext& context) const;
  static bool restore_moves(Room& room, const journal::v1::SavedRoom& saved);
  bool restore_seat(rules::Mark side, const journal::v1::Seat& saved,
                    const FindPlayer& find_player);

  // Seats.
  void change_seat(rules::Mark side, Seat occupant, const RequestContext& context,
                   const Player* but_not = nullptr);
  /// Tells of a change that was made to the seat, once `before` describes it as it was.
  void announce_seat(rules::Mark side, const v1::Occupant& before, v1::ServerMessage& message,
                     const RequestContext& context, const Player* but_not = nullptr);
  void announce_watcher(const std::string& name, bool joined, const RequestContext& context,
                        const Player* but_not = nullptr);
  void remove_watcher(const Player& player);
  Time away_until(Time now, bool stood_in) const;
  bool waits_after_restart(rules::Mark side, Time now) const;
  std::optional<Time> away_due() const;
  /// One who sits there has been away for as long as the room waits. True where the seat is open
  /// now.
  bool away_for_too_long(rules::Mark side, const RequestContext& context);

  // The game.
  void play(ai::Choice choice, const RequestContext& context);
  void end(rules::Mark winner, v1::Outcome::Reason reason, const RequestContext& context);
  void conclude(v1::RoomUpdate& update, const RequestContext& context);
  bool end_by_time(const RequestContext& context);
  void take_back(rules::Mark by, const RequestContext& context);
  int plies_to_take_back(rules::Mark side) const;
  void start_new_game(const RequestContext& context, const Player* but_not = nullptr);
  /// A seat was filled: where the last game is over, the newcomer's game begins.
  void begin_if_over(const RequestContext& context, const Player* but_not = nullptr);
  /// After anything that may have changed whose turn it is, or who sits there: clock and AI.
  void go_on(const RequestContext& context);
  void play_ai(const RequestContext& context);
  /// The mind of that level, which has followed the game so far.
  ai::Player& mind(ai::Level level);

  RoomSettings settings_;
  const Config& config_;
  rules::Game game_;
  std::uint32_t game_number_ = 1;
  std::vector<std::uint32_t> move_ms_;  // time that each move of this game took
  std::optional<v1::Outcome> end_;      // of a game that did not end by a move
  GameClock clock_;
  std::optional<Time> restart_until_;  // while the clock waits for those who were there before
  rules::Mark draw_offered_by_ = rules::Mark::none;
  rules::Mark takeback_asked_by_ = rules::Mark::none;
  v1::Score score_;
  std::array<std::uint64_t, 2> met_{};  // whom the score is of, by occupant_key

  std::uint64_t revision_ = 0;
  std::uint64_t recorded_revision_ = 0;
  KeptUpdates kept_;
  std::vector<v1::ChatSaid> chat_;  // the latest lines

  std::array<Seat, 2> seats_;
  std::vector<const Player*> watchers_;
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
