#include "server/limits/ledger.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "server/limits/shares.hpp"

namespace tictactoe::server {

// What may be spent and held ----------------------------------------------------------------------

Tariff::Tariff(const Limits& limits, std::uint32_t generation) : generation_(generation) {
  for (auto& max : max_) max.fill(std::numeric_limits<std::size_t>::max());

  const double rate = limits.requests_per_second;
  const double burst = limits.request_burst;
  constexpr double least_refusals = 20;  // in case the burst is small
  const double refusals = 2 * burst + least_refusals;
  set(Level::player, Charge::requests, rate, burst);
  set(Level::player, Charge::refusals, rate, refusals);
  const bool pays = rate > 0;
  const double invitations = pays ? limits.invitations_per_minute / 60.0 : 0;
  const auto set_chat = [&](Level level, double share) {
    if (!pays) return;
    set(level, Charge::chat, share * limits.chat_receivers_per_second,
        share * limits.chat_receivers_burst);
  };
  set_chat(Level::room, 1);
  set_chat(Level::player, share_of_player);
  set(Level::player, Charge::inviting, invitations, limits.invitation_burst);
  const double games = pays ? limits.games_per_minute / 60.0 : 0;
  set(Level::player, Charge::games, games, limits.game_burst);
  if (!limits.limits_addresses()) return;

  const double rates = limits.address_rates;
  const double bursts = limits.address_bursts;
  set(Level::address, Charge::requests, rates * rate, bursts * burst);
  set(Level::address, Charge::refusals, rates * rate, bursts * refusals);
  set(Level::address, Charge::inviting, rates * invitations, bursts * limits.invitation_burst);
  set(Level::address, Charge::newcomers, limits.newcomers_per_minute / 60.0, limits.newcomer_burst);
  set(Level::address, Charge::games, rates * games, bursts * limits.game_burst);
  set(Level::address, Charge::handshakes, limits.handshakes_per_second, limits.handshake_burst);
  set(Level::address, Holding::connections, limits.connections_per_address);
  set(Level::address, Holding::pending, limits.pending_per_address);
  set(Level::address, Holding::rooms, limits.rooms_per_address);
  set(Level::address, Holding::large_boards, limits.large_boards_per_address);
  set(Level::address, Holding::absences, limits.absences_per_address);
  set(Level::address, Holding::look_ups, limits.look_ups_per_address);

  set_chat(Level::address, share_of_address);
  set_chat(Level::network, share_of_network);
  const double wider = limits.network_factor;
  set(Level::network, Charge::requests, wider * rates * rate, wider * bursts * burst);
  // Not more than for an address: many of them are refused only in a flood of the whole network.
  set(Level::network, Charge::refusals, rates * rate, bursts * refusals);
  set(Level::network, Charge::newcomers, wider * limits.newcomers_per_minute / 60.0,
      wider * limits.newcomer_burst);
  set(Level::network, Charge::games, wider * rates * games, wider * bursts * limits.game_burst);
  set(Level::network, Charge::handshakes, wider * limits.handshakes_per_second,
      wider * limits.handshake_burst);
  set(Level::network, Holding::connections, limits.network_factor * limits.connections_per_address);
  set(Level::network, Holding::pending, limits.network_factor * limits.pending_per_address);
  set(Level::network, Holding::rooms, limits.network_factor * limits.rooms_per_address);
  set(Level::network, Holding::large_boards,
      limits.network_factor * limits.large_boards_per_address);
  set(Level::network, Holding::absences, limits.network_factor * limits.absences_per_address);
  set(Level::network, Holding::look_ups, limits.look_ups_per_network);
}

void Tariff::set(Level level, Charge charge, double per_second, double burst) {
  if (per_second == 0) return;
  rates_[static_cast<std::size_t>(level)][static_cast<std::size_t>(charge)] = {per_second, burst};
}

void Tariff::set(Level level, Holding holding, std::size_t max) {
  max_[static_cast<std::size_t>(level)][static_cast<std::size_t>(holding)] = max;
}

// One payer ---------------------------------------------------------------------------------------

Payer::Payer(Level level, std::uint64_t id, const Tariff& tariff, Time now)
    : level_(level),
      generation_(tariff.generation()),
      id_(id),
      tariff_(tariff),
      buckets_{TokenBucket(tariff.rate(level, Charge::requests), now),
               TokenBucket(tariff.rate(level, Charge::refusals), now),
               TokenBucket(tariff.rate(level, Charge::newcomers), now),
               TokenBucket(tariff.rate(level, Charge::chat), now),
               TokenBucket(tariff.rate(level, Charge::inviting), now),
               TokenBucket(tariff.rate(level, Charge::games), now),
               TokenBucket(tariff.rate(level, Charge::handshakes), now)} {}

void Payer::follow_tariff() {
  generation_ = tariff_.generation();
  for (std::size_t i = 0; i < charges; ++i) {
    buckets_.at(i).change(rate(static_cast<Charge>(i)));
  }
}

bool Payer::is_as_new(Time now) const {
  if (all_held_ > 0) return false;
  for (std::size_t i = 0; i < charges; ++i) {
    if (!buckets_.at(i).is_full(rate(static_cast<Charge>(i)), now)) return false;
  }
  return true;
}

// All payers --------------------------------------------------------------------------------------

Payer& Ledger::of(Level level, std::uint64_t id, Time now) {
  if (const auto found = payers_.find({level, id}); found != payers_.end()) {
    Payer& payer = found->second;
    if (payer.all_held_ == 0) idle_.splice(idle_.end(), idle_, payer.idle_place_);
    return payer;
  }
  forget_idle(now);
  Payer& payer = payers_
                     .emplace(std::piecewise_construct, std::forward_as_tuple(Key{level, id}),
                              std::forward_as_tuple(level, id, tariff_, now))
                     .first->second;
  payer.idle_place_ = idle_.insert(idle_.end(), &payer);
  return payer;
}

Payers Ledger::hold(Origin origin, Holding holding, Time now) {
  Payers payers;
  payers.address = &of(Level::address, origin.address, now);
  hold(*payers.address, holding);
  payers.network = &of(Level::network, origin.network, now);
  hold(*payers.network, holding);
  return payers;
}

// Two for each new one, so that their number soon falls to what it can be.
void Ledger::forget_idle(Time now) {
  constexpr int max_at_once = 2;
  for (int i = 0; i < max_at_once && !idle_.empty(); ++i) {
    const Payer& longest = *idle_.front();
    if (idle_.size() < limits_.idle_payers && !longest.is_as_new(now)) return;
    erase(longest);
  }
}

void Ledger::erase(const Payer& payer) {
  idle_.erase(payer.idle_place_);
  payers_.erase({payer.level_, payer.id_});
}

std::optional<std::chrono::milliseconds> Ledger::spend(const Payers& payers, Charge charge,
                                                       double cost, Time now) {
  const Payer* const lacking = payers.find(
      [&](Payer& payer) { return !payer.bucket(charge).take(payer.rate(charge), cost, now); });
  if (lacking == nullptr) return std::nullopt;
  payers.find([&](Payer& payer) {
    if (&payer == lacking) return true;
    payer.bucket(charge).give_back(payer.rate(charge), cost);
    return false;
  });
  return wait_for(payers, charge, cost, now);
}

std::optional<std::chrono::milliseconds> Ledger::wait_for(const Payers& payers, Charge charge,
                                                          double cost, Time now) {
  std::optional<std::chrono::milliseconds> longest;
  payers.for_each([&](Payer& payer) {
    const TokenBucket& bucket = payer.bucket(charge);
    const Rate& rate = payer.rate(charge);
    if (bucket.has(rate, cost, now)) return;
    const auto wait = bucket.wait_for(rate, cost, now);
    longest = std::max(longest.value_or(wait), wait);
  });
  return longest;
}

void Ledger::charge(const Payers& payers, Charge charge, double cost, Time now) {
  payers.for_each(
      [&](Payer& payer) { payer.bucket(charge).charge(payer.rate(charge), cost, now); });
}

void Ledger::give_back(const Payers& payers, Charge charge, double cost) {
  payers.for_each([&](Payer& payer) { payer.bucket(charge).give_back(payer.rate(charge), cost); });
}

const Payer* Ledger::full(const Payers& payers, Holding holding) const {
  return payers.find([&](const Payer& payer) { return is_full(payer, holding); });
}

const Payer* Ledger::over(const Payers& payers, Holding holding) const {
  return payers.find([&](const Payer& payer) {
    return payer.held(holding) > tariff_.max(payer.level(), holding);
  });
}

void Ledger::hold(Payer& payer, Holding holding) {
  ++payer.count(holding);
  if (payer.all_held_++ == 0) idle_.erase(payer.idle_place_);
}

void Ledger::hold(const Payers& payers, Holding holding) {
  payers.for_each([&](Payer& payer) { hold(payer, holding); });
}

void Ledger::release(Payer& payer, Holding holding) {
  assert(payer.held(holding) > 0);
  --payer.count(holding);
  if (--payer.all_held_ == 0) payer.idle_place_ = idle_.insert(idle_.end(), &payer);
}

void Ledger::release(const Payers& payers, Holding holding) {
  payers.for_each([&](Payer& payer) { release(payer, holding); });
}

void Ledger::release(Origin origin, Holding holding, Time now) {
  release(of(Level::address, origin.address, now), holding);
  release(of(Level::network, origin.network, now), holding);
}

}  // namespace tictactoe::server
