#include "server/core/absences.hpp"

namespace tictactoe::core {

void Absences::begin(const Player& player, Time now) {
  if (!player.origin || absences_.contains(player.id)) return;
  const Absence absence{accounts_.hold(*player.origin, Holding::absences, now), ++last_};
  absences_.emplace(player.id, absence);
  by_payer_.emplace(absence.payers.address, absence.number, player.id);
  by_payer_.emplace(absence.payers.network, absence.number, player.id);
}

void Absences::end(PlayerId player) {
  const auto found = absences_.find(player);
  if (found == absences_.end()) return;
  const Absence& absence = found->second;
  by_payer_.erase({absence.payers.address, absence.number, player});
  by_payer_.erase({absence.payers.network, absence.number, player});
  accounts_.release(absence.payers, Holding::absences);
  absences_.erase(found);
}

PlayerId Absences::one_too_many(PlayerId player) const {
  const auto found = absences_.find(player);
  if (found == absences_.end()) return 0;
  const Payers& payers = found->second.payers;
  const Account* over = accounts_.over(payers, Holding::absences);
  if (over == nullptr) return 0;
  if (over->level() == Level::network) {
    over = address_with_most(*over);
    const std::size_t most = over->held(Holding::absences);
    if (most <= most_that_stay_ || most <= payers.address->held(Holding::absences)) return player;
  }
  return std::get<2>(*by_payer_.lower_bound({over, 0, 0}));
}

const Account* Absences::address_with_most(const Account& network) const {
  const Account* most = nullptr;
  for (auto next = by_payer_.lower_bound({&network, 0, 0});
       next != by_payer_.end() && std::get<0>(*next) == &network; ++next) {
    const Account* address = absences_.at(std::get<2>(*next)).payers.address;
    if (most == nullptr || address->held(Holding::absences) > most->held(Holding::absences)) {
      most = address;
    }
  }
  return most;
}

}  // namespace tictactoe::core
