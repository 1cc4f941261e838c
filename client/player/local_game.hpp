// A game in this process instead of on a server: what the front ends know of client/local.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "client/net/connection.hpp"
#include "client/session/session.hpp"

namespace tictactoe::client {

/// Owns the host. All calls and callbacks happen in the thread that runs the io_context. Must
/// outlive the drivers that use its connections.
class LocalGame {
 public:
  LocalGame() = default;
  virtual ~LocalGame() = default;
  LocalGame(const LocalGame&) = delete;
  LocalGame& operator=(const LocalGame&) = delete;

  /// Connects to the host.
  virtual Connect connect() = 0;
  /// The token that gives a session the person's seat.
  virtual const std::string& token() const = 0;
  /// The session that the person plays with; it must outlive the calls of update(). If two people
  /// play, its requests reach the seat that they are for.
  virtual void play_with(Session& session) = 0;
  /// Carries the bytes of the second person, if any. Call after every event of the session.
  virtual void update() = 0;
};

/// Starts the game. `on_change` is called after each event of the second person's session; it
/// should end in LocalGame::update().
using StartLocalGame = std::function<std::unique_ptr<LocalGame>(boost::asio::io_context& context,
                                                                std::function<void()> on_change)>;

}  // namespace tictactoe::client
