// Who must stay away from this server: see Host::owner_asks.
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

/// As people write it: "203.0.113.0/24", "203.0.113.7", "2001:db8::/48"; or the player's name.
std::string to_text(const journal::v1::BanSubject& subject);

/// As in "2026-11-23 12:30 UTC": the first minute that is not before that time.
std::string utc(std::uint64_t unix_ms);

/// Bans by their subjects, at most `most`. Times are Unix times in milliseconds. A ban that is over
/// is as if it were not there.
class Bans {
 public:
  static constexpr std::size_t most = 1'000;

  /// The ban of that address; null if there is none. O(number of different prefix lengths), which
  /// is at most 97.
  const journal::v1::Ban* find(const Origin& from, std::uint64_t now) const;
  /// The ban of a player whose name looks like this one; null if there is none.
  const journal::v1::Ban* find(std::string_view name, std::uint64_t now) const;
  /// Those that are in force and come after the subject encoded as `after`, by their encodings,
  /// while `visit` returns true.
  template <class Visit>
  void visit_after(const std::string& after, std::uint64_t now, Visit visit) const {
    for (auto next = bans_.upper_bound(after); next != bans_.end(); ++next) {
      if (!is_over(next->second, now) && !visit(next->second)) return;
    }
  }

  static bool is_valid(const journal::v1::BanSubject& subject);
  bool is_full() const { return bans_.size() >= most; }
  /// Replaces a ban of the same subject. Returns false, and adds nothing, if the subject is not
  /// valid or there are too many.
  bool add(const journal::v1::Ban& ban);
  /// Returns false if there is none.
  bool remove(const journal::v1::BanSubject& subject);
  /// Removes those that are over, and returns their subjects.
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

/// The bans that the servers of a lobby have in common, as this server has read them last. A change
/// that this server has made is in force before it is read. If it is still not read after
/// `longest_change`, another server has changed it back, and what is read counts.
class SharedBans {
 public:
  /// Within this time a change is recorded, or the servers can't record anything.
  static constexpr std::chrono::seconds longest_change{10};

  struct Changes {
    std::vector<journal::v1::Ban> added;  ///< or changed
    std::vector<journal::v1::BanSubject> lifted;
  };
  /// This server has banned the subject, or has lifted its ban.
  void changed_here(const journal::v1::BanSubject& subject, Time now);
  /// What has changed since the last call; everything is new in the first one. Called again within
  /// some seconds after `longest_change`, even if nothing has. O(n log n).
  Changes follow(const journal::v1::Saved& saved, Time now);

 private:
  std::map<std::string, std::string> known_;  // encoded, by the encoded subjects
  std::map<std::string, Time> changed_here_;  // lately, by the encoded subjects; at most Bans::most
};

}  // namespace tictactoe::server
