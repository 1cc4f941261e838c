#include "server/limits/attempts.hpp"

#include <algorithm>
#include <cassert>

namespace tictactoe::server {

namespace {

// Failures without a wait. For names there are as many as may try at the same time, 64, because
// people return together to a room that no longer exists. One network can try at most 64 + 10 + 288
// passwords with one name in a day.
std::uint32_t free_failures(const AttemptLimits& limits, Secret::Of of, bool of_address) {
  const std::uint32_t free = of_address ? limits.free_per_address : limits.free_per_network;
  return of == Secret::Of::name ? std::max(free, limits.running_per_address) : free;
}

}  // namespace

std::array<Attempts::Guesser, 2> Attempts::keys(Secret secret, Origin from) {
  return {Guesser{secret, Scope::address, from.address},
          Guesser{secret, Scope::network, from.network}};
}

// The failures that are not forgotten yet.
std::uint32_t Attempts::failures(const Entry& entry, Time now) const {
  const auto forgotten = (now - entry.counted_at) / limits_.decay;
  return forgotten >= entry.failures ? 0 : entry.failures - static_cast<std::uint32_t>(forgotten);
}

bool Attempts::is_forgotten(const Entry& entry, Time now) const {
  return entry.running == 0 && failures(entry, now) == 0;
}

// How long to wait; 0 if the attempt may begin now.
std::chrono::milliseconds Attempts::wait(const Guesser& key, Time now) const {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return std::chrono::milliseconds(0);
  const Entry& entry = found->second;
  const bool of_address = key.scope == Scope::address;
  if (failures(entry, now) < free_failures(limits_, key.secret.of, of_address)) {
    const auto max_running = of_address ? limits_.running_per_address : limits_.running_per_network;
    return entry.running < max_running ? std::chrono::milliseconds(0) : limits_.first_wait;
  }
  if (now < entry.free_at) return std::chrono::ceil<std::chrono::milliseconds>(entry.free_at - now);
  return entry.running == 0 ? std::chrono::milliseconds(0) : limits_.first_wait;
}

std::optional<std::chrono::milliseconds> Attempts::begin(Secret secret, Origin from, Time now) {
  forget_old(now);
  std::chrono::milliseconds longest{0};
  for (const Guesser& key : keys(secret, from)) longest = std::max(longest, wait(key, now));
  if (longest.count() > 0) return longest;
  for (const Guesser& key : keys(secret, from)) ++remember(key, now).running;
  return std::nullopt;
}

void Attempts::succeeded(Secret secret, Origin from) {
  for (const Guesser& key : keys(secret, from)) {
    Entry& entry = entries_.at(key);
    assert(entry.running > 0);
    entry.failures = 0;
    if (--entry.running == 0) erase(key);
  }
}

void Attempts::withdrawn(Secret secret, Origin from) {
  for (const Guesser& key : keys(secret, from)) {
    Entry& entry = entries_.at(key);
    assert(entry.running > 0);
    if (--entry.running == 0 && entry.failures == 0) erase(key);
  }
}

void Attempts::failed(Secret secret, Origin from, Time now) {
  for (const Guesser& key : keys(secret, from)) {
    Entry& entry = remember(key, now);
    assert(entry.running > 0);
    --entry.running;
    ++entry.failures;
    const auto free = free_failures(limits_, secret.of, key.scope == Scope::address);
    if (entry.failures < free) continue;
    constexpr std::uint32_t max_doublings = 30;
    const auto wait = limits_.first_wait * (1LL << std::min(entry.failures - free, max_doublings));
    entry.free_at = now + std::min<std::chrono::milliseconds>(wait, limits_.max_wait);
  }
}

// Returns the entry of this key, marked as used last, with its failures as of now.
Attempts::Entry& Attempts::remember(const Guesser& key, Time now) {
  const auto [found, is_new] = entries_.try_emplace(key);
  Entry& entry = found->second;
  if (is_new) {
    entry.place = by_last_use_.insert(by_last_use_.end(), key);
  } else {
    by_last_use_.splice(by_last_use_.end(), by_last_use_, entry.place);
  }
  const std::uint32_t left = failures(entry, now);
  // The time since the last forgotten failure counts towards the next one.
  entry.counted_at = left == 0 ? now : entry.counted_at + limits_.decay * (entry.failures - left);
  entry.failures = left;
  return entry;
}

void Attempts::forget_old(Time now) {
  constexpr int max_at_once = 4;
  for (int i = 0; i < max_at_once && !by_last_use_.empty(); ++i) {
    const Guesser key = by_last_use_.front();
    const Entry& entry = entries_.at(key);
    if (entry.running > 0) {  // only as long as deriving a key takes
      by_last_use_.splice(by_last_use_.end(), by_last_use_, entry.place);
    } else if (is_forgotten(entry, now) || entries_.size() > limits_.remembered) {
      erase(key);
    } else {
      return;
    }
  }
}

void Attempts::erase(const Guesser& key) {
  const auto found = entries_.find(key);
  by_last_use_.erase(found->second.place);
  entries_.erase(found);
}

}  // namespace tictactoe::server
