// Carries a conversation's bytes over a connection, wakes it at its deadlines, and keeps the token
// that it is given: what every program round a conversation has to do.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>

#include "client/net/address.hpp"
#include "client/net/connection.hpp"
#include "client/session/conversation.hpp"
#include "client/storage/identity.hpp"

namespace tictactoe::client {

/// One conversation's. All calls and callbacks are made in the thread that runs the io_context.
class Driver {
 public:
  /// Called after each thing that happened to the conversation; it should end in update().
  using OnChange = std::function<void()>;

  /// `context` and `conversation` must outlive this. Connects at the first update().
  Driver(boost::asio::io_context& context, Conversation& conversation, Address server,
         IdentityOpened identity, OnChange on_change);
  /// Closes the connection; nobody is called back any more. Not to be destroyed in its callback.
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  /// Carries the conversation's outputs, but for its text, to where they go. To be called after
  /// everything that happens to it.
  void update();

 private:
  void update_connection();
  void on_opened(const std::string& fault);
  void read_server();
  void keep_token();
  void set_alarm();

  boost::asio::io_context& context_;
  Conversation& conversation_;
  Address server_;
  IdentityOpened identity_;
  OnChange on_change_;
  bool noted_ = false;                      // the identity's note was told
  std::shared_ptr<Connection> connection_;  // null while there is to be none
  boost::asio::steady_timer alarm_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace tictactoe::client
