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

  /// What has come so far, to add a page to it. Null if no list is asked for.
  Value* coming() { return coming_ ? &*coming_ : nullptr; }
  /// To be called after each page, of which `last` is the last name on the wire. Whether to ask for
  /// what follows `last`; otherwise the list is whole. `more`: the server and the client have more.
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
