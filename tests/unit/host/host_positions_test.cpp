// Rooms that begin with a position of a finished game.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "server/core/start_position.hpp"
#include "tests/support/host_driver.hpp"
#include "tests/support/ledger.hpp"

namespace tictactoe::test::host_positions_tests {
namespace {

using v1::Error;

v1::ClientMessage create_from(std::uint64_t game, std::uint32_t moves,
                              const std::string& password = {}) {
  v1::ClientMessage message = create_request("den", password);
  v1::GamePosition& from = *message.mutable_create_room()->mutable_options()->mutable_from();
  from.set_game(game);
  from.set_moves(moves);
  return message;
}

// O began, and wins with its fourth move: 0 4 1 8 5 3 2.
v1::GameRecord finished_game() {
  v1::GameRecord game;
  game.set_id(7);
  game.mutable_rules()->set_rows(3);
  game.mutable_rules()->set_cols(4);
  game.mutable_rules()->set_k(3);
  game.set_starter(v1::MARK_O);
  for (const std::uint32_t cell : {0U, 4U, 1U, 8U, 5U, 3U, 2U}) {
    game.add_moves(cell);
    game.add_move_ms(100 + cell);
  }
  return game;
}

class PositionsTest : public testing::Test {
 protected:
  static core::Config config() {
    core::Config config = HostDriver::patient();
    config.keeps_records = true;
    return config;
  }

  /// Answers the oldest look-up, as a shell with a journal does.
  void answer(HostDriver& host, std::optional<v1::GameRecord> game) {
    ASSERT_FALSE(host.look_ups.empty());
    const core::LookUp question = host.look_ups.front();
    host.look_ups.erase(host.look_ups.begin());
    v1::ServerMessage message;
    if (game) {
      *message.mutable_game_found()->mutable_game() = *std::move(game);
    } else {
      message.mutable_error()->set_code(Error::CODE_GAME_NOT_FOUND);
      message.mutable_error()->set_message("There is no such game.");
    }
    const auto found = core::encode_answer(message, core::Limits{}.server_frame_bytes);
    if (question.request.has_create_room()) {
      host.host().position_found(question.from, found, host.now());
    } else {
      host.host().looked_up(question.from, question.request_id, found);
    }
    host.collect();
    host.go_on();
  }
  v1::ServerMessage create(const v1::ClientMessage& request,
                           const std::optional<v1::GameRecord>& game) {
    driver.take(alice);
    const std::uint64_t id = driver.post(alice, request);
    answer(driver, game);
    const auto inbox = driver.take(alice);
    EXPECT_EQ(inbox.size(), 1u);
    EXPECT_EQ(inbox.back().request_id(), id);
    return inbox.back();
  }

