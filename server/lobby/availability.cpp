#include "server/lobby/availability.hpp"

#include <chrono>
#include <string>

namespace tictactoe::server {

Refused Availability::cannot_record() const {
  if (journal_health != JournalHealth::stalled) return std::nullopt;
  constexpr std::chrono::milliseconds wait{1'000};
  return Problem{v1::Error::CODE_CANNOT_RECORD,
                 "The server can't record changes now, so nothing can be changed: try again in a "
                 "moment.",
                 wait};
}

Refused Availability::no_new_games() const {
  if (draining) {
    return problem(v1::Error::CODE_NO_NEW_GAMES,
                   "The server will stop soon. No new games can start.");
  }
  if (journal_health == JournalHealth::low_space) {
    return problem(v1::Error::CODE_NO_NEW_GAMES,
                   "The server's disk is nearly full. No new games can start until its owner frees "
                   "some space.");
  }
  return std::nullopt;
}

Refused Availability::cannot_change_now() const {
  if (auto refused = cannot_record()) return refused;
  return no_new_games();
}

Refused Availability::too_many_games(const RequestContext& context) const {
  if (!config_.keeps_records) return std::nullopt;
  const auto wait = Ledger::wait_for(context.peer->payers, Charge::games, 1, context.now);
  if (!wait) return std::nullopt;
  return Problem{v1::Error::CODE_RATE_LIMITED,
                 "You or others at your address have started too many games. Try again in " +
                     std::to_string(std::chrono::ceil<std::chrono::seconds>(*wait).count()) + " s.",
                 *wait};
}

Refused Availability::no_records() const {
  if (config_.keeps_records) return std::nullopt;
  return problem(v1::Error::CODE_NO_RECORDS, "This server keeps no records of games.");
}

}  // namespace tictactoe::server
