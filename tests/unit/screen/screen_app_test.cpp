// The full screen as a whole, and its views.
#include <gmock/gmock.h>

#include <algorithm>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/screen_harness.hpp"

namespace tictactoe::screen::testing::screen_app_tests {
namespace {

using client::testing::o_plays_corner;
using client::testing::x_plays_centre;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

v1::Move last_move(Screen& screen) {
  const auto request = screen.last_request();
  EXPECT_TRUE(request.has_move()) << request.ShortDebugString();
  return request.move();
}

TEST(Moves, by_arrows_letters_and_names) {
  const std::string large = "rules { rows: 15 cols: 15 k: 5 }";
  const struct {
    std::string room;
    std::string keys;
    unsigned row, col;
  } moves[] = {
      {"", std::string(up) + left + "\r", 0, 0}, {"", "b3\r", 2, 1}, {large, "h8\r", 7, 7}};
  for (const auto& wanted : moves) {
    Screen screen = in_room(wanted.room);
    screen.keys(wanted.keys);
    const v1::Move move = last_move(screen);
    EXPECT_EQ(move.cell().row(), wanted.row) << wanted.keys;
    EXPECT_EQ(move.cell().col(), wanted.col) << wanted.keys;
    EXPECT_EQ(move.game(), 1U);
  }
}

TEST(Moves, by_a_click_in_every_cell) {
  // Of a board with lines, and of one without.
  for (const char* rules : {"", "rules { rows: 15 cols: 15 k: 5 }"}) {
    Screen screen = in_room(rules);
    const Board& board = screen.app.talk()->room()->board;
    int found = 0;
    for (int y = 0; y < 21; ++y) {  // below it are the keys
      for (int x = 0; x < 50; ++x) {
        screen.text();
        screen.app.point({Mouse::Action::press, {x, y}}, screen.now);
        const auto request = screen.last_request();
        if (!request.has_move()) continue;
        ++found;
        EXPECT_TRUE(board.contains({request.move().cell().row(), request.move().cell().col()}));
        // What was clicked is what the cursor is drawn on.
        const Scene scene = screen.app.draw(screen.now);
        ASSERT_TRUE(scene.cursor);
        EXPECT_EQ(scene.picture.at({x, y}).style, Style::cursor) << x << " " << y;
      }
    }
    EXPECT_GE(found, static_cast<int>(board.rows() * board.cols()));
  }
}

TEST(Moves, a_refusal_is_told) {
  Screen screen = in_room();
  screen.keys("\r");
  screen.answer(screen.last_request(), "error { code: CODE_CELL_TAKEN message: 'It is taken.' }");
  EXPECT_THAT(screen.text(), HasSubstr("It is taken."));
}

TEST(Words, are_typed_too) {
  Screen screen = in_room();
  screen.keys("hint\r");
  EXPECT_TRUE(screen.last_request().has_hint());
  screen.keys(":draw");
  EXPECT_THAT(screen.text(), HasSubstr("Move or command: draw"));
  screen.keys("\r");
  EXPECT_TRUE(screen.last_request().has_offer_draw());
  screen.keys("\tgood luck: b3?\r");
  EXPECT_EQ(screen.last_request().chat().text(), "good luck: b3?");
}

TEST(Keys, do_what_the_bar_says) {
  Screen screen = in_room("options { hints: true }");
  screen.keys("T");
  EXPECT_TRUE(screen.last_request().has_ask_takeback());
  screen.keys("D");
  EXPECT_TRUE(screen.last_request().has_offer_draw());
  screen.keys("N");
  EXPECT_TRUE(screen.last_request().has_decline());
  screen.click("Hint");
  EXPECT_TRUE(screen.last_request().has_hint());
}

TEST(Keys, what_ends_a_game_is_asked_twice) {
  Screen screen = in_room();
  for (const char* key : {"R", "L"}) {
    screen.keys(key);
    EXPECT_THAT(screen.text(), HasSubstr("Are you sure?"));
    screen.keys("n");
    EXPECT_TRUE(screen.sent().empty());
  }
  screen.keys("Ry");
  EXPECT_TRUE(screen.last_request().has_resign());
}

TEST(Keys, need_no_shift_once_the_game_is_over) {
  Screen screen = in_room("phase: PHASE_FINISHED outcome { winner: MARK_O }");
  EXPECT_THAT(screen.text(), HasSubstr("You lose."));
  screen.keys("r");
  EXPECT_TRUE(screen.last_request().has_rematch());
}

TEST(Keys, the_ai_is_chosen_from_a_menu) {
  Screen screen = waiting_in_room();
  screen.keys("a");
  EXPECT_THAT(screen.text(), HasSubstr("2  strong: plays like the hints"));
  screen.keys(down);
  screen.keys("\r");
  const auto request = screen.last_request();
  EXPECT_EQ(request.add_ai().level(), "strong");
  EXPECT_EQ(request.add_ai().seat(), v1::MARK_O);
}

// A server sends its levels in any order.
constexpr const char* many_levels =
    "welcome { protocol_version: 1 player_name: 'alice' limits { ai_levels: '3' ai_levels: '1' "
    "ai_levels: 'suggester' ai_levels: 'perfect' ai_levels: 'strong' ai_levels: 'random' "
    "ai_levels: '8' ai_levels: 'rapfi' } }";

TEST(AiMenu, lists_the_levels_from_the_weakest_with_a_line_each) {
  Screen screen;
  screen.connect();
  screen.answer(screen.sent().back(), many_levels);
  auto room = snapshot("phase: PHASE_WAITING");
  room.clear_o();
  screen.enter(room);
  screen.keys("a");
  const std::string text = screen.text();
  EXPECT_THAT(text, HasSubstr("1  random: any free cell"));
  EXPECT_THAT(text, HasSubstr("2  beginner (1): overlooks a lot"));
  EXPECT_THAT(text, HasSubstr("3  casual (3): overlooks little"));
  EXPECT_THAT(text, HasSubstr("4  suggester: falls for double threats"));
  EXPECT_THAT(text, HasSubstr("5  master (8): calculates farthest"));
  EXPECT_THAT(text, HasSubstr("6  strong: plays like the hints"));
  EXPECT_THAT(text, HasSubstr("7  perfect: never loses"));
  EXPECT_THAT(text, HasSubstr("8  rapfi: an engine of this server"));
}

TEST(AiMenu, changes_the_level_of_an_ai) {
  Screen screen;
  screen.connect();
  screen.answer(screen.sent().back(), many_levels);
  screen.enter(snapshot("o { kind: KIND_AI name: 'AI (3, casual)' ai_level: '3' }"));
  screen.keys("A\r");
  EXPECT_THAT(screen.text(), HasSubstr("1  Change the level of AI (3, casual)"));
  EXPECT_THAT(screen.text(), HasSubstr("2  Remove AI (3, casual)"));
  screen.keys("1");
  screen.pass(dialog_pause);
  EXPECT_THAT(screen.text(), HasSubstr("▸ 3  casual (3)")) << "the present level is selected";
  screen.keys(down);
  screen.keys(down);
  screen.keys("\r");
  const v1::ClientMessage request = screen.last_request();
  EXPECT_EQ(request.add_ai().seat(), v1::MARK_O) << screen.text();
  EXPECT_EQ(request.add_ai().level(), "8");
}

TEST(Lobby, a_room_is_made_from_the_form) {
  Screen screen = welcomed();
  screen.keys("n\x15my \"den\"");
  screen.keys(down);
  for (int i = 0; i < 3; ++i) screen.keys(right);
  for (int i = 0; i < 6; ++i) screen.keys(up);
  screen.keys("secret");
  for (int i = 0; i < 4; ++i) screen.keys(down);
  screen.keys(right);
  screen.keys("\r");
  const auto request = screen.last_request();
  EXPECT_EQ(request.create_room().name(), "my \"den\"");
  EXPECT_EQ(request.create_room().password(), "secret");
  EXPECT_EQ(request.create_room().rules().rows(), 15U);
  EXPECT_EQ(request.create_room().rules().cols(), 15U);
  EXPECT_EQ(request.create_room().rules().k(), 5U);
  // The AI sits down once there is a room.
  auto room = snapshot("name: 'my den' phase: PHASE_WAITING");
  room.clear_o();
  screen.answer(request, room);
  EXPECT_EQ(screen.last_request().add_ai().level(), "suggester");
}

constexpr const char* three_rooms = R"(lobby_update { reset: true complete: true
  rooms { name: 'b"ox' phase: PHASE_WAITING rules { rows: 3 cols: 3 k: 3 } }
  rooms { name: 'arena' phase: PHASE_PLAYING x { kind: KIND_PERSON name: 'c' }
          o { kind: KIND_PERSON name: 'd' } rules { rows: 3 cols: 3 k: 3 } }
  rooms { name: 'vault' needs_password: true phase: PHASE_WAITING rules { rows: 3 cols: 3 k: 3 } } })";

