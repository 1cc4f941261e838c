// The way into a server: its choice, its questions, the form for a room.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/support/screen_harness.hpp"

namespace tictactoe::screen::testing::screen_entry_tests {
namespace {

using client::testing::o_plays_corner;
using client::testing::x_plays_centre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Entry, is_shown_on_every_screen) {
  Screen lobby = in_lobby();
  lobby.keys(":watch");
  EXPECT_THAT(lobby.text(), HasSubstr("Command: watch"));
  EXPECT_TRUE(lobby.app.draw(lobby.now).cursor);

  Screen games = in_lobby();
  games.keys("g");
  games.answer(games.last_request(), two_games);
  games.keys(":hist");
  EXPECT_THAT(games.text(), HasSubstr("Command: hist"));
  games.keys("\033");
  EXPECT_THAT(games.text(), HasSubstr("Finished games"));
  games.keys("\r");
  games.answer(games.last_request(),
               "game_found { game { id: 7 rules { rows: 3 cols: 3 k: 3 } x { kind: KIND_PERSON "
               "name: 'ann' } "
               "o { kind: KIND_PERSON name: 'ben' } moves: 4 moves: 0 starter: MARK_X outcome { "
               "winner: MARK_X "
               "reason: REASON_RESIGNED } } }");
  EXPECT_THAT(games.text(), HasSubstr("move 0 of 2"));
  games.keys(":roo");
  EXPECT_THAT(games.text(), HasSubstr("Command: roo"));
}

TEST(Entry, has_the_cursor_behind_its_text) {
  Screen screen = in_room();
  screen.keys(":help");
  const Scene scene = screen.app.draw(screen.now);
  ASSERT_TRUE(scene.cursor);
  EXPECT_EQ(scene.picture.at({scene.cursor->x - 1, scene.cursor->y}).letter, U'p');
  EXPECT_EQ(scene.picture.at({scene.cursor->x - 4, scene.cursor->y}).letter, U'h');
}

TEST(Entry, survives_that_the_room_is_entered) {
  Screen screen = in_lobby();
  screen.keys("p:say hel");
  screen.enter(snapshot());
  EXPECT_THAT(screen.text(), HasSubstr("Move or command: say hel"));
}

TEST(Entry, knows_earlier_lines_and_completes) {
  Screen screen = in_lobby();
  screen.keys(":wat\tth\t\r");
  EXPECT_EQ(screen.last_request().watch_room().name(), "the den");
  screen.keys(":re\t");
  EXPECT_THAT(screen.text(), HasSubstr("resign rematch replay"));
  screen.keys("\x15\033[A");
  EXPECT_THAT(screen.text(), HasSubstr("Command: watch \"the den\""));
}

TEST(Entry, knows_the_lines_of_the_session_before) {
  Screen screen({80, 24}, alice(true));
  screen.welcome();
  screen.keys(":watch duel\r");
  screen.keys(":join");
  screen.keys("\033");
  screen.keys("S");
  ASSERT_TRUE(screen.app.talk_is_over());
  screen.app.forget_talk();
  screen.welcome();
  screen.keys(":");
  EXPECT_THAT(screen.text(), Not(HasSubstr("Command: join"))) << "it was not sent";
  screen.keys(up);
  EXPECT_THAT(screen.text(), HasSubstr("Command: watch duel"));
}

TEST(Commands, rooms_lists_them_in_a_room_too) {
  Screen screen = in_lobby();
  screen.enter(snapshot());
  screen.keys(":rooms\r");
  EXPECT_THAT(screen.text(), HasSubstr("3 rooms"));
  EXPECT_THAT(screen.text(), HasSubstr("vault"));
  EXPECT_THAT(screen.text(), HasSubstr("Esc Back to the game"));
  for (const char* refused : {"Enter Join", "P Play now", "N New room", "W Watch"}) {
    EXPECT_THAT(screen.text(), Not(HasSubstr(refused)));
  }
  screen.keys("\033");
  EXPECT_THAT(screen.text(), HasSubstr("Your turn"));
}

TEST(Rooms, without_an_open_seat_can_be_watched) {
  Screen screen;
  screen.welcome();
  screen.server(R"(lobby_update { reset: true complete: true
    rooms { name: 'a' phase: PHASE_WAITING rules { rows: 3 cols: 3 k: 3 } }
    rooms { name: 'b' phase: PHASE_PLAYING x { kind: KIND_PERSON name: 'c' }
            o { kind: KIND_PERSON name: 'd' } rules { rows: 3 cols: 3 k: 3 } } })");
  EXPECT_THAT(screen.text(), HasSubstr("Enter Join"));
  EXPECT_THAT(screen.text(), HasSubstr("W Watch"));
  screen.keys("j");
  EXPECT_THAT(screen.text(), HasSubstr("Enter Watch"));
  EXPECT_THAT(screen.text(), Not(HasSubstr("Enter Join")));
}

