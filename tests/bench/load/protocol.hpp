// What is said to a server and what must come back: the game's own protocol, or that of the floor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/rules/game.hpp"
#include "tictactoe/v1/types.pb.h"

namespace tictactoe::load {

/// A request and what it leads to, each the body of a frame.
struct Exchange {
  std::string request;
  std::string answer;  ///< to the requesting client
  std::string news;    ///< to everybody else in the room; empty if they get nothing
};

/// How a member enters. Members enter one after the other: X, O, then the watchers.
struct Place {
  std::size_t room = 0;
  std::size_t index = 0;  ///< in the room, from 0
};

/// The seat of that place; MARK_NONE for a watcher.
inline v1::Mark seat_of(std::size_t index) {
  return index == 0 ? v1::MARK_X : index == 1 ? v1::MARK_O : v1::MARK_NONE;
}

/// An action of a player in a complete room.
struct Step {
  enum class Kind : std::uint8_t { move, rematch_wanted, game_started };
  Kind kind = Kind::move;
  std::size_t room = 0;
  std::uint64_t revision = 0;    ///< that the room has after it
  std::uint64_t request_id = 0;  ///< of the request
  v1::Mark actor = v1::MARK_NONE;
  std::uint32_t game_number = 0;      ///< of the game in the room, from 1
  const rules::Game* game = nullptr;  ///< after it
  const v1::Score* score = nullptr;   ///< the same
};

/// Makes requests, and judges what comes. Objects keep messages between calls, for speed.
class Protocol {
 public:
  virtual ~Protocol() = default;

  // The exchange is exactly what will happen with ping() and act(). With the other two only its
  // request is; the rest is as long as what a server says, and may differ.
  virtual void hello(std::size_t connection, Exchange& out) = 0;
  virtual void enter(const Place& place, std::uint64_t request_id, Exchange& out) = 0;
  virtual void ping(std::uint64_t request_id, Exchange& out) = 0;
  virtual void act(const Step& step, Exchange& out) = 0;

  /// Whether this answers hello().
  virtual bool is_welcome(std::size_t connection, std::string_view body) = 0;
  /// If this answers a request by saying that another server of the lobby has what was asked for:
  /// that server, as HOST:PORT. The next hello() of this connection is for that one.
  virtual std::optional<std::string> redirection(std::string_view /*body*/) { return {}; }
  /// Whether this answers enter() in a room where `game` stands like this; and if so, the
  /// revision of the room.
  virtual bool is_entry(const Place& place, std::uint64_t request_id, std::string_view body,
                        std::uint64_t& revision, const rules::Game& game) = 0;
  /// Whether this is an update about a member who came after the room's revision `seen`.
  virtual bool is_arrival(std::size_t room, std::uint64_t seen, std::string_view body) = 0;
  /// Whether these bytes say the same as those, in another way.
  virtual bool same(std::string_view expected, std::string_view body) = 0;
  /// What it says, for people.
  virtual std::string text(std::string_view body) = 0;
};

}  // namespace tictactoe::load
