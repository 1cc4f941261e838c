#include "server/people/bans.hpp"

#include <algorithm>
#include <boost/assert.hpp>
#include <set>

#include "common/text/utc.hpp"
#include "server/limits/name_rules.hpp"

namespace tictactoe::server {

namespace {

using journal::v1::Ban;
using journal::v1::BanSubject;

constexpr std::uint32_t ipv4_bits = 32;
constexpr std::uint32_t ipv6_bits = 64;  // as in Origin

// The first `prefix` bits of an address of `bits` bits.
std::uint64_t first_bits(std::uint64_t address, std::uint32_t prefix, std::uint32_t bits) {
  return prefix == 0 ? 0 : address >> (bits - prefix) << (bits - prefix);
}

std::uint32_t bits_of(bool is_ipv6) {
  return is_ipv6 ? ipv6_bits : ipv4_bits;
}

bool is_ipv6(std::uint64_t address) {
  return address == 0 || address >> ipv4_bits != 0;
}

}  // namespace

std::string utc(std::uint64_t unix_ms) {
  constexpr std::uint64_t minute = 60'000;
  return text::utc((unix_ms + minute - 1) / minute * 60, "%Y-%m-%d %H:%M UTC");
}

std::string to_text(const BanSubject& subject) {
  if (!subject.has_range()) return subject.player();
  const auto& range = subject.range();
  return to_text(range.is_ipv6(), range.bits(), range.prefix());
}

bool Bans::is_valid(const BanSubject& subject) {
  if (subject.has_player()) return !subject.player().empty();
  if (!subject.has_range()) return false;
  const auto& range = subject.range();
  const std::uint32_t bits = bits_of(range.is_ipv6());
  return range.prefix() <= bits && (range.is_ipv6() || range.bits() >> ipv4_bits == 0) &&
         first_bits(range.bits(), range.prefix(), bits) == range.bits();
}

const Ban* Bans::find(const Origin& from, std::uint64_t now) const {
  const bool ipv6 = is_ipv6(from.address);
  for (const auto& [length, bans] : ranges_) {
    if (length.first != ipv6) continue;
    const auto found = bans.find(first_bits(from.address, length.second, bits_of(ipv6)));
    if (found != bans.end() && !is_over(*found->second, now)) return found->second;
  }
  return nullptr;
}

const Ban* Bans::find(std::string_view name, std::uint64_t now) const {
  if (names_.empty()) return nullptr;
  for (const std::string& key : look_alike_keys(normalized_name(name))) {
    const auto [begin, end] = names_.equal_range(key);
    const auto found =
        std::find_if(begin, end, [&](const auto& entry) { return !is_over(*entry.second, now); });
    if (found != end) return found->second;
  }
  return nullptr;
}

bool Bans::add(const Ban& ban) {
  if (!is_valid(ban.subject())) return false;
  const std::string key = ban.subject().SerializeAsString();
  if (!bans_.contains(key) && is_full()) return false;
  const auto [entry, is_new] = bans_.insert_or_assign(key, ban);
  if (!is_new) return true;  // it is in the indexes
  const Ban& kept = entry->second;
  if (kept.subject().has_player()) {
    for (const std::string& alike : look_alike_keys(kept.subject().player())) {
      names_.emplace(alike, &kept);
    }
  } else {
    const auto& range = kept.subject().range();
    ranges_[{range.is_ipv6(), range.prefix()}][range.bits()] = &kept;
  }
  return true;
}

bool Bans::remove(const BanSubject& subject) {
  const auto found = bans_.find(subject.SerializeAsString());
  if (found == bans_.end()) return false;
  std::erase_if(names_, [&](const auto& entry) { return entry.second == &found->second; });
  if (subject.has_range()) {
    const Length length{subject.range().is_ipv6(), subject.range().prefix()};
    ranges_[length].erase(subject.range().bits());
    if (ranges_[length].empty()) ranges_.erase(length);
  }
  bans_.erase(found);
  return true;
}

std::vector<BanSubject> Bans::remove_over(std::uint64_t now) {
  std::vector<BanSubject> over;
  for (const auto& [key, ban] : bans_) {
    if (is_over(ban, now)) over.push_back(ban.subject());
  }
  for (const BanSubject& subject : over) remove(subject);
  return over;
}

void BanTracker::changed_here(const BanSubject& subject, Time now) {
  if (changed_here_.size() >= Bans::max) changed_here_.erase(changed_here_.begin());
  changed_here_.insert_or_assign(subject.SerializeAsString(), now);
}

BanTracker::Changes BanTracker::update(const journal::v1::Saved& saved, Time now) {
  std::set<std::string> different;  // subjects
  std::erase_if(changed_here_, [&](const auto& change) {
    if (now - change.second < max_change_time) return false;
    different.insert(change.first);
    return true;
  });
  Changes changes;
  std::map<std::string, std::string> found;
  for (const Ban& ban : saved.bans()) {
    const auto [entry, is_new] =
        found.insert_or_assign(ban.subject().SerializeAsString(), ban.SerializeAsString());
    const auto before = known_.find(entry->first);
    const bool is_known = before != known_.end() && before->second == entry->second;
    if (!is_known || different.contains(entry->first)) changes.added.push_back(ban);
  }
  for (const auto& [subject, ban] : known_) different.insert(subject);
  for (const std::string& subject : different) {
    if (found.contains(subject)) continue;
    BanSubject& lifted = changes.lifted.emplace_back();
    const bool is_parsed = lifted.ParseFromString(subject);
    BOOST_ASSERT_MSG(is_parsed, "it was encoded here");
  }
  known_ = std::move(found);
  return changes;
}

}  // namespace tictactoe::server
