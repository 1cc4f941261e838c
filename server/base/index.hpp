// Orders objects by what they contain.
#pragma once

#include <functional>
#include <set>

namespace tictactoe::server {

/// Compares pointers to objects by a key, which is a member of the object or a function of it. Keys
/// are compared to keys alone, so that they can be looked up without an object.
template <class Object, auto key>
struct ByKey {
  using is_transparent = void;

  bool operator()(const Object* a, const Object* b) const {
    return std::invoke(key, *a) < std::invoke(key, *b);
  }
  template <class Key>
  bool operator()(const Object* a, const Key& b) const {
    return std::invoke(key, *a) < b;
  }
  template <class Key>
  bool operator()(const Key& a, const Object* b) const {
    return a < std::invoke(key, *b);
  }
};

/// Objects in the order of a key of theirs, which is copied nowhere. No two have the same key. The
/// objects are owned elsewhere; they stay at their address, and keep their key, while they are in
/// the index. All operations cost O(log objects).
template <class Object, auto key>
using Index = std::set<const Object*, ByKey<Object, key>>;

}  // namespace tictactoe::server
