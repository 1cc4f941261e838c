#include "server/net/backlogs.hpp"

namespace tictactoe::net {

void Backlogs::count(Backlog& backlog, std::size_t bytes) {
  if (bytes == backlog.bytes) return;
  Share& share = shares_[backlog.address];
  by_size_.erase({share.used, share.since, backlog.address});
  if (backlog.bytes > 0) {
    share.backlogs.erase(&backlog);
  } else {
    backlog.since = ++begun_;
    if (share.since == 0) share.since = backlog.since;
  }
  used_ += bytes - backlog.bytes;  // modulo 2^64
  share.used += bytes - backlog.bytes;
  backlog.bytes = bytes;
  if (bytes > 0) share.backlogs.insert(&backlog);
  if (share.backlogs.empty()) {
    shares_.erase(backlog.address);
  } else {
    by_size_.insert({share.used, share.since, backlog.address});
  }
}

Backlog* Backlogs::too_much() const {
  if (by_size_.empty()) return nullptr;
  const Rank& first = *by_size_.rbegin();
  if (used_ <= limits_.total && first.used <= limits_.per_address) return nullptr;
  return *shares_.at(first.address).backlogs.rbegin();
}

}  // namespace tictactoe::net