TEST(Commands, history_lists_the_games_of_a_player) {
  Screen screen = in_room();
  screen.keys(":history ann\r");
  const auto request = screen.last_request();
  EXPECT_EQ(request.list_games().player(), "ann");
  screen.answer(request, two_games);
  EXPECT_THAT(screen.text(), HasSubstr("Finished games of ann"));
  EXPECT_THAT(screen.text(), HasSubstr("cleo"));
  screen.keys("\033");
  EXPECT_THAT(screen.text(), HasSubstr("Your turn"));
}

TEST(Commands, history_without_a_connection_says_so) {
  Screen screen = in_lobby();
  screen.keys("g");
  screen.answer(screen.last_request(), two_games);
  screen.lose();
  screen.keys(":history bob\r");
  EXPECT_THAT(screen.text(), HasSubstr("Connection lost."));
  EXPECT_THAT(screen.text(), HasSubstr("cleo")) << "the list of before stays";
  EXPECT_THAT(screen.text(), Not(HasSubstr("of bob")));
}

TEST(Commands, history_that_is_refused_is_not_waited_for) {
  Screen screen = in_lobby();
  screen.keys("g");
  EXPECT_THAT(screen.text(), HasSubstr("Loading games"));
  screen.answer(screen.last_request(), "error { code: CODE_NO_RECORDS message: 'None are kept.' }");
  EXPECT_THAT(screen.text(), HasSubstr("None are kept."));
  EXPECT_THAT(screen.text(), Not(HasSubstr("Loading games")));
}

TEST(Commands, of_the_command_line_wait_until_a_resumed_seat_has_caught_up) {
  App::Options options = alice();
  options.commands = {"create den", "ai o", "say hello"};
  Screen screen({80, 24}, options);
  screen.connect();
  screen.answer(screen.last_request(),
                "welcome { protocol_version: 1 player_name: 'alice' resumed: true room: 'den' }");
  const auto ping = screen.last_request();
  EXPECT_TRUE(ping.has_ping());
  screen.enter(snapshot());
  screen.answer(ping, "pong { }");
  const auto sent = screen.sent();
  ASSERT_EQ(sent.size(), 1U) << "the player who comes back has a room and an opponent";
  EXPECT_EQ(sent.front().chat().text(), "hello");
}

TEST(Commands, board_goes_to_a_place) {
  Screen screen = in_room("rules { rows: 15 cols: 15 k: 5 }");
  screen.keys(":history\r");
  screen.keys(":board c2\r");
  EXPECT_THAT(screen.text(), HasSubstr("Your turn"));
  screen.keys("\r");
  EXPECT_EQ(screen.last_request().move().cell().row(), 1U);
  Screen lobby = in_lobby();
  lobby.keys(":board\r");
  EXPECT_THAT(lobby.text(), HasSubstr("You are not in a room."));
}

TEST(Password, that_is_wrong_can_be_typed_again) {
  Screen screen = in_lobby();
  screen.keys("jj\r");
  screen.keys("wrong\r");
  screen.answer(screen.last_request(),
                "error { code: CODE_WRONG_PASSWORD message: 'That is not the password.' }");
  EXPECT_THAT(screen.text(), HasSubstr("That is not the password."));
  screen.keys("right\r");
  EXPECT_EQ(screen.last_request().join_room().password(), "right");
}

TEST(Notice, is_shown_whole_on_two_rows) {
  Screen screen = in_room();
  screen.keys("D\r");
  screen.answer(
      screen.last_request(),
      "error { code: CODE_NOT_ALLOWED message: 'This is a sentence of a server, which says "
      "at some length and in full what you can do.' }");
  EXPECT_THAT(screen.text(), HasSubstr("in full what you\n can do.\n"));
  EXPECT_THAT(screen.text(), HasSubstr("? Help"));
}

