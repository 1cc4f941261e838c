// Bans, which the server's owner sets: see Host::owner_asks.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/base/origin.hpp"
#include "server/base/time.hpp"
#include "tictactoe/journal/v1/journal.pb.h"

namespace tictactoe::server {

/// The subject as text: "203.0.113.0/24", "203.0.113.7", "2001:db8::/48", or the player's name.
std::string to_text(const journal::v1::BanSubject& subject);

/// Rounded up to a whole minute, as in "2026-11-23 12:30 UTC".
std::string utc(std::uint64_t unix_ms);

/// Bans by subject, at most `max`. Times are in Unix milliseconds. An expired ban counts as absent.
class Bans {
 public:
  static constexpr std::size_t max = 1'000;

  /// The ban that covers this address; null if there is none. O(different prefix lengths, up to
  /// 97).
  const journal::v1::Ban* find(const Origin& from, std::uint64_t now) const;
  /// The ban of a player with this name or one that looks like it; null if there is none.
  const journal::v1::Ban* find(std::string_view name, std::uint64_t now) const;
  /// Visits bans in force by encoded subject, beyond `after`, while `visit` returns true.
  template <class Visit>
  void visit_after(const std::string& after, std::uint64_t now, Visit visit) const {
    for (auto next = bans_.upper_bound(after); next != bans_.end(); ++next) {
      if (!is_over(next->second, now) && !visit(next->second)) return;
    }
  }

  static bool is_valid(const journal::v1::BanSubject& subject);
  bool is_full() const { return bans_.size() >= max; }
  /// Replaces an earlier ban of the subject. Returns false, and adds nothing, if the subject is
  /// invalid or there are too many bans.
  bool add(const journal::v1::Ban& ban);
  /// Returns false if there is none.
  bool remove(const journal::v1::BanSubject& subject);
  /// Removes the expired bans and returns their subjects.
  std::vector<journal::v1::BanSubject> remove_over(std::uint64_t now);

 private:
  using Length = std::pair<bool, std::uint32_t>;  // IPv6, prefix

  static bool is_over(const journal::v1::Ban& ban, std::uint64_t now) {
    return ban.until_unix_ms() != 0 && ban.until_unix_ms() <= now;
  }

  std::map<std::string, journal::v1::Ban> bans_;  // by their encoded subjects
  std::map<Length, std::unordered_map<std::uint64_t, const journal::v1::Ban*>> ranges_;
  std::unordered_multimap<std::string, const journal::v1::Ban*> names_;  // by both keys
};

/// Finds what has changed in the bans that the servers of a lobby share. A change by this server
/// takes effect before it is read back. If it has still not been read after `max_change_time`,
/// another server has reverted it, and what is read counts.
class BanTracker {
 public:
  /// A change is recorded within this time, or the servers can't record anything.
  static constexpr std::chrono::seconds max_change_time{10};

  struct Changes {
    std::vector<journal::v1::Ban> added;  ///< includes changed ones
    std::vector<journal::v1::BanSubject> lifted;
  };
  /// This server has banned the subject, or has lifted its ban.
  void changed_here(const journal::v1::BanSubject& subject, Time now);
  /// Returns what has changed since the last call; the first call returns everything. Must be
  /// called again within seconds after `max_change_time`, even if nothing has changed. O(n log n).
  Changes update(const journal::v1::Saved& saved, Time now);

 private:
  std::map<std::string, std::string> known_;  // encoded, by encoded subject
  std::map<std::string, Time> changed_here_;  // recent, by encoded subject; at most Bans::max
};

}  // namespace tictactoe::server