TEST(Lobby, that_changes_keeps_the_choice) {
  Screen screen;
  screen.welcome();
  screen.server(three_rooms);
  screen.keys("j");
  screen.server("lobby_update { closed: 'b\"ox' closed: 'arena' rooms { name: 'aa' } }");
  screen.keys("\r");
  EXPECT_THAT(screen.text(), HasSubstr("The room \"vault\" has a password."));
  screen.keys("pw \"1\"\r");
  const auto join = screen.last_request();
  EXPECT_EQ(join.join_room().name(), "vault");
  EXPECT_EQ(join.join_room().password(), "pw \"1\"");
}

TEST(Lobby, follows_the_updates_of_the_server) {
  Screen screen;
  screen.connect(true);
  screen.answer(screen.sent().back(), "welcome { protocol_version: 1 player_name: 'alice' }");
  const auto first = screen.sent();
  ASSERT_FALSE(first.empty());
  EXPECT_TRUE(first.front().has_watch_lobby());
  for (const auto& request : first) EXPECT_FALSE(request.has_list_rooms());
  screen.answer(first.front(), "lobby_update { reset: true rooms { name: 'b' } players: 1 }");
  screen.server("lobby_update { rooms { name: 'a' } complete: true players: 1 }");
  screen.keys("j");  // to b
  screen.server("lobby_update { rooms { name: 'aa' } rooms { name: 'b' watchers: 7 } players: 1 }");
  EXPECT_THAT(screen.text(), HasSubstr("3 rooms"));
  screen.server("lobby_update { closed: 'a' players: 2 }");
  EXPECT_THAT(screen.text(), HasSubstr("2 rooms"));
  EXPECT_TRUE(screen.sent().empty());
  screen.keys("\r");
  EXPECT_EQ(screen.last_request().join_room().name(), "b") << "the selection stays on its room";
}