  HostDriver driver{config()};
  core::ConnectionId alice = driver.enter("alice");
};

TEST_F(PositionsTest, a_room_goes_on_with_the_rules_and_the_moves_of_the_game) {
  const v1::RoomSnapshot room = create(create_from(7, 3), finished_game()).snapshot();
  EXPECT_EQ(room.name(), "den");
  EXPECT_EQ(room.rules().cols(), 4u);
  EXPECT_EQ(room.starter(), v1::MARK_O);
  EXPECT_EQ((std::vector<std::uint32_t>{room.moves().begin(), room.moves().end()}),
            (std::vector<std::uint32_t>{0, 4, 1}));
  EXPECT_EQ(room.options().from().game(), 7u);
  EXPECT_EQ(room.options().from().moves(), 3u);
  EXPECT_EQ(room.your_seat(), v1::MARK_X);
  const auto bob = driver.enter("bob");
  EXPECT_EQ(driver.ask(bob, join_request("den")).snapshot().turn(), v1::MARK_X);
  EXPECT_EQ(driver.ask(bob, move_request(2, 3)).error().code(), Error::CODE_NOT_YOUR_TURN);
  EXPECT_EQ(driver.ask(alice, move_request(0, 1)).error().code(), Error::CODE_CELL_TAKEN);
  EXPECT_EQ(driver.ask(alice, move_request(2, 3)).update().move_played().ply(), 4u);
  EXPECT_EQ(driver.ask(bob, move_request(0, 2)).update().move_played().outcome().winner(),
            v1::MARK_O);
  // The record of the new game has all moves, and says where it began.
  const auto record = std::ranges::find_if(
      driver.records, [](const auto& each) { return each.has_game_finished(); });
  ASSERT_NE(record, driver.records.end());
  EXPECT_EQ(record->game_finished().moves_size(), 5);
  EXPECT_EQ(record->game_finished().move_ms(1), 104u);
  EXPECT_EQ(record->game_finished().from().game(), 7u);
  // The next game begins with an empty board.
  driver.ask(alice, rematch_request());
  driver.ask(bob, rematch_request());
  v1::ClientMessage snapshot;
  snapshot.mutable_get_snapshot();
  EXPECT_EQ(driver.ask(bob, snapshot).snapshot().moves_size(), 0);
}

TEST_F(PositionsTest, a_game_can_begin_again_with_its_first_move) {
  const v1::RoomSnapshot room = create(create_from(7, 0), finished_game()).snapshot();
  EXPECT_EQ(room.moves_size(), 0);
  EXPECT_EQ(room.starter(), v1::MARK_O);
}

TEST_F(PositionsTest, what_is_no_position_is_refused) {
  const auto code = [&](std::uint32_t moves, const std::optional<v1::GameRecord>& game) {
    return create(create_from(7, moves), game).error().code();
  };
  EXPECT_EQ(code(3, std::nullopt), Error::CODE_GAME_NOT_FOUND);
  EXPECT_EQ(code(8, finished_game()), Error::CODE_INVALID_OPTIONS);
  EXPECT_EQ(code(7, finished_game()), Error::CODE_INVALID_OPTIONS) << "the game is over there";
  v1::GameRecord bad = finished_game();
  bad.set_moves(2, 4);
  EXPECT_EQ(code(3, bad), Error::CODE_INVALID_OPTIONS) << "a cell twice";
  bad.set_moves(2, 4'000'000'000);
  EXPECT_EQ(code(3, bad), Error::CODE_INVALID_OPTIONS) << "off the board";
  bad = finished_game();
  bad.clear_starter();
  EXPECT_EQ(code(3, bad), Error::CODE_INVALID_OPTIONS);
  bad.mutable_rules()->set_k(200);
  EXPECT_EQ(code(3, bad), Error::CODE_INVALID_RULES);
  EXPECT_EQ(driver.ask(alice, create_from(7, 2'501)).error().code(), Error::CODE_INVALID_OPTIONS);
  EXPECT_TRUE(driver.ask(alice, create_request("den")).has_snapshot()) << "nothing is left";
}

TEST_F(PositionsTest, the_question_has_only_what_the_answer_needs) {
  driver.post(alice, create_from(7, 3, "swordfish"));
  ASSERT_EQ(driver.look_ups.size(), 1u);
  EXPECT_EQ(driver.look_ups[0].request.ShortDebugString().find("swordfish"), std::string::npos);
  EXPECT_NE(driver.look_ups[0].reader, 0u) << "private games are those of the asking player";
}

TEST_F(PositionsTest, the_requests_after_it_wait) {
  v1::ClientMessage games;
  games.mutable_list_games();
  driver.post(alice, games);
  driver.post(alice, games);
  const auto created = driver.post(alice, create_from(7, 3, "swordfish"));
  const auto left = driver.post(alice, leave_request());
  EXPECT_TRUE(driver.host().is_waiting(alice));
  EXPECT_EQ(driver.look_ups.size(), 1u) << "as many as one connection may have";
  driver.take(alice);
  for (int i = 0; i < 3; ++i) answer(driver, finished_game());
  EXPECT_FALSE(driver.host().is_waiting(alice));
  std::vector<std::uint64_t> answered;
  for (const v1::ServerMessage& message : driver.take(alice)) {
    answered.push_back(message.request_id());
  }
  EXPECT_EQ(answered, (std::vector<std::uint64_t>{created - 2, created - 1, created, left}));
}

TEST_F(PositionsTest, a_client_that_is_gone_leaves_no_room) {
  driver.post(alice, create_from(7, 3));
  driver.disconnect(alice);
  answer(driver, finished_game());
  EXPECT_EQ(driver.host().rooms(), 0u);
}

TEST_F(PositionsTest, a_server_that_stops_opens_no_room) {
  driver.post(alice, create_from(7, 3));
  driver.host().stop(driver.now());
  answer(driver, finished_game());
  EXPECT_TRUE(
      std::ranges::none_of(driver.records, [](const auto& each) { return each.has_room(); }));
}

TEST_F(PositionsTest, it_costs_as_much_as_the_room_the_game_and_its_look_up) {
  core::Config strict = config();
  strict.limits.request_burst = 200;
  strict.limits.requests_per_second = 1;
  strict.limits.game_burst = 1;
  strict.limits.games_per_minute = 1;
  HostDriver host(strict);
  const auto bob = host.enter("bob");
  host.post(bob, create_from(7, 3));
  answer(host, finished_game());
  EXPECT_TRUE(host.inbox(bob).back().has_snapshot());
  EXPECT_EQ(host.tokens(bob), 200 - 1 - 8 - 8);
  host.pass(std::chrono::seconds(30));
  EXPECT_TRUE(host.ask(bob, leave_request()).has_left());
  host.post(bob, create_from(7, 3));
  host.take(bob);
  answer(host, finished_game());
  EXPECT_EQ(host.inbox(bob).back().error().code(), Error::CODE_RATE_LIMITED)
      << "each game leaves a record";
}

// All of them are recorded again.
TEST_F(PositionsTest, a_room_with_many_moves_costs_more) {
  core::Config strict = config();
  strict.limits.requests_per_second = 1;
  HostDriver host(strict);
  v1::GameRecord game;
  game.mutable_rules()->set_rows(7);
  game.mutable_rules()->set_cols(49);
  game.mutable_rules()->set_k(49);
  game.set_starter(v1::MARK_X);
  for (std::uint32_t cell = 0; cell < 320; ++cell) game.add_moves(cell);
  const auto bob = host.enter("bob");
  host.post(bob, create_from(7, 300));
  answer(host, game);
  ASSERT_TRUE(host.inbox(bob).back().has_snapshot());
  EXPECT_EQ(host.tokens(bob), 200 - 1 - 8 - 8 - 300 / 50);
}

TEST_F(PositionsTest, a_server_without_records_has_no_positions) {
  HostDriver forgetful{core::Config{}};
  const auto bob = forgetful.enter("bob");
  EXPECT_EQ(forgetful.ask(bob, create_from(7, 3)).error().code(), Error::CODE_NO_RECORDS);
}

TEST_F(PositionsTest, a_restart_restores_the_room) {
  const v1::RoomSnapshot before = create(create_from(7, 3), finished_game()).snapshot();
  const Ledger ledger(driver.records);
  HostDriver next(config());
  ASSERT_TRUE(next.host().restore(ledger.saved(), next.now()).refused.empty());
  next.collect();
  const auto back = next.come_back(driver.token(alice), "den");
  const v1::RoomSnapshot& after = next.inbox(back).back().snapshot();
  EXPECT_EQ(after.options().SerializeAsString(), before.options().SerializeAsString());
  EXPECT_TRUE(std::ranges::equal(after.moves(), before.moves()));
  EXPECT_EQ(after.starter(), before.starter());
  EXPECT_EQ(after.your_seat(), v1::MARK_X);
}

}  // namespace
}  // namespace tictactoe::test::host_positions_tests
