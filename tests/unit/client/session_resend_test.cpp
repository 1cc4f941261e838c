#include "client/session/resend.hpp"

#include <gtest/gtest.h>

#include "tests/support/console_harness.hpp"

namespace tictactoe::client {
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
  EXPECT_EQ(fate(move, "moves: [0]"), Fate::obsolete) << "taken back";
  EXPECT_EQ(fate(move, "moves: [0, 1] game: 2"), Fate::obsolete);
  EXPECT_EQ(fate(move, "moves: [0, 1] phase: PHASE_FINISHED"), Fate::obsolete);
  EXPECT_EQ(fate_without_room(move), Fate::obsolete);
}

TEST(Resend, offers_are_known_from_updates_but_not_always_from_a_snapshot) {
  const std::string offer = "offer_draw { game: 1 }";
  EXPECT_EQ(fate(offer, ""), Fate::not_done);
  EXPECT_EQ(fate(offer, "", true), Fate::unknown) << "it may have been declined";
  EXPECT_EQ(fate(offer, "draw_offered_by: MARK_X", true), Fate::done);
  EXPECT_EQ(fate(offer, "phase: PHASE_FINISHED", true), Fate::obsolete);
  EXPECT_EQ(fate(offer, "game: 2", true), Fate::obsolete);
  EXPECT_EQ(fate("ask_takeback { game: 1 }", "takeback_asked_by: MARK_X", true), Fate::done);
  EXPECT_EQ(fate("ask_takeback { game: 1 }", "takeback_asked_by: MARK_O", true), Fate::unknown);
  EXPECT_EQ(fate("decline { game: 1 }", "draw_offered_by: MARK_O", true), Fate::not_done);
  EXPECT_EQ(fate("decline { game: 1 }", "", true), Fate::done);
}

TEST(Resend, what_leaves_a_trace_is_never_unknown) {
  EXPECT_EQ(fate("resign { game: 1 }", "", true), Fate::not_done);
  EXPECT_EQ(fate("resign { game: 1 }", "phase: PHASE_FINISHED", true), Fate::done);
  EXPECT_EQ(fate("resign { game: 1 }", "game: 2", true), Fate::obsolete);
  EXPECT_EQ(fate("rematch { }", "phase: PHASE_FINISHED", true), Fate::not_done);
  EXPECT_EQ(fate("rematch { }", "phase: PHASE_FINISHED x_wants_rematch: true", true), Fate::done);
  EXPECT_EQ(fate("rematch { }", "game: 2", true), Fate::done);
  EXPECT_EQ(fate("add_ai { seat: MARK_O }", "o { kind: KIND_AI }", true), Fate::done);
  EXPECT_EQ(fate("add_ai { }", "", true), Fate::not_done);
  EXPECT_EQ(fate("remove_ai { }", "o { kind: KIND_AI }", true), Fate::not_done);
  EXPECT_EQ(fate("remove_ai { }", "", true), Fate::done);
  EXPECT_EQ(fate("leave_room { }", "", true), Fate::not_done);
  EXPECT_EQ(fate_without_room("leave_room { }"), Fate::done);
}

TEST(Resend, entering_is_known_from_the_room) {
  for (const char* entering : {"create_room { name: 'den' }", "join_room { name: 'den' }",
                               "play { }", "watch_room { name: 'den' }"}) {
    EXPECT_EQ(fate(entering, "", true), Fate::done) << entering;
    EXPECT_EQ(fate_without_room(entering), Fate::not_done) << entering;
  }
}

TEST(Resend, lists_are_asked_for_again_and_requests_about_the_room_are_not) {
  for (const char* reading : {"list_rooms { }", "list_games { }", "get_game { id: 3 }"}) {
    EXPECT_EQ(fate(reading, "", true), Fate::not_done) << reading;
    EXPECT_EQ(fate_without_room(reading), Fate::not_done) << reading;
  }
  EXPECT_EQ(fate("hint { }", "", true), Fate::not_done);
  EXPECT_EQ(fate_without_room("hint { }"), Fate::obsolete);
  EXPECT_EQ(fate_without_room("chat { text: 'hi' }"), Fate::obsolete);
  EXPECT_EQ(fate("ping { }", ""), Fate::obsolete);
  EXPECT_EQ(fate("get_snapshot { }", ""), Fate::obsolete);
}

TEST(Update, that_was_missed_tells_what_was_done) {
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
  EXPECT_TRUE(shows("draw_offered { by: MARK_X }", "offer_draw { }"));
  EXPECT_FALSE(shows("draw_offered { by: MARK_O }", "offer_draw { }"));
  EXPECT_TRUE(shows("game_ended { outcome { reason: REASON_AGREED } }", "offer_draw { }"));
  EXPECT_TRUE(shows("game_ended { outcome { reason: REASON_RESIGNED } }", "resign { }"));
  EXPECT_FALSE(shows("game_ended { outcome { reason: REASON_TIME } }", "resign { }"));
  EXPECT_TRUE(shows("taken_back { ply: 0 by: MARK_X }", "ask_takeback { }"));
  EXPECT_TRUE(shows("declined { by: MARK_X }", "decline { }"));
  EXPECT_FALSE(shows("declined { by: MARK_O }", "decline { }"));
  EXPECT_TRUE(shows("rematch_wanted { seat: MARK_X }", "rematch { }"));
  EXPECT_FALSE(shows("rematch_wanted { seat: MARK_O }", "rematch { }"));
}

}  // namespace
}  // namespace tictactoe::client