TEST(Lobby, enter_joins_or_watches) {
  Screen screen;
  screen.welcome();
  screen.server(three_rooms);
  screen.keys("\r");
  EXPECT_EQ(screen.last_request().join_room().name(), "b\"ox");
  screen.keys("jj\r");
  EXPECT_EQ(screen.last_request().watch_room().name(), "arena");
}

TEST(Lobby, a_click_selects_a_room_and_another_one_enters_it) {
  Screen screen;
  screen.welcome();
  screen.server(three_rooms);
  screen.sent();
  screen.click("arena");
  EXPECT_TRUE(screen.sent().empty());
  screen.click("arena");
  EXPECT_EQ(screen.last_request().watch_room().name(), "arena");
}

TEST(Turn, is_told_once_and_only_when_it_comes) {
  Screen screen = in_room();
  EXPECT_TRUE(screen.app.take_wishes().bell);
  EXPECT_FALSE(screen.app.take_wishes().bell);
  screen.server(x_plays_centre);
  EXPECT_FALSE(screen.app.take_wishes().bell);
  EXPECT_THAT(screen.app.title(), Not(HasSubstr("your turn")));
  screen.server(o_plays_corner);
  EXPECT_TRUE(screen.app.take_wishes().bell);
  EXPECT_THAT(screen.app.title(), HasSubstr("your turn"));

  App::Options title_only = alice();
  title_only.alert = Alert::title;
  Screen quiet({80, 24}, title_only);
  quiet.welcome();
  quiet.enter(snapshot());
  quiet.app.take_wishes();
  quiet.server(x_plays_centre);
  quiet.server(o_plays_corner);
  EXPECT_FALSE(quiet.app.take_wishes().bell);
  EXPECT_THAT(quiet.app.title(), HasSubstr("your turn"));
}

TEST(Link, a_seat_of_an_earlier_program_is_taken_up) {
  Screen screen;
  Session::Options options;
  options.token = "0123456789abcdef";
  screen.connect(options);
  screen.answer(screen.last_request(),
                "welcome { protocol_version: 1 player_name: 'alice' resumed: true room: 'den' }");
  const auto barrier = screen.last_request();
  EXPECT_THAT(screen.text(), HasSubstr("Returning to your seat ..."));
  EXPECT_THAT(screen.text(), HasSubstr("● connected"));
  screen.enter(snapshot());
  EXPECT_THAT(screen.text(), HasSubstr("Returning to your seat ..."));
  screen.answer(barrier, "pong { }");
  EXPECT_THAT(screen.text(), Not(HasSubstr("Returning to your seat ...")));
}

TEST(Link, a_lost_one_counts_down_and_play_goes_on) {
  Screen screen = in_room();
  screen.lose();
  EXPECT_THAT(screen.text(), HasSubstr("Connection lost. Next try in 1 s. Your seat is kept."));
  screen.pass(milliseconds(1000));
  EXPECT_THAT(screen.text(), HasSubstr("Reconnecting now"));
  screen.keys("\r");
  EXPECT_THAT(screen.text(), HasSubstr("Not sent: you are not connected"));
  screen.app.talk()->connected(screen.now);
  const auto hello = screen.last_request();
  EXPECT_EQ(hello.hello().room(), "den");
  screen.answer(hello,
                "welcome { protocol_version: 1 player_name: 'alice' resumed: true room: 'den' "
                "limits { client_frame_bytes: 65536 } }");
  screen.answer(screen.last_request(), "pong { }");
  EXPECT_THAT(screen.text(), HasSubstr("You missed nothing."));
  EXPECT_THAT(screen.text(), HasSubstr("Your turn"));
}

TEST(Clock, of_the_side_to_move_ticks) {
  Screen screen = in_room("clocks { x_ms: 60000 o_ms: 60000 }");
  EXPECT_THAT(screen.text(), HasSubstr("1:00"));
  const auto next = screen.app.next_deadline();
  ASSERT_TRUE(next);
  EXPECT_LE(*next - screen.now, milliseconds(1000));
  screen.pass(milliseconds(2500));
  EXPECT_THAT(screen.text(), HasSubstr("0:58"));
}

