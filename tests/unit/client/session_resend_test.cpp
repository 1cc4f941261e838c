#include "client/session/resend.hpp"

#include <gtest/gtest.h>

#include "tests/support/console_harness.hpp"

namespace tictactoe::client::session_resend_tests {
namespace {

using testing::from_text;
using testing::snapshot;

Room room_of(const std::string& more) {
  RoomRead read = read_snapshot(snapshot(more));
  EXPECT_TRUE(read.room) << read.fault;
  return std::move(read.room.value());
}

Fate fate(const std::string& asked, const std::string& room, bool by_snapshot = false) {
  const Room mirror = room_of(room);
  return fate_of(from_text<v1::ClientMessage>(asked), &mirror, by_snapshot);
}

Fate fate_without_room(const std::string& asked) {
  return fate_of(from_text<v1::ClientMessage>(asked), nullptr, true);
}

TEST(Resend, a_move_is_known_from_the_board) {
  const std::string move = "move { cell { row: 1 col: 1 } game: 1 ply: 2 }";
  EXPECT_EQ(fate(move, "moves: [0, 1]"), Fate::not_done);
  EXPECT_EQ(fate(move, "moves: [0, 1]", true), Fate::not_done);
  EXPECT_EQ(fate(move, "moves: [0, 1, 4]"), Fate::done);
  EXPECT_EQ(fate(move, "moves: [0, 1, 4, 2]"), Fate::done);
  EXPECT_EQ(fate(move, "moves: [0, 1, 5]"), Fate::obsolete) << "another was played in its place";
  EXPECT_EQ(fate(move, "moves: [0, 1] game: 2"), Fate::obsolete);
  EXPECT_EQ(fate(move, "moves: [0, 1] phase: PHASE_FINISHED"), Fate::obsolete);
  EXPECT_EQ(fate_without_room(move), Fate::obsolete);
}

// Only what is certain: an effect of the own request that stands, or a reason why it can have no
// more.
TEST(Resend, what_stands_was_done_and_what_is_over_is_not_asked_for_again) {
  EXPECT_EQ(fate("offer_draw { game: 1 }", ""), Fate::not_done);
  EXPECT_EQ(fate("offer_draw { game: 1 }", "draw_offered_by: MARK_X", true), Fate::done);
  EXPECT_EQ(fate("ask_takeback { game: 1 }", "takeback_asked_by: MARK_X", true), Fate::done);
  EXPECT_EQ(fate("rematch { }", "phase: PHASE_FINISHED x_wants_rematch: true", true), Fate::done);
  EXPECT_EQ(fate("rematch { }", "phase: PHASE_FINISHED", true), Fate::not_done);
  EXPECT_EQ(fate("decline { game: 1 }", "draw_offered_by: MARK_O", true), Fate::not_done);
  EXPECT_EQ(fate("resign { game: 1 }", "", true), Fate::not_done);
  EXPECT_EQ(fate("add_ai { }", "", true), Fate::not_done);
  EXPECT_EQ(fate("remove_ai { }", "o { kind: KIND_AI }", true), Fate::not_done);
  EXPECT_EQ(fate("leave_room { }", "", true), Fate::not_done);
  EXPECT_EQ(fate("play { }", "", true), Fate::done);
  for (const char* asked :
       {"offer_draw { game: 1 }", "resign { game: 1 }", "decline { game: 1 }"}) {
    EXPECT_EQ(fate(asked, "game: 2", true), Fate::obsolete) << asked;
  }
  EXPECT_EQ(fate("offer_draw { game: 1 }", "phase: PHASE_FINISHED", true), Fate::obsolete);
  for (const char* asked : {"hint { }", "chat { text: 'hi' }"}) {
    EXPECT_EQ(fate_without_room(asked), Fate::obsolete) << asked;
  }
}

TEST(Resend, what_only_reads_or_never_took_effect_is_asked_for_again) {
  for (const char* asked : {"list_rooms { }", "list_games { }", "get_game { id: 3 }"}) {
    EXPECT_EQ(fate(asked, "", true), Fate::not_done) << asked;
    EXPECT_EQ(fate_without_room(asked), Fate::not_done) << asked;
  }
  for (const char* asked : {"create_room { name: 'den' }", "join_room { name: 'den' }", "play { }",
                            "watch_room { name: 'den' }"}) {
    EXPECT_EQ(fate_without_room(asked), Fate::not_done) << asked;
  }
  EXPECT_EQ(fate("hint { }", "", true), Fate::not_done);
  EXPECT_EQ(fate("ping { }", ""), Fate::obsolete);
  EXPECT_EQ(fate("get_snapshot { }", ""), Fate::obsolete);
}

TEST(Resend, an_update_that_was_missed_tells_what_was_done) {
  const Room room = room_of("moves: 4");
  const auto shows = [&](const std::string& update, const std::string& asked) {
    return is_result_of(from_text<v1::RoomUpdate>(update), from_text<v1::ClientMessage>(asked),
                        room, "alice");
  };
  const std::string move = "move { cell { row: 1 col: 1 } game: 1 ply: 0 }";
  EXPECT_TRUE(shows("move_played { mark: MARK_X cell { row: 1 col: 1 } ply: 1 }", move));
  EXPECT_FALSE(shows("move_played { mark: MARK_O cell { row: 1 col: 1 } ply: 1 }", move));
  EXPECT_FALSE(shows("move_played { mark: MARK_X cell { row: 1 col: 1 } ply: 3 }", move));
  EXPECT_FALSE(shows("move_played { mark: MARK_X cell { row: 1 col: 2 } ply: 1 }", move));
  const std::string chat = "chat { text: 'hi' }";
  EXPECT_TRUE(shows("chat_said { from: 'alice' text: 'hi' }", chat));
  EXPECT_FALSE(shows("chat_said { from: 'bob' text: 'hi' }", chat));
  EXPECT_FALSE(shows("chat_said { from: 'alice' text: 'ho' }", chat));
  const std::pair<const char*, const char*> wishes[] = {
      {"draw_offered { by: ", "offer_draw { }"},
      {"takeback_asked { by: ", "ask_takeback { }"},
      {"declined { by: ", "decline { }"},
      {"rematch_wanted { seat: ", "rematch { }"}};
  for (const auto& [update, asked] : wishes) {
    EXPECT_TRUE(shows(std::string(update) + "MARK_X }", asked)) << asked;
    EXPECT_FALSE(shows(std::string(update) + "MARK_O }", asked)) << asked;
  }
  EXPECT_FALSE(shows("game_ended { outcome { reason: REASON_TIME } }", "resign { }"));
}

}  // namespace
}  // namespace tictactoe::client::session_resend_tests
