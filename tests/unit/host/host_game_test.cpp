// The longest games and messages, and rooms that begin with a position.
#include <gmock/gmock.h>

#include <array>

#include "server/people/look_up_answer.hpp"
#include "tests/support/host_driver.hpp"
#include "tests/support/ledger.hpp"

namespace tictactoe::test::host_game_tests {
namespace {

using std::chrono::milliseconds;
using v1::Error;

TEST(LongestGames, are_not_restored_with_more_moves_than_the_limit) {
  server::Config config = HostDriver::recording();
  HostDriver driver(config);
  const std::array players{driver.enter("alice"), driver.enter("bob")};
  driver.ask(players[0], create_request("den", rules::Rules{5, 5, 3}));
  driver.ask(players[1], join_request("den"));
  for (const std::uint32_t move : {0U, 1U, 2U}) {
    ASSERT_TRUE(driver.ask(players[move % 2], move_request(move, move)).has_update());
  }
  for (const int limit : {2, 3}) {
    config.limits.moves_per_game = limit;
    HostDriver next(config, 2);
    const auto report = next.host().restore(Ledger(driver.records).saved(), next.now());
    next.collect();
    EXPECT_EQ(report.refused.size(), limit == 2 ? 1u : 0u);
  }
}

TEST(LateMoves, are_over_time_even_before_the_deadline_is_handled) {
  HostDriver driver;
  const auto alice = driver.enter("alice");
  v1::ClientMessage request = create_request("den");
  request.mutable_create_room()->mutable_options()->mutable_time()->set_game_ms(1'000);
  driver.ask(alice, request);
  driver.ask(driver.enter("bob"), join_request("den"));
  driver.pass(server::Limits().first_move_grace);
  const v1::ClientMessage move = move_request(0, 0);
  driver.host().received(alice, &move, driver.now() + std::chrono::seconds(1));
  driver.collect();
  EXPECT_EQ(driver.inbox(alice).back().error().code(), Error::CODE_GAME_OVER);
  const v1::RoomSnapshot room = driver.ask(alice, snapshot_request()).snapshot();
  EXPECT_EQ(room.outcome().reason(), v1::Outcome::REASON_TIME);
  EXPECT_EQ(room.moves_size(), 0);
}

// Whether the longest messages fit a frame --------------------------------------------------------

// The driver checks that each message fits a frame.
TEST(LongestMessages, fit_a_frame_at_the_end_of_the_longest_game_of_two_ais) {
  server::Config config;
  config.limits.requests_per_second = 0;
  config.ai_delay = milliseconds(1);
  HostDriver driver(config);
  std::string max_name;
  for (std::size_t i = 0; i < config.limits.name_length; ++i) max_name += "\U00020000";
  std::string max_line;
  for (std::size_t i = 0; i < config.limits.chat_length; ++i) max_line += "\U0001F600";
  const auto ann = driver.enter(max_name);
  ASSERT_TRUE(driver.ask(ann, create_request(max_name, rules::Rules::square(1000))).has_snapshot());
  driver.ask(ann, add_ai_request(v1::MARK_O, "random"));
  driver.ask(ann, add_ai_request(v1::MARK_X, "random"));
  for (int move = 0; move < config.limits.moves_per_game; ++move) {
    driver.pass(milliseconds(1));
    driver.take(ann);
    driver.thoughts.clear();
  }
  for (std::size_t i = 0; i < config.limits.kept_chat; ++i) {
    driver.ask(ann, chat_request(max_line));
  }
  const auto ben = driver.enter("ben");
  const v1::ServerMessage answer = driver.ask(ben, watch_request(max_name));
  EXPECT_EQ(answer.snapshot().moves_size(), config.limits.moves_per_game);
  EXPECT_EQ(answer.snapshot().chat_size(), static_cast<int>(config.limits.kept_chat));
  EXPECT_EQ(answer.snapshot().outcome().reason(), v1::Outcome::REASON_MOVE_LIMIT);
  EXPECT_GT(answer.ByteSizeLong(), 50'000u);
  driver.ask(ben, leave_request());
  driver.ask(ben, watch_lobby_request());
}

TEST(LongestMessages, about_a_game_have_its_times_if_they_fit) {
  const server::Limits limits;
  v1::ServerMessage message;
  v1::GameRecord& game = *message.mutable_game_found()->mutable_game();
  for (int i = 0; i < limits.moves_per_game; ++i) game.add_moves(999'999);
  for (int i = 0; i < 7'000; ++i) game.add_move_ms(~0u);
  bool fits = true;
  while (fits && game.move_ms_size() < limits.moves_per_game) {
    game.add_move_ms(~0u);
    v1::ServerMessage answer;
    ASSERT_TRUE(answer.ParseFromString(server::encode_answer(message, limits.server_frame_bytes)));
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
  const server::Limits limits;
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
  // With boards it has fewer rooms.
  update.mutable_rooms()->DeleteSubrange(0, static_cast<int>(limits.rooms_per_list / 8));
  for (v1::RoomInfo& each : *update.mutable_rooms()) each.set_marks(std::string(57, 'x'));
  EXPECT_LE(message.ByteSizeLong(), limits.server_frame_bytes);
}

// Rooms that begin with a position of a finished game ---------------------------------------------

v1::ClientMessage create_from(std::uint64_t game, std::uint32_t moves,
                              const std::string& password = {}) {
  v1::ClientMessage message = create_request("den", password);
  v1::GamePosition& from = *message.mutable_create_room()->mutable_options()->mutable_from();
  from.set_game(game);
  from.set_moves(moves);
  return message;
}

TEST(PositionsTest, the_question_has_only_what_the_answer_needs) {
  HostDriver driver(HostDriver::recording());
  driver.post(driver.enter("alice"), create_from(7, 3, "swordfish"));
  ASSERT_EQ(driver.look_ups.size(), 1u);
  EXPECT_EQ(driver.look_ups[0].request.ShortDebugString().find("swordfish"), std::string::npos);
  EXPECT_NE(driver.look_ups[0].reader, 0u) << "private games are those of the asking player";
}

// All of them are recorded again.
TEST(PositionsTest, a_room_with_many_moves_costs_more) {
  server::Config config = HostDriver::patient();
  config.keeps_records = true;
  config.limits.requests_per_second = 1;
  HostDriver driver(config);
  v1::ServerMessage found;
  v1::GameRecord& game = *found.mutable_game_found()->mutable_game();
  game.mutable_rules()->set_rows(7);
  game.mutable_rules()->set_cols(49);
  game.mutable_rules()->set_k(49);
  game.set_starter(v1::MARK_X);
  for (std::uint32_t cell = 0; cell < 320; ++cell) game.add_moves(cell);
  const auto bob = driver.enter("bob");
  driver.post(bob, create_from(7, 300));
  ASSERT_EQ(driver.look_ups.size(), 1u);
  driver.host().position_found(bob, server::encode_answer(found, config.limits.server_frame_bytes),
                               driver.now());
  driver.collect();
  driver.go_on();
  ASSERT_TRUE(driver.inbox(bob).back().has_snapshot());
  EXPECT_EQ(driver.tokens(bob), 200 - 1 - 8 - 8 - 300 / 50);
}

}  // namespace
}  // namespace tictactoe::test::host_game_tests
