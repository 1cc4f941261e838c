// The lists that a session asks its server for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/model/lists.hpp"
#include "client/model/sanitized.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::client {

/// Maximum number of rooms in a list.
inline constexpr std::size_t max_listed_rooms = 2000;
/// Maximum number of names in a list of players or of a room's watchers.
inline constexpr std::size_t max_listed_people = 10'000;
/// Maximum number of finished games in a list.
inline constexpr std::size_t max_listed_games = 10'000;

/// Maximum number of pages requested for one list.
inline constexpr int max_list_pages = 200;

/// Collects the pages of a list in a `Value`, and keeps the last complete list.
template <class Value>
class PagedList {
 public:
  /// Begins a list. Returns false if one is still being loaded.
  bool begin() {
    if (coming_) return false;
    coming_.emplace();
    pages_ = 0;
    return true;
  }
  /// The remaining pages will not arrive.
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

/// Finished games, latest first: one page per request.
class GameList {
 public:
  /// Begins a list, of `player`'s games unless empty. Returns false while a page is pending, which
  /// would be mistaken for the first one of the new list.
  bool begin(const std::string& player);
  /// The request for the first page, or for the next one.
  v1::ClientMessage next_page() const;
  void set_asking(bool is_asking) { is_asking_ = is_asking; }
  void add(const v1::GameList& page);

  bool is_asking() const { return is_asking_; }
  /// Whether the server has more.
  bool has_more() const { return has_more_; }
  /// Nothing before the first page.
  const std::optional<std::vector<ListedGame>>& games() const { return games_; }

 private:
  std::string player_;
  std::optional<std::vector<ListedGame>> games_;
  bool has_more_ = false;
  bool is_asking_ = false;
};

/// The lists of rooms, players, members and games. Each add() takes a page and returns the request
/// for the next one, or nothing if the list is complete.
struct Listings {
  PagedList<std::vector<ListedRoom>> rooms;
  PagedList<std::vector<ListedPlayer>> players;
  PagedList<Members> members;
  GameList games;

  /// Call before sending a request. Returns false if it is for a list that is still being loaded.
  bool begin(const v1::ClientMessage& request);
  /// The request was refused.
  void give_up(const v1::ClientMessage& request);

  // The list must be coming.
  std::optional<v1::ClientMessage> add(const v1::RoomList& page);
  std::optional<v1::ClientMessage> add(const v1::PlayerList& page);
  std::optional<v1::ClientMessage> add(const v1::MemberList& page);
};

}  // namespace tictactoe::client
