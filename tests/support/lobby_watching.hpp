// Clients that watch the lobby, for tests.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test {

/// The list of rooms as a client knows it.
class LobbyMirror {
 public:
  void take(const v1::LobbyUpdate& update) {
    if (update.reset()) rooms_.clear();
    for (const std::string& name : update.closed()) rooms_.erase(name);
    for (const v1::RoomInfo& room : update.rooms()) rooms_[room.name()] = room;
    complete_ = update.complete();
    players_ = update.players();
  }
  const std::map<std::string, v1::RoomInfo>& rooms() const { return rooms_; }
  bool is_complete() const { return complete_; }
  std::uint32_t players() const { return players_; }

 private:
  std::map<std::string, v1::RoomInfo> rooms_;
  bool complete_ = false;
  std::uint32_t players_ = 0;
};

class LobbyFeedTest : public testing::Test {
 protected:
  static core::Config config() {
    core::Config config = HostDriver::patient();
    config.limits.requests_per_second = 0;
    config.limits.rooms_per_list = 3;
    config.limits.rooms = 20;
    config.limits.rooms_per_player = 20;
    config.limits.connections_per_address = 0;
    config.limits.default_grace = std::chrono::milliseconds(0);
    return config;
  }

  core::ConnectionId create(const std::string& room, const std::string& password = {}) {
    const auto id = driver.enter("owner of " + room);
    EXPECT_TRUE(driver.ask(id, create_request(room, password)).has_snapshot());
    return id;
  }
  v1::LobbyUpdate watch(core::ConnectionId id) {
    const v1::ServerMessage answer = driver.ask(id, watch_lobby_request());
    EXPECT_TRUE(answer.has_lobby_update());
    driver.take(id);
    return answer.lobby_update();
  }
  std::vector<v1::LobbyUpdate> news(core::ConnectionId id) {
    std::vector<v1::LobbyUpdate> updates;
    for (const v1::ServerMessage& message : driver.take(id)) {
      if (message.has_lobby_update()) updates.push_back(message.lobby_update());
    }
    return updates;
  }

  HostDriver driver{config()};
  const std::chrono::milliseconds interval = config().limits.lobby_update;
};

}  // namespace tictactoe::test
