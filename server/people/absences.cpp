#include "server/people/absences.hpp"

namespace tictactoe::server {

namespace {

Origin origin_of(const Payers& payers) {
  return {payers.address->id(), payers.network->id()};
}

}  // namespace

void Absences::begin(const Player& player, Time now) {
  if (!player.origin || absences_.contains(player.id)) return;
  const Payers payers = ledger_.hold(*player.origin, Holding::absences, now);
  absences_.emplace(player.id, Absence{payers, by_origin_.push(*player.origin, player.id)});
}

void Absences::end(PlayerId player) {
  const auto found = absences_.find(player);
  if (found == absences_.end()) return;
  const Absence& absence = found->second;
  by_origin_.erase(origin_of(absence.payers), absence.number);
  ledger_.release(absence.payers, Holding::absences);
  absences_.erase(found);
}

PlayerId Absences::one_too_many(PlayerId player) const {
  const auto found = absences_.find(player);
  if (found == absences_.end()) return 0;
  const Payers& payers = found->second.payers;
  const Payer* over = ledger_.over(payers, Holding::absences);
  if (over == nullptr) return 0;
  const Origin own = origin_of(payers);
  if (over->kind() == PayerKind::address) return by_origin_.first(own);
  const Origin heaviest = by_origin_.heaviest_in(own.network);
  const std::size_t most = by_origin_.weight_of(heaviest);
  if (most <= guaranteed_ || most <= by_origin_.weight_of(own)) return player;
  return by_origin_.first(heaviest);
}

}  // namespace tictactoe::server
