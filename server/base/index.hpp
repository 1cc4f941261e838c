// Sorted sets of objects by a key that the objects contain.
#pragma once

#include <functional>
#include <set>

namespace tictactoe::server {

/// Compares pointers to objects by a key: a member of the object or a function of it. A bare key
/// can be looked up without an object.
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

/// Objects sorted by a unique key, which is not copied. While objects are in the index, their owner
/// must keep their addresses and their keys. All operations cost O(log objects).
template <class Object, auto key>
using Index = std::set<const Object*, ByKey<Object, key>>;

}  // namespace tictactoe::server