TEST(Clock, waits_for_a_first_move) {
  Screen screen = in_room("clocks { x_ms: 2500 o_ms: 300000 starts_in_ms: 1500 }");
  screen.pass(milliseconds(1500));
  EXPECT_THAT(screen.text(), HasSubstr("0:03"));
  screen.pass(milliseconds(3000));
  EXPECT_THAT(screen.text(), HasSubstr("0:00"));
  EXPECT_FALSE(screen.app.talk()->ending()) << "whose time is over is for the server to say";
}

TEST(Clock, stands_still_for_the_computer_and_between_games) {
  for (const char* room : {"turn: MARK_O o { kind: KIND_AI }", "phase: PHASE_FINISHED"}) {
    Screen screen = in_room(std::string("clocks { x_ms: 2500 o_ms: 300000 } ") + room);
    EXPECT_FALSE(screen.app.next_deadline()) << room;
  }
}

TEST(Idle, nothing_is_to_be_done_soon) {
  Screen screen = in_room();
  EXPECT_FALSE(screen.app.next_deadline());
  EXPECT_FALSE(screen.app.talk()->next_deadline());  // this server wants no signs of life
}

TEST(JoinCommand, stays_visible_in_the_lobby_and_in_the_room) {
  Screen screen;
  screen.welcome();
  screen.find(client::invitation_to({"192.0.2.7", "198.51.100.7"}, {}));
  EXPECT_THAT(screen.text(), HasSubstr("Others join with: tictactoe 192.0.2.7 or 198.51.100.7"));
  screen.enter(snapshot());
  EXPECT_THAT(screen.text(), HasSubstr("tictactoe 192.0.2.7"));
  EXPECT_THAT(screen.text(), HasSubstr("198.51.100.7"));
}

// Large boards, finished games and hostile servers on the full screen -----------------------------

TEST(Large, the_cursor_goes_to_a_move_out_of_sight) {
  Screen screen = in_room("rules { rows: 1000 cols: 1000 k: 5 } turn: MARK_O moves: 500500");
  screen.text();
  screen.server(
      "update { revision: 8 phase: PHASE_PLAYING turn: MARK_X "
      "move_played { mark: MARK_O cell { row: 3 col: 700 } ply: 2 } }");
  EXPECT_THAT(screen.text(), HasSubstr("[O]"));
  EXPECT_THAT(screen.text(), HasSubstr(" 4 "));
}

TEST(Large, scrolls_to_its_every_corner) {
  Screen screen = in_room("rules { rows: 1000 cols: 1000 k: 5 }");
  for (const char* key : {"\033[H", "\033[F", "\033[5~", "\033[6~"}) {
    for (int i = 0; i < 200; ++i) {
      screen.text();
      screen.keys(key);
    }
    const Scene scene = screen.app.draw(screen.now);
    ASSERT_TRUE(scene.cursor) << key;
    EXPECT_EQ(scene.picture.at(*scene.cursor).style, Style::cursor);
  }
  EXPECT_THAT(screen.text(), HasSubstr("1000"));
}

TEST(Large, does_not_scroll_while_the_cursor_is_far_from_its_edges) {
  Screen screen = in_room("rules { rows: 1000 cols: 1000 k: 5 } turn: MARK_O moves: 500500");
  const std::string before = screen.text();
  const auto first_row = [](const std::string& text) {
    std::smatch found;
    EXPECT_TRUE(std::regex_search(text, found, std::regex("\n *([0-9]+) "))) << text;
    return found.str(1);
  };
  screen.keys(down);
  EXPECT_NE(screen.text(), before);
  EXPECT_EQ(first_row(screen.text()), first_row(before));
}

void open_replay(Screen& screen) {
  screen.keys(":replay 7\r");
  screen.answer(screen.last_request(), R"(game_found { game { id: 7 rules { rows: 3 cols: 3 k: 3 }
    x { kind: KIND_PERSON name: 'alice' } o { kind: KIND_PERSON name: 'bob' } starter: MARK_X
    moves: 0 moves: 1 moves: 3 outcome { reason: REASON_AGREED } } })");
}

TEST(Replay, steps_both_ways) {
  Screen screen = in_lobby();
  open_replay(screen);
  EXPECT_THAT(screen.text(), HasSubstr("Before the first move."));
  screen.keys("\033[F");
  EXPECT_THAT(screen.text(), HasSubstr("Draw by agreement."));
  screen.keys(left);
  EXPECT_THAT(screen.text(), HasSubstr("2. bob (O) plays b1."));
  EXPECT_THAT(screen.text(), Not(HasSubstr("Draw")));
  screen.keys("\033[H ");
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(screen.app.next_deadline());
    screen.now = *screen.app.next_deadline();
    screen.app.happened(screen.now);
  }
  EXPECT_THAT(screen.text(), HasSubstr("3. alice (X) plays a2."));
  EXPECT_FALSE(screen.app.next_deadline() && screen.app.next_deadline() < screen.now);
  screen.keys("\033");
  EXPECT_THAT(screen.text(), HasSubstr("New room"));
}

