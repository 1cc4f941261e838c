// A game without a server: the host itself, in this process.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "client/local/sitting.hpp"
#include "client/local/start.hpp"
#include "client/net/driver.hpp"
#include "client/net/local_game.hpp"
#include "server/net/server.hpp"

namespace tictactoe::local {

/// The whole server but its sockets and its disk. The rules, the AI and the requests are those of
/// every server; the room is restored as after a restart, so that a game can begin anywhere. If two
/// people play, the second one has a session of its own, which agrees to what the first one asks
/// for, and enters the room in which the first one is.
class Table final : public client::LocalGame, private client::Subscriber {
 public:
  /// `start` has no fault. `context` must outlive this. Turns the log of the process off.
  Table(boost::asio::io_context& context, const Start& start, std::function<void()> on_change);
  ~Table() override;

  client::Connect connect() override;
  const std::string& token() const override { return token_; }
  void play_with(client::Session& session) override;
  void update() override;

 private:
  void on_event(const client::SessionEvent& event) override;
  void follow(client::Time now);
  void agree(client::Time now);

  boost::asio::io_context& context_;
  std::function<void()> on_change_;
  std::string token_;
  std::shared_ptr<net::Server> server_;
  std::optional<Sitting> sitting_;
  client::Session* session_ = nullptr;
  std::optional<client::Session> second_;
  std::optional<client::Driver> second_driver_;
};

}  // namespace tictactoe::local
