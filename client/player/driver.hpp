// Moves a session's bytes over a connection, calls it at its deadlines, and stores its token.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>

#include "client/net/connection.hpp"
#include "client/session/session.hpp"
#include "client/storage/identity_keeper.hpp"

namespace tictactoe::client {

/// Drives one session. All calls and callbacks are made in the thread that runs the io_context.
class Driver {
 public:
  /// Called after each event of the session; should end in update().
  using OnChange = std::function<void()>;
  /// Receives a line for people about a problem with the identity, or about the server's key.
  using OnNote = std::function<void(const std::string& line)>;

  /// `context` and `session` must outlive this. Connects at the first update().
  Driver(boost::asio::io_context& context, Session& session, Connect connect,
         IdentityKeeper identity, OnChange on_change, OnNote on_note = {});
  /// Closes the connection; makes no callbacks afterwards. Not to be destroyed in its callback.
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  /// Writes the session's output, updates the connection and sets the timer. Call after every event
  /// of the session.
  void update();

  /// The key of the server that the person named; nothing without TLS.
  const std::optional<tls::Fingerprint>& server_key() const { return server_key_; }

 private:
  void update_connection();
  void on_opened(const Connection::Opened& opened);
  void read_server();
  void keep_token();
  void keep_address();
  void note(const std::string& line) const;
  void set_alarm();

  Session& session_;
  Connect connect_;
  IdentityKeeper identity_;
  OnChange on_change_;
  OnNote on_note_;
  std::optional<tls::Fingerprint> server_key_;
  std::optional<tls::Fingerprint> key_;     // of the last connection
  bool noted_ = false;                      // the identity's note was shown
  std::string kept_address_;                // of Session::elsewhere(), the last one
  std::shared_ptr<Connection> connection_;  // null while the session wants none
  boost::asio::steady_timer alarm_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace tictactoe::client
