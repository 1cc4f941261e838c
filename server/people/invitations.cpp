#include "server/people/invitations.hpp"

#include <algorithm>

#include "server/limits/shares.hpp"

namespace tictactoe::server {

std::optional<std::chrono::milliseconds> Invitations::send(PlayerId guest, PlayerId sender,
                                                           Origin origin, Time now) {
  if (!is_limited()) return std::nullopt;
  forget(now);
  std::optional<Time> next;
  if (const auto had = by_guest_.find(guest); had != by_guest_.end()) {
    // The next one is possible when the oldest of those that count is forgotten.
    const auto limit = [&](std::size_t max, auto counts) {
      const auto oldest = std::ranges::find_if(had->second, counts);
      const auto count = std::ranges::count_if(had->second, counts);
      if (std::cmp_less(count, max)) return;
      next = std::max(next.value_or(oldest->sent), oldest->sent);
    };
    const std::size_t all = limits_.invitation_burst;
    limit(all, [](const Invitation&) { return true; });
    limit(part_of(all, share_of_player),
          [&](const Invitation& each) { return each.sender == sender; });
    if (limits_.limits_addresses()) {
      limit(part_of(all, share_of_address),
            [&](const Invitation& each) { return each.origin.address == origin.address; });
      limit(part_of(all, share_of_network),
            [&](const Invitation& each) { return each.origin.network == origin.network; });
    }
  }
  if (next) return std::chrono::ceil<std::chrono::milliseconds>(*next + memory() - now);
  by_guest_[guest].push_back({now, sender, origin});
  all_.emplace_back(now, guest);
  return std::nullopt;
}

Time::duration Invitations::memory() const {
  return std::chrono::duration_cast<Time::duration>(std::chrono::minutes(1)) *
         limits_.invitation_burst / limits_.invitations_per_minute;
}

void Invitations::forget(Time now) {
  for (; !all_.empty() && all_.front().first + memory() <= now; all_.pop_front()) {
    const auto guest = by_guest_.find(all_.front().second);
    guest->second.erase(guest->second.begin());
    if (guest->second.empty()) by_guest_.erase(guest);
  }
}

}  // namespace tictactoe::server
