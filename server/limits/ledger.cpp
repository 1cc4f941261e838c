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
  constexpr double min_refusals = 20;  // in case the burst is small
  const double refusals = 2 * burst + min_refusals;
  set(PayerKind::player, Charge::requests, rate, burst);
  set(PayerKind::player, Charge::refusals, rate, refusals);
  const bool pays = rate > 0;
  const double invitations = pays ? limits.invitations_per_minute / 60.0 : 0;
  const auto set_chat = [&](PayerKind kind, double share) {
    if (!pays) return;
    set(kind, Charge::chat, share * limits.chat_receivers_per_second,
        share * limits.chat_receivers_burst);
  };
  set_chat(PayerKind::room, 1);
  set_chat(PayerKind::player, share_of_player);
  set(PayerKind::player, Charge::inviting, invitations, limits.invitation_burst);
  const double games = pays ? limits.games_per_minute / 60.0 : 0;
  set(PayerKind::player, Charge::games, games, limits.game_burst);
  if (!limits.limits_addresses()) return;

  const double rates = limits.address_rates;
  const double bursts = limits.address_bursts;
  set(PayerKind::address, Charge::requests, rates * rate, bursts * burst);
  set(PayerKind::address, Charge::refusals, rates * rate, bursts * refusals);
  set(PayerKind::address, Charge::inviting, rates * invitations, bursts * limits.invitation_burst);
  set(PayerKind::address, Charge::newcomers, limits.newcomers_per_minute / 60.0,
      limits.newcomer_burst);
  set(PayerKind::address, Charge::games, rates * games, bursts * limits.game_burst);
  set(PayerKind::address, Charge::handshakes, limits.handshakes_per_second, limits.handshake_burst);
  set(PayerKind::address, Holding::connections, limits.connections_per_address);
  set(PayerKind::address, Holding::pending, limits.pending_per_address);
  set(PayerKind::address, Holding::rooms, limits.rooms_per_address);
  set(PayerKind::address, Holding::large_boards, limits.large_boards_per_address);
  set(PayerKind::address, Holding::absences, limits.absences_per_address);
  set(PayerKind::address, Holding::look_ups, limits.look_ups_per_address);

  set_chat(PayerKind::address, share_of_address);
  set_chat(PayerKind::network, share_of_network);
  const double wider = limits.network_factor;
  set(PayerKind::network, Charge::requests, wider * rates * rate, wider * bursts * burst);
  // The same as for an address: many are refused only if the whole network floods the server.
  set(PayerKind::network, Charge::refusals, rates * rate, bursts * refusals);
  set(PayerKind::network, Charge::newcomers, wider * limits.newcomers_per_minute / 60.0,
      wider * limits.newcomer_burst);
  set(PayerKind::network, Charge::games, wider * rates * games, wider * bursts * limits.game_burst);
  set(PayerKind::network, Charge::handshakes, wider * limits.handshakes_per_second,
      wider * limits.handshake_burst);
  set(PayerKind::network, Holding::connections,
      limits.network_factor * limits.connections_per_address);
  set(PayerKind::network, Holding::pending, limits.network_factor * limits.pending_per_address);
  set(PayerKind::network, Holding::rooms, limits.network_factor * limits.rooms_per_address);
  set(PayerKind::network, Holding::large_boards,
      limits.network_factor * limits.large_boards_per_address);
  set(PayerKind::network, Holding::absences, limits.network_factor * limits.absences_per_address);
  set(PayerKind::network, Holding::look_ups, limits.look_ups_per_network);
}

void Tariff::set(PayerKind kind, Charge charge, double per_second, double burst) {
  if (per_second == 0) return;
  rates_[static_cast<std::size_t>(kind)][static_cast<std::size_t>(charge)] = {per_second, burst};
}

void Tariff::set(PayerKind kind, Holding holding, std::size_t max) {
  max_[static_cast<std::size_t>(kind)][static_cast<std::size_t>(holding)] = max;
}

// One payer ---------------------------------------------------------------------------------------

Payer::Payer(PayerKind kind, std::uint64_t id, const Tariff& tariff, Time now)
    : kind_(kind),
      generation_(tariff.generation()),
      id_(id),
      tariff_(tariff),
      buckets_{TokenBucket(tariff.rate(kind, Charge::requests), now),
               TokenBucket(tariff.rate(kind, Charge::refusals), now),
               TokenBucket(tariff.rate(kind, Charge::newcomers), now),
               TokenBucket(tariff.rate(kind, Charge::chat), now),
               TokenBucket(tariff.rate(kind, Charge::inviting), now),
               TokenBucket(tariff.rate(kind, Charge::games), now),
               TokenBucket(tariff.rate(kind, Charge::handshakes), now)} {}

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

Payer& Ledger::of(PayerKind kind, std::uint64_t id, Time now) {
  if (const auto found = payers_.find({kind, id}); found != payers_.end()) {
    Payer& payer = found->second;
    if (payer.all_held_ == 0) idle_.splice(idle_.end(), idle_, payer.idle_place_);
    return payer;
  }
  forget_idle(now);
  Payer& payer = payers_
                     .emplace(std::piecewise_construct, std::forward_as_tuple(PayerId{kind, id}),
                              std::forward_as_tuple(kind, id, tariff_, now))
                     .first->second;
  payer.idle_place_ = idle_.insert(idle_.end(), &payer);
  return payer;
}

Payers Ledger::hold(Origin origin, Holding holding, Time now) {
  Payers payers;
  payers.address = &of(PayerKind::address, origin.address, now);
  hold(*payers.address, holding);
  payers.network = &of(PayerKind::network, origin.network, now);
  hold(*payers.network, holding);
  return payers;
}

// Two per new one, so that their number soon falls to the limit.
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
  payers_.erase({payer.kind_, payer.id_});
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
  return payers.find(
      [&](const Payer& payer) { return payer.held(holding) > tariff_.max(payer.kind(), holding); });
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
  release(of(PayerKind::address, origin.address, now), holding);
  release(of(PayerKind::network, origin.network, now), holding);
}

}  // namespace tictactoe::server
