// Whether the server can record changes and begin games now.
#pragma once

#include <cstdint>
#include <optional>

#include "server/limits/config.hpp"
#include "server/limits/ledger.hpp"
#include "server/limits/parse.hpp"
#include "server/people/connections.hpp"
#include "server/people/request_context.hpp"
#include "server/room/room.hpp"

namespace tictactoe::server {

enum class JournalHealth : std::uint8_t {
  good,
  low_space,  ///< little space is left: games continue, but none begins
  stalled,    ///< nothing can be recorded: changes are refused
};

/// Says why a request must be refused, whatever it asks for. All operations cost O(1).
class Availability {
 public:
  /// `config` must outlive it.
  explicit Availability(const Config& config) : config_(config) {}

  /// Refuses every change while nothing can be recorded.
  Refused cannot_record() const;
  /// Refuses new games when the server is about to end or has little space left.
  Refused no_new_games() const;
  /// Both of the above. Checked again when the directory has answered, as an accepted request may
  /// have to be refused by then.
  Refused cannot_change_now() const;
  /// Refuses to look up finished games on a server that does not record them.
  Refused no_records() const;
  /// Limits how many games the client of this request begins, as each leaves a record.
  Refused too_many_games(const RequestContext& context) const;

  /// too_many_games(), if a change may begin a game in this room.
  Refused cannot_begin_game(const RequestContext& context, const Room& room) const {
    return room.state().is_between_games() ? too_many_games(context) : std::nullopt;
  }
  /// Makes a change that may begin a game in this room. If so, charges the client for the game.
  template <class Change>
  Refused begin_game(const RequestContext& context, const Room& room, Change change) const {
    if (!room.state().is_between_games()) return change();
    if (auto refused = cannot_begin_game(context, room)) return refused;
    Refused refused = change();
    if (!refused && room.state().is_running() && config_.keeps_records) {
      Ledger::charge(context.peer->payers, Charge::games, 1, context.now);
    }
    return refused;
  }

  JournalHealth journal_health = JournalHealth::good;
  bool draining = false;  ///< no game begins any more

 private:
  const Config& config_;
};

}  // namespace tictactoe::server
