// Two players and a room with clocks.
#pragma once

#include <gtest/gtest.h>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test {

/// A host that keeps records, with alice and bob in its lobby.
class TimedRoomTest : public testing::Test {
 protected:
  static core::Config config() {
    core::Config config = HostDriver::patient();
    config.keeps_records = true;
    config.limits.requests_per_second = 0;
    return config;
  }
  /// A room, with these times in milliseconds.
  v1::ServerMessage create(std::uint32_t move, std::uint32_t game, std::uint32_t increment) {
    v1::ClientMessage request = create_request("den", rules::Rules{4, 4, 3, true});
    v1::TimeControl& time = *request.mutable_create_room()->mutable_options()->mutable_time();
    time.set_move_ms(move);
    time.set_game_ms(game);
    time.set_increment_ms(increment);
    return driver.ask(alice, request);
  }
  void begin(std::uint32_t move = 0, std::uint32_t game = 0, std::uint32_t increment = 0) {
    ASSERT_TRUE(create(move, game, increment).has_snapshot());
    ASSERT_TRUE(driver.ask(bob, join_request("den")).has_snapshot());
    driver.take(alice);
    driver.take(bob);
  }
  v1::RoomSnapshot room() { return driver.ask(bob, snapshot_request()).snapshot(); }
  v1::Error::Code refusal(core::ConnectionId who, const v1::ClientMessage& request) {
    return driver.ask(who, request).error().code();
  }

  HostDriver driver{config()};
  core::ConnectionId alice = driver.enter("alice");
  core::ConnectionId bob = driver.enter("bob");
};

}  // namespace tictactoe::test