// alice sees a replay after its second move.
void replay_two_moves(Screen& screen) {
  open_replay(screen);
  screen.keys(right);
  screen.keys(right);
  EXPECT_THAT(screen.text(), HasSubstr("Continue from here"));
}

TEST(Replay, is_not_played_on_if_that_would_cost_a_game) {
  Screen screen = in_room();
  replay_two_moves(screen);
  screen.sent();
  screen.keys("r\r");
  const auto request = screen.last_request();
  ASSERT_TRUE(request.has_create_room());
  screen.answer(request, "error { code: CODE_ALREADY_IN_ROOM message: 'Leave your room first.' }");
  EXPECT_THAT(screen.text(), HasSubstr("Leave your room first"));
  EXPECT_TRUE(screen.sent().empty());
}

TEST(Replay, goes_on_in_a_room_from_the_move_that_is_shown) {
  Screen screen = in_lobby();
  replay_two_moves(screen);
  screen.sent();
  screen.keys("r");
  EXPECT_THAT(screen.text(), HasSubstr("create \"alice-room\" from 7 after 2"));
  EXPECT_TRUE(screen.sent().empty());
  screen.keys("\r");
  const auto request = screen.last_request();
  ASSERT_TRUE(request.has_create_room());
  EXPECT_EQ(request.create_room().name(), "alice-room");
  EXPECT_EQ(request.create_room().options().from().game(), 7U);
  EXPECT_EQ(request.create_room().options().from().moves(), 2U);
  screen.enter(snapshot());
  EXPECT_THAT(screen.text(), Not(HasSubstr("Finished game")));
}

TEST(Games, are_asked_for_page_by_page) {
  Screen screen = welcomed();
  screen.keys("g");
  screen.answer(screen.last_request(), "game_list { games { id: 9 } games { id: 8 } more: true }");
  screen.keys(down);
  const auto page = screen.last_request();
  EXPECT_EQ(page.list_games().before(), 8U);
  // The list is opened again while a page is under way.
  screen.keys("\033");
  screen.keys("g");
  screen.keys(down);
  EXPECT_TRUE(screen.sent().empty());
  screen.answer(page, "game_list { games { id: 7 } }");
  EXPECT_EQ(screen.app.talk()->games()->size(), 3U);
  screen.keys("\033");
  screen.keys("g");
  screen.keys(down);
  EXPECT_EQ(screen.last_request().list_games().before(), 0U);
}

// Lists of games and rooms with names of the greatest length.
constexpr std::string_view long_name = "Bartholomew the Younger";

TEST(Lists, leave_the_space_of_short_texts_to_long_names) {
  Screen screen({90, 24});
  screen.welcome();
  screen.server(
      "lobby_update { reset: true complete: true rooms { name: 'the house of cards' rules { rows: "
      "3 cols: 3 k: 3 } "
      "x { kind: KIND_PERSON name: '" +
      std::string(long_name) + "' } } }");
  EXPECT_THAT(screen.text(), HasSubstr("the house of cards"));
  EXPECT_THAT(screen.text(), HasSubstr(long_name));
}

TEST(Lists, have_more_columns_on_a_wide_screen) {
  for (const int width : {80, 120}) {
    Screen screen({width, 24});
    screen.welcome();
    screen.sent();
    screen.keys("g");
    screen.answer(screen.last_request(),
                  "game_list { games { id: 9 room: 'the house of cards' rules { rows: 3 cols: 3 "
                  "k: 3 } x { kind: KIND_PERSON name: '" +
                      std::string(long_name) + "' } } }");
    EXPECT_EQ(screen.text().find("the house of cards") != std::string::npos, width > 80);
    EXPECT_THAT(screen.text(), HasSubstr(long_name));
  }
}

TEST(Hostile, nothing_of_a_servers_reaches_the_terminal) {
  Screen screen;
  screen.connect();
  screen.answer(
      screen.sent().back(),
      "welcome { protocol_version: 1 player_name: 'a\\033[2Jb' server_name: '\\033]2;x\\007' "
      "limits { ai_levels: '\\033c' } }");
  screen.enter(
      snapshot("name: '\\033[31mred\\n\\t' chat { from: '\\033' text: '\\r\\nhello\\033[H' } "
               "o { name: '\xE2\x80\xAE' }"));
  screen.keys("A");
  const Scene scene = screen.app.draw(screen.now);
  for (int y = 0; y < 24; ++y) {
    for (int x = 0; x < 80; ++x) {
      const char32_t letter = scene.picture.at({x, y}).letter;
      EXPECT_TRUE(letter == 0 || (letter >= 0x20 && letter < 0x7F) || letter >= 0xA0);
      EXPECT_NE(letter, U'\u202E');
    }
  }
  EXPECT_EQ(screen.app.title().find('\033'), std::string::npos);
}

