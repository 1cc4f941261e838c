// The end of the longest game, and whether the longest messages fit a frame.
#include "server/core/look_up_answer.hpp"
#include "tests/support/records.hpp"
#include "tests/support/two_players.hpp"

namespace tictactoe::test::host_longest_game_tests {
namespace {

using std::chrono::milliseconds;

constexpr int limit = 6;

core::Config with_short_games() {
  core::Config config = HostDriver::recording();
  config.limits.moves_per_game = limit;
  return config;
}

class LongestGame : public TwoPlayersTest {
 protected:
  LongestGame() : TwoPlayersTest(with_short_games()) {
    driver.ask(alice, create_request("den", rules::Rules{5, 5, 3}));
    driver.ask(bob, join_request("den"));
  }
  /// Leaves one move, which is bob's.
  void play_to_the_last_move() {
    core::ConnectionId next = alice;
    core::ConnectionId other = bob;
    for (const auto& [row, col] : {std::pair(0u, 0u), {1u, 0u}, {0u, 1u}, {1u, 1u}, {3u, 3u}}) {
      ASSERT_TRUE(driver.ask(next, move_request(row, col)).has_update());
      std::swap(next, other);
    }
  }
  v1::Error::Code refusal(core::ConnectionId who, const v1::ClientMessage& request) {
    return driver.ask(who, request).error().code();
  }
  static void expect_draw(const v1::Outcome& outcome) {
    EXPECT_EQ(outcome.winner(), v1::MARK_NONE);
    EXPECT_EQ(outcome.reason(), v1::Outcome::REASON_MOVE_LIMIT);
  }
};

TEST_F(LongestGame, is_a_draw) {
  play_to_the_last_move();
  const v1::RoomUpdate last = driver.ask(bob, move_request(4, 0)).update();
  EXPECT_EQ(last.phase(), v1::PHASE_FINISHED);
  EXPECT_EQ(last.turn(), v1::MARK_NONE);
  EXPECT_EQ(last.score().draws(), 1u);
  expect_draw(last.move_played().outcome());
  expect_draw(room().outcome());
  EXPECT_EQ(refusal(alice, move_request(4, 4)), v1::Error::CODE_GAME_OVER);
  EXPECT_EQ(refusal(alice, takeback_request()), v1::Error::CODE_GAME_OVER);
  EXPECT_EQ(refusal(alice, hint_request()), v1::Error::CODE_GAME_OVER);
  const auto finished = std::ranges::find_if(
      driver.records, [](const auto& record) { return record.has_game_finished(); });
  ASSERT_NE(finished, driver.records.end());
  expect_draw(finished->game_finished().outcome());
  driver.ask(alice, rematch_request());
  EXPECT_TRUE(driver.ask(bob, rematch_request()).update().has_game_started());
  EXPECT_EQ(room().phase(), v1::PHASE_PLAYING);
}

TEST_F(LongestGame, can_be_won_by_its_last_move) {
  play_to_the_last_move();
  const v1::Outcome outcome = driver.ask(bob, move_request(1, 2)).update().move_played().outcome();
  EXPECT_EQ(outcome.winner(), v1::MARK_O);
  EXPECT_EQ(outcome.reason(), v1::Outcome::REASON_LINE);
}

TEST_F(LongestGame, counts_only_moves_that_are_on_the_board) {
  play_to_the_last_move();
  driver.ask(alice, takeback_request());
  driver.ask(bob, takeback_request());
  EXPECT_EQ(room().moves_size(), limit - 2);
  driver.ask(alice, move_request(4, 4));
  EXPECT_EQ(room().phase(), v1::PHASE_PLAYING);
  driver.ask(bob, move_request(4, 0));
  expect_draw(room().outcome());
}

TEST_F(LongestGame, is_over_after_a_restart) {
  play_to_the_last_move();
  driver.ask(bob, move_request(4, 0));
  HostDriver next(with_short_games(), 2);
  const auto saved = Ledger(driver.records).saved();
  EXPECT_TRUE(next.host().restore(saved, next.now()).refused.empty());
  next.collect();
  const auto ann = next.come_back(driver.token(alice));
  const v1::RoomSnapshot room = next.ask(ann, snapshot_request()).snapshot();
  EXPECT_EQ(room.phase(), v1::PHASE_FINISHED);
  expect_draw(room.outcome());
}

TEST_F(LongestGame, is_not_restored_with_more_moves) {
  play_to_the_last_move();
  core::Config shorter = with_short_games();
  shorter.limits.moves_per_game = limit - 2;
  HostDriver next(shorter, 2);
  const auto saved = Ledger(driver.records).saved();
  EXPECT_EQ(next.host().restore(saved, next.now()).refused.size(), 1u);
  next.collect();
}

// The driver checks that each message fits a frame.
TEST(LongestMessages, fit_a_frame_at_the_end_of_the_longest_game_of_two_ais) {
  core::Config config;
  config.limits.requests_per_second = 0;
  config.ai_delay = milliseconds(1);
  HostDriver driver(config);
  std::string longest_name;
  for (std::size_t i = 0; i < config.limits.name_length; ++i) longest_name += "\U00020000";
  std::string longest_line;
  for (std::size_t i = 0; i < config.limits.chat_length; ++i) longest_line += "\U0001F600";
  const auto ann = driver.enter(longest_name);
  ASSERT_TRUE(
      driver.ask(ann, create_request(longest_name, rules::Rules::square(1000))).has_snapshot());
  driver.ask(ann, add_ai_request(v1::MARK_O, "random"));
  driver.ask(ann, add_ai_request(v1::MARK_X, "random"));
  for (int move = 0; move < config.limits.moves_per_game; ++move) {
    driver.pass(milliseconds(1));
    driver.take(ann);
    driver.thoughts.clear();
  }
  for (std::size_t i = 0; i < config.limits.kept_chat; ++i) {
    driver.ask(ann, chat_request(longest_line));
  }
  const auto ben = driver.enter("ben");
  const v1::ServerMessage answer = driver.ask(ben, watch_request(longest_name));
  EXPECT_EQ(answer.snapshot().moves_size(), config.limits.moves_per_game);
  EXPECT_EQ(answer.snapshot().chat_size(), static_cast<int>(config.limits.kept_chat));
  EXPECT_EQ(answer.snapshot().outcome().reason(), v1::Outcome::REASON_MOVE_LIMIT);
  EXPECT_GT(answer.ByteSizeLong(), 50'000u);
  driver.ask(ben, leave_request());
  driver.ask(ben, watch_lobby_request());
}

TEST(LongestMessages, about_a_game_have_its_times_if_they_fit) {
  const core::Limits limits;
  v1::ServerMessage message;
  v1::GameRecord& game = *message.mutable_game_found()->mutable_game();
  for (int i = 0; i < limits.moves_per_game; ++i) game.add_moves(999'999);
  for (int i = 0; i < 7'000; ++i) game.add_move_ms(~0u);
  bool fits = true;
  while (fits && game.move_ms_size() < limits.moves_per_game) {
    game.add_move_ms(~0u);
    v1::ServerMessage answer;
    ASSERT_TRUE(answer.ParseFromString(core::encode_answer(message, limits.server_frame_bytes)));
    fits = answer.game_found().game().move_ms_size() > 0;
    answer.set_request_id(~std::uint64_t{0});
    ASSERT_LE(answer.ByteSizeLong(), limits.server_frame_bytes);
    ASSERT_EQ(answer.game_found().game().moves_size(), limits.moves_per_game);
  }
  EXPECT_FALSE(fits);
  EXPECT_GT(game.move_ms_size(), 7'001);
}

// As many rooms and lines as LobbyUpdate can have, each as large as it can be.
TEST(LongestMessages, about_the_lobby_fit_a_frame) {
  const core::Limits limits;
  const std::string name(4 * limits.name_length, 'x');  // four bytes a letter
  v1::RoomInfo room;
  room.set_name(name);
  for (v1::Occupant* seat : {room.mutable_x(), room.mutable_o()}) {
    seat->set_kind(v1::Occupant::KIND_PERSON);
    seat->set_name(name);
    seat->set_ai_level(std::string(16, 'x'));
    seat->set_away(true);
    seat->set_away_ms_left(~0u);
  }
  room.mutable_rules()->set_rows(1000);
  room.mutable_rules()->set_cols(1000);
  room.mutable_rules()->set_k(1000);
  room.mutable_rules()->set_exact(true);
  room.set_needs_password(true);
  room.set_phase(v1::PHASE_PLAYING);
  room.set_watchers(1000);
  room.set_ply(10'000);
  v1::RoomOptions& options = *room.mutable_options();
  options.mutable_time()->set_game_ms(~0u);
  options.mutable_time()->set_increment_ms(~0u);
  options.set_away(v1::AWAY_AI);
  options.set_grace_ms(~0u);
  options.set_open_ai_seats(true);
  options.set_hints(true);
  options.mutable_from()->set_game(~std::uint64_t{0});
  options.mutable_from()->set_moves(2'500);
  v1::ServerMessage message;
  v1::LobbyUpdate& update = *message.mutable_lobby_update();
  update.set_reset(true);
  update.set_complete(true);
  update.set_players(~0u);
  for (std::size_t i = 0; i < limits.rooms_per_list; ++i) *update.add_rooms() = room;
  for (std::size_t i = 0; i < limits.kept_chat; ++i) {
    v1::ChatSaid& line = *update.add_chat();
    line.set_from(name);
    line.set_text(std::string(4 * limits.chat_length, 'x'));
  }
  message.set_request_id(~std::uint64_t{0});
  EXPECT_LE(message.ByteSizeLong(), limits.server_frame_bytes);
}

}  // namespace
}  // namespace tictactoe::test::host_longest_game_tests