TEST(Notice, disappears_with_the_next_event) {
  Screen screen = in_room();
  screen.keys("D\r");
  screen.answer(screen.last_request(), "error { code: CODE_NOT_ALLOWED message: 'Not now.' }");
  EXPECT_THAT(screen.text(), HasSubstr("\n Not now.\n"));
  screen.server(
      "update { revision: 8 phase: PHASE_PLAYING turn: MARK_X chat_said { "
      "from: 'bob' text: 'hm' } }");
  EXPECT_THAT(screen.text(), Not(HasSubstr("\n Not now.\n")));
}

TEST(Hint, is_shown_only_for_its_position) {
  Screen screen = in_room();
  screen.keys("H\r");
  const auto asked = screen.last_request();
  screen.server(x_plays_centre);
  screen.server(o_plays_corner);
  screen.answer(asked, "hinted { cell { row: 1 col: 1 } mark: MARK_X game: 1 ply: 0 }");
  EXPECT_THAT(screen.text(), Not(HasSubstr("is a good move")));
  EXPECT_THAT(screen.text(), HasSubstr("The hint came too late"));
}

TEST(Hint, is_gone_when_the_move_was_taken_back) {
  Screen screen = in_room();
  screen.keys("H\r");
  screen.answer(screen.last_request(),
                "hinted { cell { row: 1 col: 1 } mark: MARK_X game: 1 ply: 0 }");
  EXPECT_THAT(screen.text(), HasSubstr("\n Hint: b2 is a good move for X."));
  screen.server(x_plays_centre);
  screen.server(
      "update { revision: 9 phase: PHASE_PLAYING turn: MARK_X "
      "taken_back { ply: 0 by: MARK_X takebacks: 1 } }");
  EXPECT_THAT(screen.text(), Not(HasSubstr("\n Hint: b2")));
}

TEST(Move, is_not_sent_while_it_is_the_turn_of_the_other_side) {
  Screen screen = in_room("turn: MARK_O moves: 0");
  screen.keys("\r");
  EXPECT_TRUE(screen.sent().empty());
  EXPECT_THAT(screen.text(), HasSubstr("It is bob's turn (O)."));
  EXPECT_THAT(screen.text(), Not(HasSubstr("is sent")));
  EXPECT_THAT(screen.text(), Not(HasSubstr("~")));
}

TEST(Move, is_not_sent_by_a_watcher) {
  Screen screen;
  screen.welcome();
  auto room = snapshot("x { kind: KIND_PERSON name: 'carol' }");
  room.clear_your_seat();
  screen.enter(room);
  screen.sent();
  screen.keys("\r");
  EXPECT_TRUE(screen.sent().empty());
  EXPECT_THAT(screen.text(), HasSubstr("You are watching this game and can't move."));
}

TEST(Move, is_marked_until_it_is_answered) {
  Screen screen = in_room();
  screen.keys("\r");
  EXPECT_THAT(screen.text(), HasSubstr("Sending b2 ..."));
  EXPECT_THAT(screen.text(), HasSubstr("~"));
  const auto move = screen.last_request();
  screen.answer(move, x_plays_centre);
  EXPECT_THAT(screen.text(), Not(HasSubstr("Sending b2")));
  EXPECT_THAT(screen.text(), Not(HasSubstr("~")));

  Screen refused = in_room();
  refused.keys("\r");
  refused.answer(refused.last_request(), "error { code: CODE_CELL_TAKEN message: 'It is taken.' }");
  EXPECT_THAT(refused.text(), Not(HasSubstr("Sending b2")));
}

// The screen that offers servers, and takes an address --------------------------------------------

// Connects in vain, and shows these servers again.
void fail_to_connect(Screen& screen, const std::vector<ServerEntry>& servers) {
  screen.connect();
  screen.app.talk()->cannot_connect("no answer", screen.now);
  screen.app.happened(screen.now);
  EXPECT_TRUE(screen.app.talk_is_over());
  screen.app.forget_talk();
  EXPECT_THAT(screen.text(), HasSubstr("Can't reach a server at testhost: no answer."));
  EXPECT_FALSE(screen.app.ending());
  screen.app.start().offer(servers, true);
}

