// A list that a server sends in pages.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "client/model/sanitized.hpp"

namespace tictactoe::client {

/// Pages of one list that are asked for.
inline constexpr int max_list_pages = 200;

/// Collects the pages of a list in a `Value`, and keeps the last list that came whole.
template <class Value>
class PagedList {
 public:
  /// A list is asked for. False if the pages of one are still to come.
  bool begin() {
    if (coming_) return false;
    coming_.emplace();
    pages_ = 0;
    return true;
  }
  /// The rest of the pages will not come.
  void give_up() { coming_.reset(); }
  void clear() { *this = {}; }

  /// The pages received so far, to add one to. Null unless a list has been requested.
  Value* coming() { return coming_ ? &*coming_ : nullptr; }
  /// To be called after each page. `last` is its last name on the wire; `more` says whether the
  /// server has more and the client has space. True if the page after `last` must be requested;
  /// otherwise the list is complete.
  bool goes_on(bool more, std::string_view last) {
    // A name that no server would take is no name to go on from.
    const bool can_ask = !last.empty() && last.size() <= 4 * max_shown_name;
    if (more && can_ask && ++pages_ < max_list_pages) return true;
    whole_ = std::exchange(coming_, {});
    return false;
  }

  /// Nothing before the first one.
  const std::optional<Value>& whole() const { return whole_; }
  void set_whole(Value value) { whole_ = std::move(value); }

 private:
  std::optional<Value> coming_;
  int pages_ = 0;
  std::optional<Value> whole_;
};

}  // namespace tictactoe::client
