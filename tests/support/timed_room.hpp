// Two players and a room with clocks.
#pragma once

#include "tests/support/two_players.hpp"

namespace tictactoe::test {

class TimedRoomTest : public TwoPlayersTest {
 protected:
  /// A room, with these times in milliseconds.
  v1::ServerMessage create(std::uint32_t move, std::uint32_t game, std::uint32_t increment) {
    v1::ClientMessage request = create_request("den", rules::Rules{4, 4, 3, true});
    v1::TimeControl& time = *request.mutable_create_room()->mutable_options()->mutable_time();
    time.set_move_ms(move);
    time.set_game_ms(game);
    time.set_increment_ms(increment);
    return driver.ask(alice, request);
  }
  /// A game in which alice has X. Its clock runs, if it has one.
  void begin(std::uint32_t move = 0, std::uint32_t game = 0, std::uint32_t increment = 0) {
    ASSERT_TRUE(create(move, game, increment).has_snapshot());
    ASSERT_TRUE(driver.ask(bob, join_request("den")).has_snapshot());
    if (move + game > 0) driver.pass(grace);
    driver.take(alice);
    driver.take(bob);
  }
  /// How long the clock of a first move waits.
  const std::chrono::milliseconds grace = server::Limits().first_move_grace;
  v1::Error::Code refusal(server::ConnectionId who, const v1::ClientMessage& request) {
    return driver.ask(who, request).error().code();
  }
};

}  // namespace tictactoe::test