TEST(Start, the_only_server_is_joined) {
  Screen screen({80, 24}, alice(true));
  screen.app.start().offer({{"192.0.2.5:7654", "the den", "", true}, {"old:1", "", "", false}},
                           true);
  screen.app.start().choose_the_only_one();
  EXPECT_EQ(screen.app.start().take_choice(), "192.0.2.5:7654");
  EXPECT_FALSE(screen.app.start().take_choice());
}

TEST(Start, nothing_is_joined_for_a_person_who_has_begun_to_choose) {
  Screen screen({80, 24}, alice(true));
  screen.app.start().offer({{"192.0.2.5:7654", "the den", "", true}}, true);
  screen.keys("e");
  screen.app.start().choose_the_only_one();
  EXPECT_FALSE(screen.app.start().take_choice());
}

TEST(Start, an_address_is_typed) {
  Screen screen({80, 24}, alice(true));
  screen.app.start().offer({{"192.0.2.5:7654", "the den", "", true}}, true);
  screen.keys("example.org");
  screen.app.start().offer(
      {{"192.0.2.5:7654", "the den", "", true}, {"192.0.2.6:7654", "", "", true}}, true);
  screen.keys(":99\r");
  EXPECT_EQ(screen.app.start().take_choice(), "example.org:99");
}

TEST(Start, an_address_that_has_failed_stays_selected_and_can_be_corrected) {
  Screen screen({80, 24}, alice(true));
  const std::vector<ServerEntry> servers{{"192.0.2.5:7654", "the den", "", false}};
  screen.app.start().offer(servers, true);
  screen.keys("exampel.org\r");
  screen.app.start().take_choice();
  fail_to_connect(screen, servers);
  screen.keys("\x7f\x7f\x7f\x7f\x7f\x7fle.org\r");
  EXPECT_EQ(screen.app.start().take_choice(), "example.org");
}

TEST(Start, a_server_of_the_list_that_has_failed_stays_selected) {
  Screen screen({80, 24}, alice(true));
  const std::vector<ServerEntry> servers{{"192.0.2.5:7654", "", "", false},
                                         {"testhost", "", "", false}};
  screen.app.start().offer(servers, true);
  screen.keys("\033[B\r");
  EXPECT_EQ(screen.app.start().take_choice(), "testhost");
  fail_to_connect(screen, servers);
  screen.keys("\r");
  EXPECT_EQ(screen.app.start().take_choice(), "testhost");
}

TEST(Start, the_program_ends_with_the_server_that_was_named) {
  Screen screen;
  screen.connect();
  screen.app.talk()->cannot_connect("no answer", screen.now);
  screen.app.happened(screen.now);
  ASSERT_TRUE(screen.app.ending());
  EXPECT_EQ(screen.app.ending()->status, 1);
}

TEST(Start, says_what_to_do_if_no_server_answers) {
  Screen screen({80, 24}, alice(true));
  screen.app.start().offer({}, true);
  EXPECT_THAT(screen.text(), Not(HasSubstr("No server answered")));
  screen.app.start().advise();
  EXPECT_THAT(screen.text(), HasSubstr("No server answered on this network. A firewall may"));
}

// The form for a new room -------------------------------------------------------------------------

TEST(Form, stays_open_with_the_field_marked_that_is_refused) {
  Screen screen = in_lobby();
  screen.keys("n\x15my den\r");
  EXPECT_THAT(screen.text(), HasSubstr("Asking the server"));
  screen.answer(screen.last_request(),
                "error { code: CODE_ROOM_EXISTS message: 'There is such a room.' }");
  EXPECT_THAT(screen.text(), HasSubstr("! Name"));
  EXPECT_THAT(screen.text(), HasSubstr("There is such a room."));
  screen.keys("2");
  EXPECT_THAT(screen.text(), Not(HasSubstr("! Name")));
  screen.keys("\r");
  const auto again = screen.last_request();
  EXPECT_EQ(again.create_room().name(), "my den2");
  screen.answer(again, snapshot("name: 'my den2'"));
  EXPECT_THAT(screen.text(), Not(HasSubstr("A new room")));
}

TEST(Form, the_ai_of_a_refused_room_does_not_join_another_one) {
  Screen screen = waiting_in_room();
  screen.keys(":rooms\r");
  screen.sent();
  screen.keys("n" + std::string(up) + right + "\r");
  const auto request = screen.last_request();
  ASSERT_TRUE(request.has_create_room());
  screen.answer(request, "error { code: CODE_ROOM_EXISTS message: 'There is such a room.' }");
  screen.keys("\033");
  screen.server("left { }");
  v1::RoomSnapshot other = snapshot("phase: PHASE_WAITING");
  other.clear_o();
  screen.enter(other);
  for (const auto& sent : screen.sent()) EXPECT_FALSE(sent.has_add_ai());
}

