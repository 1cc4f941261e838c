// A game in this process instead of on a server: what the front ends know of client/local.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "client/net/connection.hpp"
#include "client/session/session.hpp"
#include "tictactoe/v1/types.pb.h"

namespace tictactoe::client {

/// Owns the host. All calls and callbacks are made in the thread that runs the io_context. It must
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
  /// The person plays with this session, which must outlive the calls of update(). If two people
  /// play, its requests reach the seat that they are for.
  virtual void play_with(Session& session) = 0;
  /// Carries the bytes of the second person, if there is one. To be called after everything that
  /// happens to the session.
  virtual void update() = 0;
};

/// Starts the game. `on_change` is called after each thing that happened to the second person's
/// session; it should end in LocalGame::update().
using StartLocalGame = std::function<std::unique_ptr<LocalGame>(boost::asio::io_context& context,
                                                                std::function<void()> on_change)>;

/// How a finished game goes on from the position after so many moves, in this process; or why it
/// can't, as a sentence.
struct Continuation {
  StartLocalGame start;
  std::string fault;
};
using ContinueGame = std::function<Continuation(const v1::GameRecord& game, std::size_t moves)>;

}  // namespace tictactoe::client
