// A game without a server.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "client/local/host.hpp"
#include "client/local/start.hpp"
#include "client/player/driver.hpp"
#include "client/player/local_game.hpp"

namespace tictactoe::local {

/// Rules, AIs and requests work as on any server. The room is restored as after a restart, so a
/// game can begin in any position. If two people play, the second one has a session of their own,
/// which accepts what the first one asks for and follows the first one from room to room.
class Table final : public client::LocalGame, private client::Subscriber {
 public:
  /// `start` has no fault. `context` must outlive this.
  Table(boost::asio::io_context& context, const Start& start, std::function<void()> on_change);
  ~Table() override;

  client::Connect connect() override;
  const std::string& token() const override;
  void play_with(client::Session& session) override;
  void update() override;

 private:
  void on_event(const client::SessionEvent& event) override;
  void follow(client::Time now);
  void agree(client::Time now);

  std::function<void()> on_change_;
  std::shared_ptr<Host> host_;
  client::Session* session_ = nullptr;
  std::optional<client::Session> second_;
  std::optional<client::Driver> second_driver_;
};

}  // namespace tictactoe::local