TEST(Form, the_ai_of_a_room_waits_until_the_present_one_is_left) {
  Screen screen = waiting_in_room();
  screen.keys(":rooms\r");
  screen.sent();
  screen.keys("n" + std::string(up) + right + "\r");
  const auto request = screen.last_request();
  screen.answer(request, "error { code: CODE_ALREADY_IN_ROOM message: 'Leave your room first.' }");
  const auto leave = screen.last_request();
  ASSERT_TRUE(leave.has_leave_room());
  screen.answer(leave, "left { }");
  const auto again = screen.last_request();
  ASSERT_EQ(again.create_room().name(), request.create_room().name());
  v1::RoomSnapshot created = snapshot("phase: PHASE_WAITING");
  created.clear_o();
  screen.answer(again, created);
  EXPECT_TRUE(screen.last_request().has_add_ai());
}

TEST(Form, the_ai_of_a_room_that_was_not_asked_for_does_not_join_another_one) {
  Screen screen = in_lobby();
  screen.keys("n" + std::string(up) + right);
  screen.lose();
  screen.keys("\r");
  screen.keys("\033");
  screen.pass(milliseconds(1000));
  screen.app.talk()->connected(screen.now);
  screen.answer(screen.last_request(), "welcome { protocol_version: 1 player_name: 'alice' }");
  screen.answer(screen.last_request(), "pong { }");
  screen.enter(snapshot());
  for (const auto& sent : screen.sent()) EXPECT_FALSE(sent.has_add_ai());
}

TEST(Form, the_ai_joins_a_room_whose_answer_was_lost) {
  Screen screen = in_lobby();
  screen.keys("n" + std::string(up) + right + "\r");
  const auto request = screen.last_request();
  ASSERT_TRUE(request.has_create_room());
  screen.lose();
  screen.pass(milliseconds(1000));
  screen.app.talk()->connected(screen.now);
  screen.answer(screen.last_request(),
                "welcome { protocol_version: 1 player_name: 'alice' resumed: true room: 'den' "
                "last_request_done: " +
                    std::to_string(request.request_id()) + " }");
  const auto ping = screen.last_request();
  v1::RoomSnapshot room = snapshot("phase: PHASE_WAITING");
  room.clear_o();
  screen.enter(room);
  screen.answer(ping, "pong { }");
  int added = 0;
  for (const auto& sent : screen.sent()) added += sent.has_add_ai() ? 1 : 0;
  EXPECT_EQ(added, 1);
}

TEST(Form, offers_the_seats_of_ais_to_newcomers) {
  for (const bool open : {false, true}) {
    Screen screen = in_lobby();
    screen.keys("n" + std::string(up) + right + up + up);  // against an AI
    EXPECT_THAT(screen.text(), HasSubstr("▸ Newcomers"));
    if (open) screen.keys(" ");
    screen.keys("\r");
    EXPECT_EQ(screen.last_request().create_room().options().open_ai_seats(), open);
  }
}

TEST(Form, is_sent_once) {
  Screen screen = in_lobby();
  screen.keys("n\r\r");
  EXPECT_EQ(screen.sent().size(), 1U);
  EXPECT_THAT(screen.text(), HasSubstr("Asking the server"));
}

TEST(Form, stays_open_if_it_cannot_be_sent) {
  Screen screen = in_lobby();
  screen.keys("n\x15my den");
  screen.lose();
  screen.keys("\r");
  EXPECT_THAT(screen.text(), HasSubstr("my den"));
  EXPECT_THAT(screen.text(), Not(HasSubstr("Asking the server")));
  EXPECT_THAT(screen.text(), HasSubstr("Not sent: you are not connected"));
}

