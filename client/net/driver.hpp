// Carries a session's bytes over a connection, wakes it at its deadlines, and keeps the token that
// it is given.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>

#include "client/net/connection.hpp"
#include "client/session/session.hpp"
#include "client/storage/identity_keeper.hpp"

namespace tictactoe::client {

/// One session's. All calls and callbacks are made in the thread that runs the io_context.
class Driver {
 public:
  /// Called after each thing that happened to the session; it should end in update().
  using OnChange = std::function<void()>;
  /// Handed a line for people: what is wrong with the identity.
  using OnNote = std::function<void(const std::string& line)>;

  /// `context` and `session` must outlive this. Connects at the first update().
  Driver(boost::asio::io_context& context, Session& session, Connect connect,
         IdentityKeeper identity, OnChange on_change, OnNote on_note = {});
  /// Closes the connection; nobody is called back any more. Not to be destroyed in its callback.
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  /// Carries the session's outputs to where they go. To be called after
  /// everything that happens to it.
  void update();

 private:
  void update_connection();
  void on_opened(const std::string& fault);
  void read_server();
  void keep_token();
  void note(const std::string& line) const;
  void set_alarm();

  boost::asio::io_context& context_;
  Session& session_;
  Connect connect_;
  IdentityKeeper identity_;
  OnChange on_change_;
  OnNote on_note_;
  bool noted_ = false;                      // the identity's note was told
  std::shared_ptr<Connection> connection_;  // null while there is to be none
  boost::asio::steady_timer alarm_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace tictactoe::client