// Offsets: what is scrolled beyond an end has not to be scrolled back
// --------------------------------

constexpr const char* end_key = "\033[F";
constexpr const char* page_up = "\033[5~";
constexpr const char* page_down = "\033[6~";

std::vector<std::string> lines_of(const std::string& picture) {
  std::vector<std::string> lines;
  std::istringstream text(picture);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

TEST(Scrolled, the_help_comes_back_from_its_end_at_once) {
  for (const Size size : {Size{80, 24}, Size{40, 20}}) {
    Screen screen(size);
    screen.welcome();
    screen.keys("?");
    const std::string begin = screen.text();
    screen.keys(end_key);
    const std::string end = screen.text();
    EXPECT_THAT(end, HasSubstr("clock keeps"));
    screen.keys(up);
    EXPECT_NE(screen.text(), end);
    // Also if all keys come at once, before the screen is drawn again.
    for (int i = 0; i < 50; ++i) screen.keys(page_down);
    screen.keys(up);
    EXPECT_NE(screen.text(), end);
    for (int i = 0; i < 50; ++i) screen.keys(page_up);
    EXPECT_EQ(screen.text(), begin);
    screen.keys(down);
    EXPECT_NE(screen.text(), begin);
  }
}

TEST(Scrolled, the_help_fits_again_on_a_larger_screen) {
  Screen screen({80, 24});
  screen.welcome();
  screen.keys("?");
  const std::string begin = screen.text();
  screen.keys(end_key);
  EXPECT_NE(screen.text(), begin);
  screen.app.resized({80, 100});
  screen.text();
  screen.app.resized({80, 24});
  EXPECT_EQ(screen.text(), begin) << "since all of it was shown";
}

TEST(Scrolled, a_box_that_is_updated_stays_where_it_is) {
  Screen screen({40, 20});
  screen.welcome();
  screen.find(client::invitation_to({"192.0.2.7:7655"}, tls::Fingerprint{1, 2, 3}));
  screen.keys("I");
  screen.text();
  screen.keys(end_key);
  const std::string end = screen.text();
  screen.find(client::invitation_to({"192.0.2.7:7655"}, tls::Fingerprint{1, 2, 3}));
  EXPECT_EQ(screen.text(), end);
}

// Each row of the log can be reached, and the way back is as long as the way there.
TEST(Scrolled, the_log_counts_rows) {
  for (const Size size : {Size{80, 24}, Size{40, 20}, Size{80, 16}}) {
    Screen screen(size);
    screen.welcome();
    screen.enter(snapshot());
    constexpr int lines = 12;
    for (int i = 0; i < lines; ++i) {
      screen.server("update { revision: " + std::to_string(8 + i) +
                    " phase: PHASE_PLAYING turn: MARK_X chat_said { from: 'bob' text: 'begin" +
                    std::to_string(i) + std::string(250, ' ') + "x end" + std::to_string(i) +
                    "' } }");
    }
    std::string all = screen.text();
    const std::string last = all;
    int pages = 0;
    for (std::string before; before != screen.text() && pages < 500; ++pages) {
      before = screen.text();
      screen.keys(page_up);
      all += screen.text();
    }
    for (int i = 0; i < lines; ++i) {
      EXPECT_THAT(all, HasSubstr("begin" + std::to_string(i)));
      EXPECT_THAT(all, HasSubstr("x end" + std::to_string(i)));
    }
    EXPECT_THAT(screen.text(), HasSubstr("Connected to")) << "the first one";
    for (int i = 0; i < 100; ++i) screen.keys(page_up);
    const std::string first = screen.text();
    screen.keys(page_down);
    EXPECT_NE(screen.text(), first) << "the pages beyond the first row do not count";
    for (int i = 0; i < pages; ++i) screen.keys(page_down);
    EXPECT_EQ(screen.text(), last);
  }
}

std::string rooms_and_chat(int rooms, int lines) {
  std::string update = "lobby_update { reset: true complete: true ";
  for (int i = 0; i < rooms; ++i) {
    update += "rooms { name: 'den" + std::to_string(i) +
              "' phase: PHASE_WAITING rules { rows: 3 cols: 3 k: 3 } } ";
  }
  for (int i = 0; i < lines; ++i) {
    update += "chat { from: 'bob' text: 'line" + std::to_string(i) + ".' } ";
  }
  return update + "}";
}

TEST(Scrolled, the_chat_of_the_lobby_by_pages) {
  for (const Size size : {Size{80, 24}, Size{40, 20}}) {
    Screen screen(size, alice(true));
    screen.welcome();
    screen.server(rooms_and_chat(2, 9));
    const std::string last = screen.text();
    EXPECT_THAT(last, HasSubstr("line8."));
    EXPECT_THAT(last, Not(HasSubstr("line0.")));
    for (int i = 0; i < 5; ++i) screen.keys(page_up);
    EXPECT_THAT(screen.text(), AllOf(HasSubstr("Connected to"), HasSubstr("line0.")));
    for (int i = 0; i < 5; ++i) screen.keys(page_down);
    EXPECT_EQ(screen.text(), last);
  }
}

TEST(Scrolled, many_rooms_are_by_pages_and_the_chat_is_while_a_line_is_typed) {
  for (const Size size : {Size{80, 24}, Size{40, 20}}) {
    Screen screen(size, alice(true));
    screen.welcome();
    screen.server(rooms_and_chat(40, 9));
    screen.keys(page_down);
    EXPECT_THAT(screen.text(), HasSubstr("line8."));
    EXPECT_THAT(screen.text(), HasSubstr("den18"));
    screen.keys("C");
    EXPECT_THAT(screen.text(), HasSubstr("line8.")) << "above the line that is typed";
    for (int i = 0; i < 5; ++i) screen.keys(page_up);
    EXPECT_THAT(screen.text(), HasSubstr("line0."));
  }
}

TEST(Scrolled, the_messages_beside_a_large_board_while_a_line_is_typed) {
  Screen screen = in_room("rules { rows: 100 cols: 100 k: 5 }");
  screen.keys("C");
  for (int i = 0; i < 30; ++i) {
    screen.server("update { revision: " + std::to_string(8 + i) +
                  " phase: PHASE_PLAYING turn: MARK_X chat_said { from: 'bob' text: 'line" +
                  std::to_string(i) + ".' } }");
  }
  EXPECT_THAT(screen.text(), Not(HasSubstr("line0.")));
  for (int i = 0; i < 5; ++i) screen.keys(page_up);
  EXPECT_THAT(screen.text(), HasSubstr("line0."));
}

std::vector<ServerEntry> many_servers(int found, int recent) {
  std::vector<ServerEntry> servers;
  for (int i = 0; i < found; ++i) {
    servers.push_back({"192.0.2." + std::to_string(i) + ":7654", "found" + std::to_string(i),
                       "3 players, 2 open rooms", true});
  }
  for (int i = 0; i < recent; ++i) {
    servers.push_back(
        {"198.51.100." + std::to_string(i) + ":7654", "known" + std::to_string(i), "", false});
  }
  return servers;
}

TEST(Start, the_selected_server_is_always_shown) {
  for (const Size size : {Size{80, 24}, Size{40, 20}, Size{80, 16}, Size{40, 9}}) {
    for (const auto& [found, recent] : {std::pair(12, 8), std::pair(0, 8), std::pair(25, 0)}) {
      Screen screen(size, alice(true));
      const auto servers = many_servers(found, recent);
      screen.app.start().offer(servers, true);
      screen.app.start().advise();
      for (const ServerEntry& server : servers) {
        const auto lines = lines_of(screen.text());
        EXPECT_TRUE(std::ranges::any_of(lines,
                                        [&](const std::string& line) {
                                          return line.find("▸ " + server.name) != std::string::npos;
                                        }))
            << server.name << "\n"
            << screen.text();
        // The line for an address is always there, whole.
        EXPECT_TRUE(std::ranges::any_of(lines, [](const std::string& line) {
          return line == "   Address";
        })) << screen.text();
        screen.keys(down);
      }
      screen.keys("a.example");
      EXPECT_THAT(screen.text(), HasSubstr("▸ Address a.example"));
      const Scene scene = screen.app.draw(screen.now);
      ASSERT_TRUE(scene.cursor);
      EXPECT_TRUE((Rect{0, 0, size.width, size.height}.contains(*scene.cursor)));
    }
  }
}

TEST(Start, nothing_is_cut_at_40_columns) {
  Screen screen({40, 20}, alice(true));
  screen.app.start().offer(many_servers(2, 1), true);
  EXPECT_THAT(screen.text(), HasSubstr("HOST, HOST:PORT or [IPV6]:PORT\n"));
}

// Texts that have to be whole at 80 x 24 and at 40 x 20
// ----------------------------------------------

// The words of a picture in one line.
std::string flat(const std::string& picture) {
  std::string words;
  std::istringstream text(picture);
  for (std::string word; text >> word;) words.append(words.empty() ? "" : " ").append(word);
  return words;
}

TEST(Whole, an_offer_is_with_the_longest_names) {
  const std::string longest(24, 'w');
  for (const Size size : {Size{80, 24}, Size{40, 20}}) {
    for (const auto& [field, words] :
         {std::pair("draw_offered_by", " (O) offers a draw: D accepts, N declines."),
          std::pair("takeback_asked_by", " (O) asks to take back: T allows, N declines.")}) {
      Screen screen(size);
      screen.welcome();
      screen.enter(snapshot("o { name: '" + longest + "' } moves: 4 moves: 0 " +
                            std::string(field) + ": MARK_O"));
      EXPECT_THAT(flat(screen.text()), HasSubstr(longest + words)) << screen.text();
      EXPECT_THAT(screen.text(), HasSubstr("? Help"));
    }
  }
}

TEST(Whole, how_others_join_is) {
  Screen screen;
  screen.welcome();
  screen.enter(snapshot());
  screen.find(client::invitation_to({"192.0.2.7:7655"}, tls::Fingerprint{1, 2, 3}));
  EXPECT_THAT(screen.text(), HasSubstr("Others join (I: QR code)"));
}

// Each has another command, so a line that has room for one alone names the key instead.
TEST(JoinCommand, is_told_to_those_who_have_installed_it_and_to_those_with_a_clone) {
  const std::vector<std::string> one = {"198.51.100.70:7655"};
  const std::vector<std::string> two = {"198.51.100.70:7655", "192.0.2.200:7655"};
  for (const auto& addresses : {one, two}) {
    for (const Size size : {Size{80, 24}, Size{64, 20}, Size{40, 20}, Size{40, 16}, Size{80, 12}}) {
      Screen screen(size);
      screen.welcome();
      screen.find(client::invitation_to(addresses, tls::Fingerprint{1, 2, 3}));
      for (const bool in_room : {false, true}) {
        if (in_room) screen.enter(snapshot());
        const std::string text = screen.text();
        EXPECT_EQ(text.find("198.51.100.70") != std::string::npos,
                  text.find("(a clone: ./run join)") != std::string::npos)
            << screen.text();
      }
    }
  }
}

TEST(Whole, the_address_for_others_is_in_the_lobby) {
  for (const auto& [size, line] :
       {std::pair(Size{80, 24},
                  "Others join with: tictactoe 198.51.100.70:7655 (a clone: ./run join)\n"),
        std::pair(Size{60, 20}, " tictactoe 198.51.100.70:7655 (a clone: ./run join)\n"),
        std::pair(Size{40, 20}, " I shows how others join.\n")}) {
    Screen screen(size);
    screen.welcome();
    screen.find(client::invitation_to({"198.51.100.70:7655"}, tls::Fingerprint{1, 2, 3}));
    EXPECT_THAT(screen.text(), HasSubstr(line));
  }
}

TEST(Whole, the_state_of_the_connection_is_in_the_title) {
  Screen screen({40, 20});
  screen.connect();
  screen.answer(screen.sent().back(),
                "welcome { protocol_version: 1 player_name: 'alice' server_name: 'a long name' }");
  EXPECT_THAT(screen.text(), HasSubstr("● connected"));
  screen.enter(snapshot());
  EXPECT_THAT(screen.text(), HasSubstr("a lo…  ● connected"));
  screen.lose();
  EXPECT_THAT(screen.text(), HasSubstr("○ not connected"));
}

TEST(Whole, a_notice_is_everywhere) {
  for (const Size size : {Size{80, 24}, Size{40, 20}}) {
    Screen screen(size);
    screen.welcome();
    screen.keys("g");
    screen.answer(screen.last_request(), two_games);
    screen.keys("\r");
    screen.answer(screen.last_request(),
                  "game_found { game { id: 7 rules { rows: 3 cols: 3 k: 3 } x { kind: KIND_PERSON "
                  "name: 'ann' } o { kind: KIND_PERSON name: 'ben' } moves: 4 starter: MARK_X "
                  "outcome { winner: MARK_X reason: REASON_RESIGNED } } }");
    for (int view = 0; view < 3; ++view) {  // the replay, the games, the lobby
      screen.keys(":wrong\r");
      EXPECT_THAT(flat(screen.text()),
                  HasSubstr("Unknown command `wrong`. Type `help` for the list."))
          << screen.text();
      screen.keys("\033");
    }
  }
}

TEST(Whole, the_selected_field_of_the_form_is_shown) {
  Screen screen({40, 9});
  screen.welcome();
  screen.keys("n");
  for (const char* field : {"Name", "Board", "In a row", "Clock", "Password", "Listed"}) {
    EXPECT_THAT(screen.text(), HasSubstr(std::string("▸ ") + field));
    screen.keys(down);
  }
}

TEST(Whole, what_to_do_is_on_a_narrow_screen) {
  for (const Size size : {Size{80, 24}, Size{40, 20}}) {
    Screen waiting(size);
    waiting.welcome();
    auto room = snapshot("phase: PHASE_WAITING");
    room.clear_o();
    waiting.enter(room);
    EXPECT_THAT(flat(waiting.text()),
                HasSubstr("Waiting for an opponent (O). Press A to play against the computer."));
    Screen over(size);
    over.welcome();
    over.enter(snapshot("phase: PHASE_FINISHED o { name: '" + std::string(24, 'w') +
                        "' } moves: 0 moves: 1 moves: 4 moves: 2 moves: 8 outcome { winner: MARK_O "
                        "reason: REASON_FORFEIT }"));
    EXPECT_THAT(flat(over.text()), HasSubstr("alice was away for too long."));
    EXPECT_THAT(flat(over.text()), HasSubstr("Press R to play again, or L to leave the room."));
  }
}

}  // namespace
}  // namespace tictactoe::screen::testing::screen_app_tests
