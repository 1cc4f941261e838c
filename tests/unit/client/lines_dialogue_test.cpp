// A person at the line front end: the hello, what is typed and told, people, offers.
#include <gmock/gmock.h>

#include <string>

#include "client/lines/conversation.hpp"
#include "tests/support/console_harness.hpp"
#include "tests/support/returning_client.hpp"

namespace tictactoe::client::lines_dialogue_tests {
namespace {

using ::testing::ElementsAre;
using testing::from_text;
using testing::Harness;
using ::testing::HasSubstr;
using testing::InRoom;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::o_plays_corner;
using testing::snapshot;
using ::testing::StartsWith;
using testing::watched;
using testing::Welcomed;
using testing::x_plays_centre;

TEST(Hello, comes_first_and_asks_for_a_name) {
  Harness harness(false);
  const v1::ClientMessage hello = harness.only_request();
  EXPECT_EQ(hello.request_id(), 1U);
  EXPECT_EQ(hello.hello().name(), "alice");
  EXPECT_EQ(hello.hello().protocol_versions(0), 1U);
  EXPECT_EQ(hello.hello().software(), "test");
  EXPECT_EQ(harness.next_in(), welcome_timeout);
}

TEST(Hello, lines_wait_for_the_welcome) {
  Harness harness(false);
  harness.sent();
  harness.typed("play");
  EXPECT_TRUE(harness.sent().empty());
  harness.server("request_id: 1 welcome { protocol_version: 1 player_name: 'alice' }");
  EXPECT_TRUE(harness.only_request().has_play());
}

TEST(Hello, another_name_is_told) {
  Harness harness(false);
  harness.welcome("alice-2");
  EXPECT_THAT(
      harness.text(),
      HasSubstr("Your name here is alice-2.\n"
                "The name \"alice\" is in use by another player or another of your clients.\n"));
}

TEST(Hello, the_reason_of_the_server_for_another_name_is_told_instead) {
  Harness harness(false);
  harness.welcome("alice-2", "name_note: 'The name alice is that of an account.\\033[2J'");
  const std::string text = harness.text();
  EXPECT_THAT(text, HasSubstr("Your name here is alice-2.\nThe name alice is that of an account."));
  EXPECT_THAT(text, HasSubstr(" If it is yours, log in with its password.\n"));
  EXPECT_THAT(text, Not(HasSubstr("is in use")));
  EXPECT_THAT(text, Not(HasSubstr("\033")));
}

TEST(Hello, a_refused_name_is_a_bad_option) {
  Harness harness(false);
  harness.server("request_id: 1 error { code: CODE_INVALID_NAME message: 'Too long.' }");
  EXPECT_EQ(harness.session().ending()->status, 2);
  EXPECT_THAT(harness.conversation.ending_reason(), HasSubstr("Too long."));
}

TEST(Hello, a_peer_that_is_no_server_is_told) {
  for (const std::string& bytes :
       {std::string("HTTP/1.1 400 Bad Request\r\n\r\n") + std::string(80, 'x'),
        std::string("\xFF\xFF\xFF\xFF\xFF\xFF"), std::string("\0", 1)}) {
    Harness harness(false);
    harness.deliver(bytes);
    ASSERT_TRUE(harness.session().ending()) << bytes;
    EXPECT_EQ(harness.session().ending()->status, 1);
    EXPECT_THAT(harness.conversation.ending_reason(), HasSubstr("testhost"));
  }
}

TEST(Hello, a_silent_server_is_given_up) {
  Harness harness(false);
  harness.pass(welcome_timeout);
  EXPECT_EQ(harness.session().ending()->status, 1);
}

TEST(Hello, another_version_ends) {
  Harness harness(false);
  harness.server("request_id: 1 welcome { protocol_version: 9 }");
  EXPECT_THAT(harness.conversation.ending_reason(), HasSubstr("version 9"));
}

// Gaps and hostile servers.

TEST(Gap, asks_for_a_snapshot_once_and_goes_on_from_it) {
  InRoom harness;
  harness.server(o_plays_corner);  // revision 8 never came
  const auto request = harness.only_request();
  EXPECT_TRUE(request.has_get_snapshot());
  harness.server("update { revision: 11 phase: PHASE_PLAYING watchers_changed { watchers: 1 } }");
  EXPECT_TRUE(harness.sent().empty());
  EXPECT_EQ(harness.text(), "");
  harness.answer(request, snapshot("revision: 11 moves: 4 moves: 0"));
  EXPECT_THAT(harness.text(), HasSubstr("Your turn: place your X."));
  harness.typed("3 3");
  EXPECT_EQ(harness.only_request().move().ply(), 2U);
}

TEST(Gap, the_snapshot_is_asked_for_again_if_a_rate_limit_refused_it) {
  InRoom harness;
  harness.server(o_plays_corner);
  harness.answer(harness.only_request(), "error { code: CODE_RATE_LIMITED retry_after_ms: 70 }");
  EXPECT_EQ(harness.next_in(), milliseconds(70));
  harness.pass(milliseconds(70));
  EXPECT_TRUE(harness.only_request().has_get_snapshot());
}

TEST(Hostile, a_server_that_never_makes_sense_is_left) {
  InRoom harness;
  int asked = 0;
  while (!harness.session().ending() && asked < 100) {
    harness.server("update { revision: 8 move_played { mark: MARK_X cell { row: 99 } ply: 1 } }");
    for (const auto& request : harness.sent()) {
      ++asked;
      harness.answer(request, snapshot());
    }
  }
  EXPECT_EQ(asked, max_resyncs);
  EXPECT_EQ(harness.session().ending()->status, 1);
}

TEST(Hostile, an_absurd_room_ends) {
  Welcomed harness;
  harness.news(snapshot("rules { rows: 4000000000 cols: 4000000000 }"));
  EXPECT_EQ(harness.session().ending()->status, 1);
  EXPECT_THAT(harness.conversation.ending_reason(), HasSubstr("4000000000 x 4000000000"));
}

TEST(Hostile, a_frame_over_the_cap_ends) {
  Welcomed harness;
  std::string bytes;
  wire::append_varint(bytes, max_server_frame_bytes + 1);
  harness.deliver(bytes);
  EXPECT_EQ(harness.session().ending()->status, 1);
}

TEST(Hostile, events_out_of_place_do_no_harm) {
  Welcomed harness;
  for (const char* event :
       {"update { revision: 1 move_played { } }", "left { }", "hinted { }", "pong { }",
        "room_list { more: true }", "welcome { }", "request_id: 99", "request_id: 99 error { }",
        "hinted { cell { row: 4294967295 col: 4294967295 } mark: MARK_O }"}) {
    harness.server(event);
    EXPECT_FALSE(harness.session().ending()) << event;
  }
  EXPECT_TRUE(harness.sent().empty());
}

// A person at a terminal.

TEST(Person, moves_name_game_and_ply) {
  InRoom harness(snapshot("moves: 0 moves: 1 game: 4"));
  harness.typed("b3");
  const v1::Move move = harness.only_request().move();
  EXPECT_EQ(move.ShortDebugString(), "cell { row: 2 col: 1 } game: 4 ply: 2 takebacks: 0");
}

TEST(Person, sees_who_they_are_and_how_to_move) {
  Welcomed harness;
  harness.typed("play");
  harness.answer(harness.only_request(), snapshot());
  EXPECT_EQ(harness.text(),
            "You are alice, playing X in the room \"den\" (3 x 3).\n"
            "X: alice (you)   O: bob\n"
            "To move, type row and column (2 3) or the column's letter and the row (c2).\n"
            "Your turn: place your X.\n"
            "\n"
            "    a   b   c\n"
            " 1    |   |\n"
            "   ---+---+---\n"
            " 2    |   |\n"
            "   ---+---+---\n"
            " 3    |   |\n"
            "\n");
}

TEST(Person, lines_go_out_at_once) {
  InRoom harness;
  harness.typed("1 1");
  harness.typed("2 2");
  harness.typed("say hi");
  EXPECT_EQ(harness.sent().size(), 3U);
}

TEST(Person, no_more_lines_are_taken_than_the_server_answers) {
  InRoom harness;
  for (std::size_t i = 0; i < max_pending; ++i) harness.typed("hint");
  EXPECT_FALSE(harness.conversation.wants_lines());
  harness.answer(harness.sent().front(), "hinted { }");
  EXPECT_TRUE(harness.conversation.wants_lines());
}

TEST(Person, a_rate_limit_is_told) {
  InRoom harness;
  harness.typed("hint");
  harness.answer(harness.only_request(), "error { code: CODE_RATE_LIMITED message: 'Slow down.' }");
  EXPECT_EQ(harness.text(), "Slow down.\n");
  EXPECT_TRUE(harness.sent().empty());
}

TEST(Person, outside_of_a_room_a_move_is_not_sent) {
  Welcomed harness;
  harness.typed("1 1");
  EXPECT_TRUE(harness.sent().empty());
  EXPECT_THAT(harness.text(), HasSubstr("You are not in a room."));
}

TEST(Person, is_asked_how_to_end_with_the_time_for_which_a_seat_is_held) {
  InRoom harness(snapshot("options { grace_ms: 600000 }"));
  harness.conversation.ask_quit(harness.now);
  EXPECT_EQ(harness.text(),
            "A game is in progress. Type `leave` to quit and give up your seat, `keep` to quit and "
            "keep it for 10 min, or `go on` to keep playing.\n");
  EXPECT_TRUE(harness.sent().empty());
  harness.session().drop(harness.now);
  EXPECT_TRUE(harness.session().ending()->keeps_seat);
  EXPECT_EQ(
      seat_kept_text(harness.session(), false),
      "Your seat is held for 10 min. Start again with the same name and server to return to it.");
}

TEST(Person, is_told_that_the_server_ends) {
  constexpr const char* stops =
      "The server stops when you quit, and everyone else is disconnected. ./run serve keeps a "
      "server running.\n";
  Conversation::Options options = Harness::options(false);
  options.hosting = true;
  Harness harness(options);
  harness.enter(snapshot("options { grace_ms: 600000 }"));
  harness.conversation.ask_quit(harness.now);
  EXPECT_EQ(harness.text(),
            std::string(stops) +
                "Games are saved. When the server starts again, the seats of this game will be "
                "held for 10 min.\nA game is in progress. Type `leave` to quit and give up your "
                "seat, `keep` to quit and keep it for 10 min, or `go on` to keep playing.\n");
  harness.session().drop(harness.now);
  EXPECT_EQ(seat_kept_text(harness.session(), true),
            "The server has stopped. When it starts again, your seat will be held for 10 min.");

  Harness in_lobby(options);
  in_lobby.welcome();
  in_lobby.text();
  in_lobby.conversation.ask_quit(in_lobby.now);
  EXPECT_EQ(in_lobby.text(), std::string(stops) + "Type `leave` to quit, or `go on` to stay.\n");
}

TEST(Person, with_the_name_of_an_account_is_to_be_asked_for_its_password) {
  constexpr const char* note = "name_note: 'That is an account.'";
  for (const bool guest : {false, true}) {
    Conversation::Options options = Harness::options(false);
    options.asks_account = true;
    options.session.guest = guest;
    Harness harness(options);
    harness.typed("create den");
    harness.welcome("alice-2", note);
    EXPECT_EQ(harness.text(), "The name \"alice\" has a password.\n");
    EXPECT_TRUE(harness.conversation.wants_account_password());
    for (const v1::ClientMessage& request : harness.sent()) {
      EXPECT_TRUE(request.has_goodbye());
      harness.answer(request, "left { }");
    }
    ASSERT_TRUE(harness.session().ending());
    EXPECT_EQ(harness.session().ending()->status, 0);
  }
}

TEST(Person, is_not_asked_for_the_password_of_an_account_without_need) {
  Conversation::Options options = Harness::options(false);
  Harness cannot_be_asked(options);
  cannot_be_asked.welcome("alice-2", "name_note: 'That is an account.'");
  EXPECT_THAT(cannot_be_asked.text(), HasSubstr("Your name here is alice-2."));
  options.asks_account = true;
  Harness free_name(options);
  free_name.welcome();
  options.session.passwords.account = "known";
  Harness has_given_it(options);
  has_given_it.welcome("alice-2", "name_note: 'That is an account.'");
  for (Harness* const harness : {&cannot_be_asked, &free_name, &has_given_it}) {
    EXPECT_FALSE(harness->conversation.wants_account_password());
    EXPECT_FALSE(harness->session().ending());
  }
}

TEST(Person, quit_leaves_the_room_first) {
  InRoom harness;
  harness.typed("quit");
  const auto leave = harness.only_request();
  EXPECT_TRUE(leave.has_leave_room());
  EXPECT_FALSE(harness.session().ending());
  harness.answer(leave, "left { }");
  EXPECT_EQ(harness.session().ending()->status, 0);

  InRoom without_answer;
  without_answer.typed("quit");
  EXPECT_EQ(without_answer.next_in(), leave_timeout);
  without_answer.pass(leave_timeout);
  EXPECT_EQ(without_answer.session().ending()->status, 0);
}

TEST(Person, a_lost_server_is_status_one) {
  InRoom harness;
  harness.session().connection_lost("reset by peer", harness.now);
  EXPECT_EQ(harness.session().ending()->status, 1);
  EXPECT_EQ(harness.conversation.ending_reason(),
            "Lost the connection to testhost: reset by peer.");
}

TEST(Person, a_stopping_server_is_told_apart) {
  InRoom harness;
  harness.server("error { code: CODE_SERVER_STOPPING message: 'See you.' closing: true }");
  EXPECT_EQ(harness.session().ending()->status, 1);
  EXPECT_EQ(harness.conversation.ending_reason(), "The server testhost is stopping: See you.");
}

TEST(Person, lists_are_asked_for_page_by_page) {
  Welcomed harness;
  harness.typed("rooms");
  auto request = harness.only_request();
  harness.answer(request,
                 "room_list { more: true rooms { name: 'a' rules { rows: 3 cols: 3 k: 3 } "
                 "phase: PHASE_PLAYING ply: 4 x { kind: KIND_PERSON name: 'ann' } "
                 "o { kind: KIND_AI name: 'Robo' } watchers: 3 } }");
  EXPECT_EQ(harness.text(), "");
  request = harness.only_request();
  EXPECT_EQ(request.list_rooms().after(), "a");
  harness.answer(request,
                 "room_list { rooms { name: 'b' rules { rows: 15 cols: 15 k: 5 } phase: "
                 "PHASE_WAITING needs_password: true x { kind: KIND_PERSON name: 'bob' } } "
                 "rooms { name: 'c' rules { rows: 3 cols: 3 k: 3 } phase: PHASE_WAITING } }");
  EXPECT_EQ(harness.text(),
            "ROOM  BOARD                X     O          STATE\n"
            "c     3 x 3                open  open       waiting\n"
            "b     15 x 15, 5 in a row  bob   open       waiting, password\n"
            "a     3 x 3                ann   Robo (AI)  move 5, 3 watching\n");
}

TEST(Person, a_list_without_end_is_cut_short) {
  Welcomed harness;
  harness.typed("rooms");
  int pages = 0;
  for (auto requests = harness.sent(); !requests.empty(); requests = harness.sent()) {
    ++pages;
    harness.answer(requests.front(), "room_list { more: true rooms { name: 'again' } }");
  }
  EXPECT_EQ(pages, max_list_pages);
  EXPECT_THAT(harness.text(), HasSubstr("more rooms"));
}

TEST(Person, control_characters_never_reach_the_screen) {
  InRoom harness;
  harness.server(
      "update { revision: 8 phase: PHASE_PLAYING turn: MARK_X "
      "chat_said { from: 'b\\033ob' text: '\\033]0;gotcha\\007\\r\\n\\302\\233' } }");
  harness.server("error { message: '\\033[2J' }");
  for (const char byte : harness.text()) {
    EXPECT_TRUE(byte == '\n' || static_cast<unsigned char>(byte) >= 0x20) << int{byte};
  }
}

TEST(Person, losing_the_seat_is_told) {
  InRoom harness;
  harness.server(
      "update { revision: 8 phase: PHASE_PLAYING turn: MARK_X seat_changed { seat: MARK_X "
      "occupant { kind: KIND_AI name: 'Robo' ai_level: 'strong' } "
      "previous { kind: KIND_PERSON name: 'alice' } watchers: 1 } }");
  EXPECT_THAT(harness.text(),
              HasSubstr("Robo (AI) plays X now. You are now watching. Robo (AI)'s turn (X).\n"));
}

// Games told.

TEST(Told, a_move_and_whose_turn_it_is) {
  InRoom harness;
  harness.server(x_plays_centre);
  EXPECT_THAT(harness.text(), HasSubstr("You play b2. bob's turn (O).\n"));
  harness.server(o_plays_corner);
  EXPECT_THAT(harness.text(), HasSubstr("bob plays a1. Your turn: place your X.\n"));
}

TEST(Told, why_an_engine_did_not_move_itself_in_full) {
  InRoom harness;
  harness.server(x_plays_centre);
  harness.text();
  harness.server(
      "update { revision: 9 phase: PHASE_PLAYING turn: MARK_X move_played { mark: MARK_O cell { } "
      "ply: 2 engine_fault: 'The engine mine refused to start: the AI level strong has moved in "
      "its "
      "place.' } }");
  EXPECT_THAT(harness.text(), HasSubstr("plays a1. The engine mine refused to start: the AI level "
                                        "strong has moved in its place. Your turn"));
}

TEST(Told, what_is_wrong_with_an_engine) {
  InRoom harness;
  harness.server(
      "update { revision: 8 phase: PHASE_PLAYING turn: MARK_X engine_note { seat: MARK_O text: "
      "'The "
      "engine mine is late.' } }");
  EXPECT_THAT(harness.text(), HasSubstr("The engine mine is late."));
}

TEST(Told, a_win) {
  InRoom harness(snapshot("moves: 0 moves: 3 moves: 1 moves: 4"));
  harness.server(
      "update { revision: 8 phase: PHASE_FINISHED move_played { mark: MARK_X cell { col: 2 } "
      "ply: 5 outcome { winner: MARK_X reason: REASON_LINE lines { kind: KIND_ROW first { } "
      "last { col: 2 } } } } }");
  EXPECT_EQ(harness.text(),
            "You play c1.\n"
            "You win! alice (X) wins: row 1. Type `rematch` to play again.\n"
            "\n"
            "    a   b   c\n"
            " 1 *X*|*X*|*X*\n"
            "   ---+---+---\n"
            " 2  O | O |\n"
            "   ---+---+---\n"
            " 3    |   |\n"
            "\n");
}

TEST(Told, who_won_is_said_once) {
  InRoom harness(snapshot("phase: PHASE_FINISHED outcome { winner: MARK_X }"));
  harness.server(
      "update { revision: 8 phase: PHASE_FINISHED seat_changed { seat: MARK_O occupant { } "
      "previous { kind: KIND_PERSON name: 'bob' } } }");
  EXPECT_EQ(harness.text(), "bob left seat O.\n");
  harness.typed("board");
  EXPECT_THAT(harness.text(),
              HasSubstr("You win! alice (X) wins. The next game begins when someone takes O.\n"));
}

TEST(Told, a_rematch) {
  InRoom harness(snapshot("phase: PHASE_FINISHED outcome { reason: REASON_BOARD_FULL }"));
  harness.server("update { revision: 8 phase: PHASE_FINISHED rematch_wanted { seat: MARK_O } }");
  EXPECT_EQ(harness.text(), "bob (O) is ready for the next game: type `rematch` to begin it.\n");
  harness.server(
      "update { revision: 9 phase: PHASE_PLAYING turn: MARK_O "
      "game_started { game: 2 starter: MARK_O } }");
  EXPECT_THAT(harness.text(), HasSubstr("Game 2 begins: bob (O) starts. bob's turn (O).\n"));
}

// People at the line front end --------------------------------------------------------------------

Harness following() {
  Conversation::Options options = Harness::options(false);
  options.session.follow_lobby = true;
  return Harness(options);
}

constexpr const char* invitation =
    "invited { from: 'bob' room { name: 'the attic' rules { rows: 5 cols: 5 k: 4 } } }";

// Lists.

TEST(LinesPeople, players_are_listed_on_all_pages_with_their_rooms) {
  Welcomed harness;
  harness.typed("players");
  v1::ClientMessage asked = harness.only_request();
  ASSERT_TRUE(asked.has_list_players());
  harness.typed("players");
  EXPECT_THAT(harness.sent(), IsEmpty()) << "one list at a time";
  harness.answer(asked,
                 "player_list { players { name: 'alice' } players { name: 'bob' } more: true }");
  asked = harness.only_request();
  EXPECT_EQ(asked.list_players().after(), "bob");
  harness.answer(asked, "player_list { players { name: 'eve' room: 'den' } }");
  const std::string text = harness.text();
  EXPECT_THAT(text, HasSubstr("alice"));
  EXPECT_THAT(text, HasSubstr("you"));
  EXPECT_THAT(text, HasSubstr("eve"));
  EXPECT_THAT(text, HasSubstr("den"));
}

TEST(LinesPeople, members_are_the_seats_and_the_watchers) {
  InRoom harness;
  harness.typed("members");
  harness.answer(
      harness.only_request(),
      "member_list { x { kind: KIND_PERSON name: 'alice' } o { kind: KIND_AI name: 'AI' } "
      "watchers: 'dan' more: true }");
  const v1::ClientMessage asked = harness.only_request();
  EXPECT_EQ(asked.list_members().after(), "dan");
  harness.answer(asked, "member_list { watchers: 'eve' }");
  EXPECT_EQ(harness.text(), "X: alice   O: AI\nWatching: dan, eve\n");
}

TEST(LinesPeople, a_list_that_is_refused_can_be_asked_for_again) {
  Welcomed harness;
  harness.typed("members");
  harness.answer(harness.only_request(), "error { code: CODE_NOT_IN_ROOM message: 'No room.' }");
  EXPECT_THAT(harness.text(), HasSubstr("No room."));
  harness.typed("members");
  EXPECT_TRUE(harness.only_request().has_list_members());
}

// Seats of AIs.

TEST(LinesPeople, a_newcomer_who_waits_for_the_seat_of_an_ai_is_told_so) {
  Welcomed harness;
  harness.typed("join den");
  v1::RoomSnapshot waiting = watched(
      "waits_for_seat: true o { kind: KIND_AI name: 'AI' } watchers: 1 "
      "options { open_ai_seats: true }");
  harness.answer(harness.only_request(), waiting);
  EXPECT_THAT(harness.text(), HasSubstr("You get the AI's seat when this game is over.\n"));
}

TEST(LinesPeople, a_newcomer_after_others_is_told_of_the_line) {
  Welcomed harness;
  harness.typed("join den");
  const v1::RoomSnapshot waiting = watched(
      "waits_for_seat: true o { kind: KIND_AI name: 'AI' } watchers: 2 "
      "options { open_ai_seats: true }");
  harness.answer(harness.only_request(), waiting);
  EXPECT_THAT(harness.text(),
              HasSubstr("You are in line for the AI's seat: whoever came first gets "
                        "it when this game is over.\n"));
}

// bob watches alice play X against an AI whose seat he wants. The last update ends the game, he
// gets the seat, and is sent `last`.
void become_newcomer(Harness& harness, const std::string& outcome, const std::string& wish = {}) {
  harness.welcome("bob");
  harness.typed("join den");
  v1::RoomSnapshot room = watched("waits_for_seat: true options { open_ai_seats: true }");
  *room.mutable_o() = from_text<v1::Occupant>("kind: KIND_AI name: 'AI'");
  harness.answer(harness.only_request(), room);
  harness.text();
  harness.server("update { revision: 8 phase: PHASE_FINISHED game_ended { outcome { " + outcome +
                 " } } }");
  harness.server(
      "update { revision: 9 phase: PHASE_FINISHED seat_changed { seat: MARK_O "
      "previous { kind: KIND_AI name: 'AI' } occupant { kind: KIND_PERSON name: 'bob' } } }");
  if (!wish.empty()) harness.server(wish);
  room.set_revision(wish.empty() ? 9 : 10);
  room.set_o_wants_rematch(!wish.empty());
  room.set_your_seat(v1::MARK_O);
  room.set_phase(v1::PHASE_FINISHED);
  room.clear_turn();
  room.clear_waits_for_seat();
  *room.mutable_outcome() = from_text<v1::Outcome>(outcome);
  *room.mutable_o() = from_text<v1::Occupant>("kind: KIND_PERSON name: 'bob'");
  harness.news(room);
}

TEST(LinesPeople, the_players_are_told_who_waits_for_the_seat) {
  InRoom harness(snapshot("o { kind: KIND_AI name: 'AI (3, casual)' ai_level: '3' }"));
  harness.server(
      "update { revision: 8 phase: PHASE_PLAYING turn: MARK_X watchers_changed { watchers: 1 "
      "name: 'bob' joined: true waits_for_seat: true } }");
  EXPECT_EQ(harness.text(), "bob is now watching and gets the AI's seat after this game.\n");
  harness.server(
      "update { revision: 9 phase: PHASE_PLAYING turn: MARK_X watchers_changed { watchers: 2 "
      "name: 'eve' joined: true waits_for_seat: true } }");
  EXPECT_EQ(harness.text(), "eve is now watching, in line for the AI's seat after this game.\n");
}

TEST(LinesPeople, neither_side_is_said_to_have_asked_for_the_game_with_a_newcomer) {
  Harness harness(false);
  become_newcomer(harness, "winner: MARK_X reason: REASON_TIME",
                  "update { revision: 10 phase: PHASE_FINISHED rematch_wanted { seat: MARK_O } }");
  const std::string text = harness.text();
  EXPECT_THAT(text, Not(HasSubstr("asked for a rematch"))) << text;
  EXPECT_THAT(text, HasSubstr("You have the seat O now.\n")) << text;
  EXPECT_THAT(text, HasSubstr("The next game begins when alice (X) agrees.")) << text;

  InRoom host(snapshot("o { kind: KIND_AI name: 'AI (3, casual)' ai_level: '3' }"));
  host.server(
      "update { revision: 8 phase: PHASE_FINISHED game_ended { outcome { winner: MARK_X reason: "
      "REASON_TIME } } }");
  host.server(
      "update { revision: 9 phase: PHASE_FINISHED seat_changed { seat: MARK_O "
      "previous { kind: KIND_AI name: 'AI (3, casual)' } "
      "occupant { kind: KIND_PERSON name: 'bob' } } }");
  host.text();
  host.server("update { revision: 10 phase: PHASE_FINISHED rematch_wanted { seat: MARK_O } }");
  EXPECT_THAT(host.text(),
              HasSubstr("bob (O) is ready for the next game: type `rematch` to begin it."));
}

TEST(LinesPeople, a_newcomer_has_not_won_the_game_that_the_ai_won) {
  Harness harness(false);
  become_newcomer(harness, "winner: MARK_O reason: REASON_RESIGNED");
  const std::string text = harness.text();
  EXPECT_THAT(text, HasSubstr("AI (O) wins: alice resigned.")) << text;
  EXPECT_THAT(text, Not(HasSubstr("bob (O) wins"))) << text;
  EXPECT_THAT(text, Not(HasSubstr("You win"))) << text;
  harness.typed("board");
  EXPECT_THAT(harness.text(), HasSubstr("AI (O) wins: alice resigned. Type `rematch`"));
}

TEST(LinesPeople, a_newcomer_has_not_lost_the_game_that_the_ai_lost) {
  Harness harness(false);
  become_newcomer(harness, "winner: MARK_X reason: REASON_TIME");
  const std::string text = harness.text();
  EXPECT_THAT(text, HasSubstr("alice (X) wins: AI ran out of time.")) << text;
  EXPECT_THAT(text, Not(HasSubstr("You lose"))) << text;
}

TEST(LinesPeople, the_exit_status_tells_a_newcomer_how_the_watched_game_ended) {
  Conversation::Options options = Harness::options(true);
  options.exit_result = true;
  Harness harness(std::move(options));
  become_newcomer(harness, "winner: MARK_O reason: REASON_RESIGNED");
  harness.typed("quit");
  harness.pass(std::chrono::minutes(1));
  EXPECT_EQ(harness.conversation.exit_status(), exit_lost) << "X, as for every watcher";
}

TEST(LinesPeople, who_played_a_game_that_ended_before_is_not_guessed) {
  Harness harness(false);
  harness.welcome("bob");
  harness.typed("join den");
  v1::RoomSnapshot room = snapshot(
      "phase: PHASE_FINISHED options { open_ai_seats: true } "
      "outcome { winner: MARK_O reason: REASON_RESIGNED }");
  room.set_your_seat(v1::MARK_O);
  harness.answer(harness.only_request(), room);
  const std::string text = harness.text();
  EXPECT_THAT(text, HasSubstr("\nO wins: X resigned. Type `rematch`")) << text;
}

// Invitations.

TEST(LinesPeople, an_invitation_is_sent_and_told) {
  InRoom harness;
  harness.typed("invite \"Bo B\"");
  const v1::ClientMessage asked = harness.only_request();
  EXPECT_EQ(asked.invite().player(), "Bo B");
  harness.answer(asked, "done { }");
  EXPECT_EQ(harness.text(), "You invited Bo B.\n");
}

TEST(LinesPeople, an_invitation_says_what_to_type) {
  Welcomed harness;
  harness.server(invitation);
  EXPECT_EQ(harness.text(),
            "bob invites you to the room \"the attic\" (5 x 5, 4 in a row). Type `join \"the "
            "attic\"` to accept, or `mute bob`.\n");
  harness.server("invited { from: 'bob' room { name: 'attic' rules { rows: 5 cols: 5 k: 4 } } }");
  EXPECT_THAT(harness.text(), HasSubstr(" Type `join attic` to accept, or `mute bob`.\n"));
}

TEST(LinesPeople, an_invitation_that_may_be_lost_is_told_and_not_sent_again) {
  testing::ReturningLines alice(testing::lasting_lines());
  alice.enter();
  alice.typed("invite bob");
  alice.lose();
  alice.come_back();
  EXPECT_THAT(alice.sent(), IsEmpty());
  EXPECT_THAT(alice.text(), HasSubstr("may not have arrived"));
}

// Chat in the lobby.

TEST(LinesPeople, the_lobby_is_followed_outside_of_rooms) {
  Harness harness = following();
  harness.welcome();
  v1::ClientMessage asked = harness.only_request();
  ASSERT_TRUE(asked.has_watch_lobby());
  EXPECT_FALSE(asked.watch_lobby().stop());
  harness.answer(asked, "lobby_update { reset: true chat { from: 'bob' text: 'hi' } }");
  EXPECT_THAT(harness.text(), HasSubstr("bob (lobby): hi\n"));
  harness.typed("play");
  harness.answer(harness.only_request(), snapshot());
  asked = harness.only_request();
  EXPECT_TRUE(asked.watch_lobby().stop());
  harness.answer(asked, "lobby_update { stopped: true }");
  harness.typed("leave");
  harness.answer(harness.only_request(), "left { }");
  harness.text();
  harness.answer(harness.only_request(),
                 "lobby_update { reset: true chat { from: 'bob' text: 'hi' } "
                 "chat { from: 'eve' text: 'news' } }");
  EXPECT_EQ(harness.text(), "eve (lobby): news\n") << "only what was not heard before";
}

TEST(LinesPeople, what_is_said_outside_of_a_room_is_said_in_the_lobby) {
  Welcomed harness;
  harness.typed("say Who plays?");
  const auto asked = harness.sent();
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_TRUE(asked[0].has_watch_lobby()) << "only those who follow the lobby may talk there";
  EXPECT_EQ(asked[1].say_in_lobby().text(), "Who plays?");
}

TEST(LinesPeople, a_server_that_knows_no_lobby_is_not_complained_about) {
  Harness harness = following();
  harness.welcome();
  harness.text();
  harness.answer(harness.only_request(), "error { code: CODE_UNKNOWN_REQUEST message: 'What?' }");
  EXPECT_EQ(harness.text(), "");
}

// How others join.

TEST(LinesInvitation, has_the_ways_that_are_found) {
  InRoom harness;
  harness.typed("invite");
  EXPECT_THAT(harness.sent(), IsEmpty());
  EXPECT_EQ(harness.text(), "");
  EXPECT_TRUE(harness.searches.is_begun());
  const std::string key = tls::to_text({});
  harness.find(
      invitation_to({"192.0.2.7"}, tls::Fingerprint{}, {"https://203.0.113.7:80/#/?key=" + key}));
  EXPECT_EQ(harness.text(),
            "On this network:\n"
            "  tictactoe 192.0.2.7 --server-key " +
                key +
                "\n"
                "  https://192.0.2.7:7654/#/join/den?key=" +
                key +
                "\n"
                "From anywhere on the internet:\n"
                "  tictactoe 203.0.113.7:80 --server-key " +
                key +
                "\n"
                "  https://203.0.113.7:80/#/join/den?key=" +
                key +
                "\nFrom a clone of the project, it is `./run join` instead of `tictactoe`.\n");
  // An address that was typed may be anywhere.
  harness.typed("invite");
  harness.find(invitation_to({"play.example.com"}, {}));
  EXPECT_THAT(harness.text(), StartsWith("Others join with:\n  tictactoe play.example.com\n"));
  harness.typed("invite");
  harness.find({});
  EXPECT_THAT(harness.text(), HasSubstr("unknown"));
}

TEST(LinesInvitation, has_a_script_wait) {
  Harness harness(true);
  harness.welcome();
  harness.typed("invite");
  harness.typed("rooms");
  EXPECT_THAT(harness.sent(), IsEmpty());
  harness.find({});
  EXPECT_TRUE(harness.only_request().has_list_rooms());
}

// Muted players.

TEST(LinesPeople, a_muted_player_is_neither_heard_nor_invites) {
  Harness harness = following();
  harness.welcome();
  harness.answer(harness.only_request(), "lobby_update { reset: true }");
  harness.typed("mute bob");
  EXPECT_THAT(harness.text(), HasSubstr("bob is muted"));
  EXPECT_THAT(harness.sent(), IsEmpty()) << "the server is not told";
  harness.server(invitation);
  harness.server(
      "lobby_update { chat { from: 'bob' text: 'buy' } chat { from: 'eve' text: 'hi' } }");
  EXPECT_EQ(harness.text(), "eve (lobby): hi\n");
  harness.typed("unmute bob");
  harness.server(invitation);
  EXPECT_THAT(harness.text(), HasSubstr("bob invites you"));
}

TEST(LinesPeople, a_muted_player_is_not_heard_in_a_room) {
  InRoom harness;
  harness.typed("mute bob");
  harness.text();
  harness.server(
      "update { revision: 8 phase: PHASE_PLAYING turn: MARK_X chat_said { from: 'bob' text: 'buy' "
      "} }");
  EXPECT_EQ(harness.text(), "");
  harness.news(
      snapshot("revision: 9 chat { from: 'bob' text: 'buy' } chat { from: 'eve' text: 'hi' }"));
  EXPECT_THAT(harness.text(), Not(HasSubstr("buy")));
  EXPECT_EQ(harness.session().room()->chat.size(), 1U);
}

TEST(LinesPeople, a_name_in_other_letters_is_the_same_player) {
  Harness harness = following();
  harness.welcome();
  harness.answer(harness.only_request(),
                 "lobby_update { reset: true chat { from: 'nc' text: 'hi' } }");
  harness.text();
  harness.typed("mute NC");
  EXPECT_EQ(harness.text(),
            "nc is muted: you won't see their chat or invitations. They won't know.\n");
  harness.server("lobby_update { chat { from: 'nc' text: 'buy' } }");
  EXPECT_EQ(harness.text(), "");
  harness.typed("mute ALICE");
  EXPECT_EQ(harness.text(), "You can't mute yourself.\n");
  harness.typed("unmute nC");
  harness.text();
  harness.server("lobby_update { chat { from: 'nc' text: 'sorry' } }");
  EXPECT_EQ(harness.text(), "nc (lobby): sorry\n");
}

TEST(LinesPeople, a_name_that_nobody_has_is_muted_with_a_warning) {
  Welcomed harness;
  harness.typed("mute zed");
  EXPECT_EQ(harness.text(), "zed is muted, but nobody with that name has been seen yet.\n");
  harness.server(invitation);
  harness.text();
  harness.typed("mute bob");
  EXPECT_EQ(harness.text(),
            "bob is muted: you won't see their chat or invitations. They won't know.\n");
}

TEST(LinesPeople, mute_alone_lists_who_is_muted) {
  Welcomed harness;
  harness.typed("mute");
  EXPECT_EQ(harness.text(), "Nobody is muted.\n");
  harness.typed("mute eve");
  harness.typed("mute bob");
  harness.text();
  harness.typed("mute");
  EXPECT_EQ(harness.text(), "Muted: bob, eve.\n");
  harness.typed("mute alice");
  EXPECT_EQ(harness.text(), "You can't mute yourself.\n");
  harness.typed("unmute dan");
  EXPECT_EQ(harness.text(), "dan is not muted. Muted: bob, eve.\n");
}

// Clocks, ends, offers, and players who are away, as a person sees them ---------------------------

std::string update(const std::string& change, const std::string& head = {}) {
  return "update { revision: 8 " +
         (head.empty() ? std::string("phase: PHASE_PLAYING turn: MARK_X ") : head) + change + " }";
}

// What is told after one update of a room where alice plays X.
std::string told(const std::string& change, const std::string& room = {},
                 const std::string& head = {}) {
  InRoom harness(snapshot(room));
  harness.server(update(change, head));
  return harness.text();
}

const std::string finished = "phase: PHASE_FINISHED ";

TEST(Ends, other_than_by_a_move) {
  const auto ended = [](const std::string& outcome) {
    return told("game_ended { outcome { " + outcome + " } }", "", finished);
  };
  EXPECT_EQ(ended("winner: MARK_X reason: REASON_RESIGNED"),
            "You win! alice (X) wins: bob resigned. Type `rematch` to play again.\n");
  EXPECT_EQ(ended("winner: MARK_O reason: REASON_TIME"),
            "You lose. bob (O) wins: alice ran out of time. Type `rematch` to play again.\n");
  EXPECT_EQ(ended("winner: MARK_X reason: REASON_FORFEIT"),
            "You win! alice (X) wins: bob was away for too long. Type `rematch` to play again.\n");
  EXPECT_EQ(ended("reason: REASON_BOARD_FULL"), "Draw. Type `rematch` to play again.\n");
  EXPECT_EQ(ended("reason: REASON_AGREED"), "Draw by agreement. Type `rematch` to play again.\n");
  EXPECT_EQ(ended("reason: REASON_MOVE_LIMIT"),
            "Draw: the game reached the move limit. Type `rematch` to play again.\n");
}

TEST(Ends, come_with_the_score) {
  EXPECT_THAT(
      told("score { x: 2 o: 1 draws: 4 } game_ended { outcome { winner: MARK_X } }", "", finished),
      HasSubstr("\nScore: X 2, O 1, draws 4.\n"));
  InRoom harness(snapshot("score { x: 2 o: 1 }"));
  harness.typed("board");
  EXPECT_THAT(harness.text(), StartsWith("X: alice (you)   O: bob   Score: X 2, O 1, draws 0\n"));
}

TEST(Offers, are_told_with_how_to_answer) {
  EXPECT_EQ(told("draw_offered { by: MARK_O }"),
            "bob (O) offers a draw: type `draw` to accept, or `decline`.\n");
  EXPECT_EQ(told("draw_offered { by: MARK_X }"), "You offered a draw.\n");
  EXPECT_EQ(
      told("takeback_asked { by: MARK_O }"),
      "bob (O) asks to take the last move back: type `takeback` to allow it, or `decline`.\n");
  EXPECT_EQ(told("takeback_asked { by: MARK_X }"), "You asked to take your last move back.\n");
  EXPECT_EQ(told("declined { by: MARK_O }"), "bob (O) declines.\n");
  EXPECT_EQ(told("declined { by: MARK_X }"), "You declined.\n");
  EXPECT_EQ(told("declined { }"), "Someone declines.\n");
}

TEST(Offers, are_told_on_coming_in) {
  Welcomed harness;
  harness.typed("play");
  harness.answer(harness.only_request(), snapshot("draw_offered_by: MARK_O"));
  EXPECT_THAT(harness.text(), HasSubstr("bob (O) offers a draw: type `draw`"));
}

TEST(Offers, name_the_game_they_are_meant_for) {
  for (const auto& [line, expected] :
       {std::pair("resign", "resign { game: 4 }"), std::pair("draw", "offer_draw { game: 4 }"),
        std::pair("takeback", "ask_takeback { game: 4 grants: false }"),
        std::pair("decline", "decline { game: 4 }")}) {
    InRoom harness(snapshot("game: 4"));
    harness.typed(line);
    EXPECT_THAT(harness.only_request().ShortDebugString(), HasSubstr(expected));
  }
}

TEST(Takeback, takes_marks_off_the_board) {
  InRoom harness(snapshot("moves: [4, 0, 8]"));
  harness.server(update("taken_back { ply: 2 by: MARK_X }"));
  EXPECT_EQ(harness.text(),
            "You took your last move back. Marks on the board: 2. Your turn: place your X.\n"
            "\n"
            "    a   b   c\n"
            " 1 [O]|   |\n"
            "   ---+---+---\n"
            " 2    | X |\n"
            "   ---+---+---\n"
            " 3    |   |\n"
            "\n");
  harness.typed("c3");
  EXPECT_EQ(harness.only_request().move().ply(), 2U);
}

TEST(Board, takes_back) {
  Board board(3, 3);
  ASSERT_TRUE(board.place({0, 0}, Mark::x));
  ASSERT_TRUE(board.place({1, 1}, Mark::o));
  ASSERT_TRUE(board.place({2, 2}, Mark::x));
  board.take_back(5);
  EXPECT_EQ(board.count(), 3U);
  board.take_back(1);
  EXPECT_EQ(board.count(), 1U);
  EXPECT_EQ(board.last(), (Cell{0, 0}));
  EXPECT_EQ(board.at({1, 1}), Mark::none);
  EXPECT_TRUE(board.place({1, 1}, Mark::x));
  board.clear();
  EXPECT_FALSE(board.last());
  EXPECT_EQ(board.at({0, 0}), Mark::none);
}

// Those who are away.

std::string bob_changes(const std::string& before, const std::string& after) {
  const std::string bob = "kind: KIND_PERSON name: 'bob' ";
  return "seat_changed { seat: MARK_O occupant { " + bob + after + " } previous { " + bob + before +
         " } }";
}

TEST(Away, is_told_with_what_follows_and_when) {
  const std::string goes = bob_changes("", "away: true away_ms_left: 120000");
  EXPECT_EQ(told(goes),
            "bob is away. They lose the game if they are not back in 2 min. Your turn: place "
            "your X.\n");
  EXPECT_THAT(told(goes, "options { away: AWAY_HOLD }"),
              HasSubstr("if they are not back in 2 min"));
  EXPECT_THAT(told(goes, "options { away: AWAY_AI }"), HasSubstr("An AI takes over in 2 min."));
  EXPECT_THAT(told(bob_changes("away: true", "away: true ai_level: 'suggester'")),
              HasSubstr("bob is away: the AI (suggester) plays until they are back."));
  EXPECT_EQ(told(bob_changes("away: true", "")), "bob is back. Your turn: place your X.\n");
  EXPECT_THAT(told(bob_changes("", "away: true away_ms_left: 4294967295")), HasSubstr("49 days"));
}

TEST(Away, moves_of_a_stand_in_are_told_as_its_own) {
  InRoom harness(snapshot("moves: 4 turn: MARK_O o { away: true ai_level: 'suggester' }"));
  harness.server(update("move_played { mark: MARK_O cell { } ply: 2 }"));
  EXPECT_THAT(harness.text(), StartsWith("The AI plays a1 for bob. Your turn: place your X.\n"));
  harness.typed("board");
  EXPECT_THAT(harness.text(), HasSubstr("O: bob (away, an AI plays)"));
}

// Clocks.

TEST(Clocks, stand_beside_whose_turn_it_is) {
  EXPECT_THAT(
      told("clocks { x_ms: 271500 o_ms: 300000 } move_played { mark: MARK_X cell { } ply: 1 }",
           "options { time { game_ms: 300000 } } clocks { x_ms: 300000 o_ms: 300000 }",
           "phase: PHASE_PLAYING turn: MARK_O "),
      HasSubstr("bob's turn (O). Clocks: X 4:32 \xC2\xB7 O 5:00.\n"));
}

TEST(Clocks, are_told_on_coming_in) {
  Welcomed harness;
  harness.typed("create den clock 5m+3s");
  harness.answer(harness.only_request(),
                 snapshot("options { time { game_ms: 300000 increment_ms: 3000 } } "
                          "clocks { x_ms: 300000 o_ms: 300000 }"));
  EXPECT_THAT(harness.text(), HasSubstr("(3 x 3; 5 min + 3 s a move)."));
}

// Other news.

TEST(StaleMove, is_answered_by_the_room_as_it_stands) {
  InRoom harness;
  harness.typed("1 1");
  harness.answer(harness.only_request(),
                 "error { code: CODE_STALE_MOVE message: 'The game has gone on.' state { " +
                     snapshot("revision: 20 moves: 4 moves: 0").ShortDebugString() + " } }");
  EXPECT_THAT(harness.text(), StartsWith("The game has gone on.\nThe room now:\n"));
  harness.typed("c3");
  const auto move = harness.only_request();
  EXPECT_EQ(move.move().ply(), 2U);
  harness.answer(move, snapshot("revision: 22 moves: [4, 0, 8, 1]"));
  EXPECT_THAT(harness.text(), StartsWith("That move had already been played.\nThe room now:\n"));
}

TEST(Chat, of_a_snapshot_is_shown_once_and_not_again_at_a_resync) {
  const std::string chat = "chat { from: 'bob' seat: MARK_O text: 'hi' } ";
  Harness harness(false);
  EXPECT_THAT(harness.join(snapshot(chat)), HasSubstr("Earlier chat:\n  bob (O): hi\n"));
  harness.server("update { revision: 99 chat_said { } }");
  harness.answer(harness.only_request(), snapshot("revision: 99 " + chat));
  EXPECT_THAT(harness.text(), Not(HasSubstr("bob (O): hi")));
}

TEST(Chat, of_a_snapshot_is_bounded_and_made_fit_for_a_screen) {
  auto room = snapshot();
  for (int i = 0; i < 1'000; ++i) {
    auto& line = *room.add_chat();
    line.set_from("\033[2Jbob");
    line.set_text(std::to_string(i));
  }
  Welcomed harness;
  harness.typed("join den");
  harness.answer(harness.only_request(), room);
  const std::string text = harness.text();
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_THAT(text, HasSubstr(": 999\n"));
  EXPECT_LT(text.size(), 5'000U);
}

TEST(Notice, of_the_end_is_told) {
  InRoom harness;
  harness.server("notice { kind: KIND_DRAINING within_ms: 90000 }");
  EXPECT_EQ(harness.text(),
            "The server will stop soon: no new games can start, and running games have 1 min 30 s "
            "left.\n");
  harness.server("notice { message: 'Tea\\007 is ready.' }");
  EXPECT_EQ(harness.text(), "The server says: Tea\xEF\xBF\xBD is ready.\n");
}

}  // namespace
}  // namespace tictactoe::client::lines_dialogue_tests
