// Runs sessions for both front ends: the connection or the local game, the player's
// identity, and the clock.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "client/net/invitation.hpp"
#include "client/player/driver.hpp"
#include "client/player/local_game.hpp"
#include "client/player/play_options.hpp"
#include "client/session/session.hpp"

namespace tictactoe::client {

/// The protection of connections with these options. Guests store no keys.
Protection protection_for(const PlayOptions& options);

/// Runs one session after another. All calls and callbacks are made in the thread that runs
/// context().
class Runner {
 public:
  /// `on_change` is called after each event of the session and at the time of wake_at(); it should
  /// end in update(). `on_note` receives lines for people.
  Runner(Driver::OnChange on_change, Driver::OnNote on_note)
      : on_change_(std::move(on_change)), on_note_(std::move(on_note)) {}

  boost::asio::io_context& context() { return context_; }

  /// Prepares a session: on a server or, with PlayOptions::local, in this process. Returns the
  /// options to make it with; drive() follows.
  Session::Options begin(const PlayOptions& options);
  /// Runs the session, which must live until release().
  void drive(Session& session);
  /// Closes the connection. Do not call it from `on_change`.
  void release() { driver_.reset(); }
  /// Call after each event of the session.
  void update();
  void wake_at(const std::optional<Time>& at);

  /// For the session that begin() prepares. After each callback, `on_change` is called.
  FindInvitation invitation_finder();

 private:
  Driver::OnChange on_change_;
  Driver::OnNote on_note_;
  boost::asio::io_context context_{1};
  boost::asio::steady_timer alarm_{context_};
  Connect connect_;  // for drive()
  IdentityKeeper identity_;
  std::unique_ptr<LocalGame> local_;  // null: on a server
  std::optional<Driver> driver_;
  Address server_;         // of the session
  Protection protection_;  // of that server
};

}  // namespace tictactoe::client
