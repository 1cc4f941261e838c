// What a session knows of its room.
#include <gmock/gmock.h>

#include "client/model/room.hpp"
#include "client/model/sanitized.hpp"
#include "client/words/narration.hpp"
#include "tests/support/console_harness.hpp"

namespace tictactoe::client::session_model_tests {
namespace {

using testing::from_text;
using testing::snapshot;

Room room_of(const v1::RoomSnapshot& sent) {
  RoomRead read = read_snapshot(sent);
  EXPECT_TRUE(read.room) << read.fault;
  return std::move(read.room.value());
}

Applied updated(Room& room, const std::string& update) {
  return apply_update(room, from_text<v1::RoomUpdate>(update), "alice");
}

TEST(Snapshot, is_mirrored) {
  const Room room =
      room_of(snapshot("rules { exact: true } moves: 4 moves: 0 turn: MARK_X watchers: 2"));
  EXPECT_TRUE(room.exact);
  EXPECT_EQ(room.name, "den");
  EXPECT_EQ(room.board.count(), 2U);
  EXPECT_EQ(room.board.at({1, 1}), Mark::x);
  EXPECT_EQ(room.board.at({0, 0}), Mark::o);
  EXPECT_EQ(room.board.last(), (Cell{0, 0}));
  EXPECT_TRUE(room.my_turn());
  EXPECT_EQ(room.watchers, 2U);
}

TEST(Snapshot, the_starter_makes_the_first_mark) {
  const Room room = room_of(snapshot("starter: MARK_O moves: 4 moves: 0"));
  EXPECT_EQ(room.board.at({1, 1}), Mark::o);
  EXPECT_EQ(room.board.at({0, 0}), Mark::x);
}

TEST(Snapshot, of_the_longest_game_is_taken) {
  auto sent = snapshot("rules { rows: 1000 cols: 1000 k: 5 }");
  for (std::uint32_t i = 0; i < 10'000; ++i) sent.add_moves(100 * i);
  EXPECT_EQ(room_of(sent).board.count(), 10'000U);
}

TEST(Snapshot, of_the_largest_boards_is_taken) {
  EXPECT_EQ(room_of(snapshot("rules { rows: 2000 }")).board.rows(), 2000U);
  EXPECT_EQ(room_of(snapshot("rules { cols: 2000 }")).board.cols(), 2000U);
}

TEST(Snapshot, keeps_the_latest_chat) {
  auto sent = snapshot();
  for (std::size_t i = 0; i <= max_kept_chat; ++i) sent.add_chat()->set_text(std::to_string(i));
  const Room room = room_of(sent);
  ASSERT_EQ(room.chat.size(), max_kept_chat);
  EXPECT_EQ(room.chat.front().text, "1");
}

TEST(Snapshot, hostile_ones_are_refused_without_a_board) {
  for (const char* more :
       {"rules { rows: 4294967295 cols: 4294967295 }", "rules { rows: 2001 }",
        "rules { cols: 2001 }", "moves: 9", "moves: 4294967295", "moves: 4 moves: 4"}) {
    const RoomRead read = read_snapshot(snapshot(more));
    EXPECT_FALSE(read.room) << more;
    EXPECT_FALSE(read.fault.empty()) << more;
  }
  EXPECT_FALSE(read_snapshot(v1::RoomSnapshot()).room);
  auto without_starter = snapshot("moves: 1");
  without_starter.clear_starter();
  EXPECT_FALSE(read_snapshot(without_starter).room);
}

TEST(Snapshot, unknown_enums_become_known_ones) {
  auto sent = snapshot();
  sent.set_phase(static_cast<v1::Phase>(77));
  sent.set_turn(static_cast<v1::Mark>(-3));
  sent.set_your_seat(static_cast<v1::Mark>(12));
  sent.mutable_x()->set_kind(static_cast<v1::Occupant::Kind>(9));
  const Room room = room_of(sent);
  EXPECT_EQ(room.phase, Phase::waiting);
  EXPECT_EQ(room.turn, Mark::none);
  EXPECT_EQ(room.my_seat, Mark::none);
  EXPECT_EQ(room.x.kind, Occupant::Kind::open);
}

TEST(Snapshot, lines_off_the_board_or_not_straight_are_left_out) {
  const Room room =
      room_of(snapshot("phase: PHASE_FINISHED outcome { winner: MARK_X reason: REASON_LINE "
                       "lines { kind: KIND_ROW first { } last { col: 4000000000 } } "
                       "lines { kind: KIND_ROW first { } last { row: 1 col: 2 } } "
                       "lines { kind: KIND_DIAGONAL first { } last { row: 1 col: 2 } } "
                       "lines { kind: KIND_UNSPECIFIED first { } last { row: 2 col: 1 } } "
                       "lines { kind: KIND_ANTIDIAGONAL first { col: 2 } last { row: 2 } } }"));
  ASSERT_EQ(room.outcome->lines.size(), 1U);
  EXPECT_THAT(room.outcome->lines[0].cells(),
              ::testing::ElementsAre(Cell{0, 2}, Cell{1, 1}, Cell{2, 0}));
}

TEST(Snapshot, many_lines_are_cut) {
  auto sent = snapshot("phase: PHASE_FINISHED");
  const auto line = from_text<v1::Line>("kind: KIND_ROW first { } last { col: 2 }");
  for (int i = 0; i < 100'000; ++i) *sent.mutable_outcome()->add_lines() = line;
  EXPECT_EQ(room_of(sent).outcome->lines.size(), static_cast<std::size_t>(max_kept_lines));
}

TEST(Snapshot, names_are_made_fit_for_a_screen) {
  auto sent = snapshot("name: '\\033[2Jden'");
  sent.mutable_x()->set_name(std::string(100'000, 'x'));
  const Room room = room_of(sent);
  EXPECT_EQ(room.name, "\xEF\xBF\xBD[2Jden");
  EXPECT_EQ(room.x.name, std::string(max_shown_name - 3, 'x') + "...");
}

TEST(Names, of_people_do_not_look_like_roles) {
  Occupant occupant;
  occupant.kind = Occupant::Kind::person;
  occupant.name = "AI (suggester)";
  EXPECT_EQ(name_of(occupant), "\"AI (suggester)\"");
  occupant.name = "alice";
  EXPECT_EQ(name_of(occupant), "alice");
  occupant.kind = Occupant::Kind::ai;
  occupant.name = "AI (suggester)";
  EXPECT_EQ(name_of(occupant), "AI (suggester)");
  EXPECT_EQ(chat_text({"alice (X)", Mark::none, "I resign"}), "\"alice (X)\": I resign");
  EXPECT_EQ(chat_text({"alice", Mark::x, "hello"}), "alice (X): hello");
}

TEST(Update, a_move_is_placed) {
  Room room = room_of(snapshot());
  ASSERT_EQ(updated(room,
                    "revision: 8 phase: PHASE_PLAYING turn: MARK_O "
                    "move_played { mark: MARK_X cell { row: 2 col: 1 } ply: 1 }"),
            Applied::yes);
  EXPECT_EQ(room.board.at({2, 1}), Mark::x);
  EXPECT_EQ(room.revision, 8U);
  EXPECT_FALSE(room.my_turn());
}

TEST(Update, revisions_decide) {
  Room room = room_of(snapshot());
  for (const char* revision : {"0", "6", "7"}) {
    EXPECT_EQ(updated(room, std::string("watchers_changed { } revision: ") + revision),
              Applied::old);
  }
  for (const char* revision : {"9", "18446744073709551615"}) {
    EXPECT_EQ(updated(room, std::string("watchers_changed { } revision: ") + revision),
              Applied::gap);
  }
  EXPECT_EQ(updated(room, "revision: 8 watchers_changed { watchers: 5 }"), Applied::yes);
  EXPECT_EQ(room.watchers, 5U);
}

TEST(Update, nothing_comes_after_the_last_revision) {
  Room room = room_of(snapshot("revision: 18446744073709551615"));
  EXPECT_EQ(updated(room, "revision: 0 watchers_changed { }"), Applied::old);
  EXPECT_EQ(updated(room, "revision: 18446744073709551615 watchers_changed { }"), Applied::old);
}

TEST(Update, nonsense_changes_nothing) {
  Room room = room_of(snapshot("moves: 0 turn: MARK_O"));
  const std::string head = "revision: 8 phase: PHASE_FINISHED turn: MARK_X ";
  for (const char* change :
       {"move_played { mark: MARK_O cell { } ply: 2 }",                  // taken
        "move_played { mark: MARK_O cell { row: 3 } ply: 2 }",           // off the board
        "move_played { mark: MARK_O cell { col: 4294967295 } ply: 2 }",  // far off
        "move_played { mark: MARK_O cell { row: 1 } ply: 3 }",           // another position
        "move_played { mark: MARK_O cell { row: 1 } ply: 0 }",           //
        "move_played { mark: MARK_O cell { row: 1 } ply: 4294967295 }",  //
        "move_played { cell { row: 1 } ply: 2 }",                        // nobody's mark
        "seat_changed { occupant { kind: KIND_AI } }",                   // no seat
        "taken_back { ply: 4294967295 by: MARK_X }", "rematch_wanted { }", "draw_offered { }",
        "takeback_asked { }"}) {
    EXPECT_EQ(updated(room, head + change), Applied::nonsense) << change;
    EXPECT_EQ(room.revision, 7U) << change;
    EXPECT_EQ(room.phase, Phase::playing) << change;
    EXPECT_EQ(room.board.count(), 1U) << change;
    EXPECT_EQ(room.x.name, "alice") << change;
  }
}

TEST(Update, another_player_on_the_own_seat_makes_a_watcher) {
  Room room = room_of(snapshot());
  ASSERT_EQ(updated(room,
                    "revision: 8 phase: PHASE_PLAYING turn: MARK_X seat_changed { seat: MARK_O "
                    "occupant { kind: KIND_AI name: 'Robo' } }"),
            Applied::yes);
  EXPECT_EQ(room.my_seat, Mark::x);
  ASSERT_EQ(updated(room,
                    "revision: 9 phase: PHASE_PLAYING turn: MARK_X seat_changed { seat: MARK_X "
                    "occupant { kind: KIND_AI name: 'alice' } watchers: 1 }"),
            Applied::yes);
  EXPECT_EQ(room.my_seat, Mark::none);
  EXPECT_FALSE(room.my_turn());
  EXPECT_EQ(room.watchers, 1U);
}

TEST(Update, a_move_answers_offers) {
  Room room = room_of(snapshot("draw_offered_by: MARK_O takeback_asked_by: MARK_O"));
  ASSERT_EQ(updated(room,
                    "revision: 8 phase: PHASE_PLAYING turn: MARK_O "
                    "move_played { mark: MARK_X cell { } ply: 1 }"),
            Applied::yes);
  EXPECT_EQ(room.draw_offered_by, Mark::none);
  EXPECT_EQ(room.takeback_asked_by, Mark::none);
}

TEST(Update, another_player_on_a_seat_ends_its_offers_alone) {
  Room room = room_of(snapshot("draw_offered_by: MARK_O takeback_asked_by: MARK_O"));
  const auto carol_takes = [&](const std::string& revision, const std::string& seat) {
    return updated(room, "revision: " + revision +
                             " phase: PHASE_PLAYING turn: MARK_X seat_changed { occupant { kind: "
                             "KIND_PERSON name: 'carol' } seat: " +
                             seat + " }");
  };
  ASSERT_EQ(carol_takes("8", "MARK_X"), Applied::yes);
  EXPECT_EQ(room.draw_offered_by, Mark::o);
  EXPECT_EQ(room.takeback_asked_by, Mark::o);
  ASSERT_EQ(carol_takes("9", "MARK_O"), Applied::yes);
  EXPECT_EQ(room.draw_offered_by, Mark::none);
  EXPECT_EQ(room.takeback_asked_by, Mark::none);
}

TEST(Update, a_game_starts_on_an_empty_board) {
  Room room = room_of(snapshot("moves: 4 phase: PHASE_FINISHED outcome { } x_wants_rematch: true"));
  EXPECT_TRUE(room.i_want_rematch());
  ASSERT_EQ(updated(room,
                    "revision: 8 phase: PHASE_PLAYING turn: MARK_O "
                    "game_started { game: 2 starter: MARK_O }"),
            Applied::yes);
  EXPECT_EQ(room.board.count(), 0U);
  EXPECT_FALSE(room.board.last());
  EXPECT_FALSE(room.outcome);
  EXPECT_FALSE(room.i_want_rematch());
  EXPECT_EQ(room.game, 2U);
}

TEST(Update, of_an_unknown_kind_still_counts) {
  Room room = room_of(snapshot());
  EXPECT_EQ(updated(room, "revision: 8 phase: PHASE_WAITING"), Applied::yes);
  EXPECT_EQ(room.revision, 8U);
  EXPECT_EQ(room.phase, Phase::waiting);
}

TEST(NotePlayers, only_of_seats_that_have_not_changed_hands) {
  const Room before = room_of(snapshot());
  auto sent = snapshot("phase: PHASE_FINISHED outcome { winner: MARK_X }");
  Room now = room_of(sent);
  note_players(now, before);
  EXPECT_EQ(now.played.x.name, "alice");
  EXPECT_EQ(now.played.o.name, "bob");
  EXPECT_EQ(now.played.mine, Mark::x);

  sent.mutable_x()->set_name("carol");
  sent.clear_your_seat();
  now = room_of(sent);
  note_players(now, before);
  EXPECT_EQ(now.played.x.kind, Occupant::Kind::open) << "carol may not have won";
  EXPECT_EQ(now.played.o.name, "bob");
  EXPECT_EQ(now.played.mine, Mark::none);
}

TEST(LinesKnown, are_the_last_before_and_the_first_now) {
  const auto lines = [](const std::string& texts) {
    std::deque<ChatLine> said;
    for (const char text : texts) said.push_back({"bob", Mark::o, std::string(1, text)});
    return said;
  };
  EXPECT_EQ(lines_known(lines("abc"), lines("bcd")), 2U);
  EXPECT_EQ(lines_known(lines("abc"), lines("abc")), 3U);
  EXPECT_EQ(lines_known(lines("abc"), lines("de")), 0U);
  EXPECT_EQ(lines_known({}, lines("a")), 0U);
}

TEST(Shown, cuts_at_code_points) {
  EXPECT_EQ(sanitized("abc", 3), "abc");
  EXPECT_EQ(sanitized("abcd", 3), "...");
  EXPECT_EQ(sanitized("\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F\xC3\xA4", 4), "\xC3\xA4...");
  EXPECT_EQ(sanitized(std::string(100, '\x1B'), 5), "\xEF\xBF\xBD\xEF\xBF\xBD...");
}

}  // namespace
}  // namespace tictactoe::client::session_model_tests
