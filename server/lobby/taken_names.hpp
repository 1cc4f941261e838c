// The names in use, so that no two look alike.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "server/base/keyed_hash.hpp"
#include "server/limits/name_rules.hpp"

namespace tictactoe::server {

/// A set of names that look different. It keeps hashes, so two names can count as alike by mistake,
/// with a probability of 2^-64. All operations cost O(length of the name).
class TakenNames {
 public:
  /// The key must be secret: whoever knows it can make a name that blocks another one.
  explicit TakenNames(const HashKey& key) : key_(key) {}

  /// Whether a name that looks like this one is in use.
  bool contains(std::string_view name) const {
    const Keys keys = keys_of(name);
    return keys_.contains(keys[0]) || keys_.contains(keys[1]);
  }
  /// Like contains(), as if `removed`, which was added, were removed.
  bool contains_beside(std::string_view removed, std::string_view name) const {
    const Keys theirs = keys_of(removed);
    return std::ranges::any_of(keys_of(name), [&](std::uint64_t key) {
      const std::size_t own = key == theirs[0] || key == theirs[1] ? 1 : 0;
      return keys_.count(key) > own;
    });
  }
  /// Adds a name. Names from a journal may look alike, or be the same.
  void add(std::string_view name) {
    const Keys keys = keys_of(name);
    keys_.insert(keys[0]);
    if (keys[1] != keys[0]) keys_.insert(keys[1]);
  }
  /// Requires that the name was added.
  void remove(std::string_view name) {
    const Keys keys = keys_of(name);
    keys_.erase(keys_.find(keys[0]));
    if (keys[1] != keys[0]) keys_.erase(keys_.find(keys[1]));
  }

 private:
  using Keys = std::array<std::uint64_t, 2>;

  Keys keys_of(std::string_view name) const {
    const auto keys = look_alike_keys(name);
    return {keyed_hash(key_, keys[0]), keyed_hash(key_, keys[1])};
  }

  HashKey key_;
  std::multiset<std::uint64_t> keys_;  // of all names; once if both keys of a name are the same
};

}  // namespace tictactoe::server
