// Two players on a host that keeps records.
#pragma once

#include <gtest/gtest.h>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test {

/// alice and bob are in the lobby.
class TwoPlayersTest : public testing::Test {
 protected:
  explicit TwoPlayersTest(const server::Config& config = HostDriver::recording())
      : driver(config) {}
  v1::RoomSnapshot room_of(server::ConnectionId who) {
    return driver.ask(who, snapshot_request()).snapshot();
  }
  /// As bob sees it.
  v1::RoomSnapshot room() { return room_of(bob); }

  HostDriver driver;
  server::ConnectionId alice = driver.enter("alice");
  server::ConnectionId bob = driver.enter("bob");
};

}  // namespace tictactoe::test