TEST(Form, is_checked_before_it_is_sent) {
  const struct {
    int field;
    const char* text;
    const char* marked;
  } mistakes[] = {
      {0, "", "! Name"}, {1, "3 x 3", "! Board"}, {2, "many", "! In a row"}, {3, "5", "! Clock"}};
  for (const auto& mistake : mistakes) {
    Screen screen = in_lobby();
    screen.keys("n");
    for (int i = 0; i < mistake.field; ++i) screen.keys(down);
    screen.keys("\x15" + std::string(mistake.text) + "\r");
    EXPECT_THAT(screen.text(), HasSubstr(mistake.marked));
    EXPECT_TRUE(screen.sent().empty()) << mistake.marked;
  }
}

TEST(Form, a_typed_board_brings_its_k) {
  const struct {
    const char* board;
    std::uint32_t k;
  } boards[] = {{"3x9", 3}, {"5", 4}, {"15x15", 5}, {"100x20", 5}};
  for (const auto& board : boards) {
    Screen screen = in_lobby();
    screen.keys("n" + std::string(down) + "\x15" + board.board + "\r");
    EXPECT_EQ(screen.last_request().create_room().rules().k(), board.k) << board.board;
  }
  // But not once the person has chosen one.
  Screen screen = in_lobby();
  screen.keys("n" + std::string(down) + down + "\x15" + "6" + up + "\x15" + "15x15\r");
  EXPECT_EQ(screen.last_request().create_room().rules().k(), 6U);
}

TEST(Form, typing_replaces_what_the_form_proposes) {
  Screen screen = in_lobby();
  screen.keys("n" + std::string(down) + right + "15x15" + up + "my den\r");
  const v1::CreateRoom room = screen.last_request().create_room();
  EXPECT_EQ(room.name(), "my den");
  EXPECT_EQ(room.rules().rows(), 15U);
  // But not what the person has edited.
  Screen edited = in_lobby();
  edited.keys("n" + std::string(down) + right + "\x7F" + "6\r");
  EXPECT_EQ(edited.last_request().create_room().rules().cols(), 6U);
  Screen pasted = in_lobby();
  pasted.keys("n" + std::string(down) + "\033[200~7x8\033[201~\r");
  EXPECT_EQ(pasted.last_request().create_room().rules().rows(), 7U);
  Screen both = in_lobby();
  both.keys("n" + std::string(down) + "\033[200~7x\033[201~8\r");
  EXPECT_EQ(both.last_request().create_room().rules().rows(), 7U);
}

TEST(Form, says_that_k_follows_the_board) {
  Screen screen = in_lobby();
  screen.keys("n" + std::string(down) + "15x15");
  EXPECT_THAT(screen.text(), HasSubstr("5 in a row is usual on 15 x 15."));
  screen.keys("x6\r");
  EXPECT_EQ(screen.last_request().create_room().rules().k(), 6U) << "named with the board";
}

TEST(Form, marks_the_number_in_a_row_if_the_server_refuses_that) {
  const struct {
    const char* board;
    const char* k;
    const char* marked;
  } refusals[] = {{"3x3", "9", "! In a row"}, {"900x3", "3", "! Board"}, {"2x9", "3", "! Board"}};
  for (const auto& refusal : refusals) {
    Screen screen;
    screen.connect();
    screen.answer(screen.sent().back(),
                  "welcome { protocol_version: 1 player_name: 'alice' "
                  "limits { client_frame_bytes: 65536 min_side: 3 max_side: 100 } }");
    screen.keys("n" + std::string(down) + refusal.board + down + refusal.k + "\r");
    screen.answer(screen.last_request(), "error { code: CODE_INVALID_RULES message: 'Not so.' }");
    EXPECT_THAT(screen.text(), HasSubstr(refusal.marked));
  }
}

TEST(Form, shows_the_whole_reason_of_a_refusal) {
  Screen screen = in_lobby();
  screen.keys("n\r");
  screen.answer(
      screen.last_request(),
      "error { code: CODE_INVALID_NAME message: 'This is a sentence of a server that says "
      "at some length what is wrong with that name.' }");
  EXPECT_THAT(screen.text(), HasSubstr("with that name."));
}

TEST(Form, the_proposed_name_fits_the_servers_limit) {
  Screen screen;
  screen.connect();
  screen.answer(screen.sent().back(),
                "welcome { protocol_version: 1 player_name: 'Alexandria\u00DF' "
                "limits { client_frame_bytes: 65536 name_length: 12 } }");
  screen.keys("n\r");
  EXPECT_EQ(screen.last_request().create_room().name(), "Alexand-room");
}

}  // namespace
}  // namespace tictactoe::screen::testing::screen_entry_tests
